"""From what a caller passes to checked columns, or an error that names trial, value and cause."""

from typing import Any, NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from tacit.ddm._checks import Floats
from tacit.errors import DataError, DataWarning

_LONGEST_PLAUSIBLE_MEDIAN = 60.0
"""Seconds; a median response time above this is more likely to be in milliseconds."""

_CODINGS_WITH_FIRST_IN_FRONT = (
    {1, 2},
    {"1", "2"},
    {"a", "b"},
    {"f", "s"},
    {"first", "second"},
    {"l", "r"},
    {"left", "right"},
)


class Answers(NamedTuple):
    """Checked columns of trials; those of weight zero are gone.

    Attributes
    ----------
    vectors : ndarray of shape (n_trials, n_features)
        Query vectors.
    choice : ndarray of shape (n_trials,)
        +1.0 or -1.0.
    response_time : ndarray of shape (n_trials,) or None
        Seconds; NaN where void.
    sample_weight : ndarray of shape (n_trials,) or None
        Positive.
    used : ndarray of bool of shape (n_trials_given,) or None
        Which of the trials given these are; None if they are all.
    """

    vectors: Floats
    choice: Floats
    response_time: Floats | None
    sample_weight: Floats | None
    used: NDArray[np.bool_] | None = None

    @property
    def weight(self) -> Floats:
        """The weight of every trial, 1 where none was given."""
        return np.ones(len(self.choice)) if self.sample_weight is None else self.sample_weight

    def among_given(self, values: Floats) -> Floats:
        """Return one value for every trial that was given, NaN for those that are gone."""
        if self.used is None:
            return values
        out = np.full(len(self.used), np.nan)
        out[self.used] = values
        return out

    def timed(self) -> tuple[Floats, Floats, Floats, Floats | None]:
        """Return the columns of trials that all have a time."""
        if self.response_time is None:
            raise DataError(needs_times("This estimator"))
        return self.vectors, self.choice, self.response_time, self.sample_weight


def needs_times(who: str) -> str:
    """Return the message for missing response times."""
    return (
        f"{who} needs `response_time`, seconds for every trial, got None; pass "
        "fit(X, y, response_time=...), or use ChoiceOnly when there are no times"
    )


def as_vectors(estimator: object, X: ArrayLike, *, reset: bool) -> Floats:
    """Return the query vectors as finite floats and check them against the fitted features."""
    vectors = validate_data(
        estimator, X, reset=reset, dtype=np.float64, ensure_min_samples=1, ensure_all_finite=False
    )
    # One sum is the fast way to see that everything is finite.
    if not np.isfinite(vectors.sum()) and not (finite := np.isfinite(vectors)).all():
        row, column = np.argwhere(~finite)[0]
        value = "NaN" if np.isnan(vectors[row, column]) else f"{vectors[row, column]}"
        raise DataError(f"`X` must be finite, got {value} at trial {row}, feature {column}")
    return vectors


def as_labels(y: ArrayLike, n_trials: int) -> NDArray[Any]:
    """Return the choices as a column of labels, still in the caller's coding."""
    if y is None:
        raise DataError("requires y to be passed, but the target y is None: y holds the choices")
    labels = column_or_1d(y, warn=True)
    if len(labels) != n_trials:
        raise DataError(f"`y` must have one choice per row of X ({n_trials}), got {len(labels)}")
    if labels.dtype.kind == "f" and not (finite := np.isfinite(labels)).all():
        at = int(np.argmin(finite))
        value = "NaN" if np.isnan(labels[at]) else f"{labels[at]}"
        raise DataError(
            f"`y` must be +1 (first option) or -1 (second option), got {value} at trial {at}; "
            "leave out trials without an answer"
        )
    if not _is_choice(labels):
        check_classification_targets(labels)
    return labels


def _is_choice(labels: NDArray[Any]) -> bool:
    """Whether labels are tacit's own, +1 and -1."""
    return labels.dtype.kind in "if" and bool((np.abs(labels) == 1).all())


def find_classes(labels: NDArray[Any], trials: NDArray[np.intp] | None = None) -> NDArray[Any]:
    """Return the two labels in order: of the second option, then of the first.

    `trials` are the positions of the labels among the trials given, for messages.
    """
    if _is_choice(labels):
        return np.array([-1, 1], dtype=labels.dtype)
    found = np.unique(labels)
    if len(found) != 2:
        # Where most are +1 or -1, the odd one is what is not.
        odd = np.abs(labels) != 1 if labels.dtype.kind in "if" else labels == found[-1]
        at = int(np.argmax(odd))
        where = "" if trials is None else f" at trial {trials[at]}"
        raise DataError(
            "Only binary classification is supported: `y` must hold two classes, +1 (first "
            f"option) and -1 (second option), got {len(found)} class"
            f"{'' if len(found) == 1 else 'es'}, {labels.tolist()[at]!r}{where}"
        )
    second, first = found.tolist()
    if {v.lower() if isinstance(v, str) else v for v in (second, first)} in (
        _CODINGS_WITH_FIRST_IN_FRONT
    ):
        warn(
            f"`y` is coded {second!r}/{first!r}; as in all of scikit-learn the larger label "
            f"is the positive one, so {first!r} counts as choosing the first option. Is that "
            "so? Code +1 (first) and -1 (second), or use a converter of tacit.records",
            DataWarning,
            stacklevel=5,
        )
    return found


def as_choice(labels: NDArray[Any], classes: NDArray[Any], trials: NDArray[np.intp]) -> Floats:
    """Return +1.0 where the label is that of the first option, -1.0 for the second.

    `trials` are the positions of the labels among the trials given, for messages.
    """
    first = labels == classes[1]
    if not (known := first | (labels == classes[0])).all():
        at, (no, yes) = int(np.argmin(known)), classes.tolist()
        raise DataError(
            f"`y` must be {yes!r} (first option) or {no!r} (second option), the classes of the "
            f"first fit, got {labels.tolist()[at]!r} at trial {trials[at]}"
        )
    return np.where(first, 1.0, -1.0)


def as_column(name: str, values: ArrayLike, n_trials: int) -> Floats:
    """Return one float per trial."""
    column = np.asarray(values, dtype=np.float64)
    if column.shape != (n_trials,):
        raise DataError(
            f"`{name}` must have one value per row of X ({n_trials}), got shape {column.shape}"
        )
    return column


def as_times(
    response_time: ArrayLike, n_trials: int, *, nondecision_time: float, allow_void: bool
) -> Floats:
    """Return response times in seconds above `nondecision_time`; NaN only where void may be."""
    seconds = as_column("response_time", response_time, n_trials)
    timed = np.isfinite(seconds)
    ok = timed & (seconds > nondecision_time)
    if allow_void:
        ok |= np.isnan(seconds)
    if not ok.all():
        at = int(np.argmin(ok))
        raise DataError(_unusable_time(seconds[at], nondecision_time, at))
    if timed.any() and (median := np.median(seconds[timed])) > _LONGEST_PLAUSIBLE_MEDIAN:
        warn(
            f"the median response time is {median:g} s; was it recorded in milliseconds?",
            DataWarning,
            stacklevel=5,
        )
    return seconds


def _unusable_time(seconds: float, nondecision_time: float, trial: int) -> str:
    """Say what is wrong with one response time."""
    bound, value = "be a positive number of seconds", f"{seconds:g}"
    if np.isnan(seconds):
        value, cause = "NaN", "RobustLikelihood accepts NaN for a time that is void"
    elif not 0 < seconds < np.inf:
        cause = "was the clock read before the question was shown?"
    else:
        bound, value = f"exceed nondecision_time ({nondecision_time:g} s)", f"{seconds:g} s"
        cause = "was one of them recorded in milliseconds, or was the answer an anticipation?"
    return f"`response_time` must {bound}, got {value} at trial {trial}; {cause}"


def as_weights(sample_weight: ArrayLike, n_trials: int) -> Floats:
    """Return trial weights: finite, at least zero, and not all zero."""
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(n_trials, float(weight))
    weight = as_column("sample_weight", weight, n_trials)
    if not (ok := np.isfinite(weight) & (weight >= 0)).all():
        at = int(np.argmin(ok))
        raise DataError(f"`sample_weight` must be at least 0, got {weight[at]} at trial {at}")
    if not weight.any():
        raise DataError(f"`sample_weight` is zero for all of {n_trials} trials")
    return weight


def check_number(
    name: str, value: float | str, *, above: float | None = None, at_least: float | None = None
) -> float:
    """Return a configuration value as a float within its range."""
    number = float(value)
    inside = (above is None or number > above) and (at_least is None or number >= at_least)
    if not (np.isfinite(number) and inside):
        bound = f"above {above:g}" if above is not None else f"at least {at_least:g}"
        raise DataError(f"`{name}` must be a number {bound}, got {value!r}")
    return number
