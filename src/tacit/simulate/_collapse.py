"""The compiled kernel of tacit.simulate.collapsing; importing it imports numba.

In a step of h seconds a bridge from distance d0 to distance d1 of a straight barrier touches it
with probability exp(-2 d0 d1 / h). Where it does, with tau = h s / (1 + s) the bridge is a Brownian
motion in s (Doob 1949), and s follows the inverse Gaussian law of mean d0 / |d1| and shape
d0^2 / h.
"""

import math

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(inline="always")
def bridge_hit(rng: np.random.Generator, start: float, end: float, step: float) -> float:
    """Return when a bridge between two distances to a barrier first touches it, given it does.

    The draw is that of Michael, Schucany & Haas (1976), in a form without cancellation.
    """
    rate = abs(end) / start
    y = rng.standard_normal() ** 2 * step / (start * start)
    s = 2.0 / (2.0 * rate + y + math.sqrt(y * (y + 4.0 * rate)))
    inverse = 1.0 / s
    if rng.random() * (1.0 + rate * s) > 1.0:
        inverse = rate * rate * s
    return step / (1.0 + inverse)


@numba.njit(cache=True, error_model="numpy")
def fill(
    rng: np.random.Generator,
    drift: NDArray[np.float64],
    barriers: tuple[float, float],
    time: NDArray[np.float64],
    choice: NDArray[np.int8],
) -> None:
    """Fill `time` and `choice`, given the height and the descent of either barrier."""
    height, slope = barriers
    for i in range(drift.size):
        u, x, t, b = drift[i], 0.0, 0.0, height
        while True:
            # Short enough that a path cannot cross from one barrier to the other.
            h = min(b * b / 16.0, b / (8.0 * (slope + abs(u))))
            y = x + u * h + math.sqrt(h) * rng.standard_normal()
            next_b = b - slope * h
            p_first = math.exp(min(0.0, -2.0 * (b - x) * (next_b - y) / h))
            p_second = math.exp(min(0.0, -2.0 * (b + x) * (next_b + y) / h))
            coin = rng.random()
            if coin < p_first:
                time[i], choice[i] = t + bridge_hit(rng, b - x, next_b - y, h), 1
                break
            if coin < p_first + p_second:
                time[i], choice[i] = t + bridge_hit(rng, b + x, next_b + y, h), -1
                break
            x, t, b = y, t + h, next_b
