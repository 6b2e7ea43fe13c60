r"""Exact densities of choice and decision time, in log space and without floors.

With drift u and barriers at +-a, the joint density of choice c and decision time t is

    f(c, t) = exp(a c u - u^2 t / 2) f0(t; a),

where f0 is the density at one barrier when the drift is zero. In s = t / a^2 it has a
small-time and a large-time series (Feller 1968, ch. XIV), which after the change of variable
y = exp(-max(4 / s, pi^2 s)) share the factor 1 - 3 y + 5 y^3 - 7 y^6 and cross at s = 2 / pi.
There y = 0.0019, so that four terms are exact to double precision for every s.

A start-point bias b (evidence starts at b instead of 0) changes a c u to (a c - b) u and f0 to
the density of hitting a barrier at distance d = a - c b with the other one at 2 a - d.
"""

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm._blocks import blockwise
from tacit.ddm._checks import (
    Floats,
    as_barrier,
    as_choice,
    as_distance,
    as_drift,
    as_start,
    as_time,
)

CROSSING = 2 / np.pi
_LARGE_TIME_SCALE = np.pi / 4
_SMALL_TIME_SCALE = 1 / np.sqrt(2 * np.pi)
_SLOWEST_RATE = np.pi**2 / 8


def log_zero_drift_density(
    decision_time: ArrayLike, barrier: ArrayLike, *, distance: ArrayLike | None = None
) -> Floats:
    """Return log f0, the log-density of the decision time at one barrier for zero drift.

    From an unbiased start f0 integrates to 1/2 over time: the two barriers share evenly.

    Parameters
    ----------
    decision_time : array_like
        Seconds. Zero and negative times have density 0 (log-density ``-inf``).
    barrier : array_like
        Half the distance between the two barriers, positive.
    distance : array_like, optional
        Distance from the start to the barrier that is hit, in (0, 2 barrier); by default
        `barrier`, an unbiased start.

    Returns
    -------
    ndarray
        Log-density per second, broadcast over the arguments.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.log_zero_drift_density([0.1, 1.0, 10.0], barrier=1.0).round(6))
    [ -2.465061  -1.47542  -12.57857 ]
    """
    t = as_time(decision_time, 0.0)
    a = as_barrier(barrier)
    if distance is None:
        return blockwise(lambda t, a: log_scaled_density(t / (a * a)) - 2 * np.log(a), t, a)
    d = as_distance(distance, a)
    return blockwise(
        lambda t, a, d: log_scaled_density_biased(t / (a * a), d / a) - 2 * np.log(a), t, a, d
    )


def logpdf(
    choice: ArrayLike,
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
    start: ArrayLike = 0.0,
) -> Floats:
    """Return the joint log-density of choice and decision time.

    Parameters
    ----------
    choice : array_like
        +1 (first) or -1 (second).
    decision_time : array_like
        Seconds; response times when `nondecision_time` is given. Impossible times (zero or
        less after subtracting `nondecision_time`) have log-density ``-inf``.
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.
    start : array_like, default 0
        Evidence at the start, strictly between ``-barrier`` and ``+barrier``; positive values
        favour the first option.

    Returns
    -------
    ndarray
        Log-density per second, broadcast over the arguments.

    See Also
    --------
    logsf, logcdf : the distribution of the time alone.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.logpdf([+1, -1], 0.7, drift=1.0, barrier=1.2).round(4))
    [-0.381 -2.781]
    >>> print(ddm.logpdf(+1, 0.3, drift=1.0, barrier=1.2, nondecision_time=0.4))
    -inf
    """
    c = as_choice(choice)
    t = as_time(decision_time, nondecision_time)
    u = as_drift(drift)
    a = as_barrier(barrier)
    if np.ndim(start) == 0 and start == 0:
        return blockwise(_logpdf, c, t, u, a)
    return blockwise(_logpdf_biased, c, t, u, a, a - c * as_start(start, a))


def pdf(
    choice: ArrayLike,
    decision_time: ArrayLike,
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    nondecision_time: ArrayLike = 0.0,
    start: ArrayLike = 0.0,
) -> Floats:
    """Return the joint density of choice and decision time.

    Parameters
    ----------
    choice : array_like
        +1 (first) or -1 (second).
    decision_time : array_like
        Seconds; response times when `nondecision_time` is given.
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds to subtract from `decision_time`.
    start : array_like, default 0
        Evidence at the start, strictly between ``-barrier`` and ``+barrier``; positive values
        favour the first option.

    Returns
    -------
    ndarray
        Density per second, broadcast over the arguments; it underflows to 0 where `logpdf`
        stays finite.

    Examples
    --------
    >>> from tacit import ddm
    >>> print(ddm.pdf([+1, -1], 0.7, drift=1.0, barrier=1.2).round(4))
    [0.6832 0.062 ]
    """
    return np.asarray(
        np.exp(
            logpdf(
                choice,
                decision_time,
                drift,
                barrier,
                nondecision_time=nondecision_time,
                start=start,
            )
        )
    )


def series(y: Floats) -> Floats:
    """Return the factor 1 - 3 y + 5 y^3 - 7 y^6 that both series share."""
    cube = y * y * y
    return 1 - 3 * y + cube * (5 - 7 * cube)


def log_scaled_density(s: Floats) -> Floats:
    """Return log f0 for barrier 1 at decision times `s`: one exp, one log, one square root each."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s = np.maximum(s, 0.0)
        inverse = 1 / s
        small = s < CROSSING
        y = np.exp(-np.maximum(4 * inverse, np.pi**2 * s))
        scale = np.where(small, _small_time_scale(inverse), _LARGE_TIME_SCALE)
        decay = np.where(small, 0.5 * inverse, _SLOWEST_RATE * s)
        log_density = np.log(series(y) * scale) - decay
    return np.asarray(np.where(s > 0, log_density, -np.inf))


def _small_time_scale(inverse: Floats) -> Floats:
    # Beyond 1e200 the power would overflow, and the decay swamps it.
    bounded = np.minimum(inverse, 1e200)
    return np.asarray(_SMALL_TIME_SCALE * bounded * np.sqrt(bounded))


def _logpdf(c: Floats, t: Floats, u: Floats, a: Floats) -> Floats:
    log_f0 = log_scaled_density(t / (a * a)) - 2 * np.log(a)
    return np.asarray(u * (a * c - 0.5 * u * t) + log_f0)


def log_scaled_density_biased(s: Floats, d: Floats) -> Floats:
    """Return log f0 for barriers at distances `d` (the one hit) and 2 - `d` from the start."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s = np.maximum(s, 0.0)
        inverse = 1 / s
        small = s < CROSSING
        image_sum = sum(
            (1 + 4 * k / d) * np.exp(-4 * k * (d + 2 * k) * inverse) for k in (0, -1, 1, -2, 2, -3)
        )
        log_small = np.log(image_sum * d * _small_time_scale(inverse)) - 0.5 * d * d * inverse
        sine_sum = sum(
            n * np.sin(0.5 * n * np.pi * d) * np.exp(-_SLOWEST_RATE * (n * n - 1) * s)
            for n in range(1, 8)
        )
        log_large = np.log(_LARGE_TIME_SCALE * sine_sum) - _SLOWEST_RATE * s
        log_density = np.where(small, log_small, log_large)
    return np.asarray(np.where(s > 0, log_density, -np.inf))


def _logpdf_biased(c: Floats, t: Floats, u: Floats, a: Floats, d: Floats) -> Floats:
    log_f0 = log_scaled_density_biased(t / (a * a), d / a) - 2 * np.log(a)
    return np.asarray(u * (c * d - 0.5 * u * t) + log_f0)
