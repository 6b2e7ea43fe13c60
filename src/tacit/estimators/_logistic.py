"""Newton's method for logistic likelihoods without an intercept, plain or penalised."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, solve_triangular
from scipy.special import expit, log_expit

from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose

_TOLERANCE = 1e-8
"""Gain in log-likelihood, in nats, that a further step is not worth."""

_MAX_ITERATIONS = 200
_ENOUGH = 0.25
"""Share of the promised gain that a step must bring. The information understates the curvature of
Firth's penalty: less would let steps overshoot to and fro across a maximum of few trials."""

_STILL_MOVING = 0.1
"""Change of log-odds in a last step beyond which the maximum is at infinity."""


class LogisticData(NamedTuple):
    """Columns of a logistic likelihood and its penalty.

    Attributes
    ----------
    vectors : ndarray of shape (n_trials, n_features)
        Query vectors.
    choice : ndarray of shape (n_trials,)
        +1.0 or -1.0.
    weight : ndarray of shape (n_trials,)
        Positive weights of the trials.
    ridge : float
        Precision of the Gaussian prior around 0.
    firth : bool
        Whether half the log-determinant of the information (Jeffreys' prior) is added.
    """

    vectors: Floats
    choice: Floats
    weight: Floats
    ridge: float = 0.0
    firth: bool = False

    @property
    def tolerance(self) -> float:
        """The gain in nats that a further step is not worth.

        A share of the whole weight where that is less than one trial's; it may depend on weights
        through their sum alone, which repeating a trial and doubling its weight have in common.
        """
        return _TOLERANCE * (1.0 if self.firth else min(1.0, float(self.weight.sum())))


class LogisticFit(NamedTuple):
    """Where the likelihood is largest.

    Attributes
    ----------
    coef : ndarray of shape (n_features,)
        Log-odds per feature.
    covariance : ndarray of shape (n_features, n_features)
        Inverse of the information there (and of the ridge).
    separable : bool
        Whether the likelihood only reaches its supremum at infinity.
    converged : bool
        Whether a further step is not worth taking.
    n_iterations : int
        Number of Newton steps.
    """

    coef: Floats
    covariance: Floats
    separable: bool
    converged: bool
    n_iterations: int


class _Point(NamedTuple):
    coef: Floats
    value: float
    gradient: Floats
    factor: tuple[Floats, bool]


def maximise_logistic(data: LogisticData) -> LogisticFit:
    """Maximise sum w log mu(c x'coef) plus the penalty; least norm where that is not unique."""
    basis = None if data.ridge > 0 else _row_space(data)
    if basis is None:
        return _climb(data)
    reduced = _climb(data._replace(vectors=data.vectors @ basis))
    return reduced._replace(
        coef=basis @ reduced.coef, covariance=basis @ reduced.covariance @ basis.T
    )


def _row_space(data: LogisticData) -> Floats | None:
    """Return a basis of the directions that the queries explore, None if these are all."""
    return decompose(data.vectors.T @ (data.vectors * data.weight[:, None])).basis()


def _climb(data: LogisticData) -> LogisticFit:
    n_features = data.vectors.shape[1]
    if n_features == 0:
        return LogisticFit(np.zeros(0), np.zeros((0, 0)), False, True, 0)
    point = _evaluate(data, np.zeros(n_features))
    gain, step = np.inf, np.zeros(n_features)
    n_iterations = 0
    while gain >= data.tolerance and n_iterations < _MAX_ITERATIONS:
        step = cho_solve(point.factor, point.gradient)
        gain = 0.5 * float(point.gradient @ step)
        n_iterations += 1
        following = _search_line(data, point, step, gain)
        if following is None:
            break
        point = following
    # Towards a maximum at infinity every step adds about 1 to the log-odds of the trials that
    # are separated, however little it gains; towards a finite one steps vanish with their gain.
    moving = float(np.max(data.choice * (data.vectors @ step)))
    separable = data.ridge == 0 and not data.firth and moving > _STILL_MOVING
    covariance = cho_solve(point.factor, np.eye(n_features))
    return LogisticFit(point.coef, covariance, separable, gain < data.tolerance, n_iterations)


def _search_line(data: LogisticData, point: _Point, step: Floats, gain: float) -> _Point | None:
    """Return the first of ever shorter steps that climbs, None if rounding hides the climb."""
    for share in 0.5 ** np.arange(30):
        try:
            following = _evaluate(data, point.coef + share * step)
        except LinAlgError:  # so far out that the information vanishes
            continue
        if gain < data.tolerance or following.value > point.value + _ENOUGH * share * gain:
            return following
    return None


def _evaluate(data: LogisticData, coef: Floats) -> _Point:
    X, c, w = data.vectors, data.choice, data.weight
    margin = c * (X @ coef)
    other = expit(-margin)
    value = float(w @ log_expit(margin)) - 0.5 * data.ridge * float(coef @ coef)
    curvature = w * other * (1 - other)
    information = X.T @ (X * curvature[:, None])
    information[np.diag_indices_from(information)] += data.ridge
    factor = cho_factor(information, lower=True)
    score = w * c * other
    if data.firth:
        # Firth (1993): the penalty's gradient is sum x h (1/2 - p), h the leverages.
        value += float(np.log(np.diag(factor[0])).sum())
        leverage = curvature * (solve_triangular(factor[0], X.T, lower=True) ** 2).sum(axis=0)
        score = score + c * leverage * (other - 0.5)
    return _Point(coef, value, X.T @ score - data.ridge * coef, factor)
