"""Shares against brute force, and what becomes of the seconds."""

import numpy as np
import pytest
from scipy.stats import norm

from tacit import Items, Problem, QuerySpace, ddm
from tacit.errors import DataError
from tacit.learners import Oracle

PERSON = {"barrier": 1.2, "nondecision_time": 0.4}


def dense(learner: Oracle, queries: QuerySpace) -> np.ndarray:
    index, share = learner.shares(queries)
    every = np.zeros(queries.n_queries)
    every[index] = share
    return every


def bound(learner: Oracle, queries: QuerySpace, share_of_answers: np.ndarray) -> float:
    """Sum the probabilities that a worse item seems better, by the definition."""
    weights = np.asarray(learner.weights)
    x = queries.all_vectors()
    time = ddm.mean_time(x @ weights, learner.barrier)
    n_answers = learner.time_budget / (share_of_answers @ (time + learner.nondecision_time))
    precision = np.diag(np.full(len(weights), 1 / np.mean(weights**2)))
    for vector, share, t in zip(x, share_of_answers, time, strict=True):
        precision += n_answers * share * t * np.outer(vector, vector)
    covariance = np.linalg.inv(precision)
    features = queries.items.features
    utility = features @ weights
    best = np.argmax(utility)
    total = 0.0
    for item in np.flatnonzero(utility < utility[best]):
        y = features[best] - features[item]
        total += norm.sf((utility[best] - utility[item]) / np.sqrt(y @ covariance @ y))
    return total


def featured(n_items: int = 6) -> QuerySpace:
    return QuerySpace.all_pairs(Items(np.random.default_rng(0).normal(size=(n_items, 3))))


@pytest.mark.parametrize("time_budget", [5.0, 40.0, 400.0])
@pytest.mark.parametrize(
    "queries",
    [
        QuerySpace.against_reference(Items.one_hot(3)),
        QuerySpace.all_pairs(Items.one_hot(3)),
        featured(),
    ],
)
def test_no_other_shares_make_a_mistake_less_likely(queries, time_budget, rng) -> None:
    learner = Oracle(time_budget=time_budget, weights=[1.0, 0.4, -0.3], **PERSON)
    best = dense(learner, queries)
    assert best.sum() == pytest.approx(1.0)
    least = bound(learner, queries, best)
    near = best + rng.dirichlet(np.ones(len(best)), 300) * 0.03
    anywhere = rng.dirichlet(np.full(len(best), 0.5), 300)
    vertices = 0.99 * best + 0.01 * np.eye(len(best))
    for other in (*near, *anywhere, *vertices):
        assert bound(learner, queries, other / other.sum()) >= least * (1 - 1e-3)


def test_two_items_against_the_reference_share_by_what_a_second_tells() -> None:
    queries = QuerySpace.against_reference(Items.one_hot(2))
    weights = np.array([2.0, 1.5])
    learner = Oracle(time_budget=1e4, weights=weights, **PERSON)
    # Least 1 / (w_1 rho_1) + 1 / (w_2 rho_2) over shares w of a budget that drowns the prior.
    time = ddm.mean_time(weights, learner.barrier)
    cost = time + learner.nondecision_time
    of_time = np.sqrt(cost / time)
    of_answers = of_time / cost
    expected = of_answers / of_answers.sum()
    np.testing.assert_allclose(dense(learner, queries), expected, rtol=1e-2)


def test_answers_follow_the_shares_until_the_seconds_are_over(rng) -> None:
    queries = featured()
    learner = Oracle(time_budget=60.0, weights=[1.0, 0.4, -0.3], **PERSON)
    _, share = learner.shares(queries)
    state = learner.start(Problem(queries.items, queries), rng, n_runs=3)
    while not state.done.all():
        state = learner.tell(state, learner.ask(state), 1, rng.uniform(0.5, 2.0, size=3))
        n_asked = state.n_asked.sum(axis=1, keepdims=True)
        assert (state.n_asked - share * n_asked < 1).all()
    late = state.seconds > learner.time_budget
    assert late.all()
    np.testing.assert_array_equal(state.belief.time_sums[:, 0], n_asked[:, 0] - 1)
    # Fewer than one second and a half were left before the last answer.
    assert (state.belief.time_sums[:, 1] > 58.0).all()


def test_equal_items_are_asked_about_equally() -> None:
    queries = QuerySpace.all_pairs(Items.one_hot(4))
    learner = Oracle(time_budget=30.0, weights=[0.5] * 4, **PERSON)
    np.testing.assert_allclose(dense(learner, queries), 1 / 6)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weights": [1.0, np.nan]}, "`weights` must be finite"),
        ({"weights": 1.0}, "`weights` must be finite numbers, one per feature"),
        ({"barrier": 0.0}, "`barrier`"),
        ({"nondecision_time": -0.1}, "`nondecision_time`"),
        ({"time_budget": np.inf}, "`time_budget`"),
        ({"n_rivals": 1}, "`n_rivals`"),
    ],
)
def test_impossible_people_are_named(wrong, message) -> None:
    with pytest.raises(DataError, match=message):
        Oracle(**{"time_budget": 60.0, "weights": [1.0, 0.0], **PERSON} | wrong)


def test_weights_for_other_items_are_named() -> None:
    learner = Oracle(time_budget=60.0, weights=[1.0, 0.0], **PERSON)
    with pytest.raises(DataError, match="a number for each of 3 features, got 2"):
        learner.shares(featured())
