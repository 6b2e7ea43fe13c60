import numpy as np
import pytest

from tacit import ddm
from tacit.errors import DataError, DataWarning
from tacit.estimators import ChoiceDecisionTime, Likelihood, single_query

WEIGHTS = np.array([0.9, -0.6])


def trials(rng, queries, n_each=20, barrier=1.2, nondecision_time=0.3):
    X = np.tile(queries, (n_each, 1))
    choice, time = ddm.sample(X @ WEIGHTS, barrier, nondecision_time=nondecision_time, rng=rng)
    return X, choice, time


def test_two_queries_by_hand():
    # Query 1: C / T = (1/3) / (4/3), n = 3. Query 2: C / T = 1 / 1, n = 2.
    X, choice = np.array([[1.0], [1.0], [1.0], [2.0], [2.0]]), np.array([1, 1, -1, 1, 1])
    time = np.array([1.0, 2.0, 1.0, 0.5, 1.5])
    model = ChoiceDecisionTime().fit(X, choice, response_time=time)
    beta = (3 * 1 * 0.25 + 2 * 2 * 1.0) / (3 * 1 + 2 * 4)
    assert model.coef_ == pytest.approx([beta])
    barrier = np.sqrt(time.sum() / ((choice - time * X[:, 0] * beta) ** 2).sum())
    assert model.barrier_ == pytest.approx(barrier)
    # 1 / (n a^2 E[t]) for each query, E[t] = tanh(a^2 beta x) / (beta x).
    variance = [beta * x / np.tanh(barrier**2 * beta * x) / barrier**2 for x in (1.0, 2.0)]
    expected = (3 * 1 * variance[0] + 2 * 4 * variance[1]) / 11**2
    assert model.covariance_[0, 0] == pytest.approx(expected)


def test_queries_are_averaged_before_they_are_regressed(rng):
    queries = rng.normal(size=(6, 2))
    X, choice, time = trials(rng, queries)
    order = rng.permutation(len(X))[:100]  # unequal numbers of answers
    X, choice, time = X[order], choice[order], time[order]
    gram, linear = np.zeros((2, 2)), np.zeros(2)
    for x in queries:
        same = (x == X).all(axis=1)
        gram += same.sum() * np.outer(x, x)
        linear += same.sum() * x * choice[same].mean() / (time[same] - 0.3).mean()
    model = ChoiceDecisionTime(0.3).fit(X, choice, response_time=time)
    np.testing.assert_allclose(model.coef_, np.linalg.solve(gram, linear), rtol=1e-10)
    assert len(model.queries_.vectors) == 6


def test_one_hot_queries_give_the_maximum_likelihood(rng):
    X, choice, time = trials(rng, np.diag([1.0, 2.0]))
    model = ChoiceDecisionTime(0.2).fit(X, choice, response_time=time)
    exact = Likelihood(0.2).fit(X, choice, response_time=time)
    np.testing.assert_allclose(model.coef_, exact.coef_, rtol=1e-12)
    assert model.barrier_ == pytest.approx(exact.barrier_)


def test_one_query_gives_the_ratio_of_means(rng):
    choice, time = ddm.sample(0.7, 1.2, rng=rng, size=30)
    model = ChoiceDecisionTime().fit(np.full((30, 1), 2.0), choice, response_time=time)
    ratio = single_query.utility_over_barrier(choice, time)
    np.testing.assert_allclose(model.coef_, ratio / 2, rtol=1e-12)


def test_ignoring_the_nondecision_time_divides_by_the_response_time(rng):
    choice, time = ddm.sample(0.7, 1.2, nondecision_time=0.4, rng=rng, size=50)
    X = np.ones((50, 1))
    known = ChoiceDecisionTime(0.4).fit(X, choice, response_time=time)
    unknown = ChoiceDecisionTime().fit(X, choice, response_time=time)
    assert unknown.coef_[0] / known.coef_[0] == pytest.approx((time.mean() - 0.4) / time.mean())


def test_swapped_options_are_the_same_query():
    model = ChoiceDecisionTime().fit(
        [[1.0, -2.0], [-1.0, 2.0], [1.0, -2.0], [0.0, 1.0], [0.0, -1.0]],
        [1, 1, 1, 1, 1],
        response_time=[1.0, 1.0, 2.0, 1.0, 1.5],
    )
    np.testing.assert_array_equal(np.sort(model.queries_.n_answers), [2, 3])
    np.testing.assert_array_equal(np.sort(model.queries_.choice_sum), [0, 1])


def test_rounding_does_not_split_a_query():
    x = np.array([0.1 + 0.2, 0.7 - 0.4])
    assert x[0] != x[1]
    model = ChoiceDecisionTime().fit(x[:, None], [1, -1], response_time=[1.0, 1.0])
    assert model.queries_.n_answers.tolist() == [2]
    assert model.coef_ == pytest.approx([0.0])


def test_queries_that_do_not_span_the_space_give_the_least_norm(rng):
    queries = np.array([[1.0, 2.0], [2.0, 4.0]])
    X, choice, time = trials(rng, queries)
    model = ChoiceDecisionTime(0.3).fit(X, choice, response_time=time)
    along = ChoiceDecisionTime(0.3).fit(X[:, :1], choice, response_time=time)
    np.testing.assert_allclose(model.coef_, along.coef_[0] * np.array([1, 2]) / 5, rtol=1e-10)
    np.testing.assert_allclose(model.covariance_ @ [2.0, -1.0], 0, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_features_of_very_different_scales_keep_their_weights(rng, scale):
    X, choice, time = trials(rng, rng.normal(size=(6, 2)))
    plain = ChoiceDecisionTime(0.3).fit(X, choice, response_time=time)
    scaled = ChoiceDecisionTime(0.3).fit(X * [1.0, scale], choice, response_time=time)
    np.testing.assert_allclose(scaled.coef_ * [1.0, scale], plain.coef_, rtol=1e-9)
    back = scaled.covariance_ * np.outer([1.0, scale], [1.0, scale])
    np.testing.assert_allclose(back, plain.covariance_, rtol=1e-9)


def test_answers_explained_exactly_have_an_infinite_barrier():
    with pytest.warns(DataWarning, match="explain all 2 trials exactly"):
        model = ChoiceDecisionTime().fit(np.eye(2), [1, -1], response_time=[0.5, 2.0])
    np.testing.assert_allclose(model.coef_, [2.0, -0.5])
    assert model.barrier_ == np.inf
    assert not model.covariance_.any()


def test_batches_keep_sums_per_query(rng):
    X, choice, time = trials(rng, rng.normal(size=(4, 2)), n_each=30)
    model = ChoiceDecisionTime(0.3)
    for batch in np.array_split(np.arange(len(X)), 7):
        model.partial_fit(X[batch], choice[batch], response_time=time[batch])
    assert len(model.queries_.vectors) == 4
    assert model.statistics_.n_trials == 120


def test_a_later_nondecision_time_cannot_be_checked_against_earlier_batches():
    model = ChoiceDecisionTime().partial_fit([[1.0], [1.0]], [1, -1], response_time=[0.2, 1.0])
    model.set_params(nondecision_time=0.3)
    with pytest.raises(DataError, match=r"raised from 0 s to 0\.3 s.*start anew with fit"):
        model.partial_fit([[1.0]], [1], response_time=[1.0])
