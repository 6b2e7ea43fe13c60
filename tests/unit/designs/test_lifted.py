"""The compiled solver for few dimensions, against the one that knows no lifts."""

import numpy as np
import pytest

from tacit.designs import _lifted as few
from tacit.designs import choice_information, solve
from tacit.designs._directions import Listed
from tacit.designs._newton import Point, stepped
from tacit.records import Items, QuerySpace

RNG = np.random.default_rng(11)
UP, DOWN = RNG.integers(-10, 11, (2, 40)) / 10
FOODS = Items(np.column_stack([UP, DOWN, UP**2, DOWN**2, UP * DOWN]))
PAIRS = QuerySpace.all_pairs(FOODS)
WEIGHTS = choice_information(PAIRS, [3.0, -2.0, 0.5, 0.0, 4.0])


@pytest.mark.parametrize("n_active", [2, 3, 9, 40])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["transductive", "weak-preference"])
@pytest.mark.parametrize("tolerance", [0.002, 0.02])
def test_both_sides_of_the_gap_hold(n_active, weights, tolerance):
    active = np.random.default_rng(n_active).permutation(40)[:n_active]
    design = solve(PAIRS, active, query_weights=weights, tolerance=tolerance)
    least = solve(PAIRS, active, query_weights=weights, tolerance=1e-6).objective
    assert design.converged
    assert design.objective <= least * (1 + design.gap) * (1 + 1e-6)
    assert design.objective / (1 + design.gap) <= least <= design.objective * (1 + 2e-6)


@pytest.mark.parametrize("n_features", [1, 2, 8])
def test_any_queries_and_what_is_known_already(n_features):
    items = Items(np.random.default_rng(3).normal(size=(9, n_features)))
    for space in (
        QuerySpace.against_reference(items),
        QuerySpace.listed(items, np.arange(9), np.r_[1:9, -1]),
    ):
        design = solve(space, [0, 2, 5], information=0.3, tolerance=0.01)
        least = solve(space, [0, 2, 5], information=0.3, tolerance=1e-6).objective
        assert design.converged
        assert least <= design.objective * (1 + 2e-6) <= least * 1.01 * (1 + 4e-6)


def test_lifts_turn_quadratic_forms_into_products():
    x, M = RNG.normal(size=(6, 4)), RNG.normal(size=(4, 4))
    M = M + M.T
    flat = np.array(
        [M[i, j] * (1 if i == j else np.sqrt(2)) for i in range(4) for j in range(i, 4)]
    )
    np.testing.assert_allclose(few.lifted(x) @ flat, np.einsum("ni,ij,nj->n", x, M, x))


def test_a_step_is_the_one_that_shares_as_unknowns_give():
    x, y = RNG.normal(size=(14, 3)), RNG.normal(size=(7, 3))
    known = 0.1 * np.eye(3)
    shares, weights = RNG.dirichlet(np.ones(14)), RNG.dirichlet(np.ones(7))
    cost, slack = RNG.gamma(5, size=14), RNG.gamma(5, size=7)
    point = Point(np.arange(14), np.arange(7), shares, cost, weights, slack, 9.0, 5.0)
    expected = stepped(point, Listed(x), Listed(y), known, 1e-3)
    found = few.stepped(point, few.Problem(few.lifted(x), few.lifted(y), known), 1e-3)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7)


def test_what_stalls_is_solved_without_lifts(monkeypatch):
    def lost(problem, *_):
        n = len(problem.queries)
        return few.Found(np.arange(n), np.full(n, 1 / n), 9.0, 0.1, 3)

    monkeypatch.setattr(few, "descend", lost)
    design = solve(PAIRS, range(6), tolerance=0.02)
    assert design.converged
    assert design.objective <= 1.02 * solve(PAIRS, range(6), tolerance=1e-6).objective
