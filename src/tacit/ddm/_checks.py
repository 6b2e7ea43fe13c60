"""Validation shared by the functions of the diffusion model."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError

Floats = NDArray[np.float64]


def first_bad(ok: NDArray[np.bool_]) -> int:
    """Return the flat index of the first False entry."""
    return int(np.argmin(ok.ravel()))


def check(ok: NDArray[np.bool_], values: Floats, expected: str, cause: str = "") -> None:
    """Raise unless all of `ok`: what was expected, the first value that fails, its cause."""
    if ok.all():
        return
    at = first_bad(np.asarray(ok))
    value = np.broadcast_to(values, np.shape(ok)).ravel()[at]
    raise DataError(f"{expected}, got {value:g} at position {at}{cause and '; '}{cause}")


def as_drift(drift: ArrayLike, name: str = "drift") -> Floats:
    """Return `drift` as floats; it must be finite."""
    values = np.asarray(drift, dtype=np.float64)
    check(np.isfinite(values), values, f"`{name}` must be finite")
    return values


def as_positive(number: ArrayLike, name: str) -> Floats:
    """Return `number` as floats; it must be finite and positive."""
    values = np.asarray(number, dtype=np.float64)
    check((values > 0) & (values < np.inf), values, f"`{name}` must be a positive number")
    return values


def as_barrier(barrier: ArrayLike) -> Floats:
    """Return `barrier` as floats; it must be finite and positive."""
    return as_positive(barrier, "barrier")


def as_nondecision_time(nondecision_time: ArrayLike, name: str = "nondecision_time") -> Floats:
    """Return `nondecision_time` as floats; it must be finite and at least zero."""
    values = np.asarray(nondecision_time, dtype=np.float64)
    ok = (values >= 0) & (values < np.inf)
    check(ok, values, f"`{name}` must be zero or a positive number of seconds")
    return values


def as_probability(probability: ArrayLike) -> Floats:
    """Return `probability` as floats; it must lie in [0, 1]."""
    values = np.asarray(probability, dtype=np.float64)
    check((values >= 0) & (values <= 1), values, "`probability` must be between 0 and 1")
    return values


def as_choice(choice: ArrayLike) -> Floats:
    """Return `choice` as floats; it must be coded +1 (first) or -1 (second)."""
    values = np.asarray(choice, dtype=np.float64)
    check(
        np.abs(values) == 1,
        values,
        "`choice` must be +1 (first option) or -1 (second option)",
        "was it coded 0/1 or 1/2? See the converters in tacit.records",
    )
    return values


def as_start(start: ArrayLike, barrier: Floats) -> Floats:
    """Return `start` as floats; it must lie strictly between the barriers."""
    values = np.asarray(start, dtype=np.float64)
    check(
        np.abs(values) < barrier,
        values,
        "`start` must lie strictly between -barrier and +barrier",
        "is it a fraction of the boundary separation? See tacit.ddm.parameters",
    )
    return values


def as_distance(distance: ArrayLike, barrier: Floats) -> Floats:
    """Return the distance from the start to a barrier; it must leave room on both sides."""
    values = np.asarray(distance, dtype=np.float64)
    check(
        (values > 0) & (values < 2 * barrier),
        values,
        "`distance` must lie strictly between 0 and 2 barrier",
    )
    return values


def as_time(decision_time: ArrayLike, nondecision_time: ArrayLike) -> Floats:
    """Return the decision times; they must be finite, and may be impossible (zero or less)."""
    values = np.asarray(decision_time, dtype=np.float64)
    check(np.isfinite(values), values, "`decision_time` must be finite")
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
