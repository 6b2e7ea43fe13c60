import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_expit
from scipy.stats import chi2

from tacit import ddm
from tacit.errors import ConvergenceWarning, DataError, DataWarning
from tacit.estimators import ChoiceOnly, Likelihood, QuerySums, TemperedLikelihood
from tacit.estimators._tempered import maximise_tempered
from tacit.estimators._validation import Answers

WEIGHTS = np.array([1.0, -0.5, 0.2])
BARRIER, NONDECISION_TIME = 1.2, 0.3


def person(rng, n_trials=200, weights=WEIGHTS):
    X = rng.normal(size=(n_trials, len(weights)))
    choice, response_time = ddm.sample(
        X @ weights, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng
    )
    return X, choice, response_time


@pytest.mark.parametrize("ridge", [0.0, 2.0])
@pytest.mark.parametrize("nondecision_time", ["fit", NONDECISION_TIME])
def test_full_weight_is_the_exact_likelihood(rng, ridge, nondecision_time):
    X, choice, times = person(rng)
    exact = Likelihood(nondecision_time, ridge=ridge).fit(X, choice, response_time=times)
    model = TemperedLikelihood(1, nondecision_time, ridge=ridge).fit(X, choice, response_time=times)
    np.testing.assert_allclose(model.coef_, exact.coef_, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), exact.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(model.predict_time(X), exact.predict_time(X), rtol=1e-12)


def test_full_weight_has_the_covariance_of_the_exact_likelihood(rng):
    X, choice, times = person(rng)
    exact = Likelihood(0.2, ridge=2.0).fit(X, choice, response_time=times)
    model = TemperedLikelihood(1, 0.2, ridge=2.0).fit(X, choice, response_time=times)
    np.testing.assert_allclose(model.covariance_, exact.covariance_, rtol=1e-10)


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_no_weight_is_choices_only(rng, ridge):
    X, choice, times = person(rng)
    model = TemperedLikelihood(0, ridge=ridge).fit(X, choice, response_time=times)
    scale = 2 * model.barrier_**2
    same_prior = {"penalty": "ridge", "ridge": ridge / (4 * model.barrier_**2)} if ridge else {}
    choices = ChoiceOnly(**same_prior).fit(X, choice)
    np.testing.assert_allclose(scale * model.coef_, choices.coef_, rtol=1e-6)
    np.testing.assert_allclose(scale**2 * model.covariance_, choices.covariance_, rtol=1e-5)


@pytest.mark.parametrize("time_weight", [0.0, 0.1, 0.5, 0.9])
def test_it_maximises_what_it_says(rng, time_weight):
    X, choice, times = person(rng, n_trials=60)
    a, t0, ridge = 1.1, 0.25, 0.7
    model = TemperedLikelihood(time_weight, t0, barrier=a, ridge=ridge)
    model.fit(X, choice, response_time=times)

    def loss(theta):
        u = X @ theta
        of_time = np.log(np.cosh(a * u)) - u**2 * (times - t0) / 2
        of_choice = log_expit(2 * a * choice * u)
        return -(of_choice + time_weight * of_time).sum() + ridge * theta @ theta / 2

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    np.testing.assert_allclose(a * model.coef_, best.x, atol=1e-6)


def test_settings_are_solved_independently(rng):
    X, choice, times = person(rng, n_trials=50)
    queries = QuerySums.from_answers(Answers(X, choice.astype(float), times, None))
    time_weight, precision = np.array([0.0, 0.3, 1.0, 0.0]), np.array([0.01, 1.0, 10.0, 0.1])
    together = maximise_tempered(queries, 1.0, 0.1, time_weight, precision)
    assert together.converged
    for k in range(4):
        alone = maximise_tempered(queries, 1.0, 0.1, time_weight[k : k + 1], precision[k : k + 1])
        np.testing.assert_allclose(together.gamma[k], alone.gamma[0], rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_a_feature_does_not_matter(rng, scale):
    X, choice, times = person(rng)
    one = TemperedLikelihood(0.2).fit(X, choice, response_time=times)
    other = TemperedLikelihood(0.2).fit(X * scale, choice, response_time=times)
    np.testing.assert_allclose(other.coef_ * scale, one.coef_, rtol=1e-5)


def test_steps_that_overshoot_are_shortened():
    # Vectors of very different lengths: whole Newton steps would never arrive.
    rng = np.random.default_rng(1)
    precision = np.array([1e-8])
    for _ in range(300):
        X = rng.standard_t(0.7, size=(12, 2)) * rng.choice([0.01, 1, 100], size=(12, 1))
        choice = np.where(rng.random(12) < 0.5, 1.0, -1.0)
        queries = QuerySums.from_answers(Answers(X, choice, np.full(12, 0.5), None))
        fit = maximise_tempered(queries, 1.0, 0.0, np.zeros(1), precision)
        assert fit.converged
        slope = choice - np.tanh(X @ fit.gamma[0])
        gradient = X.T @ slope - precision * fit.gamma[0]
        np.testing.assert_allclose(gradient, 0, atol=1e-4 * np.abs(X).sum())


def test_unexplored_directions_get_no_weight(rng):
    X, choice, times = person(rng)
    twice = np.column_stack([X, X[:, 0]])
    one = TemperedLikelihood(0.5).fit(X, choice, response_time=times)
    two = TemperedLikelihood(0.5).fit(twice, choice, response_time=times)
    np.testing.assert_allclose(two.coef_[[0, 3]], one.coef_[0] / 2, rtol=1e-6)
    np.testing.assert_allclose(two.coef_[1:3], one.coef_[1:], rtol=1e-6)


def test_trials_that_are_explained_exactly_have_an_infinite_barrier():
    model = TemperedLikelihood(0.5, 0.3)
    with pytest.warns(DataWarning, match="no finite barrier"):
        model.fit([[1.0], [1.0]], [1, 1], response_time=[0.9, 0.9])
    np.testing.assert_allclose(model.coef_, 1 / 0.6)
    assert np.isinf(model.barrier_)


def test_separable_choices_need_times_or_a_ridge(rng):
    X, _, times = person(rng)
    choice = np.sign(X[:, 0])
    with pytest.warns(ConvergenceWarning, match="separable"):
        model = TemperedLikelihood(0, 0.2, barrier=1.0).fit(X, choice, response_time=times)
    assert not model.converged_
    assert np.isfinite(model.covariance_).all()
    for remedy in (TemperedLikelihood(0.01, 0.2, barrier=1.0), TemperedLikelihood(0, 0.2, ridge=1)):
        assert remedy.fit(X, choice, response_time=times).converged_


@pytest.mark.parametrize("time_weight", [-0.1, 1.1, np.nan])
def test_weights_outside_of_0_to_1_are_refused(rng, time_weight):
    X, choice, times = person(rng, n_trials=20)
    with pytest.raises(DataError, match="`time_weight` must be"):
        TemperedLikelihood(time_weight).fit(X, choice, response_time=times)


def scaled_errors(rng, time_weight, declared_weight):
    """Squared errors in units of the covariance declared for another weight, and their count."""
    n_people, weights = 150, np.array([1.0, -1.5])
    total = 0.0
    for _ in range(n_people):
        X, choice, times = person(rng, n_trials=400, weights=weights)
        known = {"nondecision_time": NONDECISION_TIME, "barrier": BARRIER}
        model = TemperedLikelihood(time_weight, **known).fit(X, choice, response_time=times)
        declared = TemperedLikelihood(declared_weight, **known)
        declared.fit(X, choice, response_time=times)
        error = model.coef_ - weights / BARRIER
        total += error @ np.linalg.solve(declared.covariance_, error)
    return total, 2 * n_people


@pytest.mark.parametrize("time_weight", [0.0, 0.5, 1.0])
def test_the_covariance_is_that_of_the_errors(rng, time_weight):
    total, n = scaled_errors(rng, time_weight, time_weight)
    false_alarm_rate = 1e-4
    low, high = chi2.ppf([false_alarm_rate / 2, 1 - false_alarm_rate / 2], n)
    # Errors are only asymptotically Gaussian: allow for 10%.
    assert 0.9 * low < total < 1.1 * high


def test_the_covariance_test_can_fail(rng):
    total, n = scaled_errors(rng, 0.0, 1.0)
    assert total > 1.1 * chi2.ppf(1 - 1e-4, n)
