"""What one query tells, in multiples of x x': the weights that turn one design into another."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._directions import Floats
from tacit.errors import DataError
from tacit.records import QuerySpace


def choice_information(
    queries: QuerySpace, choice_weights: ArrayLike, *, smallest: float = 1e-6
) -> Floats:
    """Return the information of choices alone, for the weak-preference design.

    The logistic curvature mu'(x'theta), theta = 2a times the weights: a choice tells most where it
    is hardest, 1/4 at indifference.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    choice_weights : array_like of shape (..., n_features)
        Weights on the scale that choices estimate, such as `coef_` of
        `tacit.estimators.ChoiceOnly`.
    smallest : float
        Information below this share of the largest is raised to it, in [0, 1). Far from
        indifference it underflows, and without this the queries would span nothing.

    Returns
    -------
    ndarray of shape (..., n_queries)
        Query weights for `solve`, at most 1/4.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> tea = QuerySpace.all_pairs(Items([[0.0], [1.0], [5.0]]))
    >>> choice_information(tea, [1.0]).round(3)
    array([0.197, 0.007, 0.018])
    """
    theta = np.asarray(choice_weights, dtype=float)
    for bad in theta[~np.isfinite(theta)][:1]:
        raise DataError(
            f"`choice_weights` must be finite, got {bad}; did the choices separate the items?"
        )
    if not 0 <= smallest < 1:
        raise DataError(f"`smallest` must be at least 0 and below 1, got {smallest}")
    utilities = queries.items.utilities(theta)
    origin = theta @ queries.items.reference
    first, second = queries.pairs(np.arange(queries.n_queries))
    other = np.where(second >= 0, utilities[..., second], origin[..., None])
    odds = np.exp(-np.abs(utilities[..., first] - other))
    information = odds / (1 + odds) ** 2
    return np.asarray(np.maximum(information, smallest * information.max(axis=-1, keepdims=True)))


def time_information(mean_time: ArrayLike, nondecision_time: float) -> Floats:
    """Return the information of choices with times in a second of budget.

    A decision second tells x x' whatever the preference, and of each response only the decision
    time counts: rho = E[t] / (E[t] + t0). The design then holds shares of time;
    `Design.per_trial` turns them into shares of trials.

    Parameters
    ----------
    mean_time : array_like of shape (..., n_queries)
        Mean decision time of each query, positive seconds; see `tacit.ddm.mean_time`.
    nondecision_time : float
        Seconds, at least 0.

    Returns
    -------
    ndarray of shape (..., n_queries)
        Query weights for `solve`, in (0, 1].

    Examples
    --------
    >>> time_information([1.0, 0.25], 0.25)
    array([0.8, 0.5])
    """
    times = np.asarray(mean_time, dtype=float)
    for bad in times[~(np.isfinite(times) & (times > 0))][:1]:
        raise DataError(f"`mean_time` must be positive and finite, got {bad}")
    if not (np.isfinite(nondecision_time) and nondecision_time >= 0):
        raise DataError(f"`nondecision_time` must be at least 0 and finite, got {nondecision_time}")
    return np.asarray(times / (times + nondecision_time))
