"""Runs against learners and respondents whose every answer is known."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tacit import Items, Problem, QuerySpace
from tacit.errors import DataError
from tacit.learners import Learner, Recommendation, State, TopTwo
from tacit.simulate import Diffusion, Respondent, run

ITEMS = Items.one_hot(["good", "same", "bad"])
PROBLEM = Problem(ITEMS, QuerySpace.all_pairs(ITEMS))


@dataclass(frozen=True, eq=False)
class Clockwork(Respondent):
    """Always answers the first, in as many seconds as the drift is large, and `more`."""

    weights: np.ndarray
    more: float = 0.0

    def respond(self, drift, rng):
        del rng
        return np.ones(len(drift), dtype=np.int8), self.more + np.abs(drift)


@dataclass(frozen=True, kw_only=True, eq=False)
class Steps(State):
    """How many answers each run has learned from."""

    n: np.ndarray


@dataclass(frozen=True)
class Counting(Learner[Steps]):
    """Keeps asking query (run) mod 3, `after`[query] times; recommends item (answers) mod 3."""

    after: tuple[int, ...] | None = None

    def _begin(self, problem, key, n_runs):
        nothing = np.zeros(n_runs, dtype=np.int64)
        return Steps(problem=problem, key=key, n_told=0, query=nothing - 2, n=nothing)

    def _learn(self, state, choice, response_time):
        del choice, response_time
        return replace(state, n=state.n + ~state.done)

    def _choose(self, state, rng):
        del rng
        query = np.arange(state.n_runs) % 3 if (state.query == -2).all() else state.query
        if self.after is None:
            return query
        return np.where(state.n >= np.array(self.after)[query], -1, query)

    def _recommend(self, state, rng):
        del rng
        return Recommendation(state.n % 3, state.n / 100)


@dataclass(frozen=True)
class Punctual(Counting):
    """Must know the seconds, and counts one answer for each of them."""

    any_time = False
    time_budget: float = 0.0

    def _choose(self, state, rng):
        query = super()._choose(state, rng)
        return np.where(state.n >= self.time_budget, -1, query)


def test_an_answer_counts_only_if_it_ends_within_the_budget():
    # Queries take |0 - 1| = 1, |0 - 4| = 4 and |1 - 4| = 3 seconds.
    person = Clockwork(np.array([0.0, 1.0, 4.0]))
    rng = np.random.default_rng(0)
    outcomes = run(PROBLEM, Counting(), person, [0.5, 3.0, 7.9, 8.0], n_runs=3, rng=rng)
    answers = [[0, 3, 7, 8], [0, 0, 1, 2], [0, 1, 2, 2]]
    np.testing.assert_array_equal(outcomes.by_budget("answers_used").T, answers)
    seconds = np.array(answers) * np.array([[1.0], [4.0], [3.0]])
    np.testing.assert_array_equal(outcomes.by_budget("seconds_used").T, seconds)
    np.testing.assert_array_equal(outcomes.by_budget("item").T, np.array(answers) % 3)
    np.testing.assert_array_equal(outcomes.by_budget("confidence").T, np.array(answers) / 100)
    np.testing.assert_array_equal(outcomes.run, np.repeat([0, 1, 2], 4))
    np.testing.assert_array_equal(outcomes.time_budget, [0.5, 3.0, 7.9, 8.0] * 3)
    assert not outcomes.stopped.any()


@pytest.mark.parametrize(("max_queries", "item", "regret"), [(1, 1, 0.0), (2, 2, 1.5)])
def test_errors_and_regret_allow_ties(max_queries, item, regret):
    person = Clockwork(np.array([2.0, 2.0, 0.5]), more=1.0)
    rng = np.random.default_rng(0)
    outcomes = run(PROBLEM, Counting(), person, 1e6, n_runs=1, rng=rng, max_queries=max_queries)
    assert outcomes.item == [item]
    assert outcomes.regret == [regret]
    assert outcomes.error == [regret > 0]


def test_many_runs_leave_the_batch_at_their_own_time():
    person = Clockwork(np.array([0.0, 1.0, 4.0]))
    rng = np.random.default_rng(0)
    outcomes = run(PROBLEM, Counting(), person, [10.0, 100.0], n_runs=300, rng=rng)
    seconds = np.array([1, 4, 3] * 100)
    np.testing.assert_array_equal(outcomes.by_budget("answers_used")[0], 10 // seconds)
    np.testing.assert_array_equal(outcomes.by_budget("answers_used")[1], 100 // seconds)


def test_a_learner_that_is_done_keeps_its_word_at_later_budgets():
    person = Clockwork(np.array([0.0, 1.0, 4.0]))
    learner = Counting(after=(0, 1, 5))
    rng = np.random.default_rng(0)
    outcomes = run(PROBLEM, learner, person, [3.0, 12.0, 20.0], n_runs=3, rng=rng)
    np.testing.assert_array_equal(
        outcomes.by_budget("answers_used").T, [[0, 0, 0], [0, 1, 1], [1, 4, 5]]
    )
    np.testing.assert_array_equal(
        outcomes.by_budget("stopped").T,
        [[True, True, True], [False, True, True], [False, False, True]],
    )


def test_a_learner_that_must_know_its_budget_gets_a_pass_for_each():
    person = Clockwork(np.array([0.0, 1.0, 4.0]))
    rng = np.random.default_rng(0)
    outcomes = run(PROBLEM, Punctual(), person, [2.0, 5.0], n_runs=3, rng=rng)
    np.testing.assert_array_equal(outcomes.by_budget("answers_used").T, [[2, 5]] * 3)
    np.testing.assert_array_equal(outcomes.by_budget("seconds_used").T, [[2, 5], [8, 20], [6, 15]])
    assert outcomes.stopped.all()
    cut = run(PROBLEM, Punctual(), person, [2.0, 5.0], n_runs=3, rng=rng, max_queries=4)
    np.testing.assert_array_equal(cut.by_budget("answers_used").T, [[2, 4]] * 3)
    np.testing.assert_array_equal(cut.by_budget("stopped").T, [[True, False]] * 3)


def test_the_same_seed_gives_the_same_outcomes_and_another_one_does_not():
    person = Diffusion([0.0, 0.7, 1.5], 1.2, 0.4)

    def columns(seed):
        rng = np.random.default_rng(seed)
        return run(PROBLEM, TopTwo(), person, [4.0, 15.0], n_runs=20, rng=rng).columns()

    first, again, other = columns(1), columns(1), columns(2)
    for name, column in first.items():
        np.testing.assert_array_equal(column, again[name])
    assert not np.array_equal(first["seconds_used"], other["seconds_used"])


def test_no_run_spends_more_than_its_budget_and_more_seconds_help():
    person = Diffusion([0.0, 0.7, 1.5], 1.2, 0.4)
    rng = np.random.default_rng(5)
    outcomes = run(PROBLEM, TopTwo(), person, [3.0, 10.0, 40.0], n_runs=300, rng=rng)
    assert (outcomes.seconds_used <= outcomes.time_budget).all()
    error = outcomes.by_budget("error").mean(axis=1)
    # Three and more standard deviations apart.
    assert error[2] < 0.05 < error[0] - 0.1
    assert ((outcomes.confidence >= 0) & (outcomes.confidence <= 1)).all()


def test_progress_is_reported_up_to_the_end():
    calls = []
    person = Clockwork(np.array([0.0, 1.0, 4.0]))
    rng = np.random.default_rng(0)
    run(
        PROBLEM,
        Counting(),
        person,
        [3.0, 9.0],
        n_runs=3,
        rng=rng,
        progress=lambda *c: calls.append(c),
    )
    assert calls == sorted(calls)
    assert calls[-1] == (6, 6)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"time_budgets": []}, "list of seconds"),
        ({"time_budgets": [5.0, -1.0]}, "positive numbers of seconds, got -1.0 at position 1"),
        ({"time_budgets": [5.0, 5.0]}, "must increase, got 5 after 5 at position 1"),
        ({"n_runs": 0}, "`n_runs` must be at least 1, got 0"),
        ({"max_queries": 0}, "`max_queries` must be at least 1, got 0"),
        ({"respondent": Diffusion([1.0], 1.0)}, "a weight for each of 3 features"),
    ],
)
def test_mistakes_are_named(changed, message):
    call = {
        "respondent": Diffusion([0.0, 0.7, 1.5], 1.2),
        "time_budgets": 5.0,
        "n_runs": 2,
    } | changed
    with pytest.raises(DataError, match=message):
        run(PROBLEM, TopTwo(), rng=np.random.default_rng(0), **call)
