"""What every learner promises, whatever it does."""

import json

import numpy as np
import pytest

from tacit import Items, Problem, QuerySpace, ddm
from tacit.errors import CallOrderError, DataError
from tacit.learners import LEARNERS, Oracle

WEIGHTS = np.array([0.0, 0.7, -0.4, 1.5, 0.2])


def problems() -> dict[str, Problem]:
    one_hot = Items.one_hot(5)
    featured = Items(np.random.default_rng(0).normal(size=(6, 5)))
    return {
        "all pairs": Problem(one_hot, QuerySpace.all_pairs(one_hot)),
        "against the reference": Problem(one_hot, QuerySpace.against_reference(one_hot)),
        "listed": Problem(
            featured, QuerySpace.listed(featured, [0, 1, 5, 3, 2, 4], [1, 2, 0, -1, 3, 5])
        ),
    }


PROBLEMS = problems()


def oracle() -> Oracle:
    return Oracle(time_budget=60.0, weights=WEIGHTS, barrier=1.1, nondecision_time=0.3)


CASES = LEARNERS | {"Oracle": oracle}


@pytest.fixture(params=sorted(CASES))
def learner(request):
    return CASES[request.param]()


@pytest.fixture(params=sorted(PROBLEMS))
def problem(request):
    return PROBLEMS[request.param]


def answer(problem: Problem, query, rng):
    """Return an answer in every run; in runs that are done, to whatever query."""
    drift = problem.queries.vectors(np.maximum(query, 0)) @ WEIGHTS
    return ddm.sample(drift, 1.1, nondecision_time=0.3, rng=rng)


def history(learner, problem, n_runs=2, n_answers=12, seed=1):
    """Return the states from the start until all runs are done, and the answers between them."""
    rng = np.random.default_rng(seed)
    states, answers = [learner.start(problem, rng, n_runs=n_runs)], []
    while len(answers) < n_answers and not states[-1].done.all():
        state = states[-1]
        answers.append(answer(problem, learner.ask(state), rng))
        states.append(learner.tell(state, learner.ask(state), *answers[-1]))
    return states, answers


def test_asks_queries_of_the_problem_and_recommends_its_items(learner, problem):
    states, _ = history(learner, problem)
    for state in states:
        query = learner.ask(state)
        assert query.shape == (2,)
        assert (state.done | ((query >= 0) & (query < problem.queries.n_queries))).all()
        item, probability = learner.recommend(state)
        assert ((item >= 0) & (item < problem.items.n_items)).all()
        known = ~np.isnan(probability)
        assert ((probability[known] >= 0) & (probability[known] <= 1)).all()


def test_telling_changes_nothing_in_place(learner, problem):
    rng = np.random.default_rng(3)
    state = learner.start(problem, rng, n_runs=2)
    before = state.to_json()
    learner.tell(state, learner.ask(state), *answer(problem, state.query, rng))
    learner.recommend(state)
    assert state.to_json() == before


def test_a_session_replays_bit_for_bit_from_json_at_every_step(learner, problem):
    states, answers = history(learner, problem)
    for now, told, later in zip(states, answers, states[1:], strict=False):
        restored = type(now).from_json(now.to_json(), problem)
        again = learner.tell(restored, learner.ask(restored), *told)
        assert again.to_json() == later.to_json()
        np.testing.assert_array_equal(learner.recommend(restored), learner.recommend(now))


def test_the_same_seed_gives_the_same_session_and_another_one_does_not(learner, problem):
    first, again, other = (history(learner, problem, n_runs=8, seed=s)[0][-1] for s in (1, 1, 2))
    assert first.to_json() == again.to_json()
    assert first.to_json() != other.to_json()


def test_runs_can_be_taken_out_of_a_batch(learner, problem):
    state = history(learner, problem, n_runs=4)[0][-1]
    part = state.take([3, 1])
    assert part.n_runs == 2
    np.testing.assert_array_equal(part.query, state.query[[3, 1]])
    told = answer(problem, part.query, np.random.default_rng(0))
    assert learner.tell(part, part.query, *told).n_runs == 2


def test_void_times_are_learned_from(learner, problem):
    rng = np.random.default_rng(4)
    state = learner.start(problem, rng, n_runs=2)
    for _ in range(8):
        choice, _ = answer(problem, state.query, rng)
        state = learner.tell(state, state.query, choice, np.nan)
    assert state.n_told == 8
    learner.recommend(state)


def test_mistakes_are_named_and_leave_the_state_usable(learner, problem):
    rng = np.random.default_rng(5)
    state = learner.start(problem, rng, n_runs=2)
    query = learner.ask(state)
    wrong = (query + 1) % problem.queries.n_queries
    with pytest.raises(CallOrderError, match="expected the answer to query"):
        learner.tell(state, wrong, [1, 1], [0.9, 0.9])
    with pytest.raises(DataError, match=r"\+1 \(first\) or -1 \(second\), got 0 in run 1"):
        learner.tell(state, query, [1, 0], [0.9, 0.9])
    for bad in (-0.5, 0.0, np.inf):
        with pytest.raises(DataError, match="positive number of seconds"):
            learner.tell(state, query, [1, 1], [0.9, bad])
    with pytest.raises(DataError, match="n_runs"):
        learner.start(problem, rng, n_runs=0)
    assert learner.tell(state, query, [1, 1], [0.9, 0.9]).n_told == 1


def test_stored_text_that_is_something_else_is_named(learner, problem):
    state = learner.start(problem, np.random.default_rng(6))
    stored = json.loads(state.to_json())
    del stored["n_told"]
    for text in ("", "[]", json.dumps(stored)):
        with pytest.raises(DataError, match="not the JSON of a"):
            type(state).from_json(text, problem)
