import numpy as np
import pytest
from scipy.special import logsumexp, ndtr

from tacit import Items, Problem, QuerySpace, ddm
from tacit.learners import TopTwo
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._person_grid import person_grid

PRIOR = BeliefPrior()
POPULATION = BeliefPrior(mean=[0.8], covariance=[[2.0]])
TIMES = np.array([0.9, 1.4, 0.75, 1.1, 2.3, 0.8])
CHOICE = np.array([1, 1, -1, 1, -1, 1])


def told(choice, response_time, n_runs=1, prior=PRIOR):
    """Return the belief after answers to one question about one item."""
    items = Items([[1.0]], reference=[0.0])
    problem = Problem(items, QuerySpace.against_reference(items))
    learner, rng = TopTwo(prior=prior), np.random.default_rng(0)
    state = learner.start(problem, rng, n_runs=n_runs)
    for c, rt in zip(choice, response_time, strict=True):
        state = learner.tell(state, state.query, np.full(n_runs, c), np.full(n_runs, rt))
    return state.belief


def probability_negative(choice, response_time, n_runs=1, prior=PRIOR):
    belief = told(choice, response_time, n_runs, prior)
    grid = person_grid(belief, prior, np.tile(response_time, (n_runs, 1)))
    np.testing.assert_allclose(grid.probability.sum(axis=(1, 2)), 1)
    return grid.probability_negative(np.ones((n_runs, 1, 1)))


def by_brute_force(choice, response_time, prior):
    """Return P(weight < 0) by adding up the likelihood of `ddm.logpdf` over four grids."""
    weight = np.linspace(-9, 9, 301)[:, None, None]
    barrier = np.geomspace(0.25, 5, 61)[None, :, None]
    n = 150
    t0 = (np.arange(n) + 0.5)[None, None, :] * response_time.min() / n
    likelihood = sum(
        ddm.logpdf(c, rt - t0, weight, barrier) for c, rt in zip(choice, response_time, strict=True)
    )
    log_barrier = np.log(barrier / prior.barrier)
    likelihood = likelihood - prior.barrier_weight * log_barrier**2
    # Of the scale, the same five nodes: how fine they are is not what is tested.
    (mean,), ((precision,),), guess = prior.weights(1, 1.0)
    found = []
    for q in told(choice, response_time, prior=prior).prior_variance[0] * 2.0 ** np.arange(-2, 3):
        log_prior = 0.5 * prior.drift_weight * (np.log(guess / q) - guess / q)
        log_prior = log_prior - 0.5 * np.log(q) - 0.5 * precision * (weight - mean) ** 2 / q
        found.append(logsumexp(likelihood + log_prior, axis=(1, 2)))
    by_weight = np.exp(logsumexp(found, axis=0) - logsumexp(found))
    below, at = weight[:, 0, 0] < 0, weight[:, 0, 0] == 0
    return by_weight[below].sum() + 0.5 * by_weight[at].sum()


@pytest.mark.parametrize("prior", [PRIOR, POPULATION], ids=["alone", "population"])
@pytest.mark.parametrize("n_times", [1, 3])
def test_integrates_what_is_open_about_the_person(n_times, prior):
    choice, time = np.tile(CHOICE, n_times), np.tile(TIMES, n_times)
    time = time + 0.01 * np.arange(len(time))
    found = probability_negative(choice, time, prior=prior)
    assert found[0, 0] == pytest.approx(by_brute_force(choice, time, prior), rel=0.02)


def test_runs_do_not_depend_on_each_other():
    np.testing.assert_allclose(
        probability_negative(CHOICE, TIMES, n_runs=3),
        np.tile(probability_negative(CHOICE, TIMES), (3, 1)),
    )


def test_is_less_sure_than_the_belief_after_few_answers():
    belief = told(np.ones(6), TIMES)
    height = belief.mean[0, 0] / np.sqrt(belief.covariance[0, 0, 0])
    assert probability_negative(np.ones(6), TIMES)[0, 0] > 1.2 * ndtr(-height)


def test_void_times_count_with_their_choice_alone():
    time = TIMES.copy()
    time[2:] = np.nan
    without = probability_negative(CHOICE[:2], TIMES[:2])
    assert probability_negative(CHOICE, time)[0, 0] != without[0, 0]
    times = np.append(TIMES, np.nan)
    assert probability_negative(np.append(CHOICE, 1), times) < probability_negative(CHOICE, TIMES)
