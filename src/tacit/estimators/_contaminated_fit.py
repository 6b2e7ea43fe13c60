"""The maximum of the contaminated likelihood, by expectation-maximisation and Newton steps.

Given what kind each answer probably is, the weights are a weighted ridge solution and the shares
of the kinds are means. Given these, barrier and non-decision time climb the observed likelihood
itself: unlike an expectation-maximisation step that can move the non-decision time past the
fastest answers and leave those to the guesses. Every step climbs.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit

from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.ddm._peak import find_peak
from tacit.estimators._contaminated import (
    MixedAnswers,
    Point,
    log_components,
    log_mixture,
    probabilities_of_kinds,
    quadratic,
    relative_densities,
)

GENUINE_TRIALS_ASSUMED = 20.0
"""Strength of the prior on the shares: as if so many more answers had been seen to be genuine."""

GAIN_ASKED = 2.0
"""Nats that contaminants must add to the log-likelihood to be believed in."""

_MAX_ITERATIONS = 300
_TOLERANCE = 1e-5
_GENUINE_ONLY = np.array([1.0, 0.0, 0.0, 0.0])
_START_QUANTILES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)
_START_BARRIERS = np.array([[0.8], [1.1], [1.5], [2.1]])
_START_SLOW_SHARES = (0.05, 0.3)
"""Shares of slow guesses, and of slow lapses, relative to genuine answers."""
_START_LONGEST = (0.5, 4.0)
"""Longest times that count as such at the start, in medians."""
_N_STARTS = 2
_ROUNDS_OF_A_START = 6
_ROUNDS_OF_SHARES = 20
_NEWTON_STEPS = 3


class Known(NamedTuple):
    """What is given instead of estimated.

    Attributes
    ----------
    barrier, nondecision_time : float or None
        Values, None where to be estimated.
    contaminants : bool
        Whether there may be contaminants.
    """

    barrier: float | None
    nondecision_time: float | None
    contaminants: bool


class ContaminatedFit(NamedTuple):
    """The maximum found.

    Attributes
    ----------
    point : Point
        Where it is.
    value : float
        Log-likelihood, with the priors on weights and shares.
    kinds : ndarray of shape (4, n_trials)
        Probability of every answer to be genuine, and of each of `KINDS`.
    converged : bool
        Whether further rounds gain nothing.
    n_iterations : int
        Number of rounds.
    """

    point: Point
    value: float
    kinds: Floats
    converged: bool
    n_iterations: int


def fit_contaminated(answers: MixedAnswers, known: Known) -> ContaminatedFit:
    """Return the maximum with contaminants if they gain enough, and without them if not."""
    if known.contaminants and answers.time.min(initial=np.inf) <= (known.nondecision_time or 0.0):
        # Without contaminants, an answer before the non-decision time is over is impossible.
        return _climb_from_starts(answers, known)
    plain = _climb_from_starts(answers, known._replace(contaminants=False))
    if not known.contaminants:
        return plain
    mixed = _climb_from_starts(answers, known)
    return mixed if mixed.value > plain.value + GAIN_ASKED else plain


def _climb_from_starts(answers: MixedAnswers, known: Known) -> ContaminatedFit:
    """Climb a little from several starts, then to the end from where that leads highest."""
    latest = _latest(answers, known)
    begun = [_climb(answers, known, latest, s, _ROUNDS_OF_A_START) for s in _starts(answers, known)]
    best = max(begun, key=lambda fit: fit.value)
    return _climb(answers, known, latest, best.point, _MAX_ITERATIONS)


def _latest(answers: MixedAnswers, known: Known) -> float:
    """Return the upper limit of the non-decision time."""
    if answers.n_timed == 0 or known.nondecision_time is not None:
        return np.inf
    timed = answers.time[: answers.n_timed]
    return float(np.median(timed) if known.contaminants else timed.min())


def _starts(answers: MixedAnswers, known: Known) -> list[Point]:
    """Return the best points of coarse grids, each with another non-decision time.

    The grids differ in the longest time that counts as such. Slow contaminants that pass for
    decisions make weak preferences, which in turn explain them, and no later round sees through
    that; from preferences that start too strong, rounds lead to the other maximum.
    """
    n_each = _N_STARTS if known.contaminants else 1
    found: list[Point] = []
    for longest in _START_LONGEST if known.contaminants else _START_LONGEST[-1:]:
        grid = [_start(answers, known, t0, longest) for t0 in _start_times(answers, known)]
        grid.sort(key=lambda start: -start[0])
        found += [point for _, point in grid[:n_each]]
    return found


def _start(answers: MixedAnswers, known: Known, t0: float, longest: float) -> tuple[float, Point]:
    """Return the best of some barriers and shares, after the log-likelihood there."""
    after = answers.time - t0
    typical = float(np.median(after[after > 0])) if len(after) else 1.0
    rough = Point(np.zeros(answers.vectors.shape[1]), np.sqrt(1.3 * typical), t0, _GENUINE_ONLY)
    kinds = np.zeros((4, len(answers.choice)))
    kinds[0] = np.append(after > 0, np.ones(len(answers.choice) - len(after)))
    rates, _ = _solve_rates(answers, rough, kinds, longest * typical)
    barrier = _START_BARRIERS * np.sqrt(typical)
    if known.barrier is not None:
        barrier = np.array([[known.barrier]])
    m = np.broadcast_to(answers.vectors @ rates, (len(barrier), len(answers.choice)))
    components = log_components(answers, m, barrier, np.full_like(barrier, t0))
    found = []
    for shares in _start_shares(after, known):
        value = log_mixture(components, shares) @ answers.weight
        at = int(np.argmax(value))
        found.append((float(value[at]), Point(rates, float(barrier[at, 0]), t0, shares)))
    return max(found, key=lambda start: start[0])


def _start_shares(after: Floats, known: Known) -> list[Floats]:
    """Return shares to start from; answers before the non-decision time are guesses."""
    if not known.contaminants:
        return [_GENUINE_ONLY]
    fast = 0.05 + np.mean(after <= 0)
    odds = [np.array([1.0, fast, slow, slow]) for slow in _START_SLOW_SHARES]
    return [shares / shares.sum() for shares in odds]


def _start_times(answers: MixedAnswers, known: Known) -> list[float]:
    """Return non-decision times to start from."""
    if known.nondecision_time is not None:
        return [known.nondecision_time]
    timed = answers.time[: answers.n_timed]
    if not known.contaminants:
        return [share * float(timed.min()) for share in (0.5, 0.8, 0.95)]
    return [0.5 * float(timed.min()), *(0.9 * np.quantile(timed, _START_QUANTILES)).tolist()]


def _climb(
    answers: MixedAnswers, known: Known, latest: float, point: Point, max_rounds: int
) -> ContaminatedFit:
    """Climb until further rounds gain nothing."""
    value, gain, n = -np.inf, np.inf, 0
    while gain > _TOLERANCE and n < max_rounds:
        if known.contaminants:
            point = point._replace(shares=_shares(answers, point))
        kinds = probabilities_of_kinds(answers, point)
        rates, slope = _solve_rates(answers, point, kinds, np.inf)
        point, following = _move_rest(answers, known, latest, point._replace(rates=rates), slope)
        gain, value = following - value, following
        n += 1
    kinds = probabilities_of_kinds(answers, point)
    return ContaminatedFit(point, value, kinds, gain <= _TOLERANCE, n)


def _shares(answers: MixedAnswers, point: Point) -> Floats:
    """Return the shares of the kinds that the answers and the prior on shares make likeliest."""
    density, shares = relative_densities(answers, point), point.shares
    seen = GENUINE_TRIALS_ASSUMED * _GENUINE_ONLY
    for _ in range(_ROUNDS_OF_SHARES):
        counts = shares * (density @ (answers.weight / (shares @ density)))
        shares = (counts + seen) / (answers.weight.sum() + GENUINE_TRIALS_ASSUMED)
    return shares


def _solve_rates(
    answers: MixedAnswers, point: Point, kinds: Floats, longest: float
) -> tuple[Floats, Floats]:
    """Return the rates given what kind each answer is, and their slope in non-decision time."""
    X, n_clocked = answers.vectors, len(answers.time)
    trial = quadratic(answers, point)
    genuine, lapse = answers.weight * kinds[0], answers.weight * kinds[3]
    curvature = genuine * np.minimum(trial.curvature, longest) + lapse * trial.lapse_curvature
    precision = X.T @ (X * curvature[:, None])
    precision[np.diag_indices_from(precision)] += answers.ridge
    space = decompose(precision)
    rates = space.solve(X.T @ (genuine * trial.pull + lapse * trial.lapse_pull))
    clocked = X[:n_clocked]
    slope = space.solve(clocked.T @ (genuine[:n_clocked] * (clocked @ rates)))
    return rates, slope


def _move_rest(
    answers: MixedAnswers, known: Known, latest: float, point: Point, slope: Floats
) -> tuple[Point, float]:
    """Take Newton steps in barrier and non-decision time, which the rates follow.

    Returns
    -------
    Point
        The point reached.
    float
        Log-likelihood with priors there.
    """
    base, tilt = answers.vectors @ point.rates, answers.vectors @ slope
    prior = GENUINE_TRIALS_ASSUMED * np.log(point.shares[0]) if known.contaminants else 0.0

    def split(free: Floats) -> tuple[Floats, Floats]:
        fixed = np.ones((len(free), 1))
        a = np.exp(free[:, :1]) if known.barrier is None else point.barrier * fixed
        if known.nondecision_time is None:
            return a, latest * expit(free[:, -1:])
        return a, point.nondecision_time * fixed

    def objective(free: Floats) -> Floats:
        a, t0 = split(free)
        later = t0 - point.nondecision_time
        components = log_components(answers, base + later * tilt, a, t0)
        norm = ((point.rates + later * slope) ** 2).sum(axis=1)
        likelihood = log_mixture(components, point.shares) @ answers.weight
        return np.asarray(likelihood - 0.5 * answers.ridge * a[:, 0] ** 2 * norm + prior)

    start = [] if known.barrier is not None else [np.log(point.barrier)]
    if known.nondecision_time is None:
        start.append(logit(point.nondecision_time / latest))
    if not start:
        return point, float(objective(np.zeros((1, 0)))[0])
    peak = find_peak(objective, np.array(start), max_iterations=_NEWTON_STEPS)
    a, t0 = (float(column[0, 0]) for column in split(peak.point[None]))
    moved = point.rates + (t0 - point.nondecision_time) * slope
    return point._replace(rates=moved, barrier=a, nondecision_time=t0), peak.value
