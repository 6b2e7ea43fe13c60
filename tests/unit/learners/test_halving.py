"""Rounds of sequential halving."""

import numpy as np
import pytest

from tacit import Items, Problem, QuerySpace
from tacit.errors import DataError
from tacit.learners import SequentialHalving
from tests.unit.learners._people import against_reference, answered, featured


def pairs(n_items: int) -> Problem:
    items = Items.one_hot(n_items)
    return Problem(items, QuerySpace.all_pairs(items))


def rounds(learner, problem, choose, seconds=1.0):
    """Return the state after each round of one person, who answers by `choose(state)`."""
    state = learner.start(problem, np.random.default_rng(0))
    found = []
    while not state.done.all():
        phase = state.phase[0]
        state = learner.tell(state, state.query, choose(state), seconds)
        if state.phase[0] > phase:
            found.append(state)
    return found


def prefers_higher(state):
    """Return the choice of somebody who likes items of higher number, whatever the question."""
    first, second = state.problem.queries.pairs(state.query)
    return np.where(first > np.where(second < 0, state.problem.items.n_items / 2, second), 1, -1)


@pytest.mark.parametrize("n_items", [2, 5, 8, 9])
def test_the_better_half_stays_and_each_round_has_its_share_of_the_seconds(n_items) -> None:
    learner = SequentialHalving(time_budget=400.0)
    found = rounds(learner, pairs(n_items), prefers_higher)
    n_rounds = int(np.ceil(np.log2(n_items)))
    assert len(found) == n_rounds
    left = n_items
    for number, state in enumerate(found, 1):
        left = (left + 1) // 2
        np.testing.assert_array_equal(np.flatnonzero(state.active[0]), range(n_items)[-left:])
        assert state.seconds[0] == np.ceil(400 * number / n_rounds)
    assert learner.recommend(found[-1]).item == [n_items - 1]


def test_items_take_turns() -> None:
    learner, problem = SequentialHalving(time_budget=1e6), pairs(7)
    state = learner.start(problem, np.random.default_rng(0), n_runs=5)
    for _ in range(70):
        state = learner.tell(state, state.query, 1, 1.0)
        assert (np.ptp(state.n_asked, axis=1) <= 1).all()
    np.testing.assert_array_equal(state.n_asked, 20)


def test_items_that_are_out_are_not_asked_about_against_the_reference() -> None:
    learner, problem = SequentialHalving(time_budget=90.0), against_reference(6)
    state = learner.start(problem, np.random.default_rng(0))
    while not state.done.all():
        assert state.active[0, state.query[0]]
        state = learner.tell(state, state.query, prefers_higher(state), 1.0)
    assert learner.recommend(state).item >= 3


def test_only_the_score_of_the_round_counts() -> None:
    learner, problem = SequentialHalving(time_budget=40.0), pairs(4)
    first, last = rounds(learner, problem, prefers_higher)
    assert (first.n_asked == 0).all()
    assert (first.score == 0).all()
    # The last round keeps its scores, for the recommendation.
    assert last.n_asked.sum() == 40
    # Two items were left, and asked about against each other alone.
    np.testing.assert_array_equal(np.flatnonzero(last.n_asked[0]), [2, 3])


def test_an_answer_after_the_seconds_does_not_count() -> None:
    learner, problem = SequentialHalving(time_budget=10.0), pairs(2)
    state = learner.start(problem, np.random.default_rng(0))
    state = learner.tell(state, state.query, 1, 9.0)
    state = learner.tell(state, state.query, -1, 9.0)
    assert state.done.all()
    assert state.n_asked.sum() == 2
    assert learner.recommend(state).item == [0]


def test_void_times_take_the_usual_seconds() -> None:
    learner, problem = SequentialHalving(time_budget=10.0), pairs(2)
    state = learner.start(problem, np.random.default_rng(0))
    for told, expected in ((np.nan, 1.0), (2.0, 3.0), (np.nan, 4.5)):
        state = learner.tell(state, state.query, 1, told)
        assert state.seconds == [expected]


def test_it_finds_the_favourite_of_somebody(rng) -> None:
    learner = SequentialHalving(time_budget=600.0)
    problem = featured(4)
    weights = np.array([2.0, -1.0, 0.5])
    state = learner.start(problem, rng, n_runs=50)
    state = answered((learner, state), weights, rng, 60)
    while not state.done.all():
        state = answered((learner, state), weights, rng, 1)
    best = problem.items.utilities(weights).argmax()
    assert (learner.recommend(state).item == best).mean() > 0.8


def test_the_seconds_must_be_positive() -> None:
    with pytest.raises(DataError, match="`time_budget` must be a positive number, got 0"):
        SequentialHalving(time_budget=0)
