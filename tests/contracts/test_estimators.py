"""What every estimator promises, whatever it does."""

import contextlib
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from tacit import ddm
from tacit.errors import DataError, DataWarning
from tacit.estimators import (
    ESTIMATORS,
    ChoiceDecisionTime,
    ChoiceDecisionTimeLogit,
    ChoiceLogit,
    ChoiceOnly,
    CoefScale,
    Likelihood,
    QuerySums,
    RobustLikelihood,
    TimedQueryClassifier,
)
from tacit.estimators._validation import Answers

BARRIER, NONDECISION_TIME = 1.1, 0.3
WEIGHTS = np.array([0.9, -0.6, 0.3])
QUERIES = np.random.default_rng(0).normal(size=(12, 3))

IDENTITY = np.eye(3)

# Powers of a factor on all times by which the coefficients change.
TIME_POWER = {
    CoefScale.UTILITY_OVER_BARRIER: -1.0,
    CoefScale.UTILITY: -0.5,
    CoefScale.TWICE_BARRIER_UTILITY: 0.0,
}


def answers(n_each, *, queries=QUERIES, nondecision_time=0.0, seed=1):
    """Return query vectors, choices and response times."""
    X = np.tile(queries, (n_each, 1))
    choice, time = ddm.sample(
        X @ WEIGHTS,
        BARRIER,
        nondecision_time=nondecision_time,
        rng=np.random.default_rng(seed),
    )
    return X, choice, time


X, CHOICE, TIME = answers(12)

TIMED = {n: cls for n, cls in ESTIMATORS.items() if issubclass(cls, TimedQueryClassifier)}
UNTIMED = {n: cls for n, cls in ESTIMATORS.items() if n not in TIMED}
BATCHED = {n: cls for n, cls in TIMED.items() if hasattr(cls(nondecision_time=0.0), "partial_fit")}


@pytest.fixture(params=sorted(ESTIMATORS))
def estimator(request):
    return ESTIMATORS[request.param]()


def fitted(estimator, X=X, y=CHOICE, time=TIME, weight=None):
    return clone(estimator).fit(X, y, response_time=time, sample_weight=weight)


def assert_same_fit(one, other, *, transform=IDENTITY, factor=1.0):
    """Fail unless coefficients agree to a thousandth of their standard error."""
    error = np.sqrt(np.diag(transform @ other.covariance_ @ transform.T)) * abs(factor)
    np.testing.assert_array_less(
        np.abs(one.coef_ - factor * transform @ other.coef_), 1e-3 * error + 1e-12
    )


def test_says_what_it_estimates(estimator):
    model = fitted(estimator)
    assert model.coef_.shape == (3,)
    assert isinstance(model.coef_scale_, CoefScale)
    np.testing.assert_allclose(model.covariance_, model.covariance_.T)
    assert (np.linalg.eigvalsh(model.covariance_) > 0).all()
    assert model.n_features_in_ == 3
    assert model.classes_.tolist() == [-1, 1]


def test_leaves_its_inputs_alone_and_takes_them_read_only(estimator):
    columns = [X.copy(order="F"), CHOICE.copy(), TIME.copy(), np.ones(len(X))]
    for column in columns:
        column.flags.writeable = False
    parameters = estimator.get_params()
    model = estimator.fit(
        columns[0], columns[1], response_time=columns[2], sample_weight=columns[3]
    )
    assert model is estimator
    assert model.get_params() == parameters


def test_the_same_data_give_the_same_bits_whatever_came_before(estimator):
    first = fitted(estimator)
    again = fitted(estimator)
    again.fit(X[:24], CHOICE[:24], response_time=TIME[:24])
    again.fit(X, CHOICE, response_time=TIME)
    np.testing.assert_array_equal(first.coef_, again.coef_)
    np.testing.assert_array_equal(first.covariance_, again.covariance_)


def test_can_be_cloned_and_pickled(estimator):
    assert clone(estimator).get_params() == estimator.get_params()
    model = fitted(estimator)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(QUERIES), model.predict_proba(QUERIES))


def test_weights_are_repetitions(estimator):
    weight = np.random.default_rng(3).integers(0, 4, size=len(X))
    repeated = np.repeat(np.arange(len(X)), weight)
    weighted = fitted(estimator, weight=weight)
    assert_same_fit(weighted, fitted(estimator, X[repeated], CHOICE[repeated], TIME[repeated]))


def test_order_of_trials_does_not_matter(estimator):
    order = np.random.default_rng(4).permutation(len(X))
    assert_same_fit(fitted(estimator), fitted(estimator, X[order], CHOICE[order], TIME[order]))


def test_swapping_the_options_of_any_trial_changes_nothing(estimator):
    side = np.random.default_rng(5).choice([-1, 1], size=len(X))
    assert_same_fit(fitted(estimator), fitted(estimator, X * side[:, None], CHOICE * side))


def test_opposite_choices_give_opposite_weights(estimator):
    assert_same_fit(fitted(estimator), fitted(estimator, y=-CHOICE), factor=-1.0)


def test_rotated_features_give_rotated_weights(estimator):
    rotation, _ = np.linalg.qr(np.random.default_rng(6).normal(size=(3, 3)))
    rotated = np.tile(QUERIES @ rotation, (12, 1))
    assert_same_fit(fitted(estimator, rotated), fitted(estimator), transform=rotation.T)


def test_another_unit_of_time_only_changes_the_scale(estimator):
    scaled = fitted(estimator, time=4 * TIME)
    model = fitted(estimator)
    assert_same_fit(scaled, model, factor=4 ** TIME_POWER[model.coef_scale_])
    np.testing.assert_allclose(
        scaled.decision_function(QUERIES), model.decision_function(QUERIES), rtol=1e-3
    )


def test_many_answers_show_the_weights(estimator):
    X, choice, time = answers(1000)
    model = fitted(estimator, X, choice, time)
    scale = {
        CoefScale.UTILITY_OVER_BARRIER: 1 / BARRIER,
        CoefScale.UTILITY: 1.0,
        CoefScale.TWICE_BARRIER_UTILITY: 2 * BARRIER,
    }[model.coef_scale_]
    np.testing.assert_allclose(model.coef_ / scale, WEIGHTS, atol=0.05)
    probability = ddm.prob_first(QUERIES @ WEIGHTS, BARRIER)
    np.testing.assert_allclose(model.predict_proba(QUERIES)[:, 1], probability, atol=0.03)
    if isinstance(model, TimedQueryClassifier):
        mean = ddm.mean_time(QUERIES @ WEIGHTS, BARRIER)
        np.testing.assert_allclose(model.predict_time(QUERIES), mean, rtol=0.06)


def test_four_times_the_answers_halve_the_standard_errors(estimator):
    columns = answers(100, queries=0.5 * QUERIES)
    few = fitted(estimator, *columns)
    many = fitted(estimator, *columns, weight=np.full(len(columns[0]), 4))
    ratio = np.sqrt(np.diag(few.covariance_) / np.diag(many.covariance_))
    np.testing.assert_allclose(ratio, 2, rtol=0.02)


def test_predictions_agree_with_each_other(estimator):
    model = fitted(estimator)
    log_odds, probability = model.decision_function(QUERIES), model.predict_proba(QUERIES)
    np.testing.assert_array_equal(model.predict(QUERIES), np.where(log_odds > 0, 1, -1))
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    np.testing.assert_allclose(probability[:, 1], 1 / (1 + np.exp(-log_odds)))
    np.testing.assert_allclose(model.decision_function(-QUERIES), -log_odds)
    np.testing.assert_array_equal(model.decision_function(np.zeros((1, 3))), 0)


@pytest.mark.parametrize("labels", [(0, 1), (False, True), ("no", "yes"), (-1.0, 1.0)])
def test_the_larger_label_is_the_first_option(estimator, labels):
    labels = np.array(labels)
    model = fitted(estimator, y=labels[(CHOICE > 0).astype(int)])
    np.testing.assert_array_equal(model.coef_, fitted(estimator).coef_)
    np.testing.assert_array_equal(model.classes_, labels)
    assert set(model.predict(QUERIES)) <= set(labels.tolist())


@pytest.mark.parametrize("labels", [(1, 2), ("left", "right"), ("First", "Second")])
def test_codings_known_to_be_the_other_way_round_are_pointed_out(estimator, labels):
    with pytest.warns(DataWarning, match="counts as choosing the first option"):
        fitted(estimator, y=np.array(labels)[(CHOICE > 0).astype(int)])


@pytest.mark.filterwarnings("ignore::tacit.errors.ConvergenceWarning")
def test_constant_choices_are_an_answer_too(estimator):
    model = fitted(estimator, np.abs(X), np.ones(len(X)))
    assert np.isfinite(model.coef_).all()
    assert set(model.predict(np.abs(X))) <= {-1, 1}


def test_features_that_no_query_tells_apart_share_their_weight(estimator):
    twice = np.hstack([QUERIES, QUERIES[:, :1]])
    model = fitted(estimator, np.tile(twice, (12, 1)))
    plain = fitted(estimator)
    assert model.coef_[0] == pytest.approx(model.coef_[3], rel=1e-6)
    np.testing.assert_allclose(
        model.decision_function(twice), plain.decision_function(QUERIES), rtol=1e-4
    )
    error = np.sqrt(np.einsum("ij,jk,ik->i", twice, model.covariance_, twice))
    plain_error = np.sqrt(np.einsum("ij,jk,ik->i", QUERIES, plain.covariance_, QUERIES))
    np.testing.assert_allclose(error, plain_error, rtol=1e-3)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_trial_gives_an_estimate_or_says_why_not(estimator):
    with contextlib.suppress(DataError):
        model = fitted(estimator, X[:1], CHOICE[:1], TIME[:1])
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.covariance_).all()
        assert np.isfinite(model.predict_proba(X[:1])).all()


def spoiled(column, trial, value):
    column = np.array(column, dtype=np.float64)
    column[trial] = value
    return column


BAD_INPUT = {
    "NaN feature": ((spoiled(X, (3, 1), np.nan), CHOICE, TIME, None), "NaN at trial 3, feature 1"),
    "infinite feature": ((spoiled(X, (3, 1), np.inf), CHOICE, TIME, None), "inf at trial 3"),
    "NaN choice": ((X, spoiled(CHOICE, 5, np.nan), TIME, None), "NaN at trial 5"),
    "a third choice": ((X, spoiled(CHOICE, 5, 3), TIME, None), "two classes"),
    "no answer as 0": ((X, spoiled(CHOICE, 5, 0), TIME, None), "two classes.*0.0 at trial 5"),
    "a third choice after trials without weight": (
        (X, spoiled(CHOICE, 5, 3), TIME, np.arange(len(X)) > 2),
        "two classes.*3.0 at trial 5",
    ),
    "one label": ((X, np.zeros(len(X)), TIME, None), "two classes"),
    "no choices": ((X, None, TIME, None), "y"),
    "too few choices": ((X, CHOICE[1:], TIME, None), f"{len(X)}.*got {len(X) - 1}"),
    "negative weight": ((X, CHOICE, TIME, spoiled(np.ones(len(X)), 2, -1)), "trial 2"),
    "no weight": ((X, CHOICE, TIME, np.zeros(len(X))), "zero for all"),
    "too few weights": ((X, CHOICE, TIME, np.ones(3)), "sample_weight"),
    "no trials": ((X[:0], CHOICE[:0], TIME[:0], None), "0 sample"),
    "one query as a vector": ((X[0], CHOICE[:1], TIME[:1], None), "2D array"),
}


@pytest.mark.parametrize("case", sorted(BAD_INPUT))
def test_bad_input_is_named(estimator, case):
    columns, message = BAD_INPUT[case]
    with pytest.raises(ValueError, match=message):
        fitted(estimator, *columns)


@pytest.fixture(params=sorted(TIMED))
def timed(request):
    return TIMED[request.param]()


BAD_TIMES = {
    "no times": (None, "needs `response_time`"),
    "too few": (TIME[1:], f"{len(X)}.*got shape"),
    "zero": (spoiled(TIME, 4, 0.0), "got 0 at trial 4"),
    "negative": (spoiled(TIME, 4, -1.0), "got -1 at trial 4"),
    "infinite": (spoiled(TIME, 4, np.inf), "got inf at trial 4"),
}


@pytest.mark.parametrize("case", sorted(BAD_TIMES))
def test_bad_times_are_named(timed, case):
    time, message = BAD_TIMES[case]
    with pytest.raises(DataError, match=message):
        fitted(timed, time=time)


def test_a_void_time_is_an_error_or_allowed(timed):
    time = spoiled(TIME, 7, np.nan)
    if isinstance(timed, RobustLikelihood):
        assert fitted(timed, time=time).n_void_ == 1
    else:
        with pytest.raises(DataError, match="NaN at trial 7; RobustLikelihood accepts"):
            fitted(timed, time=time)


def test_milliseconds_are_suspected(timed):
    with pytest.warns(DataWarning, match="milliseconds"):
        fitted(timed, time=1000 * TIME)


@pytest.mark.parametrize("name", sorted(UNTIMED))
def test_times_are_ignored_where_they_are_not_used(name):
    estimator = UNTIMED[name]()
    np.testing.assert_array_equal(fitted(estimator).coef_, fitted(estimator, time=None).coef_)


def test_a_response_faster_than_the_nondecision_time_is_named(timed):
    timed.set_params(nondecision_time=0.5)
    if isinstance(timed, RobustLikelihood):
        timed.set_params(contaminants=False)
    with pytest.raises(DataError, match=r"must exceed nondecision_time \(0.5 s\), got 0.2 s .* 4"):
        fitted(timed, time=spoiled(TIME + 0.5, 4, 0.2))


def test_nondecision_time_is_subtracted(timed):
    shifted = clone(timed).set_params(nondecision_time=0.3)
    timed.set_params(nondecision_time=0.0)
    assert_same_fit(fitted(shifted, time=TIME + 0.3), fitted(timed))
    np.testing.assert_allclose(
        fitted(shifted, time=TIME + 0.3).predict_time(QUERIES),
        fitted(timed).predict_time(QUERIES) + 0.3,
        rtol=1e-3,
    )


@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
def test_an_impossible_nondecision_time_is_named(timed, value):
    timed.set_params(nondecision_time=value)
    with pytest.raises(DataError, match="`nondecision_time`"):
        fitted(timed)


def test_unfitted_estimators_predict_nothing(estimator):
    with pytest.raises(NotFittedError):
        estimator.predict(QUERIES)


def test_other_features_than_those_fitted_are_named(estimator):
    with pytest.raises(ValueError, match=r"2 features.* 3 features"):
        fitted(estimator).predict(QUERIES[:, :2])


@pytest.mark.parametrize("name", sorted(BATCHED))
def test_batches_add_up(name):
    estimator = BATCHED[name](nondecision_time=0.0)
    batches = clone(estimator)
    weight = np.random.default_rng(7).uniform(0.5, 2.0, size=len(X))
    for batch in np.array_split(np.arange(len(X)), 5):
        batches.partial_fit(
            X[batch], CHOICE[batch], response_time=TIME[batch], sample_weight=weight[batch]
        )
    whole = fitted(estimator, weight=weight)
    np.testing.assert_allclose(batches.coef_, whole.coef_, rtol=1e-10)
    np.testing.assert_allclose(batches.covariance_, whole.covariance_, rtol=1e-10)
    assert batches.barrier_ == pytest.approx(whole.barrier_, rel=1e-10)


@pytest.mark.parametrize("name", sorted(BATCHED))
def test_statistics_survive_json(name):
    model = fitted(BATCHED[name]())
    copy = ddm.SufficientStatistics.from_json(model.statistics_.to_json())
    np.testing.assert_array_equal(copy.time_gram, model.statistics_.time_gram)
    assert copy.n_trials == len(X)


@pytest.mark.parametrize(
    "estimator",
    [
        ChoiceDecisionTime(0.2),
        ChoiceDecisionTimeLogit(0.2),
        ChoiceLogit(),
        ChoiceOnly(),
        ChoiceOnly("ridge", ridge=0.3),
        Likelihood(0.2),
        Likelihood(0.2, ridge=0.7),
    ],
    ids=repr,
)
def test_sums_over_queries_give_the_coefficients_of_a_fit(estimator):
    X, choice, time = answers(9, nondecision_time=0.3, seed=8)
    model = fitted(estimator, X, choice, time)
    sums = QuerySums.from_answers(Answers(X, choice.astype(float), time, None))
    np.testing.assert_allclose(estimator.coefficients(sums), model.coef_, rtol=1e-8)
