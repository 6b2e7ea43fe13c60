r"""The distribution of the decision time: cumulative, survival and quantile functions.

Given the query, time and choice are independent, so the law of the time alone is all there is.
With z = |a u| and s = t / a^2, integrating the two density series term by term gives

    F(s)     = 2 cosh z sum_k (-1)^k [e^{-zb} Phi((zs - b)/sqrt s) + e^{zb} Phi(-(zs + b)/sqrt s)]
    1 - F(s) = 2 cosh z sum_k (-1)^k (pi b / 4) e^{-r s} / r,    r = z^2/2 + b^2 pi^2/8,

with b = 2 k + 1. Early times use the first, late times the second; where a strong preference
brings F close to 1 early, 1 - F has the terms of the first with Phi((b - zs)/sqrt s). So one tail
is always computed in log space from a form that does not cancel, and the other one follows from
it with at most two digits lost, because the direct one stays below 0.98.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, log_ndtr, ndtri, ndtri_exp

from tacit.ddm._blocks import blockwise
from tacit.ddm._checks import Floats, as_barrier, as_nondecision_time, as_probability, check
from tacit.ddm.density import log_scaled_density
from tacit.ddm.moments import scaled_mean_time, scaled_var_time, strength
from tacit.errors import ConvergenceError

_LATE = 0.25
"""Scaled time from which five terms of the late form are exact, and before which two of the
early form are."""

_STRONG = 5.0
"""Strength from which four terms of the early survival function are exact once zs > 1."""

_SLOWEST_RATE = np.pi**2 / 8
_MAX_NEWTON_STEPS = 60


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
    -51.845
    """
    return blockwise(_logcdf, *_scaled(decision_time, drift, barrier, nondecision_time))


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
    -123.1285
    """
    return blockwise(_logsf, *_scaled(decision_time, drift, barrier, nondecision_time))


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
    [0.     0.4143 0.9564]
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
    [1.     0.5857 0.0436]
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
    [0.2257 0.5923 1.5214]
    """
    a = as_barrier(barrier)
    z = np.abs(strength(drift, a))
    s = blockwise(_scaled_quantile, as_probability(probability), z)
    return np.asarray(a * a * s + as_nondecision_time(nondecision_time))


def _scaled(
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    nondecision_time: ArrayLike,
) -> tuple[Floats, Floats]:
    """Return scaled time s = t / a^2 and strength z = |a u|, checked."""
    time = np.asarray(decision_time, dtype=np.float64)
    check(~np.isnan(time), time, "`decision_time` must be a number")
    a = as_barrier(barrier)
    s = (time - as_nondecision_time(nondecision_time)) / (a * a)
    return np.asarray(s), np.abs(strength(drift, a))


def _logcdf(s: Floats, z: Floats) -> Floats:
    log_tail, is_cdf = _direct_tail(s, z)
    return np.where(is_cdf, log_tail, _log_complement(log_tail))


def _logsf(s: Floats, z: Floats) -> Floats:
    log_tail, is_cdf = _direct_tail(s, z)
    return np.where(is_cdf, _log_complement(log_tail), log_tail)


def _log_complement(log_probability: Floats) -> Floats:
    return np.asarray(np.log1p(-np.exp(log_probability)))


def _direct_tail(s: Floats, z: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the log of the tail that is computed directly, and whether that is F."""
    s, z = np.broadcast_arrays(s, z)
    possible, late = s > 0, s >= _LATE
    is_cdf = ~late & ((s < 1 / np.maximum(z, 1 / _LATE)) | (z < _STRONG))
    log_tail = np.full(s.shape, -np.inf)
    for where, formula in (
        (possible & is_cdf, _early_log_cdf),
        (~late & ~is_cdf, _early_log_sf),
        (late, _late_log_sf),
    ):
        if where.any():
            log_tail[where] = formula(s[where], z[where])
    return log_tail, is_cdf


def _early_log_cdf(s: Floats, z: Floats) -> Floats:
    inverse, root, leading = _leading(s, z)
    total = np.zeros(())
    for b, sign in ((1.0, 0.5), (3.0, -0.5)):
        both = erfcx((b - z * s) * root) + erfcx((b + z * s) * root)
        total = total + sign * np.exp(-0.5 * (b * b - 1) * inverse) * both
    return np.asarray(np.log(total) + leading + np.log1p(np.exp(-2 * z)))


def _early_log_sf(s: Floats, z: Floats) -> Floats:
    inverse, root, leading = _leading(s, z)
    total = np.zeros(())
    for b, sign in ((1.0, 1.0), (3.0, -1.0), (5.0, 1.0), (7.0, -1.0)):
        relative = 0.5 * np.exp(-0.5 * (b * b - 1) * inverse)
        ahead = np.exp(log_ndtr((b - z * s) * np.sqrt(inverse)) - z * (b - 1) - leading)
        # Past the b-th barrier erfcx stays bounded; before it, the plain normal tail does.
        passed = relative * erfcx(np.maximum(z * s - b, 0.0) * root)
        near = np.where(z * s >= b, passed, ahead)
        total = total + sign * (near - relative * erfcx((b + z * s) * root))
    return np.asarray(np.log(total) + leading + np.log1p(np.exp(-2 * z)))


def _leading(s: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
    """Return 1 / s, its half's root, and the exponent of the leading term of either tail."""
    inverse = 1 / s
    return inverse, np.sqrt(0.5 * inverse), -0.5 * (1 - z * s) ** 2 * inverse


def _late_log_sf(s: Floats, z: Floats) -> Floats:
    tilt = 0.5 * z * z
    y = np.exp(-8 * _SLOWEST_RATE * s)
    total, power, decay = np.zeros(()), np.ones(()), np.ones(())
    for b, sign in ((1.0, 1.0), (3.0, -1.0), (5.0, 1.0), (7.0, -1.0), (9.0, 1.0)):
        # The exponents of y grow as 0, 1, 3, 6, 10.
        total = total + sign * b * decay / (tilt + _SLOWEST_RATE * b * b)
        power = power * y
        decay = decay * power
    exponent = z - (tilt + _SLOWEST_RATE) * s
    return np.asarray(np.log(np.pi / 4 * total) + exponent + np.log1p(np.exp(-2 * z)))


def _scaled_quantile(p: Floats, z: Floats) -> Floats:
    p, z = np.broadcast_arrays(p, z)
    s = np.where(p > 0, np.inf, 0.0)
    inside = (p > 0) & (p < 1)
    if inside.any():
        s[inside] = _newton_quantile(p[inside], z[inside])
    return s


def _newton_quantile(p: Floats, z: Floats) -> Floats:
    """Solve F(s) = p by Newton's method for the smaller tail's logarithm as a function of log s.

    Both tails are log-concave in s (s is a sum of independent exponentials), so the steps do not
    cycle; they are over when the next error, of the order of the last step's square, is rounding.
    """
    lower = p < 0.5
    log_tail = np.where(lower, np.log(p), np.log1p(-p))
    log_s = _first_guess(p, log_tail, z)
    active = np.arange(p.size)
    for _ in range(_MAX_NEWTON_STEPS):
        s, zi, is_lower = np.exp(log_s[active]), z[active], lower[active]
        tail = np.where(is_lower, _logcdf(s, zi), _logsf(s, zi))
        log_density = zi * (1 - 0.5 * zi * s) + np.log1p(np.exp(-2 * zi)) + log_scaled_density(s)
        slope = s * np.exp(log_density - tail)
        step = np.where(is_lower, -1.0, 1.0) * (tail - log_tail[active]) / slope
        log_s[active] += step
        active = active[np.abs(step) > 1e-9]
        if active.size == 0:
            return np.asarray(np.exp(log_s))
    at = active[0]
    raise ConvergenceError(
        f"no decision-time quantile found for probability {p[at]} and |barrier * drift| {z[at]}"
    )


def _first_guess(p: Floats, log_tail: Floats, z: Floats) -> Floats:
    """Return a log-normal guess of log s, kept on the inner side of bounds for extreme tails."""
    mean, variance = scaled_mean_time(z), scaled_var_time(z)
    spread = np.log1p(variance / mean**2)
    guess = np.log(mean) - 0.5 * spread + np.sqrt(spread) * ndtri(p)
    log_cosh = z + np.log1p(np.exp(-2 * z)) - np.log(2)
    # F <= 4 cosh z Phi(-1 / sqrt s)
    earliest = -2 * np.log(-ndtri_exp(np.minimum(log_tail - np.log(4) - log_cosh, -1.0)))
    rate = 0.5 * z * z + _SLOWEST_RATE
    # 1 - F is at most the first term of the late form, late enough
    latest = np.log((log_cosh + np.log(0.5 * np.pi / rate) - log_tail) / rate)
    return np.asarray(np.where(p < 0.5, np.maximum(guess, earliest), np.minimum(guess, latest)))
