import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from tacit import ddm
from tacit.errors import DataError

POINTS = [(1.2, 0.3, 0.0), (0.8, 0.1, 0.2), (2.0, 0.0, -0.5)]


def person(rng, n=12, n_features=2):
    X = rng.normal(size=(n, n_features))
    choice, time = ddm.sample(X[:, 0] - 0.5 * X[:, -1], 1.2, nondecision_time=0.3, rng=rng)
    return X, choice, time + 0.05  # so that every point has a likelihood


def log_likelihood(columns, theta, point, weight=None):
    X, choice, time = columns
    a, t0, b = point
    each = ddm.logpdf(choice, time, X @ theta, a, start=b, nondecision_time=t0)
    return each.sum() if weight is None else each @ weight


def maximum(function, n_features):
    best = minimize(lambda p: -function(p), np.zeros(n_features), method="BFGS", tol=1e-10)
    return best.x, -best.fun


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("weighted", [False, True])
def test_profile_is_the_maximum_over_the_weights(rng, point, weighted):
    columns = person(rng)
    weight = rng.uniform(0.5, 2, 12) if weighted else None
    likelihood = ddm.TimedLikelihood(*columns, weight)
    weights, value = maximum(lambda p: log_likelihood(columns, p, point, weight), 2)
    assert likelihood.log_profile(*point)[0] == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(likelihood.mean_weights(*point)[0], weights, atol=1e-4)


@pytest.mark.parametrize("point", POINTS)
def test_profile_counts_the_prior_up_to_its_constant(rng, point):
    columns = person(rng)
    mean, precision = np.array([0.5, -1.0]), np.array([[2.0, 0.5], [0.5, 1.0]])
    law = multivariate_normal(mean, np.linalg.inv(precision))
    likelihood = ddm.TimedLikelihood(*columns, prior=ddm.WeightsPrior(mean, precision))
    weights, value = maximum(lambda p: log_likelihood(columns, p, point) + law.logpdf(p), 2)
    found = likelihood.log_profile(*point)[0] - np.log(2 * np.pi)
    assert found == pytest.approx(value, abs=1e-8)
    np.testing.assert_allclose(likelihood.mean_weights(*point)[0], weights, atol=1e-4)


@pytest.mark.parametrize("point", POINTS)
def test_integral_over_one_weight_is_that_of_the_density(rng, point):
    columns = person(rng, n_features=1)
    likelihood = ddm.TimedLikelihood(*columns)
    peak = likelihood.log_profile(*point)[0]
    centre = likelihood.mean_weights(*point)[0, 0]
    integral = quad(
        lambda v: np.exp(log_likelihood(columns, np.array([v]), point) - peak),
        centre - 8, centre + 8, points=[centre], epsabs=0, epsrel=1e-10,
    )[0]  # fmt: skip
    assert likelihood.log_integral(*point)[0] == pytest.approx(np.log(integral) + peak, abs=1e-7)


def test_integral_against_a_prior_is_that_of_the_product(rng):
    columns, point = person(rng, n=6), POINTS[1]
    mean, precision = np.array([0.5, -1.0]), np.array([[2.0, 0.5], [0.5, 1.0]])
    law = multivariate_normal(mean, np.linalg.inv(precision))
    likelihood = ddm.TimedLikelihood(*columns, prior=ddm.WeightsPrior(mean, precision))
    peak = likelihood.log_profile(*point)[0]
    # On the whole plane the trapezoidal rule is exact to rounding.
    step = 0.15
    grid = step * np.stack(np.meshgrid(np.arange(-40, 41), np.arange(-40, 41)), axis=-1)
    places = likelihood.mean_weights(*point)[0] + grid.reshape(-1, 2)
    density = [np.exp(log_likelihood(columns, p, point) + law.logpdf(p) - peak) for p in places]
    integral = np.sum(density) * step**2
    assert likelihood.log_integral(*point)[0] == pytest.approx(np.log(integral) + peak, abs=1e-8)


def test_a_vague_prior_approaches_the_flat_one(rng):
    columns = person(rng)
    flat = ddm.TimedLikelihood(*columns)
    prior = ddm.WeightsPrior(np.zeros(2), 1e-8 * np.eye(2))
    vague = ddm.TimedLikelihood(*columns, prior=prior)
    a, t0, b = np.transpose(POINTS)
    np.testing.assert_allclose(vague.mean_weights(a, t0, b), flat.mean_weights(a, t0, b), rtol=1e-6)
    # The normalised prior has density (precision / 2 pi)^(d / 2) at its centre.
    constant = np.log(1e-8 / (2 * np.pi))
    np.testing.assert_allclose(
        vague.log_integral(a, t0, b), flat.log_integral(a, t0, b) + constant, rtol=1e-7
    )


def test_points_are_evaluated_as_one_by_one(rng, monkeypatch):
    likelihood = ddm.TimedLikelihood(*person(rng))
    a, t0, b = np.transpose(POINTS)
    together = likelihood.log_profile(a, t0, b)
    one_by_one = [likelihood.log_profile(*point)[0] for point in POINTS]
    np.testing.assert_allclose(together, one_by_one, rtol=1e-12)
    monkeypatch.setattr("tacit.ddm.likelihood._MAX_TIMES_AT_ONCE", 20)
    np.testing.assert_allclose(likelihood.log_profile(a, t0, b), together, rtol=1e-12)


def test_weights_are_repetitions_and_none_is_absence(rng):
    X, choice, time = person(rng)
    weight = rng.integers(0, 3, 12)
    weight[np.argmin(time)] = 0
    weighted = ddm.TimedLikelihood(X, choice, time, weight)
    repeated = ddm.TimedLikelihood(*(np.repeat(c, weight, axis=0) for c in (X, choice, time)))
    assert weighted.fastest == repeated.fastest > time.min()
    assert weighted.n_trials == (weight > 0).sum()
    a, t0, b = np.transpose(POINTS)
    for of in ("log_times", "log_profile", "log_integral"):
        found, expected = (getattr(one, of)(a, t0, b) for one in (weighted, repeated))
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_undetermined_directions_stay_at_zero(rng):
    X, choice, time = person(rng, n_features=1)
    plain = ddm.TimedLikelihood(X, choice, time)
    wide = ddm.TimedLikelihood(X * [3.0, 0.0, 4.0], choice, time)
    assert (plain.rank, wide.rank, wide.n_features) == (1, 1, 3)
    scalar = plain.mean_weights(1.2, 0.3)[0, 0]
    expected = scalar * np.array([3, 0, 4]) / 25
    np.testing.assert_allclose(wide.mean_weights(1.2, 0.3)[0], expected, atol=1e-12)
    assert wide.log_profile(1.2, 0.3) == pytest.approx(plain.log_profile(1.2, 0.3))
    # Along the determined direction, a unit vector, the query is 5 times as long.
    shift = plain.log_integral(1.2, 0.3) - np.log(5)
    assert wide.log_integral(1.2, 0.3) == pytest.approx(shift)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_scale_of_a_feature_only_shifts_the_integral(rng, scale):
    X, choice, time = person(rng)
    plain, scaled = (ddm.TimedLikelihood(X * [1.0, f], choice, time) for f in (1.0, scale))
    assert scaled.rank == 2
    assert scaled.log_profile(1.2, 0.3) == pytest.approx(plain.log_profile(1.2, 0.3))
    shift = plain.log_integral(1.2, 0.3) - np.log(scale)
    assert scaled.log_integral(1.2, 0.3) == pytest.approx(shift)


@pytest.mark.parametrize("beyond", [0.0, 0.01, 0.5, 100.0])
def test_impossible_nondecision_times_have_no_likelihood(rng, beyond):
    likelihood = ddm.TimedLikelihood(*person(rng))
    at = likelihood.fastest + beyond
    for of in (likelihood.log_times, likelihood.log_profile, likelihood.log_integral):
        np.testing.assert_array_equal(of(1.2, [at, 0.2]) == -np.inf, [True, False])


def test_no_trials_are_an_error():
    with pytest.raises(DataError, match="at least one trial"):
        ddm.TimedLikelihood(np.ones((0, 2)), [], [])
    with pytest.raises(DataError, match="at least one trial"):
        ddm.TimedLikelihood([[1.0]], [1], [1.0], [0.0])
