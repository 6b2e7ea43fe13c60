"""Validation shared by the functions of the diffusion model."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError

Floats = NDArray[np.float64]


def first_bad(ok: NDArray[np.bool_]) -> int:
    """Return the flat index of the first False entry."""
    return int(np.argmin(ok.ravel()))


def as_drift(drift: ArrayLike) -> Floats:
    """Return `drift` as floats; it must be finite."""
    values = np.asarray(drift, dtype=np.float64)
    ok = np.isfinite(values)
    if not ok.all():
        at = first_bad(ok)
        raise DataError(f"`drift` must be finite, got {values.ravel()[at]} at position {at}")
    return values


def as_barrier(barrier: ArrayLike) -> Floats:
    """Return `barrier` as floats; it must be finite and positive."""
    values = np.asarray(barrier, dtype=np.float64)
    ok = np.isfinite(values) & (values > 0)
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            f"`barrier` must be a positive number, got {values.ravel()[at]} at position {at}"
        )
    return values


def as_nondecision_time(nondecision_time: ArrayLike) -> Floats:
    """Return `nondecision_time` as floats; it must be finite and at least zero."""
    values = np.asarray(nondecision_time, dtype=np.float64)
    ok = np.isfinite(values) & (values >= 0)
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            "`nondecision_time` must be zero or a positive number of seconds, "
            f"got {values.ravel()[at]} at position {at}"
        )
    return values


def as_choice(choice: ArrayLike) -> Floats:
    """Return `choice` as floats; it must be coded +1 (first) or -1 (second)."""
    values = np.asarray(choice, dtype=np.float64)
    ok = np.abs(values) == 1
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            "`choice` must be +1 (first option) or -1 (second option), got "
            f"{values.ravel()[at]:g} at position {at}; was it coded 0/1 or 1/2? "
            "See the converters in tacit.records"
        )
    return values


def as_distance(distance: ArrayLike, barrier: Floats) -> Floats:
    """Return the distance from the start to a barrier; it must leave room on both sides."""
    values = np.asarray(distance, dtype=np.float64)
    ok = np.asarray((values > 0) & (values < 2 * barrier))
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            "the evidence must start strictly between -barrier and +barrier, got distance "
            f"{np.broadcast_to(values, ok.shape).ravel()[at]:g} to the barrier that was hit "
            f"at position {at}"
        )
    return values


def as_time(decision_time: ArrayLike, nondecision_time: ArrayLike) -> Floats:
    """Return the decision times; they must be finite, and may be impossible (zero or less)."""
    values = np.asarray(decision_time, dtype=np.float64)
    ok = np.isfinite(values)
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            f"`decision_time` must be finite, got {values.ravel()[at]} at position {at}"
        )
    return np.asarray(values - as_nondecision_time(nondecision_time))


class TimedChoices(NamedTuple):
    """Checked columns of timed choices: query vectors, choices, response times, weights."""

    vectors: Floats
    choice: Floats
    response_time: Floats
    sample_weight: Floats | None


def check_timed_choices(
    X: ArrayLike,
    choice: ArrayLike,
    response_time: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> TimedChoices:
    """Return the columns as float arrays of one length, or say which trial is wrong and why."""
    vectors = np.asarray(X, dtype=np.float64)
    if vectors.ndim != 2:
        raise DataError(
            "`X` must hold one query vector per row, shape (n_trials, n_features), got shape "
            f"{vectors.shape}"
        )
    if not np.isfinite(vectors).all():
        row, column = np.argwhere(~np.isfinite(vectors))[0]
        raise DataError(
            f"`X` must be finite, got {vectors[row, column]} at trial {row}, feature {column}"
        )
    c = as_choice(choice)
    rt = np.asarray(response_time, dtype=np.float64)
    w = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    for name, column in (("choice", c), ("response_time", rt), ("sample_weight", w)):
        if column is not None and column.shape != (len(vectors),):
            raise DataError(
                f"`{name}` must have one value per row of X ({len(vectors)}), got shape "
                f"{column.shape}"
            )
    check_response_time(rt)
    if w is not None and not (ok := np.isfinite(w) & (w >= 0)).all():
        at = first_bad(ok)
        raise DataError(f"`sample_weight` must be at least 0, got {w[at]} at trial {at}")
    return TimedChoices(vectors, c, rt, w)


def check_response_time(response_time: Floats, nondecision_time: float = 0.0) -> None:
    """Raise unless every response time is finite and exceeds the non-decision time."""
    ok = np.isfinite(response_time) & (response_time > nondecision_time)
    if ok.all():
        return
    at = first_bad(ok)
    value = response_time[at]
    if not np.isfinite(value) or value <= 0:
        raise DataError(
            f"`response_time` must be a positive number of seconds, got {value:g} at trial {at}"
        )
    raise DataError(
        f"`response_time` must exceed nondecision_time ({nondecision_time:.6g} s), got "
        f"{value:.6g} s at trial {at}; is nondecision_time in milliseconds, or was the answer "
        "an anticipation?"
    )
