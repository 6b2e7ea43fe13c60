"""Posterior expectations of functions of the drift, and probabilities of being best."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit, ndtr, ndtri
from scipy.stats import qmc

from tacit.bayes._arrays import Floats
from tacit.bayes._weights import BoxedWeights
from tacit.ddm import mean_time

_CELLS = 1 << 20
"""Bound on the size of tables of nodes by queries by abscissas held in memory."""

_LOG2_DRAWS = 14
_MAX_SOBOL_DIMENSION = 21_201

OfDrift = Callable[[Floats, Floats, Floats, Floats], Floats]
"""Function of drift, barrier, non-decision time and start share."""


def prob_first(drift: Floats, barrier: Floats, nondecision_time: Floats, share: Floats) -> Floats:
    """Return the probability of the first option, from any start.

    P(hit +a before -a from b) = (1 - e^{-2u(a+b)}) / (1 - e^{-4ua}), written without overflow.
    """
    del nondecision_time
    if not share.any():
        return np.asarray(expit(2 * barrier * drift))
    size, side = np.abs(2 * barrier * drift), np.where(drift < 0, -share, share)
    with np.errstate(invalid="ignore"):
        towards = np.expm1(-size * (1 + side)) / np.expm1(-2 * size)
    towards = np.where(size > 0, towards, (1 + side) / 2)
    return np.asarray(np.where(drift < 0, 1 - towards, towards))


def mean_response_time(
    drift: Floats, barrier: Floats, nondecision_time: Floats, share: Floats
) -> Floats:
    """Return the mean response time, from any start (Wald: u E[t] = E[evidence] - start)."""
    if not share.any():
        return np.asarray(nondecision_time + mean_time(drift, barrier))
    end = 2 * prob_first(drift, barrier, nondecision_time, share) - 1
    small = np.abs(barrier * drift) < 1e-4
    slow = barrier**2 * (1 - share**2) * (1 - 2 / 3 * share * barrier * drift)
    with np.errstate(divide="ignore", invalid="ignore"):
        decision = np.where(small, slow, barrier * (end - share) / drift)
    return np.asarray(nondecision_time + decision)


def expectation(
    function: OfDrift,
    X: Floats,
    weights: BoxedWeights,
    points: Floats,
    probability: Floats,
) -> Floats:
    """Return E[function(x'theta, a, t0, b / a)] for each row of X.

    Given a node the drift is normal (a sum of truncated weights is treated so); its
    trapezoidal rule has a step that resolves both the normal and the poles of tanh(a u).
    """
    loadings = X @ weights.conditional.basis
    mean, variance = weights.moments(points)
    drift = mean @ loadings.T
    spread = np.sqrt(variance @ (loadings * loadings).T)
    step = 0.5 / max(1.0, float((points[:, :1] * spread).max(initial=0.0)))
    z = np.arange(-8.0, 8.0 + step, step)
    mass = np.exp(-0.5 * z * z)
    mass /= mass.sum()
    barrier, nondecision_time, share = (column[:, None, None] for column in points.T)
    result = np.empty(len(X))
    at_once = max(1, _CELLS // (len(points) * len(z)))
    for first in range(0, len(X), at_once):
        rows = slice(first, first + at_once)
        u = drift[:, rows, None] + spread[:, rows, None] * z
        result[rows] = probability @ (function(u, barrier, nondecision_time, share) @ mass)
    return result


def probability_best(
    features: Floats, weights: BoxedWeights, points: Floats, probability: Floats
) -> Floats:
    """Return each row's probability of the highest utility."""
    items, same = np.unique(features, axis=0, return_inverse=True)
    if len(items) == 1:
        best = np.ones(1)
    elif len(items) == 2:
        best = _better_of_two(items, weights, points, probability)
    else:
        best = _best_of_draws(items, weights, points, probability)
    return np.asarray((best / np.bincount(same))[same])


def _better_of_two(
    items: Floats, weights: BoxedWeights, points: Floats, probability: Floats
) -> Floats:
    loadings = (items[0] - items[1]) @ weights.conditional.basis
    mean, variance = weights.moments(points)
    spread = np.sqrt(variance @ (loadings * loadings))
    first = float(probability @ ndtr(mean @ loadings / spread))
    return np.array([first, 1 - first])


def _best_of_draws(
    items: Floats, weights: BoxedWeights, points: Floats, probability: Floats
) -> Floats:
    """Count winners among quasi-random draws, spread over the nodes by their probabilities."""
    n_draws = 1 << _LOG2_DRAWS
    rank = len(weights.low)
    node = np.searchsorted(np.cumsum(probability), (np.arange(n_draws) + 0.5) / n_draws)
    node = np.minimum(node, len(points) - 1)
    wins = np.zeros(len(items))
    engine = qmc.Sobol(rank + 1, rng=np.random.default_rng(0))
    uniform = engine.random(n_draws)
    # The first coordinate picks the node, so that nodes and weights are spread jointly.
    node = node[np.minimum((uniform[:, 0] * n_draws).astype(np.int64), n_draws - 1)]
    at_once = max(1, _CELLS // max(len(items), rank))
    for first in range(0, n_draws, at_once):
        rows = slice(first, first + at_once)
        theta = weights.draw(points[node[rows]], ndtri(uniform[rows, 1:]))
        wins += np.bincount((theta @ items.T).argmax(axis=1), minlength=len(items))
    return wins / n_draws
