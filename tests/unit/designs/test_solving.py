import warnings

import numpy as np
import pytest

from tacit import ddm
from tacit.designs import (
    choice_information,
    frank_wolfe_of_the_paper,
    solve,
    solve_many,
    time_information,
)
from tacit.errors import ConvergenceWarning, DataError
from tacit.records import Items, QuerySpace


@pytest.fixture
def space() -> QuerySpace:
    return QuerySpace.all_pairs(Items(np.random.default_rng(7).normal(size=(12, 3))))


def test_kiefer_and_wolfowitz_give_the_value_for_all_pairs(space):
    # Where queries and differences are the same vectors, the optimum is their dimension.
    design = solve(space, tolerance=1e-6)
    assert design.objective == pytest.approx(3, rel=2e-6)
    assert design.gap <= 1e-6
    assert len(design.indices) <= 3 * 4 // 2


def test_a_single_difference_is_solved_like_elfving():
    # The shortest mix of queries that makes up y = (1, 1) is half of (2, 2).
    items = Items([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 1.0]])
    design = solve(QuerySpace.all_pairs(items), active=[0, 1], tolerance=1e-5)
    assert design.objective == pytest.approx(0.25, rel=2e-5)
    asked = design.indices[np.argmax(design.shares)]
    assert QuerySpace.all_pairs(items).pairs(asked) == (0, 2)


def test_active_items_are_given_as_indices_in_any_order_or_as_a_mask(space):
    mask = np.zeros(12, dtype=bool)
    mask[[2, 5, 9]] = True
    expected = solve(space, mask).dense()
    np.testing.assert_array_equal(solve(space, [9, 2, 5]).dense(), expected)
    np.testing.assert_array_equal(solve_many(space, [mask.tolist()])[0].dense(), expected)


def test_a_warm_start_takes_fewer_steps(space):
    cold = solve(space, active=range(6), tolerance=1e-6)
    warm = solve(space, active=range(6), tolerance=1e-6, start=cold)
    assert warm.n_iterations < cold.n_iterations
    assert warm.objective == pytest.approx(cold.objective, rel=2e-6)


def test_an_early_stop_is_announced_with_its_gap(space):
    with pytest.warns(ConvergenceWarning, match=r"certified relative gap of .* after 1 steps"):
        design = solve(space, active=range(5), max_iterations=1, tolerance=1e-6)
    assert design.status == "iteration limit"
    assert not design.converged
    best = solve(space, active=range(5), tolerance=1e-7).objective
    assert best <= design.objective <= best * (1 + design.gap) * (1 + 1e-6)
    with pytest.warns(ConvergenceWarning, match="raise `max_iterations`"):
        solve_many(space, np.ones((1, 12), dtype=bool), max_iterations=1, tolerance=1e-6)


def test_the_warning_points_at_the_caller(space):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        solve(space, max_iterations=0, tolerance=1e-9)
        solve_many(space, np.ones((1, 12), dtype=bool), max_iterations=0, tolerance=1e-9)
    assert [warning.filename for warning in caught] == [__file__] * 2


def test_items_that_do_not_differ_need_no_design():
    space = QuerySpace.against_reference(Items([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]]))
    for active in ([1], [0, 1]):
        design = solve(space, active)
        assert design.converged
        assert design.objective == 0
        np.testing.assert_array_equal(design.dense(), np.full(3, 1 / 3))
    assert "same features" in solve(space, [0, 1]).message


def test_what_no_query_tells_apart_is_named():
    items = Items([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], names=["tea", "milk", "cake"])
    space = QuerySpace.listed(items, [0], [1])
    assert solve(space, [0, 1]).objective == pytest.approx(1)
    with pytest.raises(DataError, match=r"tells items 'tea' and 'cake' apart"):
        solve(space)
    with pytest.raises(DataError, match=r"tells items 'milk' and 'cake' apart"):
        solve(space, [1, 2])


def test_queries_without_weight_tell_nothing_apart():
    space = QuerySpace.against_reference(Items.one_hot(["tea", "milk", "cake"]))
    with pytest.raises(DataError, match=r"tells items 'tea' and 'cake' apart"):
        solve(space, [0, 2], query_weights=[1.0, 1.0, 0.0])
    assert solve(space, [0, 1], query_weights=[1.0, 1.0, 0.0]).objective == pytest.approx(
        4, rel=1e-3
    )
    with pytest.raises(DataError, match="apart"):
        solve(space, query_weights=np.zeros(3))


def test_information_makes_an_under_determined_problem_solvable():
    items = Items([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    space = QuerySpace.listed(items, [0], [1])
    # The only query carries 1 along the first axis; along the second there is what was there.
    design = solve(space, information=np.diag([0.0, 0.5]))
    assert design.objective == pytest.approx(1 + 2)
    assert solve(space, information=0.5).objective == pytest.approx(1 / 1.5 + 2)


def test_information_already_there_moves_the_design():
    space = QuerySpace.against_reference(Items.one_hot(2))
    design = solve(space, information=np.diag([1.0, 0.0]), tolerance=1e-7)
    # 1 / (1 + p) + 1 / (1 - p) is least at p = 0
    assert design.objective == pytest.approx(2, rel=1e-6)
    assert design.dense()[1] == pytest.approx(1, abs=1e-3)


def test_time_aware_shares_equalise_the_information_per_second():
    space = QuerySpace.against_reference(Items.one_hot(3))
    seconds = ddm.mean_time([0.1, 1.0, 3.0], barrier=1.2)
    design = solve(space, query_weights=time_information(seconds, 0.5))
    trials = design.per_trial(seconds + 0.5)
    # every item gets the same decision time
    np.testing.assert_allclose(trials.shares * seconds, trials.shares[0] * seconds[0])


def test_hard_choices_tell_most():
    space = QuerySpace.all_pairs(Items([[0.0], [0.1], [9.0]]))
    information = choice_information(space, [1.0])
    assert information.argmax() == 0
    assert information[0] == pytest.approx(0.25, rel=1e-2)
    stack = choice_information(space, [[1.0], [0.0]])
    np.testing.assert_array_equal(stack[0], information)
    np.testing.assert_array_equal(stack[1], 0.25)


def test_choice_information_does_not_underflow_and_says_so_in_its_share():
    space = QuerySpace.against_reference(Items([[1.0], [2000.0]], reference=[0.0]))
    information = choice_information(space, [1.0], smallest=1e-4)
    assert information[1] == pytest.approx(1e-4 * information[0])
    assert choice_information(space, [1.0], smallest=0.0)[1] == 0


def test_the_papers_solver_comes_near_and_certifies_nothing(space):
    reference = frank_wolfe_of_the_paper(space, range(6))
    best = solve(space, range(6), tolerance=1e-6)
    assert best.objective <= reference.objective <= 1.2 * best.objective
    assert np.isnan(reference.gap)
    assert not reference.converged
    assert reference.shares.min() >= 1e-5
    assert reference.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"active": [0, 12]}, "items from 0 to 11, got 12"),
        ({"active": [-1, 2]}, "items from 0 to 11, got -1"),
        ({"active": []}, "indices of items or a mask"),
        ({"active": np.array([], dtype=int)}, "at least one active item, got none"),
        ({"active": [0.5]}, "indices of items or a mask"),
        (
            {"active": [True, False]},
            "one value for each of the 12 items, got shape (2,)",
        ),
        ({"active": np.zeros(12, dtype=bool)}, "at least one active item, got none"),
        ({"query_weights": np.ones(5)}, "each of the 66 queries, got shape (5,)"),
        ({"query_weights": np.ones((2, 66))}, "one dimension, got shape (2, 66); see solve_many"),
        ({"query_weights": -np.ones(66)}, "not negative, got -1.0 for query 0"),
        ({"information": np.ones((2, 2))}, "number or matrix of 3 x 3"),
        ({"information": np.triu(np.ones((3, 3)))}, "symmetric"),
        ({"information": -1.0}, "must not be negative, got an eigenvalue of -1"),
        ({"tolerance": 0.0}, "positive relative gap, got 0.0"),
        ({"max_iterations": -1}, "must not be negative, got -1"),
    ],
)
def test_bad_input_is_refused_by_name(space, arguments, message):
    with pytest.raises(DataError) as error:
        solve(space, **arguments)
    assert message in str(error.value)


def test_a_start_must_be_over_the_same_queries(space):
    other = solve(QuerySpace.against_reference(Items.one_hot(3)))
    with pytest.raises(DataError, match="design over 66 queries, got 3"):
        solve(space, start=other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"active": np.ones(12, dtype=bool)}, "one column for each of the 12 items"),
        ({"active": np.ones((2, 12))}, "got float64 of shape (2, 12)"),
        ({"active": np.eye(3, 12, k=-1, dtype=bool)}, "got none in row 0"),
        (
            {"active": np.ones((2, 12), dtype=bool), "query_weights": np.ones((3, 66))},
            "one row or 2, got shape (3, 66)",
        ),
    ],
)
def test_bad_batches_are_refused_by_row(space, arguments, message):
    with pytest.raises(DataError) as error:
        solve_many(space, **arguments)
    assert message in str(error.value)


def test_a_batch_of_starts_must_fit(space):
    start = solve_many(space, np.ones((2, 12), dtype=bool))
    with pytest.raises(DataError, match="must hold 3 designs, got 2"):
        solve_many(space, np.ones((3, 12), dtype=bool), start=start)


@pytest.mark.parametrize("theta", [[np.nan], [np.inf]])
def test_information_of_unusable_weights_is_refused(theta):
    space = QuerySpace.all_pairs(Items([[0.0], [1.0]]))
    with pytest.raises(DataError, match="must be finite"):
        choice_information(space, theta)
    with pytest.raises(DataError, match="below 1, got 1"):
        choice_information(space, [1.0], smallest=1)


@pytest.mark.parametrize(("times", "t0"), [([0.0], 0.1), ([np.nan], 0.1), ([1.0], -0.1)])
def test_information_of_unusable_times_is_refused(times, t0):
    with pytest.raises(DataError):
        time_information(times, t0)
