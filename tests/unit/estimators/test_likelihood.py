import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import Ridge

from tacit import ddm
from tacit.errors import ConvergenceWarning, DataError, DataWarning
from tacit.estimators import Likelihood, QuerySums
from tacit.estimators._validation import Answers


def trials(rng, n=300, weights=(1.2, -0.7), barrier=1.3, nondecision_time=0.35):
    X = rng.normal(size=(n, len(weights)))
    choice, time = ddm.sample(X @ weights, barrier, nondecision_time=nondecision_time, rng=rng)
    return X, choice, time


def test_three_trials_by_hand():
    # V = 1*1 + 2*4 + 0.5*1 = 9.5, s = 1 + 2 - 1 = 2; residuals c - t x beta.
    model = Likelihood(0.0).fit([[1.0], [2.0], [1.0]], [1, 1, -1], response_time=[1.0, 2.0, 0.5])
    beta = 2 / 9.5
    residual = (1 - beta) ** 2 + (1 - 4 * beta) ** 2 + (-1 - 0.5 * beta) ** 2
    assert model.coef_ == pytest.approx([beta])
    assert model.barrier_ == pytest.approx(np.sqrt(3.5 / residual))
    assert model.covariance_[0, 0] == pytest.approx(1 / (9.5 * model.barrier_**2))


@pytest.mark.parametrize("ridge", [0.0, 3.0])
def test_is_weighted_ridge_regression_of_choice_over_time(rng, ridge):
    X, choice, time = trials(rng, nondecision_time=0.0)
    model = Likelihood(0.0, ridge=ridge).fit(X, choice, response_time=time)
    reference = Ridge(alpha=ridge, fit_intercept=False, tol=1e-12)
    reference.fit(X, choice / time, sample_weight=time)
    np.testing.assert_allclose(model.coef_, reference.coef_, rtol=1e-9)


def log_likelihood(parameters, X, choice, time):
    weights, barrier, nondecision_time = parameters[:2], np.exp(parameters[2]), parameters[3]
    if not 0 <= nondecision_time < time.min():
        return -np.inf
    return ddm.logpdf(choice, time, X @ weights, barrier, nondecision_time=nondecision_time).sum()


def test_maximises_the_whole_likelihood(rng):
    columns = trials(rng)
    model = Likelihood().fit(columns[0], columns[1], response_time=columns[2])
    found = np.array(
        [*(model.coef_ * model.barrier_), np.log(model.barrier_), model.nondecision_time_]
    )
    best = minimize(
        lambda p: -log_likelihood(p, *columns), found, method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 4000},
    )  # fmt: skip
    assert log_likelihood(found, *columns) == pytest.approx(-best.fun, abs=1e-5)
    np.testing.assert_allclose(found, best.x, atol=1e-3)
    assert model.converged_


def test_a_known_barrier_is_kept(rng):
    X, choice, time = trials(rng)
    model = Likelihood(barrier=1.3).fit(X, choice, response_time=time)
    assert model.barrier_ == 1.3
    free = Likelihood().fit(X, choice, response_time=time)
    assert model.nondecision_time_ != free.nondecision_time_
    likelihood = ddm.TimedLikelihood(X, choice, time)
    near = model.nondecision_time_ + np.array([-1e-3, 0.0, 1e-3])
    assert np.argmax(likelihood.log_profile(1.3, near)) == 1


def test_covariance_counts_a_fitted_nondecision_time(rng):
    X, choice, time = trials(rng, weights=(2.0, -2.0), n=100)
    fitted = Likelihood().fit(X, choice, response_time=time)
    known = Likelihood(fitted.nondecision_time_, barrier=fitted.barrier_)
    known.fit(X, choice, response_time=time)
    np.testing.assert_allclose(fitted.coef_, known.coef_)
    extra = np.linalg.eigvalsh(fitted.covariance_ - known.covariance_)
    assert extra[0] == pytest.approx(0, abs=1e-12)
    assert extra[1] > 1e-3


def test_covariance_is_the_inverse_of_the_whole_information(rng):
    columns = trials(rng, n=400)
    model = Likelihood().fit(columns[0], columns[1], response_time=columns[2])
    a, t0 = model.barrier_, model.nondecision_time_
    point, step = np.array([*model.coef_, np.log(a), t0]), 1e-4

    def value(p):
        return log_likelihood([*(p[:2] * np.exp(p[2])), p[2], p[3]], *columns)

    hessian = np.empty((4, 4))
    for i, one in enumerate(np.eye(4) * step):
        for j, two in enumerate(np.eye(4) * step):
            corners = [value(point + s * one + r * two) * s * r for s in (1, -1) for r in (1, -1)]
            hessian[i, j] = sum(corners) / (4 * step**2)
    np.testing.assert_allclose(model.covariance_, np.linalg.inv(-hessian)[:2, :2], rtol=1e-3)


def test_finds_a_nondecision_time_of_zero(rng):
    X = rng.normal(size=(100, 1))
    choice, time = ddm.sample(X[:, 0], 1.0, rng=rng)
    # Decision times that are too short for the barrier of the others push the time below 0.
    time[np.argsort(time)[:15]] *= 0.2
    model = Likelihood().fit(X, choice, response_time=time)
    assert model.nondecision_time_ == 0
    assert model.converged_
    likelihood = ddm.TimedLikelihood(X, choice, time)
    nearby = model.barrier_ * np.array([0.999, 1.0, 1.001])
    assert np.argmax(likelihood.log_profile(nearby, 0.0)) == 1
    assert likelihood.log_profile(model.barrier_, 1e-3) < likelihood.log_profile(model.barrier_, 0)
    at_zero = Likelihood(0.0, barrier=model.barrier_).fit(X, choice, response_time=time)
    np.testing.assert_allclose(model.covariance_, at_zero.covariance_)


def test_finds_a_nondecision_time_of_zero_for_a_known_barrier(rng):
    X = rng.normal(size=(100, 1))
    choice, time = ddm.sample(X[:, 0], 1.0, rng=rng)
    model = Likelihood(barrier=2.0).fit(X, choice, response_time=time)
    assert (model.barrier_, model.nondecision_time_) == (2.0, 0.0)


def test_a_ridge_is_a_gaussian_prior_on_the_weights(rng):
    X, choice, time = trials(rng, n=40)
    model = Likelihood(ridge=5.0).fit(X, choice, response_time=time)
    prior = ddm.WeightsPrior(np.zeros(2), 5.0 * np.eye(2))
    likelihood = ddm.TimedLikelihood(X, choice, time, prior=prior)
    at, t0 = likelihood.log_profile(model.barrier_, model.nondecision_time_), 1e-3
    for a in (0.99, 1.01):
        for share in (0.99, 1.01):
            point = a * model.barrier_, share * model.nondecision_time_
            assert likelihood.log_profile(*point) < at
    assert t0 < model.nondecision_time_


def test_weights_that_explain_everything_have_an_infinite_barrier():
    with pytest.warns(DataWarning, match="explain all 2 trials exactly"):
        model = Likelihood(0.1).fit(np.eye(2), [1, -1], response_time=[0.6, 1.1])
    assert model.barrier_ == np.inf
    np.testing.assert_allclose(model.coef_, [2.0, -1.0])
    np.testing.assert_array_equal(model.predict_proba([[1, 0], [0, 1], [1, 2]])[:, 1], [1, 0, 0.5])
    np.testing.assert_allclose(model.predict_time([[1, 0], [0, 1]]), [0.6, 1.1])
    assert model.predict_time([[1, 2]])[0] == np.inf
    assert not model.covariance_.any()


def test_too_few_trials_for_a_nondecision_time_are_named():
    with pytest.raises(DataError, match="2 trials determine no non-decision time"):
        Likelihood().fit(np.eye(2), [1, -1], response_time=[0.5, 1.0])


def test_an_unbounded_likelihood_is_reported():
    # The fastest answer is alone on its query: an infinite drift explains it.
    X = np.array([[1.0, 0.0]] + [[0.0, 1.0]] * 3)
    with pytest.warns(ConvergenceWarning):
        model = Likelihood(barrier=0.2).fit(X, [1, 1, -1, 1], response_time=[1.0, 1.01, 1.02, 1.03])
    assert not model.converged_


def test_sums_over_queries_need_a_known_nondecision_time(rng):
    X, choice, time = trials(rng, n=30)
    known = Likelihood(0.2)
    queries = QuerySums.from_answers(Answers(X, choice.astype(float), time, None))
    known.fit(X, choice, response_time=time)
    np.testing.assert_allclose(known.coefficients(queries), known.coef_, rtol=1e-9)
    with pytest.raises(DataError, match="do not determine the non-decision time"):
        Likelihood().coefficients(queries)


def test_batches_need_a_known_nondecision_time():
    assert hasattr(Likelihood(0.3), "partial_fit")
    model = Likelihood()
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit"):
        model.partial_fit([[1.0]], [1], response_time=[1.0])


def test_batches_with_other_labels_need_the_classes():
    model = Likelihood(0.0)
    model.partial_fit([[1.0], [1.0]], ["no", "no"], ["no", "yes"], response_time=[1.0, 2.0])
    model.partial_fit([[1.0]], ["yes"], response_time=[0.5])
    assert model.classes_.tolist() == ["no", "yes"]
    with pytest.raises(DataError, match="'perhaps' at trial 0"):
        model.partial_fit([[1.0]], ["perhaps"], response_time=[0.5])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ridge": -1.0}, "`ridge`"),
        ({"barrier": 0.0}, "`barrier` must be a number above 0, got 0.0"),
        ({"nondecision_time": np.nan}, "`nondecision_time`"),
    ],
)
def test_impossible_parameters_are_named(parameters, message):
    with pytest.raises(DataError, match=message):
        Likelihood(**parameters).fit([[1.0], [1.0], [1.0]], [1, -1, 1], response_time=[1, 2, 1.5])
