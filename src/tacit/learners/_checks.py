"""Checks of a learner's configuration."""

from collections.abc import Sequence

import numpy as np

from tacit.errors import DataError


def positive(name: str, value: float) -> None:
    """Refuse what is not a positive finite number."""
    if not 0 < value < np.inf:
        raise DataError(f"`{name}` must be a positive number, got {value}")


def at_least(name: str, value: float, least: float) -> None:
    """Refuse what is not a finite number from `least` on."""
    if not least <= value < np.inf:
        raise DataError(f"`{name}` must be at least {least:g}, got {value}")


def one_of(name: str, value: str, known: Sequence[str]) -> None:
    """Refuse a name that is not known."""
    if value not in known:
        raise DataError(f"`{name}` must be one of {', '.join(map(repr, known))}, got {value!r}")
