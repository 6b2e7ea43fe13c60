import warnings

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from tacit import bayes, ddm
from tacit.bayes import Population
from tacit.ddm import PeopleStatistics, TimedLikelihood, WeightsPrior
from tacit.errors import ConvergenceWarning, DataError

T0, BARRIER = 0.3, 1.2


def crowd(rng, mean, covariance, *, n_people=300, n_trials=30):
    """Return the sums of people from a population, and their weights."""
    weights = rng.multivariate_normal(mean, covariance, size=n_people)
    return answers(rng, weights, n_trials), weights


def answers(rng, weights, n_trials):
    person = np.repeat(np.arange(len(weights)), n_trials)
    X = rng.normal(size=(len(person), weights.shape[1]))
    drift = np.einsum("ij,ij->i", X, weights[person])
    choice, time = ddm.sample(drift, BARRIER, nondecision_time=T0, rng=rng)
    return PeopleStatistics.from_trials(X, choice, time, person)


def test_the_evidence_is_that_of_the_exact_integral(rng):
    X = rng.normal(size=(25, 2))
    choice, time = ddm.sample(X @ [1.0, -0.5], BARRIER, nondecision_time=T0, rng=rng)
    sums = PeopleStatistics.from_trials(X, choice, time, np.zeros(25, dtype=int))
    mean, spread = np.array([0.8, -0.2]), np.array([[0.6, 0.2], [0.2, 0.4]])
    population = Population(mean[None], spread, BARRIER, T0, 10**12)
    found = population.posterior(sums, nondecision_time=[T0], barrier=[BARRIER])
    prior = WeightsPrior(mean, np.linalg.inv(spread))
    exact = TimedLikelihood(X, choice, time, prior=prior)
    none = exact.log_times(BARRIER, T0)[0]
    np.testing.assert_allclose(
        found.log_evidence[0], exact.log_integral(BARRIER, T0)[0] - none, rtol=1e-8
    )
    np.testing.assert_allclose(found.mean[0], exact.mean_weights(BARRIER, T0)[0], rtol=1e-8)


def test_a_population_is_found_again(rng):
    mean, spread = [1.0, -0.5, 0.0], np.diag([1.0, 0.3, 0.3]) + 0.2
    sums, weights = crowd(rng, mean, spread, n_people=1500, n_trials=100)
    found = bayes.learn_population(sums, nondecision_time=T0, shrinkage=0)
    np.testing.assert_allclose(found.mean(), weights.mean(axis=0), atol=0.06)
    np.testing.assert_allclose(found.covariance, np.cov(weights.T), atol=0.12)
    assert abs(found.barrier - BARRIER) < 0.04
    assert found.n_people == 1500


@pytest.mark.parametrize("rank", [None, 2])
def test_the_evidence_never_falls(rng, rank):
    sums, _ = crowd(rng, np.zeros(5), np.eye(5), n_people=60, n_trials=10)
    barrier = np.full(60, BARRIER)
    found = bayes.learn_population(
        sums, nondecision_time=T0, barrier=barrier, rank=rank, shrinkage=0, tolerance=1e-4
    )
    trace = np.array(found.log_evidence)
    assert len(trace) > 5
    # The first factors come from an eigendecomposition, which is no step of the search.
    assert (np.diff(trace[2 if rank else 0 :]) > -1e-9 * np.abs(trace[1:]).max()).all()


def test_covariates_shift_the_mean(rng):
    group = rng.integers(2, size=400)
    weights = rng.normal(size=(400, 2)) * 0.5 + np.outer(group, [1.5, 0.0])
    sums = answers(rng, weights, 30)
    found = bayes.learn_population(sums, nondecision_time=T0, covariates=group[:, None])
    np.testing.assert_allclose(found.mean([1.0]) - found.mean([0.0]), [1.5, 0.0], atol=0.25)
    np.testing.assert_allclose(found.covariance, 0.25 * np.eye(2), atol=0.12)
    with pytest.raises(DataError, match="`covariates` must hold 1 for each person"):
        found.mean([1.0, 2.0])
    both = np.column_stack([group, 1 - group])
    with pytest.raises(DataError, match="is one the sum of others"):
        bayes.learn_population(sums, nondecision_time=T0, covariates=both)


def test_few_shared_directions_predict_new_people_better_when_they_are_there(rng):
    loadings = rng.normal(size=(20, 2))
    spread = loadings @ loadings.T / 4 + 0.02 * np.eye(20)
    sums, _ = crowd(rng, np.zeros(20), spread, n_people=60, n_trials=15)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = bayes.held_out_evidence(sums, nondecision_time=T0, ranks=[None, 2])
    assert found[2] > found[None] > 0


def test_the_prior_makes_few_answers_go_further(rng):
    mean, spread = np.array([1.0, -1.0, 0.5]), 0.05 * np.eye(3)
    sums, _ = crowd(rng, mean, spread)
    found = bayes.learn_population(sums, nondecision_time=T0)
    fresh, weights = crowd(rng, mean, spread, n_people=200, n_trials=5)
    known = found.posterior(fresh, nondecision_time=np.full(200, T0), barrier=np.full(200, BARRIER))
    alone = fresh.estimate(T0, ridge=1.0, barrier=np.full(200, BARRIER))
    error = ((known.mean - weights) ** 2).mean()
    assert error < 0.2 * ((alone.weights - weights) ** 2).mean()
    # The posterior knows how far off it is.
    white = np.linalg.solve(
        np.linalg.cholesky(known.covariance), (known.mean - weights)[:, :, None]
    )
    assert 0.7 < (white**2).mean() < 1.4


def test_the_prior_says_that_the_mean_is_uncertain():
    population = Population(np.ones((1, 2)), np.eye(2), 1.2, 0.3, 10)
    prior = population.prior().weights_prior(2)
    np.testing.assert_allclose(prior.mean, 1.0)
    np.testing.assert_allclose(prior.precision, np.eye(2) / 1.1)
    assert multivariate_normal(prior.mean, np.linalg.inv(prior.precision)).pdf([1, 1]) > 0


def test_a_population_comes_back_from_json(rng):
    sums, _ = crowd(rng, [1.0, 0.0], np.eye(2), n_people=20)
    found = bayes.learn_population(sums, nondecision_time=T0)
    back = Population.from_json(found.to_json())
    np.testing.assert_array_equal(back.coefficients, found.coefficients)
    np.testing.assert_array_equal(back.covariance, found.covariance)
    np.testing.assert_array_equal(back.shares, found.shares)
    assert back.log_evidence == found.log_evidence
    assert (back.barrier, back.n_people) == (found.barrier, 20)
    for text in ("{}", "[]", found.to_json().replace(" 1,", " 9,", 1).replace("1, ", "9, ", 1)):
        with pytest.raises(DataError, match=r"not the JSON of a Population|this version reads"):
            Population.from_json(text)


def test_shares_tell_whether_people_have_anything_in_common(rng):
    near, _ = crowd(rng, [3.0, -3.0, 3.0], 0.05 * np.eye(3), n_people=60)
    shares = bayes.learn_population(near, nondecision_time=T0).shares
    assert shares.sum() == pytest.approx(1)
    assert shares[0].sum() > 0.9
    # Nothing in common but a mean of 0: what others say of single weights only misleads.
    apart, _ = crowd(rng, np.zeros(12), np.eye(12), n_people=20)
    shares = bayes.learn_population(apart, nondecision_time=T0).shares
    assert shares[1].sum() > 0.5


def test_shares_tell_that_scales_differ(rng):
    strength = np.repeat([0.25, 2.5], 100)[:, None]
    weights = strength * rng.multivariate_normal(np.zeros(3), np.eye(3) + 0.5, size=200)
    shares = bayes.learn_population(answers(rng, weights, 60), nondecision_time=T0).shares
    scale = shares.sum(axis=0)
    small, large = ddm.MIXTURE_SCALES <= 0.25, ddm.MIXTURE_SCALES >= 2
    assert scale[small].sum() > 0.3
    assert scale[large].sum() > 0.2


def test_half_of_the_belief_takes_nobody_for_like_others():
    population = Population(np.ones((1, 2)), np.eye(2), 1.2, 0.3, 10)
    kinds = population.mixture()
    assert kinds.shares.sum() == pytest.approx(1)
    assert kinds.shares.min() == 0.5 / kinds.shares.size
    np.testing.assert_allclose(kinds.covariance, 1.1 * np.eye(2))


def test_people_without_answers_do_not_count(rng):
    sums, _ = crowd(rng, [1.0, 0.0], np.eye(2), n_people=20)
    padded = PeopleStatistics.concatenate([sums, sums.take(slice(3)).grouped([0, 1, 2], 6)])
    empty = padded.take(np.r_[0:20, 23:26])
    with_them = bayes.learn_population(empty, nondecision_time=T0)
    without = bayes.learn_population(sums, nondecision_time=T0)
    np.testing.assert_allclose(with_them.covariance, without.covariance)


def test_what_cannot_be_learned_is_refused(rng):
    sums, _ = crowd(rng, [1.0, 0.0], np.eye(2), n_people=12)
    with pytest.raises(DataError, match="at least 8 people with answers, got 7"):
        bayes.learn_population(sums.take(slice(7)), nondecision_time=T0)
    with pytest.raises(DataError, match="`rank` must be at least 1 and below"):
        bayes.learn_population(sums, nondecision_time=T0, rank=2)
    with pytest.raises(DataError, match="the population has 3 weights and 0 covariates"):
        Population(np.zeros((1, 3)), np.eye(3), 1.0, 0.3, 9).posterior(
            sums, nondecision_time=T0, barrier=np.ones(12)
        )
    with pytest.warns(ConvergenceWarning, match="still grows after 2 rounds"):
        bayes.learn_population(sums, nondecision_time=T0, n_rounds=2, tolerance=0.0)
