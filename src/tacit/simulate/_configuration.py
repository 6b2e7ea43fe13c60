"""Frozen configurations as plain values, for storage and for hashes that do not change."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tacit.errors import DataError


def plain(value: Any) -> Any:
    """Return a configuration as JSON values: a dataclass is a mapping with its `class`.

    Fields that are not arguments of the class follow from the others and are left out.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DataError(f"a configuration must consist of finite numbers, got {value}")
        return value
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: plain(getattr(value, f.name)) for f in fields(value) if f.init}
        return {"class": class_name(type(value)), **parts}
    raise DataError(
        f"a configuration must consist of numbers, texts, arrays and dataclasses, got {value!r} of "
        f"{type(value).__name__}"
    )


def class_name(cls: type) -> str:
    """Return a name of a class that stays when it moves to another module of its package."""
    return f"{cls.__module__.partition('.')[0]}.{cls.__qualname__}"


def digest(value: Any) -> str:
    """Return 32 hexadecimal digits that tell plain values apart, the same on every machine."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
