"""Newton's method for smooth functions of two or three variables, evaluated many points at once."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tacit.ddm._checks import Floats

_LINE = 0.5 ** np.arange(0, 12, 2)[:, None]
_LONGEST_MOVE = 3.0
_NEGLIGIBLE = 1e-6
"""Gain in value that is lost in rounding when a line search finds nothing better."""


class Peak(NamedTuple):
    """Where a function is largest, and how it curves there.

    Attributes
    ----------
    point : ndarray of shape (n_variables,)
        The maximiser.
    value : float
        The function there.
    precision : ndarray of shape (n_variables, n_variables)
        Minus the Hessian, made positive definite.
    converged : bool
        Whether a further Newton step would gain less than `tolerance`.
    """

    point: Floats
    value: float
    precision: Floats
    converged: bool


def find_peak(
    function: Callable[[Floats], Floats],
    start: Floats,
    *,
    tolerance: float = 1e-9,
    step: float = 1e-3,
    max_iterations: int = 60,
) -> Peak:
    """Climb from `start` to a local maximum of `function`.

    Derivatives are central differences over `step`, all points of a stencil in one call.

    Parameters
    ----------
    function : callable
        Maps points of shape (n_points, n_variables) to values of shape (n_points,).
    start : ndarray of shape (n_variables,)
        First guess, where `function` must be finite; variables should be of order one.
    tolerance : float, default 1e-9
        Gain in value below which to stop.
    step : float, default 1e-3
        Half-width of the difference stencil.
    max_iterations : int, default 60
        Bound on the number of Newton steps.
    """
    point = np.asarray(start, dtype=np.float64)
    stencil = step * _stencil(len(point))
    iteration = 0
    while True:
        values = function(point + stencil)
        gradient, precision = _derivatives(values, len(point), step)
        move = np.linalg.solve(precision, gradient)
        gain = 0.5 * float(gradient @ move)
        iteration += 1
        if gain < tolerance or iteration == max_iterations:
            return Peak(point, float(values[0]), precision, gain < tolerance)
        move *= min(1.0, _LONGEST_MOVE / float(np.linalg.norm(move)))
        candidates = point + _LINE * move
        heights = np.nan_to_num(function(candidates), nan=-np.inf)
        best = int(np.argmax(heights))
        if heights[best] <= values[0]:
            return Peak(point, float(values[0]), precision, gain < _NEGLIGIBLE)
        point = candidates[best]


@cache
def _stencil(n: int) -> Floats:
    """Return the centre, the 2n axis points and the 2 diagonal points of every pair of axes."""
    axes = np.eye(n)
    pairs = [axes[i] + axes[j] for i, j in combinations(range(n), 2)]
    return np.vstack([np.zeros(n), *axes, *-axes, *pairs, *(-p for p in pairs)])


def _derivatives(values: Floats, n: int, step: float) -> tuple[Floats, Floats]:
    centre, plus, minus = values[0], values[1 : n + 1], values[n + 1 : 2 * n + 1]
    gradient = (plus - minus) / (2 * step)
    hessian = np.diag((plus + minus - 2 * centre) / step**2)
    n_pairs = n * (n - 1) // 2
    both = values[2 * n + 1 : 2 * n + 1 + n_pairs] + values[2 * n + 1 + n_pairs :]
    for k, (i, j) in enumerate(combinations(range(n), 2)):
        single = plus[i] + minus[i] + plus[j] + minus[j]
        hessian[i, j] = hessian[j, i] = (both[k] - single + 2 * centre) / (2 * step**2)
    curvature, directions = np.linalg.eigh(-hessian)
    curvature = np.maximum(np.abs(curvature), 1e-6 * np.abs(curvature).max() + 1e-12)
    return gradient, (directions * curvature) @ directions.T
