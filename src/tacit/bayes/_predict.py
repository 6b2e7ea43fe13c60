"""Posterior expectations of functions of the drift, and probabilities of being best."""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit, ndtri

from tacit.bayes import _truncated
from tacit.bayes._arrays import Floats, Ints
from tacit.bayes._weights import BoxedWeights
from tacit.ddm import mean_time

_CELLS = 1 << 20
"""Bound on the size of tables of nodes by queries by abscissas held in memory."""

_WIDE = 12.0
"""Spread of a u from which drifts get nodes of their own."""

_DEPTH = 36.0
"""Fall of the log-density of the drift that is followed."""

_LOG2_DRAWS = 14

_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(256)
_NODES = (_NODES + 1) / 2

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

    Given a node the drift is normal, see `BoxedWeights.along`. The trapezoidal rule integrates
    over it with a step that resolves both the normal and the poles of tanh(a u). Where it would
    need a fine step, or the prior's range cuts the normal, there are nodes for each drift. Sums of
    several weights that are cut are drawn.
    """
    loadings = X @ weights.conditional.basis
    drift, spread, low, high = weights.along(loadings, points)
    sums = np.count_nonzero(loadings, axis=1) > 1
    sums &= weights.cuts(points, probability)
    barrier, nondecision_time, share = (column[:, None, None] for column in points.T)
    widest = (points[:, :1] * spread).max(axis=0, initial=0.0)
    hard = _truncated.cut(drift, spread, low, high).any(axis=0) | (widest > _WIDE)
    hard, easy = hard & ~sums, ~hard & ~sums
    step = 0.5 / max(1.0, float(widest[easy].max(initial=0.0)))
    z = np.arange(-8.0, 8.0 + step, step)
    mass = np.exp(-0.5 * z * z)
    mass /= mass.sum()
    result = np.empty(len(X))
    for rows in _pieces(np.flatnonzero(easy), len(points) * len(z)):
        u = drift[:, rows, None] + spread[:, rows, None] * z
        result[rows] = probability @ (function(u, barrier, nondecision_time, share) @ mass)
    for rows in _pieces(np.flatnonzero(hard), len(points) * len(_NODES)):
        u, share_of = drift_nodes(
            drift[:, rows], spread[:, rows], low[rows], high[rows], points[:, :1]
        )
        values = function(u, barrier, nondecision_time, share)
        result[rows] = probability @ (values * share_of).sum(axis=2)
    if sums.any():
        result[sums] = _mean_over_draws(function, X[sums], weights, points, probability)
    return result


def _mean_over_draws(
    function: OfDrift, X: Floats, weights: BoxedWeights, points: Floats, probability: Floats
) -> Floats:
    total = np.zeros(len(X))
    for node, theta in _spread_draws(weights, points, probability, len(X)):
        person = (column[:, None] for column in points[node].T)
        total += function(theta @ X.T, *person).sum(axis=0)
    return total / (1 << _LOG2_DRAWS)


def _pieces(rows: Ints, cells: int) -> Iterator[Ints]:
    """Cut rows into pieces whose tables, of so many cells in each row, fit in memory."""
    at_once = max(1, _CELLS // cells)
    for first in range(0, len(rows), at_once):
        yield rows[first : first + at_once]


def drift_nodes(
    mean: Floats, sd: Floats, low: Floats, high: Floats, barrier: Floats
) -> tuple[Floats, Floats]:
    """Return drifts, and their probabilities, that resolve a cut normal and tanh(a u).

    Gauss-Legendre nodes in v, a u = sinh v, from where to where the density is not negligible:
    at z standard deviations it has fallen by e^-D from its peak at z0, z^2 = z0^2 + 2 D.
    """
    peak = np.clip(mean, low, high)
    off = (peak - mean) / sd
    reach = sd * 2 * _DEPTH / (np.abs(off) + np.sqrt(off * off + 2 * _DEPTH))
    ends = np.maximum(low, peak - reach), np.minimum(high, peak + reach)
    first, last = (np.arcsinh(barrier * end)[..., None] for end in ends)
    v = first + (last - first) * _NODES
    u = np.sinh(v) / barrier[..., None]
    # z^2 - z0^2 as a product, which keeps its digits far out.
    fall = (u - peak[..., None]) / sd[..., None]
    log_mass = -0.5 * fall * (fall + 2 * off[..., None])
    mass = np.exp(log_mass) * np.cosh(v) * _NODE_WEIGHTS
    return u, mass / mass.sum(axis=2, keepdims=True)


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
    loadings = (items[1] - items[0])[None] @ weights.conditional.basis
    if np.count_nonzero(loadings) > 1 and weights.cuts(points, probability):
        return _best_of_draws(items, weights, points, probability)
    first = float((probability @ _truncated.cdf(np.zeros(1), *weights.along(loadings, points)))[0])
    return np.array([first, 1 - first])


def _best_of_draws(
    items: Floats, weights: BoxedWeights, points: Floats, probability: Floats
) -> Floats:
    """Count winners among quasi-random draws."""
    wins = np.zeros(len(items))
    for _, theta in _spread_draws(weights, points, probability, len(items)):
        wins += np.bincount((theta @ items.T).argmax(axis=1), minlength=len(items))
    return wins / (1 << _LOG2_DRAWS)


def _spread_draws(
    weights: BoxedWeights, points: Floats, probability: Floats, n_values: int
) -> Iterator[tuple[Ints, Floats]]:
    """Yield nodes and weights of quasi-random draws, with room for `n_values` for each draw."""
    # scipy.stats takes longer to import than a person takes to fit.
    from scipy.stats import qmc

    n_draws, rank = 1 << _LOG2_DRAWS, len(weights.low)
    node = np.searchsorted(np.cumsum(probability), (np.arange(n_draws) + 0.5) / n_draws)
    node = np.minimum(node, len(points) - 1)
    engine = qmc.Sobol(rank + 1, rng=np.random.default_rng(0))
    # Centred in their cells: none is 0, where a normal draw would be infinite.
    uniform = engine.random(n_draws) + 0.5 / engine.maxn
    # The first coordinate picks the node, so that nodes and weights are spread jointly.
    node = node[np.minimum((uniform[:, 0] * n_draws).astype(np.int64), n_draws - 1)]
    at_once = max(1, _CELLS // max(n_values, rank))
    for first in range(0, n_draws, at_once):
        rows = slice(first, first + at_once)
        theta = weights.draw(points[node[rows]], ndtri(uniform[rows, 1:]))
        yield node[rows], theta
