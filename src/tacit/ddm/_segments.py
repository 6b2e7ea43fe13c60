"""Cross-products of the rows of each segment of a table, by matrix products of many at once."""

import numpy as np
from numpy.typing import NDArray

from tacit.ddm._checks import Floats

_AT_ONCE = 1 << 21
"""Bound on the numbers gathered for one product."""


def cross_products(rows: Floats, length: NDArray[np.int64]) -> Floats:
    """Return W'W for each of the segments W that follow each other in `rows`.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        The segments, one below the other.
    length : ndarray of int64, shape (n_segments,)
        Number of rows of each, which may be 0.

    Returns
    -------
    ndarray of shape (n_segments, n_columns, n_columns)
    """
    n_columns = rows.shape[1]
    out = np.zeros((len(length), n_columns, n_columns))
    end = np.cumsum(length)
    # Segments of similar length are padded to the same power of two.
    _, power = np.frexp(np.maximum(length - 1, 0.5))
    for exponent in np.unique(power[length > 0]):
        size = 1 << int(exponent)
        alike = np.flatnonzero((power == exponent) & (length > 0))
        step = max(1, _AT_ONCE // (size * n_columns))
        for some in np.split(alike, range(step, len(alike), step)):
            position = np.arange(size)
            inside = position < length[some, None]
            index = np.where(inside, (end - length)[some, None] + position, 0)
            padded = rows[index] * inside[:, :, None]
            out[some] = padded.transpose(0, 2, 1) @ padded
    return out
