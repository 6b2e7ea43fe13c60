import numpy as np
import pytest

from tacit import ddm
from tests.oracle.euler import walk
from tests.statistical._testing import (
    assert_distribution,
    assert_mean,
    n_for_distribution,
    n_for_mean,
)

STRENGTHS = [0.0, 0.3, 0.79, 0.81, 2.0, 10.0, 90.0, 1000.0]
N_ASSERTIONS = 7
DISCREPANCY = 0.01
"""Distance between distribution functions of the time that must not go unnoticed."""


def assert_law(choice, time, drift, barrier, *, false_alarm_rate):
    """Compare draws with the exact law: time, both of its tails, choice, and independence."""
    rate = false_alarm_rate / N_ASSERTIONS
    mean, variance = float(ddm.mean_time(drift, barrier)), float(ddm.var_time(drift, barrier))
    # The time is a sum of independent exponentials; this is the mean of the longest one.
    longest = barrier**2 / ((barrier * drift) ** 2 / 2 + np.pi**2 / 8)
    assert_mean("time", time, mean, variance=variance, scale=longest, false_alarm_rate=rate)
    # Capped, the squares are bounded; Bernstein says that the cap is passed once in e^25 draws.
    latest = mean + np.sqrt(2 * variance * 25) + longest * 25
    assert_mean(
        "squared time",
        (np.minimum(time, latest) - mean) ** 2,
        variance,
        # No sum of exponentials has a larger kurtosis than one exponential.
        variance=9 * variance**2,
        scale=(latest - mean) ** 2 / 3,
        false_alarm_rate=rate,
    )
    log_cdf, log_sf = ddm.logcdf(time, drift, barrier), ddm.logsf(time, drift, barrier)
    for what, log_tail in (("lower tail", log_cdf), ("upper tail", log_sf)):
        # -log of a uniform number is a standard exponential
        assert_mean(what, -log_tail, 1.0, variance=1.0, scale=1.0, false_alarm_rate=rate)
    uniform = np.exp(log_cdf)
    assert_distribution(uniform, lambda u: u, false_alarm_rate=rate)
    mean_choice, var_choice = ddm.mean_choice(drift, barrier), ddm.var_choice(drift, barrier)
    assert_mean(
        "choice", choice, mean_choice, variance=var_choice, scale=2 / 3, false_alarm_rate=rate
    )
    assert_mean(
        "choice and time",
        (choice - mean_choice) * (uniform - 0.5),
        0.0,
        variance=var_choice / 12,
        scale=1 / 3,
        false_alarm_rate=rate,
    )


def n_draws(false_alarm_rate):
    return n_for_distribution(DISCREPANCY, false_alarm_rate=false_alarm_rate / N_ASSERTIONS)


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_draws_follow_the_exact_law(strength, fresh_rng, false_alarm_rate):
    barrier = 1.3
    choice, time = ddm.sample(
        -strength / barrier, barrier, rng=fresh_rng, size=n_draws(false_alarm_rate)
    )
    assert_law(choice, time, -strength / barrier, barrier, false_alarm_rate=false_alarm_rate)


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_draws_with_many_drifts_and_barriers_follow_the_exact_law(fresh_rng, false_alarm_rate):
    n_queries = n_draws(false_alarm_rate)
    drift, barrier = 2 * fresh_rng.standard_normal(n_queries), fresh_rng.uniform(0.5, 2, n_queries)
    choice, time = ddm.sample(drift, barrier, rng=fresh_rng, nondecision_time=0.2)
    uniform = ddm.cdf(time, drift, barrier, nondecision_time=0.2)
    assert_distribution(uniform, lambda u: u, false_alarm_rate=false_alarm_rate / 2)
    surprise = choice - ddm.mean_choice(drift, barrier)
    assert_mean(
        "choice", surprise, 0.0, variance=1.0, scale=2 / 3, false_alarm_rate=false_alarm_rate / 2
    )


def broken_barrier(drift, barrier, n_answers, rng):
    """Barrier off by 2%."""
    return ddm.sample(drift, 1.02 * barrier, rng=rng, size=n_answers)


def broken_euler(drift, barrier, n_answers, rng):
    """Crossings between grid points missed."""
    return walk(drift, barrier, n_answers, 1e-2, rng, bridge=False)


def broken_choice(drift, barrier, n_answers, rng):
    """Choice off by a coin thrown once in fifty."""
    choice, time = ddm.sample(drift, barrier, rng=rng, size=n_answers)
    return np.where(rng.random(n_answers) < 0.02, rng.choice([-1, 1], n_answers), choice), time


def broken_independence(drift, barrier, n_answers, rng):
    """Fast answers more often first, slow ones less: both marginal laws are right."""
    choice, time = ddm.sample(drift, barrier, rng=rng, size=n_answers)
    order = np.argsort(time + ddm.mean_time(drift, barrier) * rng.normal(size=n_answers) * 5)
    return np.sort(choice)[::-1][np.argsort(order)], time


def broken_tail(drift, barrier, n_answers, rng):
    """The longest 2% of times never happen."""
    choice, time = ddm.sample(drift, barrier, rng=rng, size=2 * n_answers)
    kept = time < ddm.quantile(0.98, drift, barrier)
    return choice[kept][:n_answers], time[kept][:n_answers]


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize(
    ("broken", "strength", "symptom"),
    [
        (broken_barrier, 0.0, "time|distribution"),
        (broken_barrier, 3.0, "time|distribution"),
        (broken_euler, 1.0, "time|distribution"),
        (broken_choice, 1.0, "choice"),
        (broken_independence, 0.5, "choice and time"),
        (broken_tail, 0.0, "time|tail"),
    ],
)
def test_a_broken_sampler_is_noticed(broken, strength, symptom, fresh_rng, false_alarm_rate):
    barrier = 1.0
    choice, time = broken(strength, barrier, n_draws(false_alarm_rate), fresh_rng)
    with pytest.raises(AssertionError, match=f"^({symptom}):"):
        assert_law(choice, time, strength, barrier, false_alarm_rate=false_alarm_rate)


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize(("drift", "barrier"), [(0.0, 1.0), (1.2, 0.8), (-0.4, 1.7)])
def test_evidence_walked_step_by_step_ends_as_the_law_says(
    drift, barrier, fresh_rng, false_alarm_rate
):
    rate, time_step = false_alarm_rate / 2, 0.02 * barrier**2
    n_paths = n_for_distribution(0.02, false_alarm_rate=rate)
    choice, time = walk(drift, barrier, n_paths, time_step, fresh_rng)
    # Rounded up to the grid, times are distributed as in continuous time at each grid point.
    at = np.arange(1, 1 + round(time.max() / time_step)) * time_step
    rank = np.searchsorted(np.sort(time), at + time_step / 2) / len(time)
    allowed = np.sqrt(np.log(2 / rate) / (2 * len(time)))
    assert abs(rank - ddm.cdf(at, drift, barrier)).max() < allowed
    assert_mean(
        "choice",
        choice,
        ddm.mean_choice(drift, barrier),
        variance=ddm.var_choice(drift, barrier),
        scale=2 / 3,
        false_alarm_rate=rate,
    )


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_pictured_paths_end_as_often_and_as_late_as_the_law_says(fresh_rng, false_alarm_rate):
    drift, barrier, time_step, rate = 0.6, 0.5, 1e-2, false_alarm_rate / 2
    var_choice = float(ddm.var_choice(drift, barrier))
    n_paths = n_for_mean(0.2, variance=var_choice, scale=2 / 3, false_alarm_rate=rate)
    paths = [
        ddm.sample_path(drift, barrier, rng=fresh_rng, time_step=time_step) for _ in range(n_paths)
    ]
    assert_mean(
        "choice",
        [path.choice for path in paths],
        ddm.mean_choice(drift, barrier),
        variance=var_choice,
        scale=2 / 3,
        false_alarm_rate=rate,
    )
    # On average a crossing is reported half a step late.
    assert_mean(
        "time",
        [path.time[-1] - time_step / 2 for path in paths],
        float(ddm.mean_time(drift, barrier)),
        variance=float(ddm.var_time(drift, barrier)),
        scale=barrier**2,
        false_alarm_rate=rate,
    )
