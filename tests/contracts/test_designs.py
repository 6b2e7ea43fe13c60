"""What every design promises, whatever its queries and weights."""

import pickle

import numpy as np
import pytest

from tacit import Items, QuerySpace, ddm
from tacit.designs import choice_information, frank_wolfe_of_the_paper, solve, time_information

THETA = np.array([0.8, -0.4, 0.3])
FEATURES = np.random.default_rng(5).normal(size=(9, 3))
SPACES = {
    "all pairs": QuerySpace.all_pairs(Items(FEATURES)),
    "against the reference": QuerySpace.against_reference(Items(FEATURES)),
    "listed": QuerySpace.listed(Items(FEATURES), [0, 1, 2, 3, 4, 8], [1, 2, 3, 4, -1, 0]),
    "one-hot": QuerySpace.all_pairs(Items.one_hot(3)),
}
WEIGHTS = {
    "transductive": lambda _: None,
    "weak-preference": lambda space: choice_information(space, THETA),
    "time-aware": lambda space: time_information(
        ddm.mean_time(space.all_vectors() @ THETA, barrier=1.2), 0.4
    ),
}
SOLVERS = {"certified": solve, "the paper's": frank_wolfe_of_the_paper}


@pytest.fixture(params=sorted(SPACES))
def space(request):
    return SPACES[request.param]


@pytest.fixture(params=sorted(WEIGHTS))
def weights(request, space):
    return WEIGHTS[request.param](space)


@pytest.fixture(params=sorted(SOLVERS))
def solver(request):
    return SOLVERS[request.param]


def test_shares_are_a_sparse_point_of_the_simplex(solver, space, weights):
    design = solver(space, [0, 2], query_weights=weights)
    assert design.n_queries == space.n_queries
    assert len(design.indices) == len(design.shares) <= space.n_queries
    assert (np.diff(design.indices) > 0).all()
    assert (design.shares > 0).all()
    assert design.shares.sum() == pytest.approx(1)
    assert design.dense().shape == (space.n_queries,)
    assert design.message


def test_solving_is_pure_and_repeatable(solver, space, weights):
    active = np.array([2, 0, 1])
    before = active.copy(), None if weights is None else weights.copy()
    designs = [solver(space, active, query_weights=weights) for _ in range(2)]
    np.testing.assert_array_equal(active, before[0])
    if weights is not None:
        np.testing.assert_array_equal(weights, before[1])
    np.testing.assert_array_equal(designs[0].dense(), designs[1].dense())


def test_a_design_survives_being_stored(solver, space, weights):
    design = solver(space, [0, 1], query_weights=weights)
    copy = pickle.loads(pickle.dumps(design))
    np.testing.assert_array_equal(copy.dense(), design.dense())
    assert (copy.objective, copy.status) == (design.objective, design.status)


def test_a_certified_design_is_never_worse_than_the_papers(space, weights):
    ours = solve(space, query_weights=weights)
    paper = frank_wolfe_of_the_paper(space, query_weights=weights)
    assert ours.converged
    assert paper.objective >= ours.objective / (1 + ours.gap) * (1 - 1e-9)
    assert paper.objective <= 1.5 * ours.objective
