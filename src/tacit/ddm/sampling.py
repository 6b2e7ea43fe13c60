r"""Exact draws of choice and decision time: no time step, no grid.

Choice and time are independent, so the choice is a coin with P(first) = 1 / (1 + e^{-2 a u}) and
the time is t = a^2 s with s from the Jacobi law J*(1, z), z = |a u| (Devroye 2009; Polson, Scott
& Windle 2013). Its density is proportional to e^{-z^2 s/2} f0(s) with the two series of
tacit.ddm.density; both have the factor 1 - 3 y + 5 y^3 - 7 y^6, which lies in [0.994, 1] on its
own side of the crossing, so nearly every proposal is accepted without evaluating it.
The compiled kernel, tacit.ddm._sampler, says how proposals are made.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.ddm._checks import Floats, as_barrier, as_drift, as_nondecision_time, as_positive
from tacit.ddm.moments import strength
from tacit.errors import DataError

Choices = NDArray[np.int8]


def sample(
    drift: ArrayLike,
    barrier: ArrayLike,
    *,
    rng: np.random.Generator,
    size: int | tuple[int, ...] | None = None,
    nondecision_time: ArrayLike = 0.0,
) -> tuple[Choices, Floats]:
    """Draw choices and decision times from the exact model.

    Parameters
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the start to either barrier, positive.
    rng : numpy.random.Generator
        Source of randomness; the same generator state gives the same draws.
    size : int or tuple of int, optional
        Shape of the result, which the other arguments must broadcast to; by default their
        common shape.
    nondecision_time : array_like, default 0
        Seconds added to every decision time; with it the times are response times.

    Returns
    -------
    choice : ndarray of int8
        +1 (first) or -1 (second).
    time : ndarray of float
        Seconds.

    Notes
    -----
    The kernel is compiled by numba at the first call (about two seconds, once per machine: the
    result is cached on disk).

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> choice, time = ddm.sample(1.0, barrier=1.2, rng=np.random.default_rng(0), size=100_000)
    >>> bool(abs(choice.mean() - ddm.mean_choice(1.0, 1.2)) < 0.01)
    True
    >>> bool(abs(time.mean() - ddm.mean_time(1.0, 1.2)) < 0.01)
    True
    """
    if not isinstance(rng, np.random.Generator):
        raise DataError(
            f"`rng` must be a numpy.random.Generator, got {type(rng).__name__}; "
            "make one with numpy.random.default_rng(seed)"
        )
    a, t0 = as_barrier(barrier), as_nondecision_time(nondecision_time)
    z = strength(drift, a)
    shape = _common_shape(np.broadcast_shapes(z.shape, t0.shape), size)
    from tacit.ddm._sampler import fill  # compiled on first use; importing tacit stays light

    scaled_time, choice = np.empty(shape), np.empty(shape, dtype=np.int8)
    fill(rng, np.broadcast_to(z, shape).reshape(-1), scaled_time.reshape(-1), choice.reshape(-1))
    scaled_time *= a * a
    scaled_time += t0
    return choice, scaled_time


def _common_shape(shape: tuple[int, ...], size: int | tuple[int, ...] | None) -> tuple[int, ...]:
    if size is None:
        return shape
    wanted = size if isinstance(size, tuple) else (size,)
    try:
        fits = np.broadcast_shapes(shape, wanted) == wanted
    except ValueError:
        fits = False
    if not fits:
        raise DataError(f"`size` {wanted} does not fit the shape {shape} of the parameters")
    return wanted


class EvidencePath(NamedTuple):
    """One simulated course of evidence, from the start to the barrier that decides.

    Attributes
    ----------
    time : ndarray
        Seconds since the start, increasing; the last one is the decision time.
    evidence : ndarray
        Evidence at those times, ending at ``+barrier`` or ``-barrier``.
    choice : int
        +1 (first) or -1 (second).
    """

    time: Floats
    evidence: Floats
    choice: int


def sample_path(
    drift: float, barrier: float, *, rng: np.random.Generator, time_step: float = 1e-3
) -> EvidencePath:
    """Draw a course of evidence on a time grid, for pictures.

    Crossings between grid points are drawn from the Brownian bridge, which removes the bias of
    the plain Euler scheme to first order; for statistics use `sample`, which is exact.

    Parameters
    ----------
    drift : float
        Utility difference of the query, any finite number.
    barrier : float
        Distance from the start to either barrier, positive.
    rng : numpy.random.Generator
        Source of randomness.
    time_step : float, default 1e-3
        Seconds between grid points, positive.

    Returns
    -------
    EvidencePath

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> path = ddm.sample_path(1.0, 0.8, rng=np.random.default_rng(3))
    >>> path.choice, float(path.evidence[-1])
    (1, 0.8)
    """
    u, a = float(as_drift(drift)), float(as_barrier(barrier))
    as_positive(time_step, "time_step")
    position = 0.0
    evidence = [np.zeros(1)]
    n_per_block = 1024
    while True:
        steps = u * time_step + math.sqrt(time_step) * rng.standard_normal(n_per_block)
        ends = position + np.cumsum(steps)
        starts = np.concatenate(([position], ends[:-1]))
        coin = rng.random((2, n_per_block))
        crossed = np.stack(
            [_bridge_crosses(a - side * starts, a - side * ends, time_step) for side in (1, -1)]
        )
        hit = coin < crossed
        if hit.any():
            at = int(np.argmax(hit.any(axis=0)))
            choice = 1 if hit[0, at] else -1
            course = np.concatenate([*evidence, ends[:at], [choice * a]])
            return EvidencePath(np.asarray(time_step * np.arange(course.size)), course, choice)
        evidence.append(ends)
        position = float(ends[-1])


def _bridge_crosses(start: Floats, end: Floats, time_step: float) -> Floats:
    """Return the probability that a bridge between two distances to a barrier touches it."""
    inside = np.maximum(end, 0.0)
    return np.asarray(np.exp(-2 * np.maximum(start, 0.0) * inside / time_step))
