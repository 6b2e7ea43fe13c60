import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from tacit import ddm
from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators import ChoiceOnly, QuerySums
from tacit.estimators._validation import Answers


def trials(rng, n=120, weights=(0.8, -0.5, 0.2)):
    X = rng.normal(size=(n, len(weights)))
    return X, ddm.sample(X @ weights, 1.0, rng=rng)[0]


def logistic_regression(X, choice, weight=None, *, ridge=0.0):
    """Scikit-learn's, as accurate as it gets."""
    reference = LogisticRegression(
        C=1 / ridge if ridge else np.inf, fit_intercept=False, tol=1e-10, max_iter=10_000
    )
    return reference.fit(X, choice, sample_weight=weight).coef_[0]


def test_one_query_by_hand():
    model = ChoiceOnly().fit(np.full((4, 1), 2.0), [1, 1, -1, 1])
    assert model.coef_ == pytest.approx([np.log(3) / 2], rel=1e-6)
    assert model.covariance_[0, 0] == pytest.approx(1 / (4 * 2**2 * 3 / 16), rel=1e-4)
    assert not model.separable_


@pytest.mark.parametrize("ridge", [0.0, 0.01, 1.0, 30.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_logistic_regression(rng, ridge, weighted):
    X, choice = trials(rng)
    weight = rng.uniform(0.2, 3.0, len(X)) if weighted else None
    model = ChoiceOnly("ridge", ridge=ridge) if ridge else ChoiceOnly()
    model.fit(X, choice, sample_weight=weight)
    reference = logistic_regression(X, choice, weight, ridge=ridge)
    np.testing.assert_allclose(model.coef_, reference, atol=1e-4)


def test_a_ridge_counts_in_the_covariance(rng):
    X, choice = trials(rng, n=40)
    model = ChoiceOnly("ridge", ridge=2.5).fit(X, choice)
    share = expit(X @ model.coef_)
    information = (X.T * share * (1 - share)) @ X + 2.5 * np.eye(3)
    np.testing.assert_allclose(model.covariance_, np.linalg.inv(information), rtol=1e-4)


@pytest.mark.parametrize("n_first", [0, 1, 3, 7, 8])
def test_firth_adds_half_an_answer_to_each_side_of_one_query(n_first):
    choice = np.where(np.arange(8) < n_first, 1, -1)
    model = ChoiceOnly("firth").fit(np.ones((8, 1)), choice)
    expected = np.log((n_first + 0.5) / (8 - n_first + 0.5))
    assert model.coef_ == pytest.approx([expected], abs=1e-4)
    assert not model.separable_


def firth_by_added_data(X, choice, weight):
    """Jeffreys' prior as added answers: each trial repeated both ways, by half its leverage."""
    twice, both = np.vstack([X, X]), np.concatenate([choice, -choice])
    coef = np.zeros(X.shape[1])
    for _ in range(200):
        share = expit(X @ coef)
        root = X * np.sqrt(weight * share * (1 - share))[:, None]
        leverage = np.diag(root @ np.linalg.inv(root.T @ root) @ root.T)
        added = np.concatenate([weight + leverage / 2, leverage / 2])
        before, coef = coef, logistic_regression(twice, both, added)
        if np.abs(coef - before).max() < 1e-7:
            break
    return coef


@pytest.mark.parametrize("separable", [False, True])
def test_firth_agrees_with_repeated_logistic_regression_on_added_data(rng, separable):
    X, choice = trials(rng, n=25, weights=(0.8, -0.5))
    choice = np.where(X[:, 0] > 0, 1, -1) if separable else choice
    weight = rng.integers(1, 4, len(X)).astype(float)
    model = ChoiceOnly("firth").fit(X, choice, sample_weight=weight)
    reference = firth_by_added_data(X, choice, weight)
    error = np.sqrt(np.diag(model.covariance_))
    np.testing.assert_array_less(np.abs(model.coef_ - reference), 1e-3 * error)


def test_firth_converges_where_full_steps_go_to_and_fro():
    X = np.array([[-2.0, -1.0, 1.0], [-1.0, -2.0, 1.0], [1.0, -2.0, 0.0], [-1.0, 0.0, -2.0]])
    choice = np.array([1.0, -1.0, 1.0, -1.0])
    model = ChoiceOnly("firth").fit(X, choice)
    assert model.n_iter_ < 50
    reference = firth_by_added_data(X, choice, np.ones(4))
    np.testing.assert_allclose(model.coef_, reference, atol=1e-3)


def is_separable(X, choice):
    """Whether weights exist that no choice contradicts and some choice supports."""
    support = choice[:, None] * X
    found = linprog(-support.sum(axis=0), -support, np.zeros(len(X)), bounds=(-1, 1))
    return -found.fun > 1e-7


@pytest.mark.filterwarnings("ignore::tacit.errors.ConvergenceWarning")
def test_separation_is_found_exactly_where_it_is():
    rng = np.random.default_rng(2)
    expected, found = [], []
    for _ in range(150):
        n, d = rng.integers(2, 14), rng.integers(1, 4)
        # Small integers make complete, partial and no separation all frequent.
        X = rng.integers(-2, 3, size=(n, d)).astype(float)
        choice = rng.choice([-1.0, 1.0], n)
        expected.append(is_separable(X, choice))
        found.append(ChoiceOnly().fit(100 * X, choice).separable_)
    assert found == expected
    assert 30 < sum(expected) < 120


def test_separable_choices_are_reported_and_still_explained(rng):
    X = rng.normal(size=(40, 3))
    choice = np.where(X @ [1.0, -2.0, 0.5] > 0, 1, -1)
    with pytest.warns(ConvergenceWarning, match='separable.*penalty="ridge" or penalty="firth"'):
        model = ChoiceOnly().fit(X, choice)
    assert model.separable_
    np.testing.assert_array_equal(model.predict(X), choice)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("penalty", ["ridge", "firth"])
def test_penalties_have_a_maximum_on_separable_choices(rng, penalty):
    X = rng.normal(size=(40, 3))
    choice = np.where(X @ [1.0, -2.0, 0.5] > 0, 1, -1)
    model = ChoiceOnly(penalty).fit(X, choice)
    assert not model.separable_
    assert np.abs(X @ model.coef_).max() < 100


def test_a_long_query_does_not_look_like_separation():
    # Log-odds of 40 on a query answered consistently, next to contradictory answers.
    X = np.array([[1.0, 0.0]] * 10 + [[0.0, 1.0]] * 10 + [[100.0, 1.0]])
    choice = np.array([1, -1] * 4 + [1, 1] + [1, -1] * 5 + [1])
    model = ChoiceOnly().fit(X, choice)
    assert not model.separable_
    assert model.coef_[0] > 0


@pytest.mark.parametrize("penalty", [None, "firth"])
@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_features_of_very_different_scales_keep_their_weights(rng, penalty, scale):
    X, choice = trials(rng, weights=(0.8, -0.5))
    plain = ChoiceOnly(penalty).fit(X, choice)
    scaled = ChoiceOnly(penalty).fit(X * [1.0, scale], choice)
    np.testing.assert_allclose(scaled.coef_ * [1.0, scale], plain.coef_, rtol=1e-6)


@pytest.mark.parametrize("penalty", [None, "firth"])
def test_unexplored_directions_get_no_weight(rng, penalty):
    X, choice = trials(rng, weights=(0.8, -0.5))
    plain = ChoiceOnly(penalty).fit(X, choice)
    wide = np.column_stack([X, np.zeros(len(X)), X[:, 0]])
    model = ChoiceOnly(penalty).fit(wide, choice)
    half = plain.coef_[0] / 2
    np.testing.assert_allclose(model.coef_, [half, plain.coef_[1], 0, half], atol=1e-6)
    np.testing.assert_allclose(model.covariance_ @ [1, 0, 0, -1], 0, atol=1e-9)
    np.testing.assert_allclose(model.covariance_ @ [0, 0, 1, 0], 0, atol=1e-12)


@pytest.mark.parametrize("penalty", [None, "ridge", "firth"])
@pytest.mark.filterwarnings("ignore::tacit.errors.ConvergenceWarning")
def test_sums_over_queries_suffice(rng, penalty):
    X = np.repeat(rng.normal(size=(6, 2)), 10, axis=0)
    choice = ddm.sample(X @ [0.8, -0.5], 1.0, rng=rng)[0]
    choice[:10] = 1
    answers = Answers(X, choice.astype(float), None, rng.uniform(0.1, 1.0, len(X)))
    model = ChoiceOnly(penalty).fit(X, choice, sample_weight=answers.weight)
    found = model.coefficients(QuerySums.from_answers(answers))
    np.testing.assert_allclose(found, model.coef_, atol=1e-4)


@pytest.mark.parametrize("penalty", [None, "ridge", "firth"])
def test_queries_without_content_leave_no_preference(penalty):
    model = ChoiceOnly(penalty).fit(np.zeros((3, 2)), [1, 1, -1])
    np.testing.assert_array_equal(model.coef_, 0)
    np.testing.assert_array_equal(model.predict_proba(np.ones((1, 2))), 0.5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"penalty": "l2"}, '`penalty` must be None, "ridge" or "firth", got \'l2\''),
        ({"penalty": "ridge", "ridge": 0.0}, "`ridge` must be a number above 0, got 0.0"),
        ({"penalty": "ridge", "ridge": np.nan}, "`ridge`"),
    ],
)
def test_impossible_parameters_are_named(parameters, message):
    with pytest.raises(DataError, match=message):
        ChoiceOnly(**parameters).fit([[1.0], [1.0]], [1, -1])
