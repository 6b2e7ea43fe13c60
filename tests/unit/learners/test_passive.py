"""Learners that do not adapt: what they ask follows fixed shares, and they learn all the same."""

import numpy as np
import pytest

from tacit.designs import solve
from tacit.learners import FixedDesign, RandomPairs, TopTwo
from tests.unit.learners._people import against_reference, answer, answered, featured

N_RUNS = 5_000
PROBLEMS = {"pairs": featured(6), "against the reference": against_reference(3)}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("kind", [FixedDesign, RandomPairs])
def test_queries_are_asked_in_their_shares_whatever_was_answered(kind, name, rng) -> None:
    problem, learner = PROBLEMS[name], kind()
    n_queries = problem.queries.n_queries
    share = np.full(n_queries, 1 / n_queries)
    if kind is FixedDesign:
        share = solve(problem.queries).dense()
    state = learner.start(problem, rng, n_runs=N_RUNS)
    for _ in range(2):
        asked = np.bincount(state.query, minlength=n_queries) / N_RUNS
        # Five standard deviations for each query: a false alarm in 50,000 seeds.
        assert (np.abs(asked - share) <= 5 * np.sqrt(share * (1 - share) / N_RUNS)).all()
        state = learner.tell(state, state.query, *answer(state, [1.0, -0.6, 0.3], rng))


@pytest.mark.parametrize("kind", [FixedDesign, RandomPairs])
def test_the_same_answers_make_the_same_belief_as_of_top_two(kind, rng) -> None:
    problem, leader = PROBLEMS["pairs"], TopTwo()
    learner = kind()
    state = learner.start(problem, rng, n_runs=3)
    other = leader.start(problem, rng, n_runs=3).belief
    for _ in range(10):
        told = answer(state, [1.0, -0.6, 0.3], rng)
        x = problem.queries.vectors(state.query)
        other = other.observe(x, told[0].astype(float), told[1], leader.prior)
        state = learner.tell(state, state.query, *told)
    np.testing.assert_array_equal(state.belief.mean, other.mean)


def test_more_answers_make_fewer_errors(rng) -> None:
    problem, weights = PROBLEMS["pairs"], np.array([1.0, -0.6, 0.3])
    best = problem.items.utilities(weights).argmax()
    for kind in (FixedDesign, RandomPairs):
        learner = kind()
        early = answered((learner, learner.start(problem, rng, n_runs=300)), weights, rng, 3)
        late = answered((learner, early), weights, rng, 60)
        errors = [(learner.recommend(state).item != best).mean() for state in (early, late)]
        assert errors[1] < 0.15 < errors[0] - 0.1
