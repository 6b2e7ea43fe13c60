"""What `RobustLikelihood` promises about people who sometimes guess or lapse.

The error of a person is the squared error of the weights relative to the squared weights, cut off
at a limit. Claims bound its mean over people. By Bernstein's inequality an estimator that keeps a
claim, with a spread below the one named, fails with probability at most `false_alarm_rate`;
the sample size is such that one whose mean is worse by the discrepancy fails as surely.
"""

import math

import numpy as np
import pytest

from tacit import ddm
from tacit.estimators import ChoiceOnly, Likelihood, RobustLikelihood

N_TRIALS, SHARE, MEAN_DELAY = 150, 0.15, 5.0


def person(rng):
    """Return weights over barrier, barrier, non-decision time, and genuine answers."""
    a, t0 = rng.uniform(0.9, 1.6), rng.uniform(0.3, 0.6)
    weights = rng.choice([-1.0, 1.0], 3) * rng.uniform(0.5, 1.5, 3)
    X = rng.normal(size=(N_TRIALS, 3))
    return weights / a, a, t0, (X, *ddm.sample(X @ weights, a, nondecision_time=t0, rng=rng))


def contaminate(kind, answers, t0, rng):
    """Replace answers drawn by lot, by other laws than those that are assumed."""
    X, choice, time = answers
    hit = rng.random(N_TRIALS) < SHARE
    if kind == "fast guesses":
        slip = rng.uniform(0.1, t0 + 0.1, N_TRIALS)
    else:
        slip = time + rng.exponential(MEAN_DELAY, N_TRIALS)
    if kind != "slow lapses":
        choice = np.where(hit, rng.choice([-1, 1], N_TRIALS), choice)
    return X, choice, np.where(hit, slip, time)


def error(model, weights, answers):
    X, choice, time = answers
    model.fit(X, choice, response_time=time)
    return ((model.coef_ - weights) ** 2).sum() / (weights**2).sum()


def allowance(n, *, sd, limit, false_alarm_rate):
    """By how much the mean of n values of at most `limit` may exceed their expectation."""
    log_rate = math.log(1 / false_alarm_rate)
    return sd * math.sqrt(2 * log_rate / n) + limit * log_rate / (3 * n)


def n_for(discrepancy, **spread):
    n = 1
    while allowance(n, **spread) > discrepancy / 2:
        n += 1
    return n


def assert_mean_at_most(claim, values, **spread):
    mean, allowed = np.mean(values), allowance(len(values), **spread)
    assert mean <= claim + allowed, (
        f"mean of {len(values)} errors is {mean:.3g}, {claim:.3g} + {allowed:.3g} is allowed"
    )


@pytest.mark.statistical(false_alarm_rate=1e-8)
@pytest.mark.parametrize("kind", ["fast guesses", "slow lapses", "slow and random"])
def test_contaminated_answers_leave_the_weights_right(fresh_rng, false_alarm_rate, kind):
    claim, discrepancy, limit = 0.05, 0.15, 0.5
    spread = {"sd": 0.05, "limit": limit, "false_alarm_rate": false_alarm_rate}
    robust, exact = [], []
    for _ in range(n_for(discrepancy, **spread)):
        weights, _, t0, genuine = person(fresh_rng)
        answers = contaminate(kind, genuine, t0, fresh_rng)
        robust.append(min(error(RobustLikelihood(), weights, answers), limit))
        exact.append(min(error(Likelihood(), weights, answers), limit))
    assert_mean_at_most(claim, robust, **spread)
    with pytest.raises(AssertionError, match="errors is"):
        assert_mean_at_most(claim, exact, **spread)


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_clean_answers_cost_little_accuracy(fresh_rng, false_alarm_rate):
    """The mean error is at most 1.15 times that of `Likelihood`, which is about 0.012."""
    discrepancy, limit = 0.008, 0.05
    spread = {"sd": 0.003, "limit": limit, "false_alarm_rate": false_alarm_rate}
    robust, choices = [], []
    for _ in range(n_for(discrepancy, **spread)):
        weights, a, _, answers = person(fresh_rng)
        allowed = 1.15 * error(Likelihood(), weights, answers)
        robust.append(min(error(RobustLikelihood(), weights, answers) - allowed, limit))
        by_choice = error(ChoiceOnly("ridge"), 2 * a**2 * weights, answers)
        choices.append(min(by_choice - allowed, limit))
    assert_mean_at_most(0.0, robust, **spread)
    with pytest.raises(AssertionError, match="errors is"):
        assert_mean_at_most(0.0, choices, **spread)
