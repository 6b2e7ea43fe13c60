"""Phases, elimination, buffer and switches, against a slow plain reimplementation."""

import numpy as np
import pytest
from scipy.optimize import brentq

from tacit import Items, Problem, QuerySpace, ddm
from tacit.designs import choice_information, solve, time_information
from tacit.errors import DataError
from tacit.learners import GSE
from tests.oracle.slow_gse import SlowGSE

GAP = 0.02

WEIGHTS = np.array([1.0, -0.6, 0.3])
TIME = 0.35
N_RUNS = 4

VARIANTS = {
    "the paper's": {"phase_buffer": 5.0},
    "eta of three": {"phase_buffer": 5.0, "eta": 3.0},
    "without a buffer": {"phase_buffer": 0.0},
    "every answer": {"phase_buffer": 5.0, "reuse": True},
    "likelihood": {"phase_buffer": 5.0, "estimator": "likelihood", "ridge": 0.1},
    "everything": {"phase_buffer": 0.0, "estimator": "likelihood", "ridge": 0.1, "reuse": True},
    "unknown nondecision time": {"phase_buffer": 5.0, "nondecision_time": 0.0},
    "choices": {"phase_buffer": 5.0, "estimator": "choice-only", "ridge": 0.2},
    "weak-preference": {
        "phase_buffer": 5.0,
        "estimator": "choice-only",
        "ridge": 0.2,
        "design": "weak-preference",
    },
}


def featured(n_items: int = 9) -> Problem:
    items = Items(np.random.default_rng(3).normal(size=(n_items, 3)))
    return Problem(items, QuerySpace.all_pairs(items))


def answered(problem, query, rng):
    drift = problem.queries.vectors(np.maximum(query, 0)) @ WEIGHTS
    return ddm.sample(drift, 1.1, nondecision_time=TIME, rng=rng)


@pytest.mark.parametrize("variant", VARIANTS)
def test_phases_items_and_estimates_are_those_of_the_slow_one(variant, rng) -> None:
    problem = featured()
    options = {"time_budget": 90.0, "nondecision_time": TIME} | VARIANTS[variant]
    learner = GSE(**options)
    design = options.pop("design", "transductive")
    options = {"eta": 2.0, "n_burn_in": int(design == "weak-preference")} | options
    slow = [SlowGSE(problem.items.features, **options) for _ in range(N_RUNS)]
    state = learner.start(problem, rng, n_runs=N_RUNS)
    while not state.done.all():
        choice, time = answered(problem, state.query, rng)
        for run in np.flatnonzero(~state.done):
            x = problem.queries.vectors(state.query[run])
            slow[run].tell(x, int(choice[run]), float(time[run]))
        state = learner.tell(state, state.query, choice, time)
        for run, one in enumerate(slow):
            assert state.phase[run] == one.phase
            assert set(np.flatnonzero(state.active[run])) == one.active
            assert state.done[run] == one.done
            expected = problem.items.features @ one.weights
            np.testing.assert_allclose(state.utility[run], expected, rtol=1e-4, atol=1e-5)
    item, probability = learner.recommend(state)
    assert [set(np.flatnonzero(row)) for row in state.active] == [{one} for one in item]
    assert np.isnan(probability).all()


def history(learner, problem, rng, n_runs=1):
    state = learner.start(problem, rng, n_runs=n_runs)
    while not state.done.all():
        yield state
        state = learner.tell(state, state.query, *answered(problem, state.query, rng))
    yield state


def shares(state) -> np.ndarray:
    """Return the share in which each query is drawn."""
    table, every = state.table, np.zeros(state.problem.queries.n_queries)
    np.add.at(every, table.query[0], np.diff(table.ladder[0], prepend=0.0))
    return every


def phases(learner, problem, rng):
    """Go through the last state of each phase, with the first one after it."""
    before = None
    for state in history(learner, problem, rng):
        if before is not None and state.phase[0] > before.phase[0] and not state.done[0]:
            yield before, state
        before = state


def test_queries_are_drawn_from_the_transductive_design_for_the_items_left(rng) -> None:
    problem = featured()
    learner = GSE(time_budget=90.0, nondecision_time=TIME)
    first = learner.start(problem, rng)
    later = [after for _, after in phases(learner, problem, rng)]
    assert len(later) == 3
    for state in (first, *later):
        design = solve(problem.queries, np.flatnonzero(state.active[0]), tolerance=GAP)
        np.testing.assert_allclose(shares(state), design.dense(), atol=1e-9)


def test_the_weak_preference_design_rests_on_the_estimate(rng) -> None:
    problem = featured()
    learner = GSE(
        time_budget=120.0,
        phase_buffer=5.0,
        design="weak-preference",
        estimator="choice-only",
        ridge=0.2,
    )
    for number, (_, state) in enumerate(phases(learner, problem, rng)):
        assert state.active.sum() == [9, 5, 3, 2][number]
        weights = np.linalg.lstsq(problem.items.features, state.utility[0])[0]
        told = choice_information(problem.queries, weights)
        design = solve(
            problem.queries, np.flatnonzero(state.active[0]), query_weights=told, tolerance=GAP
        )
        np.testing.assert_allclose(shares(state), design.dense(), atol=1e-3)


def test_the_time_aware_design_weighs_what_a_second_tells(rng) -> None:
    problem = featured()
    x = problem.queries.all_vectors()
    learner = GSE(
        time_budget=120.0,
        phase_buffer=5.0,
        design="time-aware",
        estimator="likelihood",
        ridge=0.2,
        nondecision_time=TIME,
        reuse=True,
    )
    for _, state in phases(learner, problem, rng):
        slope = np.linalg.lstsq(problem.items.features, state.utility[0])[0]
        asked, n_answers = state.table.query[0], state.table.n_answers[0]

        def shortfall(barrier, asked=asked, n_answers=n_answers, slope=slope, state=state):
            expected = ddm.mean_time(barrier * (x[asked] @ slope), barrier)
            return n_answers @ expected - state.table.time_sum[0].sum()

        barrier = brentq(shortfall, 1e-3, 100.0, xtol=1e-12)
        time = ddm.mean_time(barrier * (x @ slope), barrier)
        told = time_information(time, TIME)
        design = solve(
            problem.queries, np.flatnonzero(state.active[0]), query_weights=told, tolerance=GAP
        )
        expected = design.per_trial(time + TIME).dense()
        np.testing.assert_allclose(shares(state), expected, atol=1e-3)


def test_void_times_take_the_usual_seconds(rng) -> None:
    problem, learner = featured(), GSE(time_budget=40.0, phase_buffer=1.0)
    state = learner.start(problem, rng)
    state = learner.tell(state, state.query, 1, np.nan)
    assert state.seconds == [1.0]  # nobody knows better yet
    state = learner.tell(state, state.query, 1, 2.0)
    state = learner.tell(state, state.query, 1, np.nan)
    assert state.seconds == [4.5]
    assert state.table.n_answers.sum() == 1  # without a time, an answer cannot be used


def test_ties_are_broken_at_random(rng) -> None:
    items = Items.one_hot(4)
    problem = Problem(items, QuerySpace.all_pairs(items))
    # No answer is slower than the non-decision time, so nothing is learned.
    learner = GSE(time_budget=10.0, phase_buffer=1.0, nondecision_time=20.0)
    state = learner.start(problem, rng, n_runs=400)
    while not state.done.all():
        state = learner.tell(state, state.query, 1, 2.0)
    kept = np.bincount(learner.recommend(state).item, minlength=4)
    # 400 draws: four and a half standard deviations, a false alarm in 36,000 seeds.
    assert np.abs(kept - 100).max() < 4.5 * np.sqrt(400 * 0.25 * 0.75)


@pytest.mark.parametrize(
    ("n_items", "eta", "expected"), [(8, 2, 3), (9, 3, 2), (9, 2, 4), (2, 9, 1), (17, 6, 2)]
)
def test_number_of_phases_is_exact_at_powers(n_items, eta, expected) -> None:
    assert GSE(time_budget=60.0, eta=eta).n_phases(featured(n_items)) == expected


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"eta": 1.0}, "`eta` must be above 1, got 1.0"),
        ({"time_budget": 0.0}, "`time_budget` must be a positive number"),
        ({"phase_buffer": -1.0}, "`phase_buffer` must be at least 0"),
        ({"design": "optimal"}, "`design` must be one of 'transductive'"),
        ({"estimator": "ridge"}, "`estimator` must be one of"),
        ({"ridge": 1.0}, "`ridge` must be 0 for the estimator 'choice-decision-time'"),
        ({"design": "weak-preference"}, "use 'choice-only' or 'choice-logit'"),
    ],
)
def test_configurations_that_make_no_sense_are_named(wrong, message) -> None:
    with pytest.raises(DataError, match=message):
        GSE(**{"time_budget": 60.0} | wrong)
