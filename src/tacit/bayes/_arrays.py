"""Types shared in the room, and the first look at what comes in."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def as_floats(name: str, values: ArrayLike) -> Floats:
    """Return `values` as floats, or say that they are no numbers."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"`{name}` must hold numbers in rows of one length: {error}") from error
