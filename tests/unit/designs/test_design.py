import numpy as np
import pytest

from tacit.designs import Design, DesignBatch, apportion, solve, solve_many
from tacit.errors import DataError
from tacit.records import Items, QuerySpace


@pytest.fixture
def design() -> Design:
    return Design(
        np.array([1, 4, 5]),
        np.array([0.2, 0.5, 0.3]),
        n_queries=7,
        objective=3.0,
        gap=0.0,
        status="optimal",
        n_iterations=4,
        message="",
    )


def test_dense_shares_are_zero_outside_of_the_support(design):
    np.testing.assert_array_equal(design.dense(), [0, 0.2, 0, 0, 0.5, 0.3, 0])


def test_a_design_cannot_be_changed(design):
    with pytest.raises(ValueError, match="read-only"):
        design.shares[0] = 1.0


def test_draws_come_from_the_support_in_the_shape_asked_for(design, rng):
    draws = design.sample((3, 400), rng=rng)
    assert draws.shape == (3, 400)
    assert set(np.unique(draws)) == {1, 4, 5}


def test_a_draw_is_a_step_of_the_ladder_of_shares(design):
    class Fixed(np.random.Generator):
        def random(self, size):
            return np.array([0.0, 0.199, 0.201, 0.699, 0.701, np.nextafter(1, 0)]).reshape(size)

    rng = Fixed(np.random.PCG64())
    assert design.sample((6,), rng=rng).tolist() == [1, 1, 4, 4, 5, 5]
    batch = DesignBatch((design,), np.zeros(2, dtype=int))
    assert batch.sample((3,), rng=rng).tolist() == [[1, 1, 4], [4, 5, 5]]


def test_shares_of_time_become_shares_of_trials(design):
    seconds = np.array([9, 1.0, 9, 9, 5.0, 1.0, 9])
    np.testing.assert_allclose(design.per_trial(seconds).shares, [1 / 3, 1 / 6, 1 / 2])
    assert design.per_trial(seconds).objective == design.objective


@pytest.mark.parametrize(
    ("seconds", "message"),
    [
        ([1.0] * 6, "each of the 7 queries, got shape (6,)"),
        ([1.0] * 4 + [0.0] + [1.0] * 2, "must be positive and finite, got 0.0 for query 4"),
        ([1.0] * 5 + [np.nan] + [1.0], "must be positive and finite, got nan for query 5"),
    ],
)
def test_times_are_checked(design, seconds, message):
    with pytest.raises(DataError) as error:
        design.per_trial(seconds)
    assert message in str(error.value)


def test_counts_follow_efficient_apportionment(design):
    # Of 10 trials: ceil(8.5 * share) is 2, 5, 3, which already is all of them.
    assert design.counts(10).tolist() == [2, 5, 3]
    # ceil(2.5 * share) is 1, 2, 1, and the largest (count - 1) / share gives one back.
    assert design.counts(4).tolist() == [1, 2, 1]
    assert design.counts(3).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("shares", "n_trials", "message"),
    [
        ([0.5, 0.5], 1, "at least the number of queries with a share (2), got 1"),
        ([0.5, 0.6], 5, "must be positive and sum to one"),
        ([1.0, 0.0], 5, "must be positive and sum to one"),
        ([], 5, "must be positive and sum to one"),
        ([[1.0]], 5, "must be positive and sum to one"),
    ],
)
def test_what_cannot_be_rounded_is_refused(shares, n_trials, message):
    with pytest.raises(DataError) as error:
        apportion(shares, n_trials)
    assert message in str(error.value)


def test_a_batch_holds_equal_problems_once(rng):
    space = QuerySpace.all_pairs(Items(rng.normal(size=(6, 3))))
    masks = rng.random((40, 6)) < 0.7
    masks[:, 0] = True
    batch = solve_many(space, masks)
    assert len(batch) == 40
    assert len(batch.designs) == len(np.unique(masks, axis=0))
    for mask, design in zip(masks, batch, strict=True):
        np.testing.assert_array_equal(design.dense(), solve(space, mask).dense())


def test_weights_tell_problems_apart(rng):
    space = QuerySpace.all_pairs(Items(rng.normal(size=(4, 2))))
    weights = rng.uniform(0.1, 1, (3, 6))[[0, 1, 2, 0]]
    batch = solve_many(space, np.ones((4, 4), dtype=bool), query_weights=weights)
    assert batch.which.tolist() == [0, 1, 2, 0]
    assert (
        len(solve_many(space, np.ones((4, 4), dtype=bool), query_weights=weights[0]).designs) == 1
    )


def test_every_replicate_draws_from_its_own_design(rng):
    space = QuerySpace.against_reference(Items.one_hot(5))
    masks = np.eye(5, dtype=bool) | np.eye(5, k=1, dtype=bool)
    masks[4, 0] = True
    draws = solve_many(space, masks).sample((60, 2), rng=rng)
    assert draws.shape == (5, 60, 2)
    assert [set(row.ravel().tolist()) for row in draws] == [
        {0, 1},
        {1, 2},
        {2, 3},
        {3, 4},
        {0, 4},
    ]
    assert solve_many(space, masks).sample(rng=rng).shape == (5,)
