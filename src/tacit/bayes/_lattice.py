r"""Integrals over one to three unbounded variables, by the trapezoidal rule on a lattice.

For a smooth function that dies off in all directions the trapezoidal rule converges exponentially
fast in the step (Trefethen & Weideman 2014). The lattice is whitened by the curvature at the peak
and grows from there to wherever the function is not negligible, so that it follows bent and skewed
functions. The points with an even sum of indices, or an even index, are lattices too: what
changes from one to the other bounds the error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from tacit.bayes._arrays import Floats, Ints
from tacit.ddm._peak import find_peak

_STEP = (1.0, 0.5, 0.8, 0.9)
"""First step of the lattice in standard deviations, by number of variables."""

_DEPTH = 18.0
"""Points whose log-density is this far below the peak are not followed any further."""

_CORE_RADIUS = 5.5
"""Standard deviations around the peak that are evaluated at once."""

_MAX_POINTS = (1, 2_000, 10_000, 100_000)
"""Bound on the points of one lattice, by number of variables."""

_MAX_PASSES = 8
_START_GRID = (-4.0, -2.5, -1.0, 0.5, 2.0, 4.0)
_BITS = 20
_CENTRE = 1 << (_BITS - 1)


class Integrand(NamedTuple):
    """A log-density, and what its moments are wanted of.

    Attributes
    ----------
    log_density : callable
        Maps points of shape (n_points, n_variables) to values of shape (n_points,).
    moments : callable
        Maps points to means and variances of the variables of interest given the point, both of
        shape (n_points, n_interests).
    """

    log_density: Callable[[Floats], Floats]
    moments: Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Lattice:
    """Points and their probabilities.

    Attributes
    ----------
    origin : ndarray of shape (n_variables,)
        Where all indices are 0.
    axes : ndarray of shape (n_variables, n_variables)
        Steps of the lattice in its columns, lower triangular.
    index : ndarray of int64, shape (n_points, n_variables)
        Indices of the points.
    probability : ndarray of shape (n_points,)
        Summing to 1.
    log_integral : float
        Log of the integral of the function.
    error : float
        Bound on the relative error of the integral, on the errors of the means of all variables
        in standard deviations, and on the relative errors of their standard deviations.
    complete : bool
        Whether the lattice reaches everywhere where the function is not negligible.
    """

    origin: Floats
    axes: Floats
    index: Ints
    probability: Floats
    log_integral: float
    error: float
    complete: bool

    @property
    def points(self) -> Floats:
        """Where the lattice lies, shape (n_points, n_variables)."""
        return np.asarray(self.origin + self.index @ self.axes.T)


def integrate(integrand: Integrand, n_variables: int, tolerance: float) -> Lattice:
    """Lay a lattice that integrates a density, and its moments, to `tolerance`.

    Parameters
    ----------
    integrand : Integrand
        What to integrate.
    n_variables : int
        0 to 3.
    tolerance : float
        Bound on the error, as reported in `Lattice.error`.
    """
    corners = list(product(_START_GRID, repeat=n_variables))
    grid = np.array(corners).reshape(len(corners), n_variables)
    heights = integrand.log_density(grid)
    if n_variables == 0:
        return Lattice(
            origin=np.zeros(0),
            axes=np.zeros((0, 0)),
            index=np.zeros((1, 0), dtype=np.int64),
            probability=np.ones(1),
            log_integral=float(heights[0]),
            error=0.0,
            complete=True,
        )
    peak = find_peak(integrand.log_density, grid[np.argmax(heights)])
    origin, spread, step = peak.point, np.linalg.inv(peak.precision), _STEP[n_variables]
    elsewhere = grid[heights > peak.value - _DEPTH]
    for _ in range(_MAX_PASSES - 1):
        axes = step * np.linalg.cholesky(spread)
        lattice = _lay(integrand, origin, axes, _CORE_RADIUS / step, elsewhere)
        if lattice.complete and lattice.error <= tolerance:
            return lattice
        # The next lattice is whitened by what this one found; a cell's own spread keeps the
        # covariance regular when a few points hold everything.
        offset = lattice.points - lattice.probability @ lattice.points
        spread = (lattice.probability * offset.T) @ offset + axes @ axes.T / 12
        if lattice.complete:
            step /= np.sqrt(2)
    axes = step * np.linalg.cholesky(spread)
    return _lay(integrand, origin, axes, _CORE_RADIUS / step, elsewhere)


def _lay(
    integrand: Integrand, origin: Floats, axes: Floats, radius: float, elsewhere: Floats
) -> Lattice:
    """Sum over the lattice with this origin and these axes."""
    nearest = np.rint(np.linalg.solve(axes, (elsewhere - origin).T).T).astype(np.int64)
    seeds = np.vstack([_ball(len(origin), radius), nearest])

    def log_density(index: Ints) -> Floats:
        return integrand.log_density(origin + index @ axes.T)

    index, heights, complete = _grow(log_density, seeds)
    top = heights.max()
    density = np.exp(heights - top)
    total = float(density.sum())
    kept = heights > top - _DEPTH
    mean, variance = integrand.moments(origin + index @ axes.T)
    error = _error(index, density, mean, variance) + float(density[~kept].sum()) / total
    return Lattice(
        origin=origin,
        axes=axes,
        index=index[kept],
        probability=density[kept] / density[kept].sum(),
        log_integral=float(top + np.log(total) + np.log(np.diag(axes)).sum()),
        error=error,
        complete=complete,
    )


def _grow(log_density: Callable[[Ints], Floats], seeds: Ints) -> tuple[Ints, Floats, bool]:
    """Evaluate at the seeds, and from there on wherever the density is not negligible."""
    n = seeds.shape[1]
    steps = np.vstack([np.eye(n, dtype=np.int64), -np.eye(n, dtype=np.int64)])
    packed = np.unique(_pack(seeds))
    index, heights, seen = seeds[:0], np.empty(0), packed[:0]
    while len(packed):
        fresh = _unpack(packed, n)
        values = log_density(fresh)
        index, heights = np.vstack([index, fresh]), np.concatenate([heights, values])
        seen = np.concatenate([seen, packed])
        high = fresh[values > heights.max() - _DEPTH]
        if len(index) > _MAX_POINTS[n] and len(high):
            return index, heights, False
        packed = np.unique(_pack((high[:, None] + steps).reshape(-1, n)))
        packed = packed[~np.isin(packed, seen)]
    return index, heights, True


def _error(index: Ints, density: Floats, mean: Floats, variance: Floats) -> float:
    """Bound the error of the rule by what it becomes on half of the points.

    The rule errs by the function's Fourier transform at the dual lattice (Poisson's summation
    formula). Half of the points add to it the middle of a cell, with all indices counted, or of
    one of its edges or faces. In the middle the transform is no smaller than at the corners, unless
    it decays more slowly along an axis than across: then the edge tells, half as far out, where
    an exponentially decaying transform is the square root of what it is at the corner. Twice
    that allows for transforms that decay a little more slowly.
    """
    fine = _mixed(density, mean, variance)
    spread = np.where(fine.sd > 0, fine.sd, np.inf)
    error = 0.0
    for counted in product((0, 1), repeat=index.shape[1]):
        if not any(counted):
            continue
        half = index @ np.array(counted) % 2 == 0
        coarse = _mixed(density[half], mean[half], variance[half])
        changes = np.concatenate(
            [
                [2 * coarse.total / fine.total - 1],
                (coarse.mean - fine.mean) / spread,
                (coarse.sd - fine.sd) / spread,
            ]
        )
        change = float(np.abs(changes).max())
        error = max(error, change if all(counted) else (2 * change) ** 2)
    return error


class _Mixed(NamedTuple):
    total: float
    mean: Floats
    sd: Floats


def _mixed(density: Floats, mean: Floats, variance: Floats) -> _Mixed:
    total = float(density.sum())
    p = density / total
    centre = p @ mean
    return _Mixed(total, centre, np.sqrt(p @ (variance + (mean - centre) ** 2)))


@cache
def _ball(n: int, radius: float) -> Ints:
    reach = np.arange(-int(radius), int(radius) + 1)
    index = np.stack(np.meshgrid(*[reach] * n, indexing="ij"), axis=-1).reshape(-1, n)
    return np.asarray(index[(index * index).sum(axis=1) <= radius * radius])


def _pack(index: Ints) -> Ints:
    return np.asarray((index + _CENTRE) @ (1 << (_BITS * np.arange(index.shape[1]))))


def _unpack(packed: Ints, n: int) -> Ints:
    return (packed[:, None] >> (_BITS * np.arange(n)) & ((1 << _BITS) - 1)) - _CENTRE
