"""Normal variables restricted to an interval, in forms that keep their accuracy in both tails.

With alpha and beta the standardised ends, Z = Phi(beta) - Phi(alpha), and phi the density,

    E = m + s (phi(alpha) - phi(beta)) / Z,
    V = s^2 (1 + (alpha phi(alpha) - beta phi(beta)) / Z - ((phi(alpha) - phi(beta)) / Z)^2).
"""

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri_exp

from tacit.bayes._arrays import Bools, Floats

_FAR = 9.0
"""Standard deviations beyond which an end of the interval changes nothing in double precision."""

_HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)


def cut(mean: Floats, sd: Floats, low: Floats, high: Floats) -> Bools:
    """Return where the interval changes the normal variable at all."""
    return np.asarray((mean - low < _FAR * sd) | (high - mean < _FAR * sd))


def log_mass(mean: Floats, sd: Floats, low: Floats, high: Floats) -> Floats:
    """Return the log-probability that a normal variable falls inside the interval."""
    result = np.zeros(mean.shape)
    where = cut(mean, sd, low, high)
    if where.any():
        alpha, beta = _standardised(mean, sd, low, high, where)
        result[where] = _log_mass(alpha, beta)
    return result


def moments(mean: Floats, sd: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a normal variable inside the interval."""
    expected, variance = mean.copy(), sd * sd
    where = cut(mean, sd, low, high)
    if where.any():
        alpha, beta = _standardised(mean, sd, low, high, where)
        log_z = _log_mass(alpha, beta)
        at_alpha = np.exp(-0.5 * alpha * alpha - _HALF_LOG_TWO_PI - log_z)
        at_beta = np.exp(-0.5 * beta * beta - _HALF_LOG_TWO_PI - log_z)
        shift = at_alpha - at_beta
        expected[where] += sd[where] * shift
        variance[where] *= np.maximum(1 + alpha * at_alpha - beta * at_beta - shift * shift, 0.0)
    return expected, variance


def cdf(x: Floats, mean: Floats, sd: Floats, low: Floats, high: Floats) -> Floats:
    """Return the probability of at most `x`, given that the variable is inside the interval."""
    x, mean, sd, low, high = np.broadcast_arrays(x, mean, sd, low, high)
    result = ndtr((x - mean) / sd)
    where = cut(mean, sd, low, high)
    if where.any():
        alpha, beta = _standardised(mean, sd, low, high, where)
        inside = np.clip((x - mean)[where] / sd[where], alpha, beta)
        result[where] = np.exp(_log_mass(alpha, inside) - _log_mass(alpha, beta))
    return np.asarray(result)


def draw(mean: Floats, sd: Floats, low: Floats, high: Floats, normal: Floats) -> Floats:
    """Turn standard normal draws into draws from inside the interval."""
    result = mean + sd * normal
    where = cut(mean, sd, low, high)
    if where.any():
        alpha, beta = _standardised(mean, sd, low, high, where)
        # Count from the end whose tail is the smaller one: probabilities near 1 have no digits.
        upper = alpha + beta > 0
        near, far = np.where(upper, -beta, alpha), np.where(upper, -alpha, beta)
        log_share = log_ndtr(np.where(upper, -normal[where], normal[where]))
        z = ndtri_exp(np.logaddexp(log_ndtr(near), log_share + _log_mass(near, far)))
        result[where] = mean[where] + sd[where] * np.where(upper, -z, z)
    return np.asarray(result)


def _standardised(
    mean: Floats, sd: Floats, low: Floats, high: Floats, where: Bools
) -> tuple[Floats, Floats]:
    low, high = (np.broadcast_to(end, mean.shape)[where] for end in (low, high))
    return (low - mean[where]) / sd[where], (high - mean[where]) / sd[where]


def _log_mass(alpha: Floats, beta: Floats) -> Floats:
    upper = alpha + beta > 0
    near, far = np.where(upper, -beta, alpha), np.where(upper, -alpha, beta)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_far = log_ndtr(far)
        log_mass = log_far + np.log1p(-np.exp(log_ndtr(near) - log_far))
    return np.asarray(np.where(far > near, log_mass, -np.inf))
