"""Answers that the posterior predicts, next to the answers that were given."""

from dataclasses import dataclass

import numpy as np

from tacit import ddm
from tacit.bayes._arrays import Floats, Ints
from tacit.bayes.marginals import tails
from tacit.ddm import TimedLikelihood
from tacit.errors import DataError

QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, eq=False)
class PredictiveCheck:
    """Choice shares and quantiles of times, observed and predicted, by strength of preference.

    Trials are sorted by the size of their posterior mean drift and cut into equal groups.

    Attributes
    ----------
    n_trials : ndarray of int64, shape (n_groups,)
        Trials in each group.
    strength : ndarray of shape (n_groups,)
        Mean size of the posterior mean drifts of each group.
    share_observed : ndarray of shape (n_groups,)
        Share of choices in the direction of the mean drift; a choice without a direction is half
        of one.
    share_predicted : ndarray of shape (3, n_groups)
        Lower end, median and upper end of what the posterior predicts.
    time_observed : ndarray of shape (3, n_groups)
        The 10%, 50% and 90% quantiles of the response times, seconds.
    time_predicted : ndarray of shape (3, 3, n_groups)
        Lower end, median and upper end (first axis) of each of those quantiles (second axis).
    level : float
        Probability between lower and upper end.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(2)
    >>> X = rng.normal(size=(150, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.0, -0.5], barrier=1.2, nondecision_time=0.3, rng=rng
    ... )
    >>> posterior = bayes.fit(X, choice, response_time)
    >>> check = posterior.predictive_check(rng)
    >>> low, _, high = check.share_predicted
    >>> ((low <= check.share_observed) & (check.share_observed <= high)).tolist()
    [True, True, True, True]
    """

    n_trials: Ints
    strength: Floats
    share_observed: Floats
    share_predicted: Floats
    time_observed: Floats
    time_predicted: Floats
    level: float


def simulate(
    drift: Floats,
    barrier: Floats,
    nondecision_time: Floats,
    start: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Draw choices and response times from any start, exactly.

    The evidence first leaves the largest interval around it that stays between the barriers;
    if it leaves on the far side it goes on from there.
    """
    shape = np.broadcast_shapes(*(np.shape(v) for v in (drift, barrier, nondecision_time, start)))
    u, a, time, position = (
        np.broadcast_to(v, shape).ravel().copy() for v in (drift, barrier, nondecision_time, start)
    )
    going = np.arange(len(u))
    while len(going):
        here = position[going]
        room = a[going] - np.abs(here)
        side, taken = ddm.sample(u[going], room, rng=rng)
        time[going] += taken
        # Exactly at a barrier, where the room is on the side of the step.
        arrived = side * here >= 0
        position[going] = np.where(arrived, side * a[going], here + side * room)
        going = going[~arrived]
    return np.sign(position).reshape(shape), time.reshape(shape)


def predictive_check(
    likelihood: TimedLikelihood,
    mean_drift: Floats,
    replicates: tuple[Floats, Floats],
    *,
    n_groups: int,
    level: float,
) -> PredictiveCheck:
    """Compare the trials with replicates of shape (n_draws, n_trials)."""
    if n_groups < 1:
        raise DataError(f"`n_groups` must be at least 1, got {n_groups}")
    if likelihood.sample_weight is not None and (likelihood.sample_weight != 1).any():
        raise DataError("a predictive check compares trials that count once; fit without weights")
    order = np.argsort(np.abs(mean_drift), kind="stable")
    groups = np.array_split(order, min(n_groups, len(order)))
    direction = np.sign(mean_drift)
    low, high = tails(level)
    ends = (low, 0.5, high)
    choices, times = replicates

    def shares(choice: Floats) -> Floats:
        along = choice * direction
        return np.stack([(1 + along[..., g].mean(axis=-1)) / 2 for g in groups], axis=-1)

    def quantiles(time: Floats) -> Floats:
        return np.stack([np.quantile(time[..., g], QUANTILES, axis=-1) for g in groups], axis=-1)

    return PredictiveCheck(
        n_trials=np.array([len(g) for g in groups]),
        strength=np.array([np.abs(mean_drift[g]).mean() for g in groups]),
        share_observed=shares(likelihood.choice),
        share_predicted=np.quantile(shares(choices), ends, axis=0),
        time_observed=quantiles(likelihood.response_time),
        time_predicted=np.quantile(quantiles(times), ends, axis=1),
        level=level,
    )
