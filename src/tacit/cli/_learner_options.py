"""Learners with options, as text on the command line."""

import json
import re
from typing import Any

from tacit.errors import DataError

Options = dict[str, Any]


def split_learners(text: str) -> list[str]:
    """Split ``TopTwo,GSE:eta=6,phase_buffer=10`` into learners, each with its options."""
    learners: list[str] = []
    for part in re.split(r"[,\s]+", text.strip(", \t\n")):
        if ":" in part or "=" not in part:
            learners.append(part)
        elif learners:
            learners[-1] += ("," if ":" in learners[-1] else ":") + part
        else:
            raise DataError(f"expected a learner such as GSE:{part}, got {text!r}")
    return learners


def parse_learner(text: str) -> tuple[str, Options]:
    """Return name and options of ``NAME:option=value,option=value``."""
    name, _, rest = text.partition(":")
    options: Options = {}
    for part in filter(None, rest.split(",")):
        key, sign, value = part.partition("=")
        if not sign:
            raise DataError(f"options of {name} must read option=value, got {part!r}")
        *groups, last = key.split(".")
        place = options
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise DataError(f"option {group!r} of {name} was given a value already")
        if last in place:
            raise DataError(f"option {key!r} of {name} was given twice")
        place[last] = _value(value)
    return name, options


def _value(text: str) -> object:
    """Read numbers and truth values as such; anything else is a text."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
