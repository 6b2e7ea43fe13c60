r"""The distribution of the decision time: cumulative, survival and quantile functions.

Given the query, time and choice are independent, so the law of the time alone is all there is.
With z = |a u| and s = t / a^2, integrating the two density series term by term gives

    small s:  2 cosh z sum_k (-1)^k [e^{-zb} Phi((zs - b)/sqrt s) + e^{zb} Phi(-(zs + b)/sqrt s)]
    large s:  1 - 2 cosh z sum_k (-1)^k (pi b / 4) e^{-r s} / r,    r = z^2/2 + b^2 pi^2/8,

with b = 2 k + 1. Survival and cumulative functions are each computed in log space from the form
that does not cancel, so that both tails keep their relative accuracy.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import elementwise
from scipy.special import erfcx, log_ndtr

from tacit.ddm._blocks import blockwise
from tacit.ddm._checks import Floats, as_barrier, as_drift, as_nondecision_time, first_bad
from tacit.ddm.density import CROSSING
from tacit.errors import ConvergenceError, DataError

_ORDERS = ((1.0, 1.0), (3.0, -1.0), (5.0, 1.0), (7.0, -1.0))
"""(b, sign) of the terms of either series; four are exact where each form is used."""

_MODERATE = 5.0
"""Strength from which the image sum of the survival function, whose terms fall by e^{-2z} once
the mean time has passed, is exact with four terms."""


def logcdf(
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
) -> Floats:
    """Return the log-probability that the decision takes at most `decision_time`.

    Parameters
    ----------
    decision_time : array_like
        Seconds, ``inf`` allowed; response times when `nondecision_time` is given.
    drift : array_like
        Utility difference of the query, any finite number; only its size matters.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.

    Returns
    -------
    ndarray
        Log-probability, broadcast over the arguments; ``-inf`` for impossible times.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.logcdf(0.01, drift=0.0, barrier=1.0).round(4))
    -51.838
    """
    return _on_scaled_time(_logcdf, decision_time, drift, barrier, nondecision_time)


def logsf(
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
) -> Floats:
    """Return the log-probability that the decision takes longer than `decision_time`.

    Parameters
    ----------
    decision_time : array_like
        Seconds, ``inf`` allowed; response times when `nondecision_time` is given.
    drift : array_like
        Utility difference of the query, any finite number; only its size matters.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.

    Returns
    -------
    ndarray
        Log-probability, broadcast over the arguments; 0 for impossible times.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.logsf(100.0, drift=0.0, barrier=1.0).round(4))
    -123.129
    """
    return _on_scaled_time(_logsf, decision_time, drift, barrier, nondecision_time)


def cdf(
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
) -> Floats:
    """Return the probability that the decision takes at most `decision_time`.

    Parameters
    ----------
    decision_time : array_like
        Seconds, ``inf`` allowed; response times when `nondecision_time` is given.
    drift : array_like
        Utility difference of the query, any finite number; only its size matters.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.

    Returns
    -------
    ndarray
        Probability in [0, 1], broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.cdf([0.0, 0.5, 2.0], drift=1.0, barrier=1.0).round(4))
    [0.     0.3983 0.9441]
    """
    return np.asarray(
        np.exp(logcdf(decision_time, drift, barrier, nondecision_time=nondecision_time))
    )


def sf(
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
) -> Floats:
    """Return the probability that the decision takes longer than `decision_time`.

    Parameters
    ----------
    decision_time : array_like
        Seconds, ``inf`` allowed; response times when `nondecision_time` is given.
    drift : array_like
        Utility difference of the query, any finite number; only its size matters.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.

    Returns
    -------
    ndarray
        Probability in [0, 1], broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.sf([0.0, 0.5, 2.0], drift=1.0, barrier=1.0).round(4))
    [1.     0.6017 0.0559]
    """
    return np.asarray(
        np.exp(logsf(decision_time, drift, barrier, nondecision_time=nondecision_time))
    )


def quantile(
    probability: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
) -> Floats:
    """Return the time within which a decision falls with the given probability.

    Parameters
    ----------
    probability : array_like
        Cumulative probability in [0, 1].
    drift : array_like
        Utility difference of the query, any finite number; only its size matters.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds added to the decision time; with it the result is a response time.

    Returns
    -------
    ndarray
        Seconds, broadcast over the arguments: `nondecision_time` at probability 0, ``inf`` at 1.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.quantile([0.1, 0.5, 0.9], drift=1.0, barrier=1.0).round(4))
    [0.2488 0.5991 1.6085]
    """
    p = np.asarray(probability, dtype=np.float64)
    ok = (p >= 0) & (p <= 1)
    if not ok.all():
        at = first_bad(ok)
        raise DataError(
            f"`probability` must be between 0 and 1, got {p.ravel()[at]} at position {at}"
        )
    a = as_barrier(barrier)
    p, z = np.broadcast_arrays(p, np.abs(a * as_drift(drift)))
    inside = (p > 0) & (p < 1)
    s = np.where(p > 0, np.inf, 0.0)
    if inside.any():
        s[inside] = _scaled_quantile(p[inside], z[inside])
    return np.asarray(a * a * s + as_nondecision_time(nondecision_time))


def _on_scaled_time(
    formula: Callable[[Floats, Floats], Floats],
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    nondecision_time: ArrayLike,
) -> Floats:
    """Evaluate `formula` at strength z = |a u| and scaled time s = t / a^2."""
    time = np.asarray(decision_time, dtype=np.float64)
    ok = ~np.isnan(time)
    if not ok.all():
        raise DataError(f"`decision_time` must be a number, got NaN at position {first_bad(ok)}")
    a = as_barrier(barrier)
    s = np.asarray(time - as_nondecision_time(nondecision_time)) / (a * a)
    return blockwise(formula, s, np.abs(a * as_drift(drift)))


def _logcdf(s: Floats, z: Floats) -> Floats:
    log_cdf, log_sf, cdf_is_direct = _tails(s, z)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(cdf_is_direct, log_cdf, np.log(-np.expm1(log_sf))))


def _logsf(s: Floats, z: Floats) -> Floats:
    log_cdf, log_sf, cdf_is_direct = _tails(s, z)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(cdf_is_direct, np.log1p(-np.exp(log_cdf)), log_sf))


def _tails(s: Floats, z: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return log F, log(1 - F) and which of the two is computed directly here.

    Each is only meaningful where it is the direct one; the other one follows from it with at most
    two digits lost, because the direct one stays below 0.98.
    """
    s = np.maximum(s, 0.0)
    with np.errstate(all="ignore"):
        early = s < CROSSING
        cdf_is_direct = early & ((z * s < 1) | (z < _MODERATE))
        early_cdf, early_sf = _small_time_tails(s, z)
        log_cdf = np.where(s > 0, early_cdf, -np.inf)
        log_sf = np.where(early, early_sf, _large_time_log_sf(s, z))
    return np.asarray(log_cdf), np.asarray(log_sf), np.asarray(cdf_is_direct)


def _small_time_tails(s: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Return log F and log(1 - F) for s below the crossing, where each is the direct one.

    Everything is relative to e^E, E = -(1 - z s)^2 / 2s, the size of the leading term.
    """
    inverse = 1 / s
    root = np.sqrt(0.5 * inverse)
    leading = -((1 - z * s) ** 2) * 0.5 * inverse
    cdf_sum = sf_sum = np.zeros(())
    for b, sign in _ORDERS:
        relative = 0.5 * sign * np.exp(-0.5 * (b * b - 1) * inverse)
        far = erfcx((z * s + b) * root)
        cdf_sum = cdf_sum + relative * (erfcx((b - z * s) * root) + far)
        # Past the b-th barrier erfcx stays bounded; before it, use the plain normal tail.
        passed = relative * erfcx(np.maximum(z * s - b, 0.0) * root)
        ahead = sign * np.exp(log_ndtr((b - z * s) * np.sqrt(inverse)) - z * (b - 1) - leading)
        sf_sum = sf_sum + np.where(z * s >= b, passed, ahead) - relative * far
    scale = leading + np.log1p(np.exp(-2 * z))
    return np.asarray(scale + np.log(cdf_sum)), np.asarray(scale + np.log(sf_sum))


def _large_time_log_sf(s: Floats, z: Floats) -> Floats:
    slowest = 0.5 * z * z + np.pi**2 / 8
    total = 1 / slowest
    for b, sign in _ORDERS[1:]:
        gap = np.pi**2 * (b * b - 1) / 8
        total = total + sign * b * np.exp(-gap * s) / (slowest + gap)
    return np.asarray(z + np.log1p(np.exp(-2 * z)) - slowest * s + np.log(np.pi / 4 * total))


def _scaled_quantile(p: Floats, z: Floats) -> Floats:
    """Return the s with F(s) = p, by bracketed root finding on the smaller tail's logarithm."""

    def excess(log_s: Floats, p: Floats, z: Floats) -> Floats:
        log_cdf, log_sf = _logcdf(np.exp(log_s), z), _logsf(np.exp(log_s), z)
        return np.asarray(np.where(p < 0.5, log_cdf - np.log(p), np.log1p(-p) - log_sf))

    # Even the smallest and the largest double in (0, 1) lie strictly between these times.
    earliest, latest = np.log(1e-4 / (1 + z)), np.log(1e2 / (1 + z))
    solution = elementwise.find_root(excess, (earliest, latest), args=(p, z))
    if not np.all(solution.success):
        at = first_bad(np.asarray(solution.success))
        raise ConvergenceError(
            f"no decision-time quantile found for probability {p[at]} and |barrier * drift| {z[at]}"
        )
    return np.asarray(np.exp(solution.x))
