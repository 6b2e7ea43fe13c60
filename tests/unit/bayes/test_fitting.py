import numpy as np
import pytest

from tacit import bayes, ddm
from tacit.bayes import FlatPrior, GaussianPrior
from tacit.errors import ConvergenceWarning, DataError, DataWarning
from tests.oracle import brute_force
from tests.unit.bayes._references import by_linear_algebra, prior_draws, weighted_mean

ODD_DATA = {
    "one trial": ([1.0], [1], [0.8]),
    "equal times": ([1.0] * 5, [1, -1, 1, 1, 1], [0.8] * 5),
    "constant choices": ([1.0, 2.0, 1.0], [1, 1, 1], [0.8, 0.6, 1.1]),
    "features that tell little": ([1e-6] * 4, [1, -1, 1, 1], [0.8, 0.9, 1.3, 2.0]),
    "opposite to the box": ([1.0] * 4, [-1, -1, -1, -1], [0.8, 0.9, 1.3, 0.85]),
}


@pytest.mark.parametrize("trials", ODD_DATA.values(), ids=ODD_DATA)
def test_odd_data_against_brute_force(trials):
    x, choice, response_time = trials
    fastest = min(response_time)
    person = {"barrier": (0.3, 2.5), "nondecision_time": (0.05, fastest)}
    low, high = 0.5, 4.0
    log_prior = -np.log(2.2 * (fastest - 0.05) * (high - low))
    box = {**person, "weight": (low, high), "start_share": 0.0}
    exact = brute_force.integrate(trials, box, lambda w: log_prior + 0 * w, 72)
    prior = FlatPrior(**person, weights=(low, high))
    found = bayes.fit(np.array(x)[:, None], choice, response_time, prior=prior)
    assert found.quadrature_error <= 1e-3
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    for marginal, name in (
        (found.barrier, "barrier"),
        (found.nondecision_time, "nondecision_time"),
        (found.weights, "weight"),
    ):
        mean, sd = exact.mean(exact.values[name]), exact.sd(exact.values[name])
        assert np.squeeze(marginal.mean) == pytest.approx(mean, abs=1e-3 * sd)
        assert np.squeeze(marginal.sd) == pytest.approx(sd, rel=1e-3)


FEW = (
    np.array([[1.0, 0.5], [-0.3, 1.0], [1.0, -1.0], [0.4, 0.2]]),
    np.array([1, -1, 1, 1]),
    np.array([0.8, 1.1, 0.6, 1.4]),
)
PERSON = {"barrier": (0.4, 2.0), "nondecision_time": (0.1, 1.0)}


@pytest.mark.parametrize("start_bias", [False, True])
def test_two_weights_against_draws_from_the_prior(start_bias, rng):
    prior = GaussianPrior(**PERSON, mean=[0.5, 0.0], covariance=[[1.0, 0.6], [0.6, 0.8]])
    found = bayes.fit(*FEW, prior=prior, start_bias=start_bias)
    draws, likelihood = prior_draws(*FEW, prior, rng, start_bias=start_bias)
    spread = likelihood.std() / likelihood.mean() / np.sqrt(len(likelihood))
    assert abs(np.expm1(np.log(likelihood.mean()) - found.log_evidence)) < 5 * spread
    theta = draws["theta"]
    expected = {
        found.barrier.mean: draws["a"],
        found.nondecision_time.mean: draws["t0"],
        found.start_share.mean: draws["share"],
        found.weights.mean[0]: theta[:, 0],
        found.weights.mean[1]: theta[:, 1],
        found.weights.covariance[0, 1]: np.prod(theta - found.weights.mean, axis=1),
    }
    for value, drawn in expected.items():
        mean, error = weighted_mean(drawn, likelihood)
        assert abs(value - mean) <= 5 * error


def many_weights(rng, n_trials, n_features):
    X = rng.normal(size=(n_trials, n_features)) / np.sqrt(n_features)
    choice, response_time = ddm.sample(
        X @ rng.normal(size=n_features), 1.1, nondecision_time=0.3, rng=rng
    )
    return X, choice, response_time


@pytest.mark.parametrize("which", ["40 weights, 30 trials", "collinear", "duplicates"])
def test_many_weights_against_linear_algebra(which, rng):
    X, choice, response_time = many_weights(rng, 30, 40 if which.startswith("40") else 3)
    if which == "collinear":
        X[:, 2] = X[:, 0] - 2 * X[:, 1]
    if which == "duplicates":
        X, choice, response_time = (np.tile(v.T, 2).T for v in (X, choice, response_time))
    prior = GaussianPrior(**PERSON, mean=0.1, covariance=1.5)
    found = bayes.fit(X, choice, response_time, prior=prior)
    log_evidence, (a, t0, weights) = by_linear_algebra(X, choice, response_time, prior)
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-3)
    assert found.barrier.mean == pytest.approx(a, abs=1e-3 * found.barrier.sd)
    assert found.nondecision_time.mean == pytest.approx(t0, abs=1e-3 * found.nondecision_time.sd)
    off = np.abs(found.weights.mean - weights) / found.weights.sd
    assert off.max() < 1e-3


def summary(posterior):
    return np.hstack([np.transpose(list(posterior.summary().values())[1:])])


def test_the_same_trials_give_the_same_bits(person):
    assert (summary(bayes.fit(*person)) == summary(bayes.fit(*person))).all()


def test_weights_count_trials(person):
    once = np.arange(len(person[1])) % 4 > 0
    repeated = bayes.fit(*(np.concatenate([v, v[once]]) for v in person))
    weighted = bayes.fit(*person, sample_weight=1.0 + once)
    np.testing.assert_allclose(summary(weighted), summary(repeated), rtol=1e-6, atol=1e-9)
    left_out = bayes.fit(*person, sample_weight=once)
    without = bayes.fit(*(v[once] for v in person))
    np.testing.assert_allclose(summary(left_out), summary(without), rtol=1e-9, atol=1e-12)


def test_the_order_of_trials_does_not_matter(person, rng):
    order = rng.permutation(len(person[1]))
    shuffled = bayes.fit(*(v[order] for v in person))
    np.testing.assert_allclose(summary(shuffled), summary(bayes.fit(*person)), rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-5, 1e5])
def test_features_in_another_unit(person, scale):
    X, choice, response_time = person
    prior = GaussianPrior(mean=0.3, covariance=2.0)
    other = GaussianPrior(mean=0.3 / scale, covariance=2.0 / scale**2)
    found = bayes.fit(X * scale, choice, response_time, prior=other)
    expected = bayes.fit(X, choice, response_time, prior=prior)
    assert found.log_evidence == pytest.approx(expected.log_evidence, abs=1e-6)
    np.testing.assert_allclose(found.weights.mean * scale, expected.weights.mean, rtol=1e-6)
    np.testing.assert_allclose(found.weights.sd * scale, expected.weights.sd, rtol=1e-6)


def test_swapped_options(person):
    X, choice, response_time = person
    expected = bayes.fit(X, choice, response_time, start_bias=True)
    swapped = bayes.fit(-X, -choice, response_time, start_bias=True)
    np.testing.assert_allclose(swapped.weights.mean, expected.weights.mean, rtol=1e-6)
    assert swapped.start_share.mean == pytest.approx(-expected.start_share.mean, abs=1e-6)


def test_known_values_are_the_limit_of_narrow_ranges(person):
    narrow = FlatPrior(barrier=(1.1 - 1e-5, 1.1 + 1e-5), nondecision_time=(0.3, 0.3 + 1e-6))
    known = FlatPrior(barrier=1.1, nondecision_time=0.3)
    limit, exact = bayes.fit(*person, prior=narrow), bayes.fit(*person, prior=known)
    assert exact.quadrature_error == 0
    assert exact.log_evidence == pytest.approx(limit.log_evidence, abs=1e-3)
    np.testing.assert_allclose(exact.weights.mean, limit.weights.mean, rtol=1e-3)
    assert (exact.barrier.mean, exact.barrier.sd) == (1.1, 0)


def test_evidence_prefers_the_model_that_holds(rng):
    X = np.ones((300, 1))
    choice, response_time = ddm.sample(0.8 * X[:, 0], 1.1, nondecision_time=0.3, rng=rng)
    plain = bayes.fit(X, choice, response_time)
    biased = bayes.fit(X, choice, response_time, start_bias=True)
    assert plain.log_evidence > biased.log_evidence
    assert abs(biased.start_share.mean) < 4 * biased.start_share.sd


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": []}, r"one query vector per row.*got shape \(0,\)"),
        ({"X": np.zeros((0, 2)), "choice": [], "response_time": []}, "at least one trial"),
        ({"X": np.zeros((3, 0))}, "at least one feature"),
        ({"X": [["a"], ["b"], ["c"]]}, "`X` must hold numbers"),
        ({"X": [[1.0], [1.0, 2.0], [1.0]]}, "`X` must hold numbers in rows of one length"),
        ({"choice": [1, 0, -1]}, "`choice` must be .1 .*got 0 at position 1"),
        ({"choice": ["yes", "no", "no"]}, "`choice` must hold numbers"),
        ({"choice": [1, 1]}, "`choice` must have one value per row of X"),
        ({"response_time": [0.5, np.nan, 0.7]}, "got nan at trial 1"),
        ({"response_time": [0.5, 0.7, -0.1]}, "got -0.1 at trial 2"),
        (
            {"response_time": [0.5, 5e-4, 0.7]},
            r"nondecision_time \(0.001 s\), got 0.0005 s at tr.* 1",
        ),
        ({"sample_weight": [0, 0, 0]}, "at least one trial"),
        ({"sample_weight": [1, -1, 1]}, "got -1.0 at trial 1"),
        ({"X": np.ones((3, 2))}, "rank 1 for 2 features"),
        ({"X": [[1.0, 0], [1, 0], [2, 0]]}, "feature 1 is in no query"),
        ({"X": [[1, 0], [1, 0], [1, 1]], "response_time": [0.8, 0.9, 0.5]}, "trial 2, 0.5 s"),
        ({"prior": FlatPrior(nondecision_time=5.0)}, "got 0.5 s at trial 0; was"),
        ({"prior": FlatPrior}, "`prior` must be a FlatPrior or a GaussianPrior"),
        ({"tolerance": 0.0}, "`tolerance` must lie between 0 and 1, got 0.0"),
        ({"tolerance": np.nan}, "`tolerance`"),
    ],
)
def test_errors_say_what_is_wrong(change, message):
    usable = {"X": np.ones((3, 1)), "choice": [1, -1, 1], "response_time": [0.5, 0.6, 0.7]}
    with pytest.raises(DataError, match=message):
        bayes.fit(**(usable | change))


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([0.5] * 30, "range .5e-06. with probability 1; are the response times all the same"),
        ([500.0, 620.0, 480.0, 710.0, 900.0, 530.0] * 5, "range .7.5. .*milliseconds"),
    ],
)
def test_a_barrier_at_the_end_of_its_range_is_reported(times, message):
    with pytest.warns(DataWarning, match=message):
        bayes.fit(np.ones((30, 1)), [1, 1, -1, 1, 1, 1] * 5, times)


def test_weights_outside_of_a_box_that_is_not_applied_are_reported(rng):
    X, choice, response_time = many_weights(rng, 40, 2)
    with pytest.warns(DataWarning, match="weight 0 lies outside the prior's range"):
        found = bayes.fit(X, choice, response_time, prior=FlatPrior(weights=(40.0, 41.0)))
    assert found.outside_prior.min() > 0.9


def test_an_unreached_tolerance_is_reported(person):
    with pytest.warns(ConvergenceWarning, match="1e-12 was asked for"):
        bayes.fit(*person, tolerance=1e-12)


def test_a_posterior_that_its_quadrature_does_not_reach_is_told():
    with pytest.warns(ConvergenceWarning, match=r"before it reached all of .* trials \(1\)"):
        bayes.fit([[1.414]], [1], [0.9])
