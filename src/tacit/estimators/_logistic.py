"""Newton's method for logistic likelihoods without an intercept, plain or penalised."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve

from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.estimators._queries import explored

_TOLERANCE = 1e-8
"""Gain in log-likelihood, in nats, that a further step is not worth."""

_STILL_MOVING = 0.1
"""Change of log-odds in a last step beyond which the maximum is at infinity."""


class LogisticData(NamedTuple):
    """Columns of a logistic likelihood and its penalty.

    Attributes
    ----------
    vectors : ndarray of shape (n_queries, n_features)
        Query vectors.
    first, second : ndarray of shape (n_queries,)
        Weights of the trials in which either option was chosen, at least 0.
    ridge : float
        Precision of the Gaussian prior around 0.
    firth : bool
        Whether half the log-determinant of the information (Jeffreys' prior) is added.
    """

    vectors: Floats
    first: Floats
    second: Floats
    ridge: float = 0.0
    firth: bool = False

    @property
    def tolerance(self) -> float:
        """The gain in nats that a further step is not worth.

        A share of the whole weight where that is less than one trial's; it may depend on weights
        through their sum alone, which repeating a trial and doubling its weight have in common.
        """
        weight = float(self.first.sum() + self.second.sum())
        return _TOLERANCE * (1.0 if self.firth else min(1.0, weight))


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


def maximise_logistic(data: LogisticData) -> LogisticFit:
    """Maximise sum w log mu(c x'coef) plus the penalty; least norm where that is not unique."""
    basis = None if data.ridge > 0 else _row_space(data)
    if basis is None:
        return _climb(data)
    reduced = _climb(data._replace(vectors=np.ascontiguousarray(data.vectors @ basis)))
    return reduced._replace(
        coef=basis @ reduced.coef, covariance=basis @ reduced.covariance @ basis.T
    )


def maximise_all(vectors: Floats, first: Floats, second: Floats, ridge: float) -> Floats:
    """Return what `maximise_logistic` finds for each row of choices of the same queries.

    Parameters
    ----------
    vectors : ndarray of shape (n_queries, n_features)
        Query vectors.
    first, second : ndarray of shape (n_rows, n_queries)
        Weights of the trials in which either option was chosen, at least 0.
    ridge : float
        Precision of the Gaussian prior around 0, 0 for none.

    Returns
    -------
    ndarray of shape (n_rows, n_features)
    """
    from tacit.estimators._logistic_kernel import climb_all

    coef = np.zeros((len(first), vectors.shape[1]))
    weight = first + second
    tolerance = _TOLERANCE * np.minimum(weight.sum(axis=1), 1.0)
    everything = [(np.arange(len(first)), None)]
    for rows, basis in everything if ridge > 0 else explored(vectors, weight):
        axes = np.eye(vectors.shape[1]) if basis is None else basis
        own = np.zeros((len(rows), axes.shape[1]))
        reduced = np.ascontiguousarray(vectors @ axes)
        climb_all(LogisticData(reduced, first[rows], second[rows], ridge), tolerance[rows], own)
        coef[rows] = own @ axes.T
    return coef


def _row_space(data: LogisticData) -> Floats | None:
    """Return a basis of the directions that the queries explore, None if these are all."""
    weight = data.first + data.second
    return decompose(data.vectors.T @ (data.vectors * weight[:, None])).basis()


def _climb(data: LogisticData) -> LogisticFit:
    from tacit.estimators._logistic_kernel import climb

    n_features = data.vectors.shape[1]
    coef, factor = np.zeros(n_features), np.zeros((n_features, n_features))
    if n_features == 0:
        return LogisticFit(coef, factor, False, True, 0)
    n_iterations, gain, moving = climb(data, data.tolerance, coef, factor)
    if np.isnan(gain):
        raise np.linalg.LinAlgError("the information of the choices is singular")
    # Towards a maximum at infinity every step adds about 1 to the log-odds of the trials that
    # are separated, however little it gains; towards a finite one steps vanish with their gain.
    separable = data.ridge == 0 and not data.firth and moving > _STILL_MOVING
    covariance = cho_solve((factor, True), np.eye(n_features))
    return LogisticFit(coef, covariance, separable, gain < data.tolerance, n_iterations)
