"""The compiled kernel of tacit.ddm.sampling; importing it imports numba.

Proposals for s ~ J*(1, z), whose two density series share the factor 1 - 3 y + 5 y^3 - 7 y^6:

- z >= 0.8: the inverse Gaussian law IG(1/z, 1), whose density times 1 + e^{-2z} is the leading
  term of the small-time series (times e^{-z^2 s/2}), so a proposal stands with probability
  1/(1 + e^{-2z}) at least.
- z < 0.8: beyond the crossing the leading term of the large-time series, a shifted exponential;
  before it that of the small-time series at z = 0, a truncated Levy law, thinned by e^{-z^2 s/2}.

One uniform number serves several decisions: given that u < p, u / p is uniform again.
"""

import math

import numba
import numpy as np
from numpy.typing import NDArray

_CROSSING = 2 / math.pi
_SLOWEST_RATE = math.pi**2 / 8
_INVERSE_GAUSSIAN_FROM = 0.8
# The rarer choice has a probability below e^{-40}; uniform numbers are multiples of 2^-53. Past it
# the exponential would underflow or overflow, which takes longer than the rest of a draw.
_CERTAIN_FROM = 20.0
_LEVY_MASS = 2 * math.erfc(1 / math.sqrt(2 * _CROSSING))
_EXPONENTIAL_MASS = 4 / math.pi * math.exp(-_SLOWEST_RATE * _CROSSING)
# A lower bound of the shared factor on either side of the crossing, where it is 0.99440 and up.
_SURE = 0.994


@numba.njit(inline="always")
def factor(y: float) -> float:
    cube = y * y * y
    return 1.0 - 3.0 * y + cube * (5.0 - 7.0 * cube)


@numba.njit(inline="always")
def inverse_gaussian_proposal(rng: np.random.Generator, z: float) -> tuple[float, float]:
    """Return a draw from IG(1/z, 1) and a uniform number independent of it.

    Both roots of (z s - 1)^2 = y s, y a squared normal (Michael, Schucany & Haas 1976), in a
    form without cancellation; the smaller one is taken with probability 1 / (1 + z s).
    """
    y = rng.standard_normal() ** 2
    s = 2.0 / (2.0 * z + y + math.sqrt(y * (y + 4.0 * z)))
    odds = z * s
    u = rng.random() * (1.0 + odds)
    if u > 1.0:
        return 1.0 / (z * odds), (u - 1.0) / odds
    return s, u


@numba.njit(inline="always")
def levy_proposal(rng: np.random.Generator) -> float:
    """Return a draw from the law of 1/N^2, N normal, below the crossing (Devroye 1986)."""
    while True:
        e = rng.standard_exponential()
        if e * e * _CROSSING <= 2.0 * rng.standard_exponential():
            return _CROSSING / (1.0 + _CROSSING * e) ** 2


@numba.njit(inline="always")
def strong(rng: np.random.Generator, z: float) -> tuple[float, float]:
    """Return s ~ J*(1, z) for z >= 0.8 and a uniform number independent of it."""
    while True:
        s, u = inverse_gaussian_proposal(rng, z)
        if s <= _CROSSING:
            if u < _SURE:
                return s, u / _SURE
            if u < factor(math.exp(-4.0 / s)):
                return s, rng.random()
        else:
            # ratio of the leading terms of the large-time and the small-time series
            g = 0.5 * math.pi * s
            ratio = g * math.sqrt(g) * math.exp(0.5 / s - _SLOWEST_RATE * s)
            if u < ratio * _SURE:
                return s, u / (ratio * _SURE)
            if u < ratio * factor(math.exp(-8.0 * _SLOWEST_RATE * s)):
                return s, rng.random()


@numba.njit(inline="always")
def weak(rng: np.random.Generator, z: float) -> tuple[float, float]:
    """Return s ~ J*(1, z) for z < 0.8 and a uniform number independent of it."""
    tilt = 0.5 * z * z
    rate = _SLOWEST_RATE + tilt
    late = _EXPONENTIAL_MASS * _SLOWEST_RATE / rate * math.exp(-tilt * _CROSSING)
    p_late = late / (late + _LEVY_MASS)
    while True:
        u = rng.random()
        if u < p_late:
            u /= p_late
            s = _CROSSING + rng.standard_exponential() / rate
            if u < _SURE:
                return s, u / _SURE
            if u < factor(math.exp(-8.0 * _SLOWEST_RATE * s)):
                return s, rng.random()
        else:
            u = (u - p_late) / (1.0 - p_late)
            s = levy_proposal(rng)
            sure = _SURE * (1.0 - tilt * s)
            if u < sure:
                return s, u / sure
            if u < math.exp(-tilt * s) * factor(math.exp(-4.0 / s)):
                return s, rng.random()


@numba.njit(cache=True, error_model="numpy")
def fill(
    rng: np.random.Generator,
    strength: NDArray[np.float64],
    scaled_time: NDArray[np.float64],
    choice: NDArray[np.int8],
) -> None:
    """Fill `scaled_time` (t / a^2) and `choice` with draws at signed `strength` a u."""
    for i in range(strength.size):
        z = abs(strength[i])
        s, u = strong(rng, z) if z >= _INVERSE_GAUSSIAN_FROM else weak(rng, z)
        scaled_time[i] = s
        if z > _CERTAIN_FROM:
            choice[i] = 1 if strength[i] > 0.0 else -1
        else:
            choice[i] = 1 if u * (1.0 + math.exp(-2.0 * strength[i])) < 1.0 else -1
