import copy
import itertools

import numpy as np
import pytest

from tacit.errors import DataError
from tacit.records import Items, Problem, QuerySpace


@pytest.fixture
def items() -> Items:
    return Items([[1.0, 0.0], [0.0, 4.0], [2.0, 2.0], [5.0, 1.0]], reference=[0.5, 0.5])


def test_all_pairs_come_in_the_order_of_combinations(items):
    space = QuerySpace.all_pairs(items)
    pairs = list(itertools.combinations(range(4), 2))
    first, second = space.pairs(np.arange(space.n_queries))
    assert list(zip(first, second, strict=True)) == pairs
    assert space.n_queries == len(space) == 6
    np.testing.assert_array_equal(space.first([0, 5]), [0, 2])
    np.testing.assert_array_equal(space.second([0, 5]), [1, 3])
    expected = [items.features[i] - items.features[j] for i, j in pairs]
    np.testing.assert_array_equal(space.all_vectors(), expected)


def test_shapes_follow_the_index(items):
    space = QuerySpace.all_pairs(items)
    assert space.vectors(3).shape == (2,)
    assert space.vectors([[0, 1, 2], [3, 4, 5]]).shape == (2, 3, 2)
    np.testing.assert_array_equal(space.index([[0], [1]], [2, 3]), [[1, 2], [3, 4]])


def test_reference_queries_are_numbered_like_the_items(items):
    space = QuerySpace.against_reference(items)
    np.testing.assert_array_equal(space.second([0, 3]), [-1, -1])
    np.testing.assert_array_equal(space.all_vectors(), items.features - [0.5, 0.5])
    np.testing.assert_array_equal(space.index([2, 1], -1), [2, 1])
    with pytest.raises(DataError, match=r"\(0, 1\) is not a query$"):
        space.index(0, 1)


def test_another_reference_stays_with_the_space(items):
    space = QuerySpace.against_reference(items, reference=[1.0, 1.0])
    np.testing.assert_array_equal(space.vectors(0), [0.0, -1.0])
    np.testing.assert_array_equal(items.reference, [0.5, 0.5])


def test_listed_pairs_keep_number_and_order(items):
    space = QuerySpace.listed(items, [2, 0, 3], [0, -1, 1])
    np.testing.assert_array_equal(space.index([3, 2, 0], [1, 0, -1]), [2, 0, 1])
    np.testing.assert_array_equal(space.vectors(1), items.features[0] - [0.5, 0.5])
    with pytest.raises(DataError, match=r"\(0, 2\) is not a query, but \(2, 0\) is; swap"):
        space.index(0, 2)
    with pytest.raises(DataError, match=r"\(1, 2\) is not a query$"):
        space.index(1, 2)


def test_listed_against_the_reference_throughout(items):
    space = QuerySpace.listed(items, [3, 1], None)
    np.testing.assert_array_equal(space.second([0, 1]), [-1, -1])


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([0, 1, 0], [1, 2, 1], r"pair \(0, 1\) is listed twice, as 0 and as 2"),
        ([0, 1], [1, 1], "must differ, got 1 twice in pair 1"),
        ([0], [4], "item indices must be from -1 to 3, got 4"),
        ([-1], [0], "item indices must be from 0 to 3, got -1"),
        ([0, 1], [1], "as many first as second items"),
        ([0.5], [1], "item indices must be whole numbers"),
    ],
)
def test_unusable_lists_are_named(items, first, second, message):
    with pytest.raises(DataError, match=message):
        QuerySpace.listed(items, first, second)


def test_swapped_and_equal_items_are_not_queries(items):
    space = QuerySpace.all_pairs(items)
    with pytest.raises(DataError, match=r"\(3, 1\) is not a query, but \(1, 3\) is; swap"):
        space.index([0, 3], [1, 1])
    with pytest.raises(DataError, match=r"\(1, 1\) is not a query$"):
        space.index(1, 1)
    with pytest.raises(DataError, match=r"\(1, -1\) is not a query$"):
        space.index(1, -1)


@pytest.mark.parametrize("index", [-1, 6, [0, 6]])
def test_queries_out_of_range_are_named(items, index):
    with pytest.raises(DataError, match=r"query indices must be from 0 to 5, got (-1|6)"):
        QuerySpace.all_pairs(items).vectors(index)


def test_one_item_makes_no_pair():
    with pytest.raises(DataError, match="pairs need at least two items"):
        QuerySpace.all_pairs(Items([[1.0]]))


def test_spaces_are_values(items):
    for make in (QuerySpace.all_pairs, QuerySpace.against_reference):
        assert make(items) == make(items)
        assert hash(make(items)) == hash(make(items))
    listed = QuerySpace.listed(items, [2, 0], [0, 1])
    assert listed == QuerySpace.listed(items, [2, 0], [0, 1])
    assert listed != QuerySpace.listed(items, [0, 2], [1, 0])
    assert listed != QuerySpace.all_pairs(items)
    assert copy.deepcopy(listed) == listed


def test_problem_is_about_one_set_of_items(items):
    problem = Problem(items, QuerySpace.all_pairs(items))
    assert problem == Problem(items, QuerySpace.all_pairs(items))
    with pytest.raises(DataError, match="must be about its items"):
        Problem(items, QuerySpace.against_reference(items, reference=[0.0, 0.0]))


def test_pairs_of_a_million_items_are_computed_not_stored(rng):
    n_items = 1_000_000
    space = QuerySpace.all_pairs(Items(rng.normal(size=(n_items, 1))))
    assert space.n_queries == 499_999_500_000
    first, second = space.pairs([0, n_items - 2, n_items - 1, space.n_queries - 1])
    np.testing.assert_array_equal(first, [0, 0, 1, n_items - 2])
    np.testing.assert_array_equal(second, [1, n_items - 1, 2, n_items - 1])
