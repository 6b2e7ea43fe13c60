"""Draws from the density that a lattice represents.

Between its points the density is their band-limited (sinc) interpolation. Axis by axis, the
cumulative distribution given the axes before is tabulated and inverted.
"""

import numpy as np
from scipy.special import sici

from tacit.bayes._arrays import Floats
from tacit.bayes._lattice import Lattice

_FINE = 32
"""Table entries per step; linear interpolation then misses the distribution by less than 2e-5."""

_MARGIN = 2
_AT_ONCE = 512


def draw_points(lattice: Lattice, n_draws: int, rng: np.random.Generator) -> Floats:
    """Return independent draws of shape (n_draws, n_variables)."""
    n_variables = len(lattice.origin)
    if n_variables == 0:
        return np.empty((n_draws, 0))
    lowest = lattice.index.min(axis=0)
    shape = lattice.index.max(axis=0) - lowest + 1
    dense = np.zeros(shape)
    dense[tuple((lattice.index - lowest).T)] = lattice.probability
    uniform = rng.random((n_draws, n_variables))
    steps = np.empty_like(uniform)
    for first in range(0, n_draws, _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        steps[rows] = _draw_steps(dense, uniform[rows])
    return np.asarray(lattice.origin + (steps + lowest) @ lattice.axes.T)


def _draw_steps(dense: Floats, uniform: Floats) -> Floats:
    steps = np.empty_like(uniform)
    given = dense[None]
    for axis, u in enumerate(uniform.T):
        line = given.reshape(*given.shape[:2], -1).sum(axis=2)
        steps[:, axis] = _invert(line, u)
        kernel = np.sinc(steps[:, axis, None] - np.arange(line.shape[1]))
        if axis == 0:
            given = np.tensordot(kernel, dense, 1)
        else:
            given = np.matmul(kernel[:, None], given.reshape(*kernel.shape, -1))[:, 0]
    return steps


def _invert(line: Floats, u: Floats) -> Floats:
    """Return where the cumulative interpolation of each row, or of the one, reaches `u` of it."""
    n = line.shape[1]
    fine = np.arange(-_MARGIN * _FINE, (n - 1 + _MARGIN) * _FINE + 1) / _FINE
    table = 0.5 + sici(np.pi * (fine - np.arange(n)[:, None]))[0] / np.pi
    cumulative = np.maximum.accumulate(line @ table, axis=1)
    target = cumulative[:, 0] + u * (cumulative[:, -1] - cumulative[:, 0])
    if len(line) == 1:
        right, row = np.searchsorted(cumulative[0], target), np.zeros(len(u), dtype=np.int64)
    else:
        right, row = (cumulative < target[:, None]).sum(axis=1), np.arange(len(line))
    right = np.clip(right, 1, len(fine) - 1)
    below, above = cumulative[row, right - 1], cumulative[row, right]
    part = np.divide(target - below, above - below, out=np.zeros(len(u)), where=above > below)
    return np.asarray(fine[right - 1] + part / _FINE)
