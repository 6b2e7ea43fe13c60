"""Newton's method for the tempered likelihood, under many settings at once.

With a the barrier, gamma = a theta, strengths eta = gamma'x = a u and s = t / a^2, a trial adds

    c eta - (1 - w) log cosh eta - w s eta^2 / 2

to the objective. Only the count, the choices and the times of the answers to each different query
are needed, as sums. The objective is concave in gamma, and quadratic where w = 1.
"""

from typing import NamedTuple

import numpy as np

from tacit.ddm._checks import Floats
from tacit.estimators._queries import QuerySums

_MAX_ITERATIONS = 100
_MAX_HALVINGS = 30
_TOLERANCE = 1e-10
"""Gain in log-likelihood, in nats, below which a step is the last."""


class TemperedFit(NamedTuple):
    """Where the tempered likelihood is largest under each setting.

    Attributes
    ----------
    gamma : ndarray of shape (n_settings, n_features)
        Barrier times weights.
    last_move : ndarray of shape (n_settings,)
        Largest change of a strength in the last step: negligible at a maximum, about 1/2 on the
        way to one at infinity.
    converged : bool
        Whether a further step is not worth taking, in every setting.
    """

    gamma: Floats
    last_move: Floats
    converged: bool


def maximise_tempered(
    queries: QuerySums,
    barrier: float,
    nondecision_time: float,
    time_weight: Floats,
    precision: Floats,
) -> TemperedFit:
    """Maximise the tempered likelihood under several settings.

    Parameters
    ----------
    queries : QuerySums
        The trials, the same in all settings.
    barrier, nondecision_time : float
        Evidence units; seconds. The same in all settings.
    time_weight : ndarray of shape (n_settings,)
        w, from 0 (choices only) to 1 (exact).
    precision : ndarray of shape (n_settings,)
        Precision of the prior N(0, I / precision) over gamma. Where it is 0, the queries must
        span the space.

    Returns
    -------
    TemperedFit
    """
    objective = _Objective(queries, barrier, nondecision_time, time_weight, precision)
    gamma = np.zeros((len(precision), queries.vectors.shape[1]))
    step = np.zeros_like(gamma)
    value = objective.value(gamma)
    converged = False
    for _ in range(_MAX_ITERATIONS):
        gradient, curvature = objective.derivatives(gamma)
        step = np.asarray(np.linalg.solve(curvature, gradient[..., None])[..., 0], dtype=np.float64)
        gain = 0.5 * (gradient * step).sum(axis=1)
        converged = bool((gain < _TOLERANCE).all())
        if converged:
            gamma = gamma + step
            break
        gamma, value = _search_lines(objective, gamma, value, step, gain)
    last_move = np.abs(step @ queries.vectors.T).max(axis=1, initial=0.0)
    return TemperedFit(gamma, last_move, converged)


class _Objective:
    def __init__(
        self,
        queries: QuerySums,
        barrier: float,
        nondecision_time: float,
        time_weight: Floats,
        precision: Floats,
    ) -> None:
        decision_time = queries.time_sum - nondecision_time * queries.n_answers
        self.vectors = queries.vectors
        self.linear = queries.choice_sum @ queries.vectors
        self.by_choice = (1 - time_weight)[:, None] * queries.n_answers
        self.by_time = time_weight[:, None] * decision_time / barrier**2
        self.precision = precision[:, None]

    def value(self, gamma: Floats) -> Floats:
        eta = gamma @ self.vectors.T
        size = np.abs(eta)
        log_cosh = size + np.log1p(np.exp(-2 * size)) - np.log(2)
        loss = (self.by_choice * log_cosh + 0.5 * self.by_time * eta * eta).sum(axis=1)
        penalty = 0.5 * (self.precision * gamma * gamma).sum(axis=1)
        return np.asarray(gamma @ self.linear - loss - penalty)

    def derivatives(self, gamma: Floats) -> tuple[Floats, Floats]:
        eta = gamma @ self.vectors.T
        slope = np.tanh(eta)
        pull = (self.by_choice * slope + self.by_time * eta) @ self.vectors
        weight = self.by_choice * (1 - slope * slope) + self.by_time
        # One product for each setting: a single large one would need a copy of X for each.
        curvature = np.stack([(self.vectors.T * row) @ self.vectors for row in weight])
        diagonal = np.arange(curvature.shape[1])
        curvature[:, diagonal, diagonal] += self.precision
        return self.linear - pull - self.precision * gamma, curvature


def _search_lines(
    objective: _Objective, gamma: Floats, value: Floats, step: Floats, gain: Floats
) -> tuple[Floats, Floats]:
    """Halve the steps of those settings that would climb less than a tenth of what they should."""
    length = np.ones(len(gamma))
    following = gamma + step
    reached = objective.value(following)
    for _ in range(_MAX_HALVINGS):
        short = (reached < value + 0.1 * length * gain) & (gain >= _TOLERANCE)
        if not short.any():
            break
        length[short] /= 2
        following = gamma + length[:, None] * step
        reached = objective.value(following)
    return following, reached
