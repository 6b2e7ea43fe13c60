"""Validation of what respondents are made of."""

import math

import numpy as np
from numpy.typing import ArrayLike

from tacit.errors import DataError
from tacit.simulate.respondent import Floats


def as_weights(weights: ArrayLike) -> Floats:
    """Return weights as a read-only copy; they must be finite numbers, one for each feature."""
    values = np.array(weights, dtype=np.float64)
    if values.ndim != 1 or not values.size:
        raise DataError(f"`weights` must be one number per feature, got shape {values.shape}")
    if (bad := ~np.isfinite(values)).any():
        at = int(np.argmax(bad))
        raise DataError(f"`weights` must be finite, got {values[at]} for feature {at}")
    values.flags.writeable = False
    return values


def check_positive(name: str, value: float) -> None:
    """Raise unless `value` is a positive finite number."""
    if not 0 < value < math.inf:
        raise DataError(f"`{name}` must be a positive number, got {value}")


def check_not_negative(name: str, value: float) -> None:
    """Raise unless `value` is zero or a positive finite number."""
    if not 0 <= value < math.inf:
        raise DataError(f"`{name}` must be zero or a positive number, got {value}")
