import numpy as np
import pytest
from scipy.special import logit

from tacit import ddm
from tacit.estimators import ChoiceLogit, ChoiceOnly, single_query


def test_two_queries_by_hand():
    # Shares 3/4 and 2/2, the latter replaced by 1 - 1/4; log-odds are log 3 in both.
    X = [[1.0], [1.0], [1.0], [1.0], [2.0], [2.0]]
    model = ChoiceLogit().fit(X, [1, 1, -1, 1, 1, 1])
    coef = (4 * 1 + 2 * 2) * np.log(3) / (4 * 1 + 2 * 4)
    assert model.coef_ == pytest.approx([coef])
    fitted = 1 / (1 + np.exp(-coef * np.array([1.0, 2.0])))
    fitted[1] = min(fitted[1], 0.75)
    n_x_x = np.array([4.0, 8.0])
    expected = (n_x_x / (fitted * (1 - fitted))).sum() / n_x_x.sum() ** 2
    assert model.covariance_[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 2, 5, 100])
def test_unanimous_answers_count_as_half_a_dissent(n):
    first = ChoiceLogit().fit(np.ones((n, 1)), np.ones(n))
    second = ChoiceLogit().fit(np.ones((n, 1)), -np.ones(n))
    assert first.coef_[0] == pytest.approx(np.log((n - 0.5) / 0.5))
    assert second.coef_[0] == -first.coef_[0]


def test_one_hot_queries_give_the_logistic_maximum_likelihood(rng):
    X = np.tile(np.diag([1.0, 0.5]), (60, 1))
    choice, _ = ddm.sample(X @ [0.8, -0.4], 1.0, rng=rng)
    model, likelihood = ChoiceLogit().fit(X, choice), ChoiceOnly().fit(X, choice)
    np.testing.assert_allclose(model.coef_, likelihood.coef_, rtol=1e-4)
    np.testing.assert_allclose(model.covariance_, likelihood.covariance_, rtol=1e-4)


def test_queries_are_averaged_before_they_are_regressed(rng):
    queries = rng.normal(size=(5, 2))
    X = np.repeat(queries, [3, 10, 20, 7, 1], axis=0)
    choice, _ = ddm.sample(X @ [0.8, -0.4], 1.0, rng=rng)
    gram, linear = np.zeros((2, 2)), np.zeros(2)
    for x in queries:
        answers = choice[(x == X).all(axis=1)]
        n = len(answers)
        share = np.clip((answers > 0).mean(), 1 / (2 * n), 1 - 1 / (2 * n))
        gram += n * np.outer(x, x)
        linear += n * x * logit(share)
    model = ChoiceLogit().fit(X, choice)
    np.testing.assert_allclose(model.coef_, np.linalg.solve(gram, linear), rtol=1e-10)


def test_one_query_gives_its_log_odds(rng):
    choice, _ = ddm.sample(0.3, 1.0, rng=rng, size=25)
    model = ChoiceLogit().fit(np.full((25, 1), 2.0), choice)
    np.testing.assert_allclose(model.coef_, single_query.log_odds(choice) / 2, rtol=1e-12)


def test_queries_asked_once_say_nothing(rng):
    X = rng.normal(size=(20, 2))
    model = ChoiceLogit().fit(X, np.sign(X[:, 0]))
    np.testing.assert_array_equal(model.coef_, 0)


@pytest.mark.parametrize("weight", [1e-6, 0.1, 0.9])
def test_less_than_one_answer_is_finite(weight):
    model = ChoiceLogit().fit([[1.0], [1.0]], [1, 1], sample_weight=[weight / 2, weight / 2])
    assert model.coef_ == pytest.approx([0.0], abs=1e-12)
    assert np.isfinite(model.covariance_).all()


def test_a_certain_answer_leaves_the_covariance_finite(rng):
    X = np.tile([[1.0, 0.0], [0.0, 100.0]], (50, 1))
    choice, _ = ddm.sample(X @ [0.5, 1.0], 1.0, rng=rng)
    assert np.isfinite(ChoiceLogit().fit(X, choice).covariance_).all()
