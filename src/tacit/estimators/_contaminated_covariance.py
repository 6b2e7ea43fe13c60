"""The observed information of the contaminated likelihood, and the covariance that follows."""

import numpy as np
from scipy.special import expit

from tacit.ddm._checks import Floats
from tacit.ddm._peak import find_peak
from tacit.estimators._base import pseudo_inverse
from tacit.estimators._contaminated import (
    MixedAnswers,
    Point,
    components_at,
    log_mixture,
    probabilities_of_kinds,
    quadratic,
)

_STEP = 3e-3
"""Half-width of difference stencils: of the log-barrier, and of the time in units of a^2.

The density of fast guesses has a kink at t0; a stencil much narrower would see it, or not, by luck.
"""


def observed_covariance(
    answers: MixedAnswers, point: Point, *, barrier_fitted: bool, time_fitted: bool
) -> Floats:
    """Return the covariance of the rates: their block of the inverse observed information.

    With the information I of the rates alone, G = -I^-1 (cross derivatives) how they follow what
    else was fitted, and S the information of that while the rates follow, the block is
    I^-1 + G S^-1 G'. The shares of the kinds are taken as known.
    """
    inverse = pseudo_inverse(_information(answers, point))
    unit = np.diag([1.0, point.barrier**2])[[barrier_fitted, time_fitted]]
    if len(unit) == 0:
        return inverse

    def moved(by: Floats) -> Point:
        log_ratio, later = by @ unit
        return point._replace(
            barrier=point.barrier * np.exp(log_ratio),
            nondecision_time=point.nondecision_time + later,
        )

    steps = _STEP * np.eye(len(unit))
    cross = [_score(answers, moved(h)) - _score(answers, moved(-h)) for h in steps]
    follow = inverse @ np.array(cross).T / (2 * _STEP)

    def value(by: Floats) -> Floats:
        points = [moved(b)._replace(rates=point.rates + follow @ b) for b in by]
        return np.array([_value(answers, p) for p in points])

    rest = find_peak(value, np.zeros(len(unit)), step=_STEP, max_iterations=1)
    return np.asarray(inverse + follow @ np.linalg.solve(rest.precision, follow.T))


def _information(answers: MixedAnswers, point: Point) -> Floats:
    """Return the observed information of the rates alone.

    Louis (1982): the information of complete data, averaged over what kind each trial may be, less
    the variance of their score.
    """
    X, a2 = answers.vectors, point.barrier**2
    n_clocked = len(answers.time)
    trial, m = quadratic(answers, point), X @ point.rates
    genuine, _, _, lapse = probabilities_of_kinds(answers, point)
    odds = 2 * a2 * m
    choice_information = 4 * a2 * expit(odds) * expit(-odds)
    curvature = trial.curvature.copy()
    curvature[n_clocked:] = choice_information[n_clocked:]
    lapse_information = np.where(trial.lapse_curvature > 0, choice_information, 0.0)
    score = trial.pull - trial.curvature * m
    lapse_score = trial.lapse_pull - trial.lapse_curvature * m
    mean_score = genuine * score + lapse * lapse_score
    spread = genuine * score**2 + lapse * lapse_score**2 - mean_score**2
    information = genuine * curvature + lapse * lapse_information - a2 * spread
    total = X.T @ (X * (answers.weight * information)[:, None])
    total[np.diag_indices_from(total)] += answers.ridge
    return np.asarray(a2 * total)


def _score(answers: MixedAnswers, point: Point) -> Floats:
    """Return the slope of the log-posterior in the rates."""
    m, trial = answers.vectors @ point.rates, quadratic(answers, point)
    genuine, _, _, lapse = probabilities_of_kinds(answers, point)
    score = genuine * (trial.pull - trial.curvature * m)
    score += lapse * (trial.lapse_pull - trial.lapse_curvature * m)
    pull = (answers.weight * score) @ answers.vectors - answers.ridge * point.rates
    return np.asarray(point.barrier**2 * pull)


def _value(answers: MixedAnswers, point: Point) -> float:
    """Return the log-posterior, up to a constant, at the shares of the point."""
    density = log_mixture(components_at(answers, point)[:, None], point.shares)[0]
    value = float(density @ answers.weight)
    return value - 0.5 * answers.ridge * point.barrier**2 * float(point.rates @ point.rates)
