"""Rows that share a value, without sorting the values themselves."""

import numpy as np

from tacit.records._arrays import AnyArray, FloatArray, IntArray


def numbered(values: AnyArray) -> tuple[list[int | str], IntArray]:
    """Return the different values as they first appear, and the number of each row's."""
    listed = values.tolist()
    distinct = list(dict.fromkeys(listed))
    number = {value: position for position, value in enumerate(distinct)}
    return distinct, np.array([number[value] for value in listed], dtype=np.int64)


def positions_by_value(values: AnyArray) -> dict[int | str, IntArray]:
    """Return where each of the different values stands, in order."""
    distinct, number = numbered(values)
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number, minlength=len(distinct)))
    return dict(zip(distinct, np.split(order, ends[:-1]), strict=False))


def mean_of_groups(values: FloatArray, number: IntArray) -> FloatArray:
    """Return the mean of every group's values that are not NaN; 0 where all are."""
    known = ~np.isnan(values)
    n_groups = number.max(initial=-1) + 1
    count = np.bincount(number[known], minlength=n_groups)
    return np.bincount(number[known], values[known], n_groups) / np.maximum(count, 1)
