"""Evidence walked step by step: slow, and nothing shared with tacit.

With `bridge`, a crossing between two grid points is drawn from the Brownian bridge between them.
Given both points the bridge does not depend on the drift, so first passages are exact at grid
times, but for paths that touch both barriers within one step (e^{-8 barrier^2 / step} of them).
Without it, crossings between grid points are missed: the textbook Euler scheme with its bias.
"""

import numpy as np


def walk(drift, barrier, n_paths, time_step, rng, *, bridge=True):
    """Choices, and decision times rounded up to the grid, of `n_paths` answers."""
    choice = np.zeros(n_paths, dtype=int)
    time = np.zeros(n_paths)
    walking, position = np.arange(n_paths), np.zeros(n_paths)
    n_steps = 0
    while walking.size:
        n_steps += 1
        noise = np.sqrt(time_step) * rng.standard_normal(walking.size)
        after = position + drift * time_step + noise
        decided = np.zeros(walking.size, dtype=int)
        for side in (1, -1):
            before_gap, after_gap = barrier - side * position, barrier - side * after
            crossed = after_gap <= 0
            if bridge:
                touch = np.exp(-2 * before_gap * np.maximum(after_gap, 0) / time_step)
                crossed = rng.random(walking.size) < touch
            decided[crossed] = side
        done = decided != 0
        choice[walking[done]], time[walking[done]] = decided[done], n_steps * time_step
        walking, position = walking[~done], after[~done]
    return choice, time
