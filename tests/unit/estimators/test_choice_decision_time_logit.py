import numpy as np
import pytest

from tacit import ddm
from tacit.errors import DataError
from tacit.estimators import (
    ChoiceDecisionTime,
    ChoiceDecisionTimeLogit,
    ChoiceLogit,
    single_query,
)

WEIGHTS = np.array([0.9, -0.6])


def trials(rng, queries, n_each=40, nondecision_time=0.3):
    X = np.tile(queries, (n_each, 1))
    return X, *ddm.sample(X @ WEIGHTS, 1.2, nondecision_time=nondecision_time, rng=rng)


def test_one_query_by_hand():
    # C = 1/2, T = 1, p = 3/4: drift sqrt(log(3) / 4), for x = 2 half of it.
    choice, time = np.array([1, 1, -1, 1]), np.array([0.5, 1.0, 1.5, 1.0])
    model = ChoiceDecisionTimeLogit().fit(np.full((4, 1), 2.0), choice, response_time=time)
    drift = np.sqrt(np.log(3) / 4)
    assert model.coef_ == pytest.approx([drift / 2])
    # 4 a^2 - 2 a u + 4.5 u^2 = 4, from sums of c t = 1, of t^2 = 4.5 and of t = 4.
    barrier = max(np.roots([4, -2 * drift, 4.5 * drift**2 - 4]))
    assert model.barrier_ == pytest.approx(barrier)
    strength = barrier * drift
    mean_time = barrier / drift * np.tanh(strength)
    var_choice = 1 - np.tanh(strength) ** 2
    expected = (3 / mean_time + 1 / (barrier**2 * var_choice)) / 4 / 4
    assert model.covariance_[0, 0] == pytest.approx(expected / 4)


def test_one_hot_queries_give_the_geometric_mean_of_both_estimates(rng):
    X, choice, time = trials(rng, np.diag([1.0, 2.0]))
    model = ChoiceDecisionTimeLogit(0.3).fit(X, choice, response_time=time)
    by_time = ChoiceDecisionTime(0.3).fit(X, choice, response_time=time)
    by_choice = ChoiceLogit().fit(X, choice)
    np.testing.assert_allclose(model.coef_**2, by_time.coef_ * by_choice.coef_ / 2, rtol=1e-10)
    np.testing.assert_array_equal(np.sign(model.coef_), np.sign(by_choice.coef_))


def test_queries_are_averaged_before_they_are_regressed(rng):
    queries = rng.normal(size=(5, 2))
    X, choice, time = trials(rng, queries)
    gram, linear = np.zeros((2, 2)), np.zeros(2)
    for x in queries:
        same = (x == X).all(axis=1)
        ratio = single_query.utility_over_barrier(choice[same], time[same] - 0.3)
        product = ratio * single_query.log_odds(choice[same]) / 2
        gram += same.sum() * np.outer(x, x)
        linear += same.sum() * x * np.sign(ratio) * np.sqrt(product)
    model = ChoiceDecisionTimeLogit(0.3).fit(X, choice, response_time=time)
    np.testing.assert_allclose(model.coef_, np.linalg.solve(gram, linear), rtol=1e-10)


def test_weights_barrier_choices_and_times_agree(rng):
    X, choice, time = trials(rng, rng.normal(size=(5, 2)))
    model = ChoiceDecisionTimeLogit(0.3).fit(X, choice, response_time=time)
    decision_time = time - 0.3
    residual = model.barrier_ * choice - decision_time * (X @ model.coef_)
    assert (residual**2).sum() == pytest.approx(decision_time.sum(), rel=1e-10)


def test_exact_moments_give_the_exact_drift_and_barrier():
    # Choices and times whose means are those of the model, by weights: C = tanh(a u).
    barrier, drift = 1.3, 0.8
    first = float(ddm.prob_first(drift, barrier))
    time = float(ddm.mean_time(drift, barrier))
    model = ChoiceDecisionTimeLogit().fit(
        [[1.0], [1.0]], [1, -1], response_time=[time, time], sample_weight=[first, 1 - first]
    )
    assert model.coef_ == pytest.approx([drift])


def test_no_preference_shows_as_none():
    model = ChoiceDecisionTimeLogit().fit([[1.0]] * 4, [1, -1, -1, 1], response_time=[1, 2, 1, 3])
    assert model.coef_ == pytest.approx([0.0])
    # With no drift the identity reads a^2 n = sum t.
    assert model.barrier_ == pytest.approx(np.sqrt(7 / 4))


def test_data_without_a_barrier_are_refused():
    # One long answer against many short ones: the weights go against choices times times.
    X = [[1.0]] * 10
    choice, time = [1] * 9 + [-1], [0.01] * 9 + [100.0]
    with pytest.raises(DataError, match="no barrier agrees with choices and times of 10 trials"):
        ChoiceDecisionTimeLogit().fit(X, choice, response_time=time)
