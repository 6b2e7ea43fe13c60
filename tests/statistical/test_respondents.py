"""Draws of respondents against the laws that they stand for, as integrals and as equations."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid
from scipy.special import ndtr

from tacit import ddm
from tacit.simulate import (
    Biased,
    CollapsingBarrier,
    Diffusion,
    Lapsing,
    Race,
    Respondent,
    VariableDrift,
    VariableNondecision,
)
from tests.oracle.collapsing import passage
from tests.statistical._testing import assert_distribution, assert_mean, n_for_distribution

BARRIER, NONDECISION_TIME, DRIFT = 1.2, 0.3, 0.7
DISCREPANCY = 0.015
"""Distance between joint distribution functions of choice and time that must be noticed."""

GRID = np.concatenate([np.linspace(0, 3, 30_000), np.linspace(3, 40, 20_000)[1:]])
"""Seconds of thinking, and of response."""


class Case(NamedTuple):
    right: Respondent
    wrong: Respondent
    law: object


def diffusion(**changed):
    return Diffusion([1.0], **{"barrier": BARRIER, "nondecision_time": NONDECISION_TIME} | changed)


def integrated(density):
    """Return the two increasing functions of response time, one for each choice."""
    hit = [cumulative_trapezoid(density(c, GRID), GRID, initial=0) for c in (1, -1)]
    assert hit[0][-1] + hit[1][-1] == pytest.approx(1, abs=1e-4)
    return GRID + NONDECISION_TIME, *hit


def diffusion_law():
    return integrated(lambda c, t: ddm.pdf(c, t, DRIFT, BARRIER))


def biased_law():
    return integrated(lambda c, t: ddm.pdf(c, t, DRIFT, BARRIER, start=-0.4 * BARRIER))


def variable_drift_law(sd=1.1):
    def density(c, t):
        wider = 1 + sd**2 * t
        exponent = (sd**2 * BARRIER**2 + 2 * BARRIER * c * DRIFT - DRIFT**2 * t) / (2 * wider)
        return np.exp(exponent + ddm.log_zero_drift_density(t, BARRIER)) / np.sqrt(wider)

    return integrated(density)


def race_law(threshold=1.4, base=0.9):
    def passed(v, t):
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(t)
            hit = ndtr((v * t - threshold) / root)
            hit += np.exp(2 * threshold * v) * ndtr((-v * t - threshold) / root)
        return np.where(t > 0, hit, 0.0)

    def density(c, t):
        v, other = base + c * STRONG / 2, base - c * STRONG / 2
        t = np.maximum(t, 1e-9)
        spread = -((threshold - v * t) ** 2) / (2 * t)
        own = threshold / np.sqrt(2 * np.pi * t**3) * np.exp(spread)
        return own * (1 - passed(other, t))

    return integrated(density)


def lapsing_law(fast=0.08, slow=0.1):
    time, *hit = diffusion_law()

    def mixed(own):
        lapses = fast * np.clip((time_grid - 0.1) / 0.2, 0, 1)
        lapses += slow * np.clip((time_grid - 2) / 6, 0, 1)
        return (1 - fast - slow) * np.interp(time_grid, time, own) + lapses / 2

    time_grid = np.linspace(0, 40, 100_001)
    return time_grid, *map(mixed, hit)


def variable_nondecision_law(width=0.5):
    time, *hit = diffusion_law()
    grid = np.linspace(0, 40, 80_001)
    early = np.round(width / grid[1]).astype(int)

    def blurred(own):
        area = cumulative_trapezoid(np.interp(grid, time, own), grid, initial=0)
        return (area - np.concatenate([np.zeros(early), area[:-early]])) / width

    return grid, *map(blurred, hit)


def collapsing_law():
    time, *hit = passage(DRIFT, 1.8, 2.5)
    assert hit[0][-1] + hit[1][-1] == pytest.approx(1, abs=1e-4)
    return time + NONDECISION_TIME, *hit


# So strong that the second accumulator drifts away from its threshold.
STRONG = 2.6
CASES = {
    "diffusion": Case(diffusion(), diffusion(barrier=1.25), diffusion_law),
    "biased": Case(
        Biased([1.0], BARRIER, NONDECISION_TIME, start=-0.4),
        Biased([1.0], BARRIER, NONDECISION_TIME, start=-0.35),
        biased_law,
    ),
    "variable drift": Case(
        VariableDrift(diffusion(), 1.1), VariableDrift(diffusion(), 0.9), variable_drift_law
    ),
    "race": Case(
        Race([STRONG / DRIFT], 1.4, NONDECISION_TIME, 0.9),
        Race([STRONG / DRIFT], 1.4, NONDECISION_TIME, 1.0),
        race_law,
    ),
    "lapses": Case(Lapsing(diffusion(), 0.08, 0.1), Lapsing(diffusion(), 0.08, 0.15), lapsing_law),
    "variable nondecision time": Case(
        VariableNondecision(diffusion(), 0.5),
        VariableNondecision(diffusion(), 0.45),
        variable_nondecision_law,
    ),
    "collapsing": Case(
        CollapsingBarrier([1.0], 1.8, NONDECISION_TIME, 2.5),
        CollapsingBarrier([1.0], 1.8, NONDECISION_TIME, 2.6),
        collapsing_law,
    ),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def assert_law(respondent, law, rng, *, false_alarm_rate):
    """Compare choice times response time, one number in which the whole answer can be read."""
    time, first, second = law()
    n = n_for_distribution(DISCREPANCY, false_alarm_rate=false_alarm_rate)
    choice, response_time = respondent.answer(np.full((n, 1), DRIFT), rng)

    def cdf(signed):
        of_first = np.interp(signed, time, first)
        of_second = second[-1] - np.interp(-signed, time, second)
        return np.where(signed > 0, second[-1] + of_first, of_second)

    assert_distribution(choice * response_time, cdf, false_alarm_rate=false_alarm_rate)


@pytest.mark.statistical(false_alarm_rate=1e-9)
def test_respondents_follow_their_law(case, fresh_rng, false_alarm_rate):
    assert_law(case.right, case.law, fresh_rng, false_alarm_rate=false_alarm_rate)


@pytest.mark.statistical(false_alarm_rate=1e-9)
def test_a_respondent_who_is_slightly_off_is_noticed(case, fresh_rng, false_alarm_rate):
    with pytest.raises(AssertionError, match=r"draws are .* from their cdf"):
        assert_law(case.wrong, case.law, fresh_rng, false_alarm_rate=false_alarm_rate)


@pytest.mark.statistical(false_alarm_rate=1e-9)
@pytest.mark.parametrize("drift", [0.0, 3.0, 40.0])
@pytest.mark.parametrize("start", [-0.9, -0.3, 0.0, 1e-9, 0.999])
def test_a_biased_start_shifts_choices_as_the_martingale_says(
    start, drift, fresh_rng, false_alarm_rate
):
    choice, _ = Biased([1.0], BARRIER, start=start).answer(np.full((20_000, 1), drift), fresh_rng)
    mean = start
    if drift:
        rate, x = 2 * drift, start * BARRIER
        mean = 2 * np.expm1(-rate * (x + BARRIER)) / np.expm1(-2 * rate * BARRIER) - 1
    assert_mean(
        "choice",
        choice,
        mean,
        variance=1 - mean**2,
        scale=2 / 3,
        false_alarm_rate=false_alarm_rate,
    )


@pytest.mark.statistical(false_alarm_rate=1e-9)
def test_a_barrier_that_hardly_collapses_is_a_barrier(fresh_rng, false_alarm_rate):
    person = CollapsingBarrier([1.0], BARRIER, NONDECISION_TIME, collapse_time=1e7)
    assert_law(person, diffusion_law, fresh_rng, false_alarm_rate=false_alarm_rate)
