"""Normal variables restricted to an interval, in forms that keep their accuracy everywhere.

With alpha and beta the standardised ends, Z = Phi(beta) - Phi(alpha), and phi the density,

    E = m + s (phi(alpha) - phi(beta)) / Z,
    V = s^2 (1 + (alpha phi(alpha) - beta phi(beta)) / Z - ((phi(alpha) - phi(beta)) / Z)^2).

Both cancel to nothing where the interval is short or far out in a tail. There the density is
integrated by Gauss-Legendre quadrature from the end that is nearer to the mean.
"""

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri_exp

from tacit.bayes._arrays import Bools, Floats

_FAR = 9.0
"""Standard deviations beyond which an end of the interval changes nothing in double precision."""

_TAIL = 3.0
"""Standard deviations from the mean from which an interval is in the tail."""

_SHORT = 1.0
"""Length in standard deviations below which an interval is short."""

_DEPTH = 40.0
"""Fall of the log-density behind which the rest of a tail is negligible."""

_HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)

# Exact for e^{-40 x} on [0, 1] to 16 digits, which is as fast as a density falls here.
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(32)
_NODES, _NODE_WEIGHTS = (_NODES + 1) / 2, _NODE_WEIGHTS / 2


def cut(mean: Floats, sd: Floats, low: Floats, high: Floats) -> Bools:
    """Return where the interval changes the normal variable at all."""
    return np.asarray((mean - low < _FAR * sd) | (high - mean < _FAR * sd))


def log_mass(mean: Floats, sd: Floats, low: Floats, high: Floats) -> Floats:
    """Return the log-probability that a normal variable falls inside the interval."""
    result = np.zeros(mean.shape)
    where = cut(mean, sd, low, high)
    if where.any():
        result[where] = _log_mass(*_standardised(mean, sd, low, high, where))
    return result


def moments(mean: Floats, sd: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a normal variable inside the interval."""
    expected, variance = mean.copy(), sd * sd
    where = cut(mean, sd, low, high)
    if where.any():
        shift, factor = _moments(*_standardised(mean, sd, low, high, where))
        expected[where] += sd[where] * shift
        variance[where] *= factor
    return expected, variance


def cdf(x: Floats, mean: Floats, sd: Floats, low: Floats, high: Floats) -> Floats:
    """Return the probability of at most `x`, given that the variable is inside the interval."""
    x, mean, sd, low, high = np.broadcast_arrays(x, mean, sd, low, high)
    result = (x >= mean).astype(np.float64)
    spread = sd > 0
    result[spread] = ndtr((x - mean)[spread] / sd[spread])
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
    log_mass = np.asarray(np.where(far > near, log_mass, -np.inf))
    short = (far > near) & (far - near < _SHORT)
    if short.any():
        log_mass[short] = _integrals(-far[short], -near[short])[0]
    return log_mass


def _moments(alpha: Floats, beta: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a standard normal variable inside (alpha, beta)."""
    log_z = _log_mass(alpha, beta)
    at_alpha = np.exp(-0.5 * alpha * alpha - _HALF_LOG_TWO_PI - log_z)
    at_beta = np.exp(-0.5 * beta * beta - _HALF_LOG_TWO_PI - log_z)
    mean = at_alpha - at_beta
    # An infinite end has density 0.
    ends = [np.where(np.isfinite(z), z, 0.0) * p for z, p in ((alpha, at_alpha), (beta, at_beta))]
    variance = 1 + ends[0] - ends[1] - mean * mean
    upper = alpha + beta > 0
    near, far = np.where(upper, alpha, -beta), np.where(upper, beta, -alpha)
    cancels = (near > _TAIL) | (far - near < _SHORT)
    if cancels.any():
        _, distance, spread = _integrals(near[cancels], far[cancels])
        mean[cancels] = np.where(upper, 1, -1)[cancels] * (near[cancels] + distance)
        variance[cancels] = spread
    return mean, variance


def _integrals(near: Floats, far: Floats) -> tuple[Floats, Floats, Floats]:
    """Return log-mass of (near, far), mean distance from `near`, and variance, by quadrature.

    The interval is short or in the upper tail, `near` the end closer to 0.
    """
    length = far - near
    in_tail = near > _TAIL
    length[in_tail] = np.minimum(length[in_tail], _DEPTH / near[in_tail])
    x = length[:, None] * _NODES
    mass = np.exp(-x * (near[:, None] + 0.5 * x)) * _NODE_WEIGHTS
    total = mass.sum(axis=1)
    distance = (mass * x).sum(axis=1) / total
    variance = (mass * (x - distance[:, None]) ** 2).sum(axis=1) / total
    return -0.5 * near * near - _HALF_LOG_TWO_PI + np.log(length * total), distance, variance
