"""Barrier and non-decision time at the maximum of the profile likelihood."""

from typing import NamedTuple
from warnings import warn

import numpy as np
from scipy.special import expit, logit

from tacit.ddm import TimedLikelihood
from tacit.ddm._checks import Floats
from tacit.ddm._peak import Peak, find_peak
from tacit.errors import ConvergenceWarning

_START_SHARES = np.array([0.2, 0.5, 0.7, 0.85, 0.95])
_START_BARRIERS = np.array([0.6, 0.8, 1.0, 1.25, 1.6, 2.2, 3.0])
"""In units of the root of the mean decision time, which no barrier is much below."""
_LOWEST_SHARE = 1e-3
_HIGHEST_SHARE = 1 - 1e-6


class Nuisance(NamedTuple):
    """The parameters of a person besides the weights, as estimated.

    Attributes
    ----------
    barrier : float
        Evidence units.
    nondecision_time : float
        Seconds.
    nondecision_time_variance : float
        Asymptotic variance, seconds squared; 0 where it was known or is at its lower bound of 0.
    converged : bool
        Whether the maximum was found.
    """

    barrier: float
    nondecision_time: float
    nondecision_time_variance: float
    converged: bool


def maximise_profile(likelihood: TimedLikelihood, barrier: float | None) -> Nuisance:
    """Return barrier (unless given) and non-decision time that maximise the likelihood.

    The search runs over log barrier and the logit of the non-decision time's share of the fastest
    response time. A maximum at the lower bound, non-decision time 0, is found as such.
    """

    def split(points: Floats) -> tuple[Floats, Floats]:
        a = np.exp(points[:, 0]) if barrier is None else np.full(len(points), barrier)
        return a, likelihood.fastest * expit(points[:, -1])

    peak = find_peak(lambda p: likelihood.log_profile(*split(p)), _start(likelihood, barrier))
    a, t0 = (float(values[0]) for values in split(peak.point[None]))
    share = t0 / likelihood.fastest
    if share < _LOWEST_SHARE:
        at_zero = _maximise_at_zero(likelihood, barrier, a)
        if at_zero.value >= peak.value:
            a = float(np.exp(at_zero.point[0])) if barrier is None else a
            return Nuisance(a, 0.0, 0.0, _report(at_zero.converged, share))
    variance = np.linalg.inv(peak.precision)[-1, -1] * (t0 * (1 - share)) ** 2
    return Nuisance(a, t0, float(variance), _report(peak.converged, share))


def _start(likelihood: TimedLikelihood, barrier: float | None) -> Floats:
    """Return the best point of a coarse grid."""
    share = _START_SHARES
    weight = likelihood.sample_weight
    mean_time = float(np.average(likelihood.response_time, weights=weight))
    root = np.sqrt(mean_time - share * likelihood.fastest)
    if barrier is not None:
        height = likelihood.log_profile(barrier, share * likelihood.fastest)
        return np.array([logit(share[np.argmax(height)])])
    a = np.outer(_START_BARRIERS, root).ravel()
    shares = np.tile(share, len(_START_BARRIERS))
    best = np.argmax(likelihood.log_profile(a, shares * likelihood.fastest))
    return np.array([np.log(a[best]), logit(shares[best])])


def _maximise_at_zero(likelihood: TimedLikelihood, barrier: float | None, start: float) -> Peak:
    """Return the maximum for non-decision time 0."""
    if barrier is not None:
        value = float(likelihood.log_profile(barrier, 0.0)[0])
        return Peak(np.empty(0), value, np.empty((0, 0)), converged=True)
    return find_peak(lambda p: likelihood.log_profile(np.exp(p[:, 0]), 0.0), np.log([start]))


def _report(converged: bool, share: float) -> bool:
    """Warn about a maximum that is not one."""
    if share > _HIGHEST_SHARE:
        warn(
            "the likelihood grows without bound as nondecision_time approaches the fastest "
            "response time, which too few trials leave free; use a ridge, or give "
            "nondecision_time",
            ConvergenceWarning,
            stacklevel=6,
        )
        return False
    if not converged:
        warn(
            "the search for barrier and non-decision time stopped early; are the times plausible?",
            ConvergenceWarning,
            stacklevel=6,
        )
    return converged
