r"""How precise the estimators are: asymptotic variances and concentration bounds of the paper.

Everything is stated on the scale of utilities, whatever scale an estimator has: coefficients of
`ChoiceDecisionTime` and `Likelihood` are multiplied by a, those of `ChoiceOnly` divided by 2 a.
With n answers, shares of queries lambda_x and weights theta, the variance of y'theta_hat times n
tends to (Li et al. 2024, section 3)

    ChoiceDecisionTime   y' G^-1 (sum lambda_x x x' / E[t_x]) G^-1 y,   G = sum lambda_x x x'
                         at most ||y||^2 in (min_x E[t_x] G)^-1, the paper's bound
    ChoiceOnly           ||y||^2 in (sum lambda_x a^2 V[c_x] x x')^-1
    Likelihood           ||y||^2 in (sum lambda_x E[t_x] x x')^-1

so that a query tells E[t_x] with its time and a^2 V[c_x] without it. As E[t_x] >= a^2 V[c_x], with
equality for indifference alone, times never hurt.

Examples
--------
One timed answer against one untimed answer, for weak and for strong preferences:

>>> import numpy as np
>>> from tacit.estimators import theory
>>> drift = np.array([0.1, 1.0, 2.0])
>>> timed = theory.asymptotic_weight_timed(drift, barrier=1.5)
>>> print((timed / theory.asymptotic_weight_choice(drift, barrier=1.5)).round(2))
[ 1.02  3.34 33.62]
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr

from tacit.ddm import mean_time, var_choice
from tacit.ddm._checks import Floats, as_barrier, as_drift, as_positive, check
from tacit.errors import DataError

_TIMED_CONSTANT = 2 + 2 * np.sqrt(2)
_CHOICE_CONSTANT = 2.4
_LARGEST_ERROR_TIMED = np.sqrt(2)
_LARGEST_ERROR_CHOICE = 1.7


def asymptotic_weight_timed(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return E[t], the information in one answer with its time.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        Seconds; the weight of x x' in the information about theta.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.asymptotic_weight_timed(0.0, barrier=2.0))
    4.0
    """
    return mean_time(drift, barrier)


def asymptotic_weight_choice(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return a^2 V[c], the information in one answer without its time.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        Seconds; the weight of x x' in the information about theta.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.asymptotic_weight_choice(0.0, barrier=2.0))
    4.0
    """
    return np.asarray(as_barrier(barrier) ** 2 * var_choice(drift, barrier))


class AsymptoticVariances(NamedTuple):
    """Variances of the estimate of y'theta, times the number of answers, as that grows.

    Attributes
    ----------
    choice_decision_time : float
        Of `ChoiceDecisionTime`, exact.
    choice_decision_time_bound : float
        The paper's bound of it, which replaces every mean time by that of the easiest query.
    choice_only : float
        Of `ChoiceOnly`, exact.
    likelihood : float
        Of `Likelihood`, exact: the Cramer-Rao bound for a known barrier.
    """

    choice_decision_time: float
    choice_decision_time_bound: float
    choice_only: float
    likelihood: float


def asymptotic_variances(
    direction: ArrayLike,
    vectors: ArrayLike,
    weights: ArrayLike,
    barrier: float,
    *,
    shares: ArrayLike | None = None,
) -> AsymptoticVariances:
    """Return the asymptotic variances of the estimators for one design and one person.

    Parameters
    ----------
    direction : array_like of shape (n_features,)
        y, the combination of weights to estimate.
    vectors : array_like of shape (n_queries, n_features)
        Different query vectors; those with a share must span the space.
    weights : array_like of shape (n_features,)
        theta, the person's weights.
    barrier : float
        Positive.
    shares : array_like of shape (n_queries,), optional
        Share of answers that each query has; even by default.

    Returns
    -------
    AsymptoticVariances
        Infinite where preferences are so strong that choices tell less than floats can hold.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.estimators import theory
    >>> queries = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]
    >>> variances = theory.asymptotic_variances([1.0, 0.0], queries, [1.5, 0.0], barrier=1.0)
    >>> print(np.round(variances, 2))
    [3.1  3.31 8.99 3.06]
    """
    y, X, lam = _design(direction, vectors, shares)
    theta = np.asarray(weights, dtype=np.float64)
    if theta.shape != y.shape:
        raise DataError(
            f"`weights` must have one value per feature ({len(y)}), got shape {theta.shape}"
        )
    drift = X @ theta
    time = mean_time(drift, barrier)
    bread = np.linalg.solve(X.T @ (X * lam[:, None]), y)
    return AsymptoticVariances(
        choice_decision_time=float(lam @ ((X @ bread) ** 2 / time)),
        choice_decision_time_bound=_norm(y, X, lam * time[lam > 0].min()),
        choice_only=_norm(y, X, lam * asymptotic_weight_choice(drift, barrier)),
        likelihood=_norm(y, X, lam * time),
    )


def concentration_weight_timed(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return E[t] / ((2 + 2 sqrt 2) a), the weight of a timed answer in the bound.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        See `concentration_bound_timed`.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.concentration_weight_timed(0.0, barrier=1.0).round(3))
    0.207
    """
    return np.asarray(mean_time(drift, barrier) / (_TIMED_CONSTANT * as_barrier(barrier)))


def concentration_weight_choice(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return a sqrt(V[c]) / 2.4, the weight of an untimed answer in the bound.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        See `concentration_bound_choice`.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.concentration_weight_choice(0.0, barrier=1.0).round(3))
    0.417
    """
    return np.asarray(as_barrier(barrier) * np.sqrt(var_choice(drift, barrier)) / _CHOICE_CONSTANT)


def concentration_bound_timed(
    error: ArrayLike, n_answers: ArrayLike, drift: ArrayLike, barrier: ArrayLike
) -> Floats:
    r"""Bound P(\|a C / T - u\| > error) for one query with n timed answers.

    Parameters
    ----------
    error : array_like
        Positive, in units of the drift.
    n_answers : array_like
        Number of answers, at least 1.
    drift : array_like
        u, the utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        4 exp(-n m^2 error^2) with m from `concentration_weight_timed`, in its range of validity
        error <= sqrt(2) \|u\|; 1 outside of it, and wherever it is larger than 1.

    Notes
    -----
    Let d = error E[t] / (a (2 + sqrt 2)). If C is within d of its mean and (u / a) T is, too, then
    C / T is within error / a of u / a for any error <= sqrt(2) \|u\|. Hoeffding's inequality
    bounds the former by 2 exp(-n d^2 / 2). The latter has the same bound, since
    log E[exp(s (t - E[t]) u / a)] <= s^2 / 2 for all \|s\| <= d; and n d^2 / 2 = n m^2 error^2.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.concentration_bound_timed(0.5, [100, 400], drift=1.0, barrier=1.0).round(4))
    [1.     0.3323]
    """
    u, a = as_drift(drift), as_barrier(barrier)
    e, n = as_positive(error, "error"), _answers(n_answers)
    bound = 4 * np.exp(-n * (concentration_weight_timed(u, a) * e) ** 2)
    return np.asarray(np.where(e <= _LARGEST_ERROR_TIMED * np.abs(u), np.minimum(bound, 1), 1.0))


def concentration_bound_choice(
    error: ArrayLike, n_answers: ArrayLike, drift: ArrayLike, barrier: ArrayLike
) -> Floats:
    r"""Bound P(\|logit(p) / (2 a) - u\| > error) for one query with n untimed answers.

    Parameters
    ----------
    error : array_like
        Positive, in units of the drift.
    n_answers : array_like
        Number of answers, at least 1.
    drift : array_like
        u, the utility difference of the query.
    barrier : array_like
        Positive.

    Returns
    -------
    ndarray
        2 exp(-n m^2 error^2) with m from `concentration_weight_choice`, in its range of validity
        2 a error <= 1.7; 1 outside of it, and wherever it is larger than 1.

    Notes
    -----
    With eta = 2 a u, e = 2 a error and Kullback-Leibler divergence D, Chernoff's inequality bounds
    either side by exp(-n D(mu(eta +- e), mu(eta))). The divergence is the integral over s up to e
    of s mu'(eta + s), and mu'(eta + s) >= mu'(eta) exp(-\|s\|) makes it at least
    mu'(eta) (1 - (1 + e) exp(-e)), which is at least mu'(eta) e^2 / 2.4^2 for e <= 1.7. Shares of
    0 and 1 count as infinite log-odds.

    Examples
    --------
    >>> from tacit.estimators import theory
    >>> print(theory.concentration_bound_choice(0.5, [100, 400], drift=1.0, barrier=1.0).round(4))
    [0.3231 0.0014]
    """
    a, e, n = as_barrier(barrier), as_positive(error, "error"), _answers(n_answers)
    bound = 2 * np.exp(-n * (concentration_weight_choice(drift, a) * e) ** 2)
    return np.asarray(np.where(2 * a * e <= _LARGEST_ERROR_CHOICE, np.minimum(bound, 1), 1.0))


def _design(
    direction: ArrayLike, vectors: ArrayLike, shares: ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """Return direction, query vectors and shares as arrays that fit each other."""
    y, X = np.asarray(direction, dtype=np.float64), np.asarray(vectors, dtype=np.float64)
    if X.ndim != 2 or y.shape != (X.shape[1],):
        raise DataError(
            "`vectors` must have one query per row and `direction` one value per feature, got "
            f"shapes {X.shape} and {y.shape}"
        )
    lam = np.full(len(X), 1 / len(X)) if shares is None else np.asarray(shares, dtype=np.float64)
    if lam.shape != (len(X),) or not (lam >= 0).all() or abs(lam.sum() - 1) > 1e-9:
        raise DataError(
            f"`shares` must be {len(X)} numbers of at least 0 that sum to 1, got shape "
            f"{lam.shape} and sum {lam.sum():g}"
        )
    if np.linalg.matrix_rank(X[lam > 0]) < X.shape[1]:
        raise DataError("the queries with a positive share must span the space of the weights")
    return y, X, lam


def _norm(y: Floats, X: Floats, information: Floats) -> float:
    """Return y' (sum information_x x x')^-1 y.

    Choices tell exp(-2 a u) of what times tell: rows of very different size. Sorting the rows
    and pivoting the columns keeps the small ones accurate (Cox & Higham 1998).
    """
    rows = X * np.sqrt(information)[:, None]
    largest_first = np.argsort(-np.abs(rows).max(axis=1), kind="stable")
    factor, pivot = qr(rows[largest_first], mode="r", pivoting=True)
    part = np.zeros(len(y))
    for k, target in enumerate(y[pivot]):
        terms = factor[:k, k] * part[:k]
        left, rounding = target - terms.sum(), abs(target) + np.abs(terms).sum()
        if abs(left) <= len(y) * np.finfo(float).eps * rounding:
            continue
        with np.errstate(divide="ignore", over="ignore"):
            part[k] = left / factor[k, k]
        if np.isinf(part[k]):
            return np.inf
    with np.errstate(over="ignore"):
        return float(part @ part)


def _answers(n_answers: ArrayLike) -> Floats:
    n = np.asarray(n_answers, dtype=np.float64)
    check(n >= 1, n, "`n_answers` must be at least 1")
    return n
