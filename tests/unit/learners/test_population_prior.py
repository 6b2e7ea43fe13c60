import dataclasses

import numpy as np
import pytest
from scipy.special import log_softmax

from tacit import ddm
from tacit.bayes import Population
from tacit.errors import DataError
from tacit.learners import BeliefPrior, ChoiceTopTwo, TopTwo
from tacit.learners._belief import Belief, _estimates
from tacit.learners._person_grid import person_grid
from tacit.records import Items, Problem, QuerySpace

MEAN = np.array([1.0, 0.0, -1.0])
SPREAD = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 0.5]])


def answered(prior, rng, n_answers=12):
    """Return a belief after random questions, and the answers."""
    X = rng.normal(size=(n_answers, 3))
    choice, time = ddm.sample(X @ MEAN, 1.2, nondecision_time=0.3, rng=rng)
    belief = Belief.start(1, 3, 3.0, prior)
    for x, c, t in zip(X, choice.astype(float), time, strict=True):
        belief = belief.observe(x[None], np.array([c]), np.array([t]), prior)
    return belief, X, choice, time


def test_the_belief_is_the_posterior_under_the_population(rng):
    population = Population(MEAN[None], SPREAD, 1.1, 0.3, 10**9)
    prior = BeliefPrior(mean=MEAN, covariance=SPREAD, barrier=1.1, nondecision_time=0.3)
    start = Belief.start(2, 3, 3.0, prior)
    np.testing.assert_allclose(start.mean, [MEAN, MEAN], atol=1e-12)
    np.testing.assert_allclose(start.covariance[1], SPREAD, atol=1e-12)
    belief, X, choice, time = answered(prior, rng)
    sums = ddm.PeopleStatistics.from_trials(X, choice, time, np.zeros(12, dtype=int))
    scaled = dataclasses.replace(population, covariance=SPREAD * belief.prior_variance[0])
    exact = scaled.posterior(sums, nondecision_time=belief.nondecision_time, barrier=belief.barrier)
    np.testing.assert_allclose(belief.mean, exact.mean, rtol=1e-6)
    np.testing.assert_allclose(belief.covariance, exact.covariance, rtol=1e-6, atol=1e-9)
    assert 0.5 < belief.prior_variance[0] < 2.0


def test_the_kinds_of_people_are_weighed_by_the_answers(rng):
    prior = BeliefPrior.of(Population(MEAN[None], SPREAD, 1.1, 0.3, 50))
    assert (prior.barrier, prior.nondecision_time) == (1.1, 0.3)
    belief, X, choice, time = answered(prior, rng, n_answers=30)
    sums = ddm.PeopleStatistics.from_trials(X, choice, time, np.zeros(30, dtype=int))
    for _ in range(50):  # until the barrier moves no more
        belief = dataclasses.replace(belief, **_estimates(belief, prior))
    information = sums.information(belief.nondecision_time, belief.barrier)
    linear = belief.barrier[:, None] * sums.choice_sum
    kinds = Population(MEAN[None], SPREAD, 1.1, 0.3, 50).mixture()
    mean, covariance = kinds.matched(kinds.log_evidence(information, linear))
    precision = np.linalg.inv(covariance)
    exact = np.linalg.inv(information + precision)
    np.testing.assert_allclose(belief.covariance, exact, rtol=1e-6)
    pull = np.einsum("nij,nj->ni", precision, mean)
    np.testing.assert_allclose(
        belief.mean, np.einsum("nij,nj->ni", exact, linear + pull), rtol=1e-6
    )


def test_somebody_unlike_the_others_is_soon_learned_about_alone(rng):
    """The population is narrow and far off: the belief lets it go."""
    narrow = Population(-3 * MEAN[None], 0.01 * SPREAD, 1.2, 0.3, 50)
    prior = BeliefPrior.of(narrow)
    known, _, _, _ = answered(prior, rng, n_answers=60)
    assert np.abs(known.prior_mean).max() < 0.3
    np.testing.assert_allclose(known.mean[0], MEAN, atol=0.7)


def test_a_population_of_independent_weights_is_the_prior_without_one(rng):
    seed = int(rng.integers(2**32))
    plain, _, _, _ = answered(BeliefPrior(), np.random.default_rng(seed))
    same = BeliefPrior(mean=np.zeros(3), covariance=3.0 * np.eye(3))
    told, _, _, _ = answered(same, np.random.default_rng(seed))
    np.testing.assert_allclose(told.mean, plain.mean, rtol=1e-9)
    np.testing.assert_allclose(told.covariance, plain.covariance, rtol=1e-9)


def test_priors_compare_by_value_and_states_come_back(rng):
    prior = BeliefPrior(mean=MEAN, covariance=SPREAD)
    assert prior == BeliefPrior(mean=MEAN.tolist(), covariance=SPREAD.tolist())
    assert hash(TopTwo(prior=prior)) == hash(TopTwo(prior=prior))
    items = Items.one_hot(3)
    learner = TopTwo(prior=prior)
    problem = Problem(items, QuerySpace.all_pairs(items))
    state = learner.start(problem, rng)
    assert learner.recommend(state).item[0] == 0
    back = type(state).from_json(state.to_json(), problem)
    np.testing.assert_array_equal(back.belief.prior_mean, state.belief.prior_mean)


def test_populations_that_do_not_fit_are_refused(rng):
    items = Items.one_hot(4)
    problem = Problem(items, QuerySpace.all_pairs(items))
    with pytest.raises(DataError, match="`mean` must hold 4 weights"):
        TopTwo(prior=BeliefPrior(mean=MEAN)).start(problem, rng)
    with pytest.raises(
        DataError, match=r"`covariance` must be positive definite of shape \(4, 4\)"
    ):
        TopTwo(prior=BeliefPrior(covariance=SPREAD)).start(problem, rng)
    with pytest.raises(DataError, match="`shares` need `mean`"):
        BeliefPrior(shares=np.full((2, 8), 1 / 16))
    with pytest.raises(DataError, match="choices alone do not tell"):
        ChoiceTopTwo(prior=BeliefPrior(mean=np.zeros(4))).start(problem, rng)


def test_to_be_sure_the_kinds_of_people_are_integrated_out_and_not_counted_twice(rng):
    prior = BeliefPrior.of(Population(MEAN[None], SPREAD, 1.1, 0.3, 50))
    belief, X, choice, time = answered(prior, rng)
    grid = person_grid(belief, prior, time[None])
    n_laws = np.count_nonzero(prior.shares)
    probability = grid.probability[0].reshape(-1, n_laws, grid.barrier.shape[1])
    share = np.log(np.array(prior.shares)).ravel()
    lead = 1 - np.geomspace(0.02, 1.0, 24, endpoint=False)[::-1]
    for place in (0, 10, 23):
        t = time - lead[place] * time.min()
        information = (X * t[:, None]).T @ X
        for a, found in zip(grid.barrier[0], probability[place].T, strict=True):
            evidence = prior.kinds.log_evidence(information[None], a * (choice @ X)[None])
            expected = log_softmax(share + evidence.ravel())
            np.testing.assert_allclose(
                np.log(found) - np.log(found.sum()), expected, rtol=1e-6, atol=1e-8
            )


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ([[1.0]], "two rows of 8 probabilities"),
        (np.full((2, 8), -1 / 16), "two rows of 8 probabilities"),
        (np.full((2, 8), np.nan), "two rows of 8 probabilities"),
        (np.full((2, 8), 0.5), "must add up to 1, got 8"),
    ],
)
def test_shares_that_are_none_are_refused(shares, message):
    with pytest.raises(DataError, match=message):
        BeliefPrior(mean=MEAN, covariance=SPREAD, shares=shares)
