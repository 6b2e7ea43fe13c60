"""What is asked, against the documented criterion by brute force over all items and queries."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import norm

from tacit import Items, Problem, QuerySpace, ddm
from tacit.errors import DataError
from tacit.learners import ChoiceTopTwo, TopTwo
from tests.unit.learners._people import against_reference, answered, featured

N_RUNS = 4_000


def listed() -> Problem:
    items = Items(np.random.default_rng(8).normal(size=(5, 3)))
    return Problem(items, QuerySpace.listed(items, [0, 1, 2, 3, 4, 0, 2], [1, 2, 3, 4, -1, 3, 0]))


PROBLEMS = {
    "all pairs": partial(featured, 6),
    "against the reference": partial(against_reference, 3),
    "listed": listed,
}


def challenger(mean, covariance, features, leader) -> int:
    """Return the item of largest expected improvement over the leader."""
    improvement = []
    for item, z in enumerate(features):
        y = features[leader] - z
        sd = np.sqrt(y @ covariance @ y)
        if item == leader:
            improvement.append(-np.inf)
            continue
        height = -(y @ mean) / sd
        improvement.append(sd * (norm.pdf(height) + height * norm.cdf(height)))
    return int(np.argmax(improvement))


def telling(belief, vectors, y) -> int:
    """Return the query that lowers the variance of y'theta most per expected second."""
    mean, covariance = belief.mean[0], belief.covariance[0]
    barrier, nondecision_time = float(belief.barrier[0]), float(belief.nondecision_time[0])
    gain = []
    for x in vectors:
        time = float(ddm.mean_time(x @ mean, barrier))
        after = np.linalg.inv(np.linalg.inv(covariance) + time * np.outer(x, x))
        gain.append(y @ (covariance - after) @ y / (time + nondecision_time))
    return int(np.argmax(gain))


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("n_answers", [3, 12])
def test_each_leader_as_often_as_it_is_best_and_for_it_the_telling_query(
    name, n_answers, rng
) -> None:
    problem = PROBLEMS[name]()
    learner = TopTwo(n_extremes=problem.items.n_items)
    weights = np.array([1.0, -0.6, 0.3])
    start = learner.start(problem, rng)
    before = answered((learner, start), weights, rng, n_answers).take(np.zeros(N_RUNS, dtype=int))
    state = learner.tell(before, before.query, 1, 0.9)

    belief, features = state.belief.take(np.array([0])), problem.items.features
    mean, covariance = belief.mean[0], belief.covariance[0]
    drawn = rng.multivariate_normal(mean, covariance, size=200_000) @ features.T
    is_best = np.bincount(drawn.argmax(axis=1), minlength=len(features)) / len(drawn)
    expected = np.zeros(problem.queries.n_queries)
    for leader in np.flatnonzero(is_best):
        y = features[leader] - features[challenger(mean, covariance, features, leader)]
        expected[telling(belief, problem.queries.all_vectors(), y)] += is_best[leader]
    asked = np.bincount(state.query, minlength=len(expected)) / N_RUNS
    # Six standard deviations of 4000 draws, and a little for the 200,000 behind `is_best`.
    allowed = 6 * np.sqrt(expected * (1 - expected) / N_RUNS) + 0.005
    assert (np.abs(asked - expected) <= allowed).all()
    assert (asked[expected == 0] == 0).all()


def test_a_query_is_not_asked_about_identical_items(rng) -> None:
    features = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    items = Items(features)
    problem, learner = Problem(items, QuerySpace.all_pairs(items)), TopTwo()
    state = answered((learner, learner.start(problem, rng, n_runs=50)), [1.0, 0.4], rng, 10)
    assert (state.query != 0).all()


def test_few_rivals_suffice_for_many_items(rng) -> None:
    problem, weights = featured(400), np.array([1.0, -0.6, 0.3])
    utility = problem.items.utilities(weights)
    regret = {}
    for n_rivals in (16, 400):
        learner = TopTwo(n_rivals=n_rivals)
        state = learner.start(problem, rng, n_runs=100)
        state = answered((learner, state), weights, rng, 40)
        regret[n_rivals] = (utility.max() - utility[learner.recommend(state).item]).mean()
    assert regret[16] < 0.1 * utility.std()
    assert regret[16] < 2 * regret[400] + 0.02 * utility.std()


def test_stated_probabilities_are_those_of_the_posterior(rng) -> None:
    problem, learner = featured(6), TopTwo()
    state = learner.start(problem, rng, n_runs=20)
    state = answered((learner, state), [1.0, -0.6, 0.3], rng, 8)
    item, probability = learner.recommend(state)
    for run in range(20):
        mean, covariance = state.belief.mean[run], state.belief.covariance[run]
        drawn = rng.multivariate_normal(mean, covariance, size=20_000) @ problem.items.features.T
        exact = (drawn.argmax(axis=1) == item[run]).mean()
        # 512 draws and their mirror images: at most as noisy as 512.
        assert abs(probability[run] - exact) < 5 * np.sqrt(0.25 / 512)


def test_choices_alone_pay_no_heed_to_times(rng) -> None:
    problem, learner = featured(6), ChoiceTopTwo()
    fast = slow = learner.start(problem, rng, n_runs=3)
    for choice in rng.choice([-1, 1], size=(15, 3)):
        fast = learner.tell(fast, fast.query, choice, 0.4)
        slow = learner.tell(slow, slow.query, choice, [9.0, np.nan, 0.1])
    assert fast.to_json() == slow.to_json()


@pytest.mark.parametrize("wrong", [{"n_extremes": 1}, {"n_rivals": 1}, {"n_rivals": np.inf}])
def test_searches_that_see_nothing_are_refused(wrong) -> None:
    with pytest.raises(DataError, match=f"`{next(iter(wrong))}` must be at least 2"):
        TopTwo(**wrong)
