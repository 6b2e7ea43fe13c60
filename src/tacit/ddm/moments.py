"""Means and variances of the choice and of the decision time, in closed form."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit

from tacit.ddm._checks import (
    Floats,
    as_barrier,
    as_choice,
    as_drift,
    as_nondecision_time,
    check,
)

# Below this strength |barrier * drift|, differences such as sinh(2z) - 2z are summed as power
# series; above it the closed forms lose at most one digit.
_SERIES_BELOW = 0.5


def strength(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return ``barrier * drift``, the only number that the choice depends on."""
    a, u = np.asarray(barrier, dtype=np.float64), np.asarray(drift, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        z = np.asarray(a * u)
    finite = np.isfinite(z)
    # A product is finite only if both factors are: one look suffices where nothing is wrong.
    if not (finite.all() and (a > 0).all()):
        as_barrier(a)
        as_drift(u)
        check(finite, z, "`barrier` times `drift` must be finite")
    return z


def prob_first(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return the probability of choosing the first option, ``1 / (1 + exp(-2 a u))``.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.

    Returns
    -------
    ndarray
        Probability in [0, 1], broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.prob_first(0.0, barrier=1.0))
    0.5
    """
    return np.asarray(expit(2 * strength(drift, barrier)))


def log_prob(choice: ArrayLike, drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return the log-probability of `choice`, accurate when it is near 0 or 1.

    Parameters
    ----------
    choice : array_like
        +1 (first) or -1 (second).
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.

    Returns
    -------
    ndarray
        Log-probability, broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.log_prob(-1, drift=1000.0, barrier=1.0))
    -2000.0
    """
    return np.asarray(log_expit(2 * as_choice(choice) * strength(drift, barrier)))


def mean_choice(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return E[choice] = tanh(a u).

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.

    Returns
    -------
    ndarray
        Mean of the choice in [-1, 1], broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.mean_choice(0.5, barrier=2.0).round(4))
    0.7616
    """
    return np.asarray(np.tanh(strength(drift, barrier)))


def var_choice(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return V[choice] = 1 - tanh(a u)^2, without cancellation for strong preferences.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.

    Returns
    -------
    ndarray
        Variance of the choice in [0, 1], broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.var_choice([0.0, 20.0], barrier=1.0))
    [1.0000000e+00 1.6993417e-17]
    """
    return _sech_squared(strength(drift, barrier))


def mean_time(drift: ArrayLike, barrier: ArrayLike, *, nondecision_time: ArrayLike = 0.0) -> Floats:
    """Return the mean decision time E[t] = (a / u) tanh(a u), a^2 at u = 0.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds added to every decision time; with it the result is the mean
        response time.

    Returns
    -------
    ndarray
        Seconds, broadcast over the arguments.

    Examples
    --------
    Weak preferences take longest:

    >>> from tacit import ddm
    >>> print(ddm.mean_time([0.0, 1.0, 10.0], barrier=1.5))
    [2.25       1.35772238 0.15      ]
    """
    a = np.asarray(barrier, dtype=np.float64)
    time = np.asarray(a * a * scaled_mean_time(np.abs(strength(drift, a))))
    return np.asarray(time + as_nondecision_time(nondecision_time))


def var_time(drift: ArrayLike, barrier: ArrayLike) -> Floats:
    """Return the variance of the decision time, 2 a^4 / 3 at zero drift.

    The non-decision time is constant and does not enter.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.

    Returns
    -------
    ndarray
        Seconds squared, broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.var_time([0.0, 2.0], barrier=1.0).round(6))
    [0.666667 0.102841]
    """
    a = as_barrier(barrier)
    return np.asarray(a**4 * scaled_var_time(np.abs(strength(drift, a))))


def scaled_mean_time(z: Floats) -> Floats:
    """Return E[t] / a^2 = tanh(z) / z at strength `z`."""
    return np.divide(np.tanh(z), z, out=np.ones_like(z), where=z > 0)


def scaled_var_time(z: Floats) -> Floats:
    """Return V[t] / a^4 at strength `z`."""
    small = z < _SERIES_BELOW
    large = np.where(small, 1.0, z)
    return np.where(
        small,
        # (sinh(2z) - 2z) / (2 z^3) times sech(z)^2
        _sinh_excess(np.where(small, z, 0.0)) * _sech_squared(z),
        (np.tanh(large) / large - _sech_squared(large)) / large**2,
    )


def _sech_squared(z: Floats) -> Floats:
    decay = np.exp(-2 * np.abs(z))
    return np.asarray(4 * decay / (1 + decay) ** 2)


def _sinh_excess(z: Floats) -> Floats:
    """Return (sinh(2z) - 2z) / (2 z^3) for |z| < _SERIES_BELOW by its power series."""
    y = (2 * z) ** 2
    total = np.zeros_like(y)
    for order in range(9, 0, -1):
        # (2z)^(2k+1) / (2k+1)! over (2z)^3 / 3!, built from the highest order down
        total = total * y / ((2 * order + 2) * (2 * order + 3)) + 1
    return np.asarray(2 / 3 * total)
