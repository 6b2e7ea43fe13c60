"""Errors of the estimators are as large as their covariance and the theory say, and no larger.

Squared errors in units of a covariance of rank d are chi-squared with d degrees of freedom as
answers grow: mean d, variance 2 d, sub-gamma with scale 2. What a finite number of answers adds is
allowed for by `FINITE`, which the discrepancy to be noticed exceeds several times.
"""

import numpy as np
import pytest
from scipy.stats import binom

from tacit import ddm
from tacit.estimators import (
    ChoiceDecisionTime,
    ChoiceDecisionTimeLogit,
    ChoiceLogit,
    ChoiceOnly,
    CoefScale,
    Likelihood,
    theory,
)
from tests.statistical._testing import assert_mean, n_for_mean

BARRIER, NONDECISION_TIME = 1.2, 0.3
WEIGHTS = np.array([0.5, -0.4, 0.3, -0.2, 0.1, 0.4])
STRENGTHS = np.array([1.2, -1.0, 1.1, 1.0, -1.2, 1.1, 1.0, -1.1, 1.2, 1.0])
"""|a u| of every query: clear preferences, of which no share of choices is extreme."""

DISCREPANCY = 0.5
"""Relative error of a variance that must not go unnoticed."""
FINITE = 0.1
"""Relative error of a variance that may be due to there being no more answers."""
CONTROL = 1.7
"""Factor by which broken variances are off, either way: enough for a fresh sample to show it."""

TRUTH = {
    CoefScale.UTILITY_OVER_BARRIER: 1 / BARRIER,
    CoefScale.TWICE_BARRIER_UTILITY: 2 * BARRIER,
    CoefScale.UTILITY: 1.0,
}


def queries_of_strengths(strengths=STRENGTHS, weights=WEIGHTS):
    """Return query vectors in general position whose preferences are so strong."""
    free = np.random.default_rng(3).normal(size=(len(strengths), len(weights)))
    wanted = strengths / BARRIER - free @ weights
    return free + np.outer(wanted, weights) / (weights @ weights)


QUERIES = queries_of_strengths()


def replicate(estimator, n_replicates, rng, *, queries=QUERIES, weights=WEIGHTS, n_each):
    """Return errors of utilities and their declared covariances, of one fit in each row."""
    X = np.tile(queries, (n_each, 1))
    drift = np.broadcast_to(X @ weights, (n_replicates, len(X)))
    choice, time = ddm.sample(drift, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
    errors, covariances = [], []
    for c, rt in zip(choice, time, strict=True):
        model = estimator.fit(X, c, response_time=rt)
        scale = TRUTH[model.coef_scale_]
        errors.append(model.coef_ / scale - weights)
        covariances.append(model.covariance_ / scale**2)
    return np.array(errors), np.array(covariances)


def n_replicates(rank, false_alarm_rate, discrepancy=DISCREPANCY):
    return n_for_mean(
        rank * (discrepancy - 2 * FINITE),
        variance=2 * rank,
        scale=2,
        false_alarm_rate=false_alarm_rate,
    )


def assert_covariance(errors, covariances, *, false_alarm_rate):
    """Fail unless errors have these covariances, give or take what few answers explain."""
    rank = errors.shape[1]
    squared = (errors * np.linalg.solve(covariances, errors[..., None])[..., 0]).sum(axis=1)
    nearest = np.clip(squared.mean(), rank * (1 - FINITE), rank * (1 + FINITE))
    assert_mean(
        "covariance", squared, nearest,
        variance=2 * rank, scale=2, false_alarm_rate=false_alarm_rate,
    )  # fmt: skip


def assert_not_covariance(errors, covariances, *, false_alarm_rate):
    with pytest.raises(AssertionError, match=r"^covariance: mean of"):
        assert_covariance(errors, covariances, false_alarm_rate=false_alarm_rate)


def theoretical(which, n_answers):
    """Return the covariance of utilities from the variances of single and of paired directions."""
    axes = np.eye(len(WEIGHTS))

    def variance(y):
        return getattr(theory.asymptotic_variances(y, QUERIES, WEIGHTS, BARRIER), which)

    pairs = [[variance(one + two) - variance(one - two) for two in axes] for one in axes]
    return np.array(pairs) / 4 / n_answers


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize(
    ("estimator", "of_theory", "n_each"),
    [
        (ChoiceDecisionTime(NONDECISION_TIME), "choice_decision_time", 60),
        (Likelihood(NONDECISION_TIME), "likelihood", 60),
        # Away from 0, the bias of the unpenalised fit needs more answers to vanish.
        (ChoiceOnly(), "choice_only", 120),
        (ChoiceLogit(), None, 60),
        (ChoiceDecisionTimeLogit(NONDECISION_TIME), None, 60),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
def test_errors_are_as_large_as_declared(estimator, of_theory, n_each, fresh_rng, false_alarm_rate):
    rate = false_alarm_rate / 6
    n_times = n_replicates(len(WEIGHTS), rate)
    errors, declared = replicate(estimator, n_times, fresh_rng, n_each=n_each)
    assert_covariance(errors, declared, false_alarm_rate=rate)
    for factor in (CONTROL, 1 / CONTROL):
        assert_not_covariance(errors, factor * declared, false_alarm_rate=rate)
    if of_theory is not None:
        exact = theoretical(of_theory, n_each * len(QUERIES))
        assert_covariance(errors, exact, false_alarm_rate=rate)
        other = "likelihood" if of_theory == "choice_only" else "choice_only"
        wrong = theoretical(other, n_each * len(QUERIES))
        assert_not_covariance(errors, wrong, false_alarm_rate=rate)


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_a_fitted_nondecision_time_costs_what_is_declared(fresh_rng, false_alarm_rate):
    rate, discrepancy = false_alarm_rate / 2, 1.0
    n_times = n_replicates(1, rate, discrepancy)
    strong = {"queries": np.ones((1, 1)), "weights": np.array([3.0]), "n_each": 300}
    model = Likelihood()
    errors, declared = replicate(model, n_times, fresh_rng, **strong)
    assert_covariance(errors, declared, false_alarm_rate=rate)
    # As if the non-decision time had been known: V^-1 / a^2.
    mean_time = ddm.mean_time(3.0, BARRIER)
    known = np.full_like(declared, 1 / (300 * mean_time))
    assert_not_covariance(errors, known, false_alarm_rate=rate)


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_queries_asked_once_suit_the_likelihood_alone(fresh_rng, false_alarm_rate):
    rate = false_alarm_rate / 2
    strengths = np.tile(STRENGTHS, 30)
    once = {"queries": queries_of_strengths(strengths), "n_each": 1}
    n_times = n_replicates(len(WEIGHTS), rate)
    exact = replicate(Likelihood(NONDECISION_TIME), n_times, fresh_rng, **once)
    assert_covariance(*exact, false_alarm_rate=rate)
    # One answer's choice over its time is nowhere near the drift on average.
    averaging = ChoiceDecisionTime(NONDECISION_TIME)
    assert_not_covariance(*replicate(averaging, n_times, fresh_rng, **once), false_alarm_rate=rate)


def misses(error, n_answers, drift, n_samples, rng):
    """Count samples of n answers whose ratio of means misses the drift by more than the error."""
    choice, time = ddm.sample(drift, BARRIER, rng=rng, size=(n_samples, n_answers))
    estimate = BARRIER * choice.mean(axis=1) / time.mean(axis=1)
    return int((np.abs(estimate - drift) > error).sum())


def n_for_bound(bound, error, drift):
    """Return the number of answers from which the timed bound is below this."""
    weight = float(theory.concentration_weight_timed(drift, BARRIER))
    return int(np.ceil(np.log(4 / bound) / (weight * error) ** 2))


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize("drift", [0.5, -1.0, 3.0])
def test_times_are_never_further_off_than_their_bound(drift, fresh_rng, false_alarm_rate):
    rate, n_samples = false_alarm_rate / 3, 4000
    # Near the end of the range of validity, in the middle, and well inside.
    for share in (1.0, 0.7, 0.4):
        error = share * np.sqrt(2) * abs(drift)
        n_answers = n_for_bound(0.02, error, drift)
        bound = float(theory.concentration_bound_timed(error, n_answers, drift, BARRIER))
        assert bound <= 0.02
        missed = misses(error, n_answers, drift, n_samples, fresh_rng)
        assert binom.sf(missed - 1, n_samples, bound) > rate


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize("drift", [0.5, -1.0, 3.0])
def test_a_bound_with_too_large_a_weight_is_noticed(drift, fresh_rng, false_alarm_rate):
    # As answers grow, misses have exponent n E[t] error^2 / 2: three times that is no bound.
    n_samples, error = 40_000, 0.4 * np.sqrt(2) * abs(drift)
    mean_time = float(ddm.mean_time(drift, BARRIER))
    n_answers = int(np.ceil(9 / (mean_time * error**2)))
    broken = 4 * np.exp(-3 * n_answers * mean_time * error**2 / 2)
    missed = misses(error, n_answers, drift, n_samples, fresh_rng)
    assert binom.sf(missed - 1, n_samples, broken) < false_alarm_rate
