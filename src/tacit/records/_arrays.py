"""What every record does with its arrays: keep them read-only, compare them by value."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
ChoiceArray: TypeAlias = npt.NDArray[np.int8]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
AnyArray: TypeAlias = npt.NDArray[Any]

REFERENCE = -1
"""Index that stands in `second` for the fixed reference instead of an item."""


def freeze(array: npt.NDArray[Any]) -> None:
    """Make an array read-only in place; one that already is stays untouched."""
    if array.flags.writeable:
        array.flags.writeable = False


def same_values(a: AnyArray | None, b: AnyArray | None) -> bool:
    """Tell whether two columns hold the same values; void times (NaN) equal each other."""
    if a is None or b is None:
        return a is b
    floats = a.dtype.kind == "f" and b.dtype.kind == "f"
    return a is b or np.array_equal(a, b, equal_nan=floats)
