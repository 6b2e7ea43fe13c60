r"""The likelihood of answers of which some are not decisions, and some have no usable time.

With rates m = x'theta / a, decision time t = RT - t0 and w = 1 / (1 + eta^2 t), a genuine answer
has log-density

    timed     log f0(t; a) + w (a^2 c m - a^2 m^2 t / 2 + a^2 eta^2 / 2) + log(w) / 2
    censored  log(4 / pi) - pi^2 t / (8 a^2) - w' a^2 m^2 t' / 2 + log(w') / 2
    void      log mu(2 a^2 c m)

where eta is the standard deviation of the drift across trials; t' = t - (1 - 8 / pi^2) a^2, with
its own w', comes from the slowest mode of the survival function. The others are

    fast guesses  a coin, at a time that is uniform up to t0 and decays exponentially after it,
    slow guesses  a coin, at a time RT of density s / (s + RT)^2,
    slow lapses   a choice as in void trials, at a time of the same density,

where s, the median of slow times, is four times the median of all. The tail is so heavy that no
single time, however slow, changes what is thought of the others.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import log_expit

from tacit.ddm import log_zero_drift_density
from tacit.ddm._checks import Floats

KINDS = ("fast guess", "slow guess", "slow lapse")

_SLOWEST_MODE = 1 - 8 / np.pi**2
_FAST_TAIL = 0.05
"""Mean overrun of a fast guess beyond t0 in units of a^2, where hardly any decision ends."""
_SLOW_MEDIANS = 4.0
"""Median time of slow contaminants, in medians of all times."""


class Point(NamedTuple):
    """One setting of everything that is estimated.

    Attributes
    ----------
    rates : ndarray of shape (n_features,)
        theta / a.
    barrier, nondecision_time : float
        Evidence units; seconds.
    shares : ndarray of shape (4,)
        Probabilities of a genuine answer and of each of `KINDS`.
    """

    rates: Floats
    barrier: float
    nondecision_time: float
    shares: Floats


class MixedAnswers(NamedTuple):
    """Answers sorted by what is known of their times: timed, then censored, then void.

    Attributes
    ----------
    vectors : ndarray of shape (n_trials, n_features)
        Query vectors.
    choice : ndarray of shape (n_trials,)
        +1.0 or -1.0.
    time : ndarray of shape (n_timed + n_censored,)
        Response times, for censored trials the time of censoring; seconds.
    weight : ndarray of shape (n_trials,)
        Positive weights of the trials.
    slow_scale : float
        Median time of slow contaminants; seconds.
    n_timed : int
        Number of trials with choice and time.
    drift_variability : float
        eta, in units of the drift.
    ridge : float
        Precision of the Gaussian prior on the weights.
    """

    vectors: Floats
    choice: Floats
    time: Floats
    weight: Floats
    slow_scale: float
    n_timed: int
    drift_variability: float
    ridge: float


def slow_scale(time: Floats, weight: Floats) -> float:
    """Return the median time of slow contaminants; any if there are no times."""
    if len(time) == 0:
        return 1.0
    return _SLOW_MEDIANS * float(np.quantile(time, 0.5, weights=weight, method="inverted_cdf"))


def log_components(
    answers: MixedAnswers, rates: Floats, barrier: Floats, nondecision_time: Floats
) -> Floats:
    """Return log-densities of every answer, genuine and of each of `KINDS`.

    Parameters
    ----------
    answers : MixedAnswers
        The data.
    rates : ndarray of shape (n_points, n_trials)
        m = x'theta / a.
    barrier, nondecision_time : ndarray of shape (n_points, 1)
        Evidence units; seconds.

    Returns
    -------
    ndarray of shape (4, n_points, n_trials)
    """
    timed = slice(0, answers.n_timed)
    censored = slice(answers.n_timed, len(answers.time))
    void = slice(len(answers.time), None)
    a2, t = barrier**2, answers.time - nondecision_time
    log_choice = log_expit(2 * a2 * answers.choice * rates)
    tail = _FAST_TAIL * a2
    log_fast = -np.log(nondecision_time + tail) - np.maximum(t, 0) / tail

    out = np.empty((4, *rates.shape))
    genuine, fast, guess, lapse = out
    genuine[:, timed] = _log_timed(answers, rates[:, timed], barrier, t[:, timed])
    genuine[:, censored] = _log_censored(answers, rates[:, censored], a2, t[:, censored])
    genuine[:, void] = log_choice[:, void]
    fast[:, timed] = log_fast[:, timed] - np.log(2)
    fast[:, censored] = log_fast[:, censored] + np.log(tail)
    log_later = -np.log1p(answers.time / answers.slow_scale)
    log_slow = 2 * log_later[timed] - np.log(answers.slow_scale)
    guess[:, timed] = log_slow - np.log(2)
    lapse[:, timed] = log_choice[:, timed] + log_slow
    guess[:, censored] = lapse[:, censored] = log_later[censored]
    fast[:, void] = guess[:, void] = -np.log(2)
    lapse[:, void] = log_choice[:, void]
    return out


def _log_timed(answers: MixedAnswers, m: Floats, barrier: Floats, t: Floats) -> Floats:
    a2, eta2 = barrier**2, answers.drift_variability**2
    c, decided = answers.choice[: answers.n_timed], np.maximum(t, 0)
    w = 1 / (1 + eta2 * decided)
    exponent = a2 * w * (m * (c - 0.5 * m * decided) + 0.5 * eta2) + 0.5 * np.log(w)
    return np.asarray(log_zero_drift_density(t, barrier) + exponent)


def _log_censored(answers: MixedAnswers, m: Floats, a2: Floats, t: Floats) -> Floats:
    remaining = t - _SLOWEST_MODE * a2
    w = 1 / (1 + answers.drift_variability**2 * remaining)
    mode = np.log(4 / np.pi) - np.pi**2 / 8 * t / a2
    return np.asarray(mode - 0.5 * a2 * w * m * m * remaining + 0.5 * np.log(w))


def components_at(answers: MixedAnswers, point: Point) -> Floats:
    """Return log-densities of every answer at one point, (4, n_trials)."""
    rates = (answers.vectors @ point.rates)[None]
    a, t0 = np.array([[point.barrier]]), np.array([[point.nondecision_time]])
    return log_components(answers, rates, a, t0)[:, 0]


def probabilities_of_kinds(answers: MixedAnswers, point: Point) -> Floats:
    """Return the probability of every answer to be genuine, and of each of `KINDS`."""
    joint = point.shares[:, None] * relative_densities(answers, point)
    return np.asarray(joint / joint.sum(axis=0))


def relative_densities(answers: MixedAnswers, point: Point) -> Floats:
    """Return densities under each kind, in units of the largest, 0 for kinds without a share."""
    found = components_at(answers, point)
    possible = np.where(point.shares[:, None] > 0, found, -np.inf)
    return np.asarray(np.exp(possible - possible.max(axis=0)))


def log_mixture(components: Floats, shares: Floats) -> Floats:
    """Return the log-density of every answer, (n_points, n_trials)."""
    used = shares > 0
    terms = components[used] + np.log(shares[used])[:, None, None]
    top = terms.max(axis=0)
    return np.asarray(top + np.log(np.exp(terms - top).sum(axis=0)))


class Quadratic(NamedTuple):
    """The log-likelihood of each trial as a^2 (pull m - curvature m^2 / 2), given its kind.

    Attributes
    ----------
    pull, curvature : ndarray of shape (n_trials,)
        Of genuine answers.
    lapse_pull, lapse_curvature : ndarray of shape (n_trials,)
        Of slow lapses, whose choice alone counts.
    """

    pull: Floats
    curvature: Floats
    lapse_pull: Floats
    lapse_curvature: Floats


def quadratic(answers: MixedAnswers, point: Point) -> Quadratic:
    """Return pull and curvature; a time that is void is imputed.

    The logistic likelihood of a choice is a mixture over Polya-Gamma times (Polson, Scott &
    Windle 2013) with mean E[t | u] = (a / u) tanh(a u), the mean decision time.
    """
    n_timed, n_clocked = answers.n_timed, len(answers.time)
    a2 = point.barrier**2
    m = answers.vectors @ point.rates
    imputed = np.divide(np.tanh(a2 * m), m, out=np.full_like(m, a2), where=m != 0)
    time, pull = imputed.copy(), answers.choice.copy()
    time[:n_clocked] = np.maximum(answers.time - point.nondecision_time, 0)
    time[n_timed:n_clocked] -= _SLOWEST_MODE * a2
    pull[n_timed:n_clocked] = 0.0
    shrink = np.ones(len(m))
    shrink[:n_clocked] = 1 / (1 + answers.drift_variability**2 * time[:n_clocked])
    lapse_pull, lapse_time = answers.choice.copy(), imputed
    lapse_pull[n_timed:n_clocked] = lapse_time[n_timed:n_clocked] = 0.0
    return Quadratic(shrink * pull, shrink * time, lapse_pull, lapse_time)
