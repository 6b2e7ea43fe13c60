"""From the sums of people to their estimates."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.ddm import PeopleStatistics
from tacit.ddm.people_statistics import censored_time
from tacit.errors import DataError
from tacit.fleet._blocks import Block, Floats
from tacit.records._validation import MEDIAN_SECONDS_TO_DOUBT

_NEARLY = 1e7
"""Condition from which estimates are mostly rounding, or noise along some direction."""

_SIDE_SDS = 4.0

FLAGS = {
    "no usable trial": "no row of this person counts",
    "undetermined weights": "fewer independent queries than weights; the rest stays 0",
    "nearly undetermined weights": "some direction of the weights was hardly asked about",
    "constant choices": "the same side was chosen every time",
    "identical items": "no query compares anything",
    "undetermined barrier": "the weights explain every trial exactly: too few trials",
    "implausible times": "the mean response time is above a minute; were they milliseconds?",
    "mostly excluded": "more than half of the rows do not count",
    "side bias": "one side is favoured whatever it is",
    "censored too early": "answers are censored before most decisions can have been made",
    "not converged": "the barrier that censored answers depend on was not found",
}
"""What may be odd about a person, and what it means."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """What is assumed about everybody.

    Parameters
    ----------
    nondecision_time : float, optional
        Seconds of a response time that are not decision, known for all. Rows that are not slower
        do not count.
    fastest_share : float, default 0.85
        Otherwise, each person's non-decision time as a share of the fastest answer that counts,
        at least 0 and below 1.
    prior_sd : float, optional
        Standard deviation of a Gaussian prior on the weights around 0; flat when absent.
    n_best : int, default 3
        Number of best items that are named for each person.

    Examples
    --------
    >>> Model(prior_sd=2.0).ridge
    0.25
    """

    nondecision_time: float | None = None
    fastest_share: float = 0.85
    prior_sd: float | None = None
    n_best: int = 3

    def __post_init__(self) -> None:
        t0, sd = self.nondecision_time, self.prior_sd
        if t0 is not None and not (np.isfinite(t0) and t0 >= 0):
            raise DataError(f"`nondecision_time` must be at least 0 s, got {t0}")
        if not 0 <= self.fastest_share < 1:
            raise DataError(
                f"`fastest_share` must be at least 0 and below 1, got {self.fastest_share}"
            )
        if sd is not None and not (np.isfinite(sd) and sd > 0):
            raise DataError(f"`prior_sd` must be a positive number, got {sd}")
        if self.n_best < 0:
            raise DataError(f"`n_best` must be at least 0, got {self.n_best}")

    @property
    def ridge(self) -> float:
        """Precision of the prior."""
        return 0.0 if self.prior_sd is None else self.prior_sd**-2


@dataclass(frozen=True)
class Estimates:
    """What is known about a block of people.

    Attributes
    ----------
    person : pyarrow array of length n_people
        Who they are.
    n_trials, n_censored : ndarray of int64, shape (n_people,)
        Numbers of rows that count with their time, and as censored.
    excluded : ndarray of int64, shape (n_people, n_reasons)
        Numbers of rows that do not count.
    barrier, nondecision_time : ndarray of shape (n_people,)
        Evidence units and seconds; NaN where they are not known.
    weights : ndarray of shape (n_people, n_features)
        NaN where they are not known.
    covariance : ndarray of shape (n_people, n_features, n_features)
        Of the weights, given barrier and non-decision time.
    side_bias : ndarray of shape (n_people,)
        Standard deviations by which choices favour the first option, whatever it is; NaN where
        the queries cannot tell.
    flags : dict of ndarray of bool
        Where each of `FLAGS` is raised.
    """

    person: Any
    n_trials: NDArray[np.int64]
    n_censored: NDArray[np.int64]
    excluded: NDArray[np.int64]
    barrier: Floats
    nondecision_time: Floats
    weights: Floats
    covariance: Floats
    side_bias: Floats
    flags: dict[str, NDArray[np.bool_]]


def estimate(block: Block, model: Model, n_open: int = 0) -> Estimates:
    """Return the estimates of a block of people.

    Directions of the weights that no query can tell of, `n_open` of them, are nobody's fault.
    """
    sums = block.statistics
    seen = np.isfinite(sums.fastest)
    if model.nondecision_time is None:
        t0 = model.fastest_share * np.where(seen, sums.fastest, 0.0)
    else:
        t0 = np.full(sums.n_people, model.nondecision_time)
        if (sums.fastest <= t0).any():
            raise DataError(
                f"answers of {sums.fastest.min():g} s are among these sums, which is not above "
                f"nondecision_time ({t0[0]:g} s); sum the trials anew with this nondecision_time"
            )
    found = sums.estimate(t0, ridge=model.ridge)
    known = np.isfinite(found.barrier)
    weights, covariance = found.weights, found.inverse_information
    bias = _side_bias(sums, t0, np.where(known, found.barrier, np.nan), weights, covariance)
    n_excluded = block.excluded.sum(axis=1)
    n_used = sums.n_trials + sums.n_censored
    choices = np.abs(sums.choice_total + sums.censored_choice_total)
    empty = np.einsum("nii->n", sums.gram + sums.censored_gram) == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_time = sums.time_sum / sums.n_trials
    early = np.zeros(sums.n_people, dtype=bool)
    if sums.censor_above is not None:
        late = censored_time(sums.censor_above, t0, found.barrier)
        early = known & (sums.n_censored > 0) & (late <= 0)
    raised = {
        "no usable trial": n_used == 0,
        "undetermined weights": (found.rank < sums.n_features - n_open) & (n_used > 0),
        "nearly undetermined weights": np.isfinite(found.condition) & (found.condition > _NEARLY),
        "constant choices": (choices == n_used) & (n_used > 1),
        "identical items": empty & (n_used > 0),
        "undetermined barrier": ~known & (n_used > 0),
        "implausible times": mean_time > MEDIAN_SECONDS_TO_DOUBT,
        "mostly excluded": n_excluded > n_used,
        "side bias": np.abs(bias) > _SIDE_SDS,
        "censored too early": early,
        "not converged": ~found.converged,
    }
    return Estimates(
        block.person,
        sums.n_trials,
        sums.n_censored,
        block.excluded,
        np.where(known, found.barrier, np.nan),
        np.where(seen, t0, np.nan),
        weights,
        np.where(known[:, None, None], covariance, np.nan),
        bias,
        raised,
    )


def _side_bias(
    sums: PeopleStatistics, t0: Floats, barrier: Floats, weights: Floats, inverse: Floats
) -> Floats:
    """Return the sum of the residuals a c - t u in standard deviations.

    Residuals are Brownian motions stopped at t: of mean 0 and variance E[t]. Fitted weights take
    up b'V^-1 b of the sum's variance, b = sum t x.
    """
    vector = sums.time_vector_sum - t0[:, None] * sums.vector_sum
    time = sums.time_sum - t0 * sums.n_trials
    residual = barrier * sums.choice_total - np.einsum("ni,ni->n", vector, weights)
    variance = time - np.einsum("ni,nij,nj->n", vector, inverse, vector, optimize=True)
    telling = variance > 0.01 * time
    return np.asarray(
        np.divide(residual, np.sqrt(np.where(telling, variance, 1.0)))
        * np.where(telling, 1.0, np.nan)
    )
