"""First passage at two barriers that fall linearly to the middle, by its diffusion equation."""

import numpy as np
from scipy.linalg import solve_banded

from tacit import ddm


def passage(drift, barrier, collapse_time, *, n_space=801, n_time=4000):
    """Return times, and the probabilities to have hit the first and the second barrier by then.

    In y = x / b(t) the barriers stay at -1 and +1 while the density q obeys
    q_t = q_yy / (2 b^2) - (m q)_y with m = (u - y b') / b; in tau = integral of dt / b^2 that is
    q_tau = q_yy / 2 - (b^2 m q)_y, solved by Crank and Nicolson's scheme from the exact density of
    an early moment, at which hardly anybody has decided.
    """
    slope = barrier / collapse_time
    early = 0.01 * barrier**2
    # b = barrier - slope t gives tau = (1 / b - 1 / barrier) / slope.
    b_end = 0.02 * barrier
    inverse = np.linspace(1 / (barrier - slope * early), 1 / b_end, n_time)
    b = 1 / inverse
    time, step = (barrier - b) / slope, (inverse[1] - inverse[0]) / slope
    y = np.linspace(-1, 1, n_space)
    dy = y[1] - y[0]
    x = y * b[0]
    q = np.exp(-((x - drift * early) ** 2) / (2 * early)) / np.sqrt(2 * np.pi * early) * b[0]
    q[[0, -1]] = 0.0
    flow = np.zeros((n_time, 2))
    inner = y[1:-1]
    for k in range(1, n_time):
        move = 0.5 * (b[k - 1] + b[k]) * (drift + inner * slope)
        up, down = 0.5 / dy**2 - move / (2 * dy), 0.5 / dy**2 + move / (2 * dy)
        before, q = q, _step(q, up, down, 1 / dy**2, step)
        # What flows from the outermost points to the barriers: nothing is lost or counted twice.
        among = 0.5 * (before + q) * dy
        flow[k] = step * down[-1] * among[-2], step * up[0] * among[1]
    hit = np.cumsum(flow, axis=0)
    late = 1 - ddm.cdf(early, drift, barrier)
    return time, hit[:, 0] * late, hit[:, 1] * late


def _step(q, up, down, own, step):
    """Return the density after one step of q' = down[i-1] q[i-1] - own q[i] + up[i+1] q[i+1]."""
    h = 0.5 * step
    n = len(up)
    right = q[1:-1] * (1 - h * own)
    right[:-1] += h * up[1:] * q[2:-1]
    right[1:] += h * down[:-1] * q[1:-2]
    bands = np.zeros((3, n))
    bands[0, 1:], bands[1], bands[2, :-1] = -h * up[1:], 1 + h * own, -h * down[:-1]
    after = np.zeros_like(q)
    after[1:-1] = solve_banded((1, 1), bands, right)
    return after
