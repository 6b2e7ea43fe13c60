"""The only place where units convert: tacit's parameters from and to those of other tools.

Every tool has the same model and its own letters: some measure from barrier to barrier, some
from the start to a barrier; some give the start as a fraction, some as evidence; some let the
noise differ from 1. Functions named ``from_*`` take a tool's own argument names; functions named
``to_*`` return a dictionary of them. In every tool the upper boundary is the first option,
choice +1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm._checks import (
    Floats,
    as_barrier,
    as_drift,
    as_nondecision_time,
    as_positive,
    as_start,
    check,
)


class DiffusionParameters(NamedTuple):
    """The parameters of a person's answers to one query, in tacit's units.

    Attributes
    ----------
    drift : array_like
        Utility difference of the query, any finite number.
    barrier : array_like
        Distance from the middle to either barrier, positive.
    nondecision_time : array_like, default 0
        Seconds, at least 0.
    start : array_like, default 0
        Evidence at the start, strictly between ``-barrier`` and ``+barrier``.

    Examples
    --------
    Other tools' parameters, tacit's density:

    >>> from tacit import ddm
    >>> hddm = ddm.parameters.from_hddm(v=1.0, a=2.4, t=0.3, z=0.5)
    >>> print(ddm.logpdf(+1, 1.0, **hddm._asdict()).round(4))
    -0.381
    """

    drift: ArrayLike
    barrier: ArrayLike
    nondecision_time: ArrayLike = 0.0
    start: ArrayLike = 0.0


def boundary_separation_from_barrier(barrier: ArrayLike) -> Floats:
    """Return the distance between the two barriers, ``2 barrier``.

    Parameters
    ----------
    barrier : array_like
        Distance from the middle to either barrier, positive.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.boundary_separation_from_barrier(1.2))
    2.4
    """
    return np.asarray(2 * as_barrier(barrier))


def barrier_from_boundary_separation(boundary_separation: ArrayLike) -> Floats:
    """Return the distance from the middle to either barrier, ``boundary_separation / 2``.

    Parameters
    ----------
    boundary_separation : array_like
        Distance between the two barriers, positive.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.barrier_from_boundary_separation(2.4))
    1.2
    """
    return np.asarray(as_positive(boundary_separation, "boundary_separation") / 2)


def from_hddm(
    *, v: ArrayLike, a: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike = 0.5
) -> DiffusionParameters:
    """Convert from HDDM, whose `a` is the distance between the two boundaries.

    Parameters
    ----------
    v : array_like
        Drift.
    a : array_like
        Boundary separation, positive.
    t : array_like, default 0
        Non-decision time in seconds.
    z : array_like, default 0.5
        Start as a fraction of the separation, in (0, 1).

    Returns
    -------
    DiffusionParameters

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.from_hddm(v=1.0, a=2.4).barrier)
    1.2
    """
    return from_hssm(v=v, a=as_positive(a, "a") / 2, t=t, z=z)


def to_hddm(parameters: DiffusionParameters) -> dict[str, Floats]:
    """Convert to HDDM's ``v``, ``a`` (boundary separation), ``t`` and ``z`` (fraction).

    Parameters
    ----------
    parameters : DiffusionParameters

    Returns
    -------
    dict of str to ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(*parameters.to_hddm(parameters.DiffusionParameters(drift=1.0, barrier=1.2)).items())
    ('v', array(1.)) ('a', array(2.4)) ('t', array(0.)) ('z', array(0.5))
    """
    converted = to_hssm(parameters)
    return converted | {"a": np.asarray(2 * converted["a"])}


def from_hssm(
    *, v: ArrayLike, a: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike = 0.5
) -> DiffusionParameters:
    """Convert from HSSM and ssm-simulators, whose `a` is half the distance between boundaries.

    Parameters
    ----------
    v : array_like
        Drift.
    a : array_like
        Distance from the middle to either boundary, positive; HDDM's `a` is twice as large.
    t : array_like, default 0
        Non-decision time in seconds.
    z : array_like, default 0.5
        Start as a fraction of the distance between the boundaries, in (0, 1).

    Returns
    -------
    DiffusionParameters

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.from_hssm(v=1.0, a=1.2, z=0.75).start)
    0.6
    """
    barrier = as_positive(a, "a")
    fraction = np.asarray(z, dtype=np.float64)
    check(
        (fraction > 0) & (fraction < 1),
        fraction,
        "`z` must be a fraction strictly between 0 and 1",
        "is it an absolute start, as in rtdists?",
    )
    return DiffusionParameters(
        as_drift(v, "v"), barrier, as_nondecision_time(t, "t"), (2 * fraction - 1) * barrier
    )


def to_hssm(parameters: DiffusionParameters) -> dict[str, Floats]:
    """Convert to ``v``, ``a`` (half the separation), ``t`` and ``z`` (fraction) of HSSM.

    Parameters
    ----------
    parameters : DiffusionParameters

    Returns
    -------
    dict of str to ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> biased = parameters.DiffusionParameters(drift=1.0, barrier=1.2, start=0.6)
    >>> print(parameters.to_hssm(biased)["z"])
    0.75
    """
    drift, barrier, nondecision_time, start = _checked(parameters)
    return {
        "v": drift,
        "a": barrier,
        "t": nondecision_time,
        "z": np.asarray((1 + start / barrier) / 2),
    }


def from_pyddm(
    *,
    drift: ArrayLike,
    B: ArrayLike,
    nondectime: ArrayLike = 0.0,
    x0: ArrayLike = 0.0,
    noise: ArrayLike = 1.0,
) -> DiffusionParameters:
    """Convert from PyDDM, which measures from the middle and may scale the noise.

    Parameters
    ----------
    drift : array_like
        Of ``DriftConstant``.
    B : array_like
        Of ``BoundConstant``: distance from the middle to either bound, positive.
    nondectime : array_like, default 0
        Of ``OverlayNonDecision``, seconds.
    x0 : array_like, default 0
        Of ``ICPoint``: evidence at the start, strictly between ``-B`` and ``+B``.
    noise : array_like, default 1
        Of ``NoiseConstant``: standard deviation of the evidence gathered in a second, positive.

    Returns
    -------
    DiffusionParameters

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.from_pyddm(drift=1.0, B=1.2, noise=2.0).barrier)
    0.6
    """
    scale = as_positive(noise, "noise")
    barrier = as_positive(B, "B") / scale
    return DiffusionParameters(
        as_drift(drift) / scale,
        barrier,
        as_nondecision_time(nondectime, "nondectime"),
        as_start(np.asarray(x0, dtype=np.float64) / scale, barrier),
    )


def to_pyddm(parameters: DiffusionParameters, *, noise: ArrayLike = 1.0) -> dict[str, Floats]:
    """Convert to PyDDM's ``drift``, ``B``, ``nondectime``, ``x0`` and ``noise``.

    Parameters
    ----------
    parameters : DiffusionParameters
    noise : array_like, default 1
        Standard deviation of the evidence gathered in a second, positive; drift, bound and start
        are scaled by it.

    Returns
    -------
    dict of str to ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> pyddm = parameters.to_pyddm(
    ...     parameters.DiffusionParameters(drift=1.0, barrier=1.2), noise=2.0
    ... )
    >>> print(pyddm["drift"], pyddm["B"])
    2.0 2.4
    """
    drift, barrier, nondecision_time, start = _checked(parameters)
    scale = as_positive(noise, "noise")
    return {
        "drift": np.asarray(scale * drift),
        "B": np.asarray(scale * barrier),
        "nondectime": nondecision_time,
        "x0": np.asarray(scale * start),
        "noise": scale,
    }


def from_rtdists(
    *,
    a: ArrayLike,
    v: ArrayLike,
    t0: ArrayLike = 0.0,
    z: ArrayLike | None = None,
    s: ArrayLike = 1.0,
) -> DiffusionParameters:
    """Convert from rtdists, which measures the start from the lower boundary.

    Parameters
    ----------
    a : array_like
        Boundary separation, positive.
    v : array_like
        Drift.
    t0 : array_like, default 0
        Non-decision time in seconds.
    z : array_like, optional
        Start as a distance from the lower boundary, in (0, a); by default ``a / 2``. (Versions
        before 0.7 took a fraction.)
    s : array_like, default 1
        Diffusion constant, the standard deviation of the evidence gathered in a second; 0.1 in
        part of the literature.

    Returns
    -------
    DiffusionParameters

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> print(parameters.from_rtdists(a=0.12, v=0.2, t0=0.3, s=0.1).barrier)
    0.6
    """
    scale = as_positive(s, "s")
    separation = as_positive(a, "a")
    barrier = separation / (2 * scale)
    low_to_start = separation / 2 if z is None else np.asarray(z, dtype=np.float64)
    check(
        (low_to_start > 0) & (low_to_start < separation),
        low_to_start,
        "`z` must lie strictly between 0 and `a`, the boundary separation",
        "is it a fraction, as in HDDM?",
    )
    return DiffusionParameters(
        as_drift(v, "v") / scale,
        barrier,
        as_nondecision_time(t0, "t0"),
        low_to_start / scale - barrier,
    )


def to_rtdists(parameters: DiffusionParameters, *, s: ArrayLike = 1.0) -> dict[str, Floats]:
    """Convert to rtdists' ``a`` (separation), ``v``, ``t0``, ``z`` (from below) and ``s``.

    Parameters
    ----------
    parameters : DiffusionParameters
    s : array_like, default 1
        Diffusion constant, positive; drift, separation and start are scaled by it.

    Returns
    -------
    dict of str to ndarray

    Examples
    --------
    >>> from tacit.ddm import parameters
    >>> rtdists = parameters.to_rtdists(parameters.DiffusionParameters(drift=1.0, barrier=1.2))
    >>> print(rtdists["a"], rtdists["z"])
    2.4 1.2
    """
    drift, barrier, nondecision_time, start = _checked(parameters)
    scale = as_positive(s, "s")
    return {
        "a": np.asarray(2 * scale * barrier),
        "v": np.asarray(scale * drift),
        "t0": nondecision_time,
        "z": np.asarray(scale * (barrier + start)),
        "s": scale,
    }


def _checked(parameters: DiffusionParameters) -> tuple[Floats, Floats, Floats, Floats]:
    drift, barrier, nondecision_time, start = parameters
    barrier = as_barrier(barrier)
    return (
        as_drift(drift),
        barrier,
        as_nondecision_time(nondecision_time),
        as_start(start, barrier),
    )
