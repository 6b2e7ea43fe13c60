import copy

import numpy as np
import pytest

from tacit.errors import DataError
from tacit.records import Items


def snacks() -> Items:
    return Items(
        [[1.0, 0.2], [0.0, 0.9], [0.5, 0.5]],
        names=["nuts", "cake", "fruit"],
        feature_names=["salt", "sugar"],
    )


def test_columns_are_read_only_copies():
    features = np.array([[1.0], [2.0]])
    items = Items(features)
    features[0, 0] = 99.0
    assert items.features[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        items.features[0, 0] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        items.reference[0] = 5.0


def test_default_names_count_from_zero():
    items = Items([[1.0, 2.0], [3.0, 4.0]])
    assert items.names == ("0", "1")
    assert items.feature_names == ("x0", "x1")
    assert len(items) == items.n_items == 2


def test_equality_is_by_value_and_includes_the_reference():
    assert snacks() == snacks()
    assert hash(snacks()) == hash(snacks())
    assert snacks() != snacks().with_reference([1.0, 0.0])
    assert snacks() != Items(snacks().features)
    assert snacks() != "snacks"


def test_copied_items_are_equal_after_their_names_were_looked_up():
    items = snacks()
    assert items.index("cake") == 1
    assert copy.deepcopy(items) == items


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ([1.0, 2.0], r"one row for each item and one column for each feature, got shape \(2,\)"),
        (np.empty((0, 3)), r"got shape \(0, 3\)"),
        ([[1.0, 2.0], [3.0, np.nan]], "must be finite, got nan for item 1, feature 1"),
        ([[np.inf]], "must be finite, got inf for item 0, feature 0"),
    ],
)
def test_unusable_features_are_named(features, message):
    with pytest.raises(DataError, match=message):
        Items(features)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "a"], "names must differ, got 'a' for item 0 and again for item 2"),
        (["a", "", "c"], "text and not empty, got '' for item 1"),
        (["a", 2, "c"], "text and not empty, got 2 for item 1"),
        (["a", "b\r", "c"], r"must not hold '\\r', got 'b.*' for item 1; were Windows line ends"),
        (["a", "b"], "expected 3 item names, got 'a', 'b'"),
        ("abc", "expected 3 item names"),
    ],
)
def test_unusable_names_are_named(names, message):
    with pytest.raises(DataError, match=message):
        Items(np.eye(3), names=names)


@pytest.mark.parametrize("reference", [[1.0], [1.0, np.nan]])
def test_reference_has_finite_features_like_the_items(reference):
    with pytest.raises(DataError, match="`reference` must hold 2 finite features"):
        snacks().with_reference(reference)


def test_unknown_item_is_answered_with_the_nearest_name():
    with pytest.raises(DataError, match="unknown item 'cakes'; did you mean 'cake'"):
        snacks().index("cakes")
    with pytest.raises(DataError, match="unknown item 'zzz'; known are 'nuts', 'cake', 'fruit'"):
        snacks().index("zzz")


def test_one_hot_from_names_and_from_a_count():
    assert Items.one_hot(["a", "b"]).feature_names == ("a", "b")
    assert Items.one_hot(np.int64(3)) == Items.one_hot(3)
    np.testing.assert_array_equal(Items.one_hot(3).features, np.eye(3))


def test_utilities_of_one_and_of_many_weights(rng):
    weights = rng.normal(size=(4, 5, 2))
    utilities = snacks().utilities(weights)
    assert utilities.shape == (4, 5, 3)
    np.testing.assert_allclose(utilities[2, 3], snacks().features @ weights[2, 3])


@pytest.mark.parametrize("weights", [1.0, [1.0], [1.0, 2.0, 3.0]])
def test_weights_must_match_the_features(weights):
    with pytest.raises(DataError, match="`weights` must hold 2 values, one for each feature"):
        snacks().utilities(weights)


def test_differences_between_items_and_to_the_reference():
    items = snacks().with_reference([0.5, 0.1])
    z = items.features
    np.testing.assert_array_equal(items.differences(0, 2), z[0] - z[2])
    np.testing.assert_array_equal(items.differences(2, -1), z[2] - [0.5, 0.1])
    mixed = items.differences(np.array([0, 1, 2]), np.array([-1, 0, -1]))
    np.testing.assert_array_equal(mixed, [z[0] - [0.5, 0.1], z[1] - z[0], z[2] - [0.5, 0.1]])


def test_from_table_takes_all_other_columns_or_those_named():
    table = {"snack": ["nuts", "cake"], "salt": [1, 0], "colour": ["brown", "white"]}
    items = Items.from_table(table, name="snack", features=["salt"])
    assert items.feature_names == ("salt",)
    with pytest.raises(DataError, match="'colour' must hold numbers, got 'brown' at row 0"):
        Items.from_table(table, name="snack")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"item": ["a", None], "x": [1, 2]}, "column 'item' has no name at row 1"),
        ({"item": ["a", "b"], "x": [1, None]}, "finite, got nan in column 'x' at row 1"),
        ({"item": ["a", "b"]}, "no column beside 'item'; items need at least one feature"),
        ({"name": ["a"], "x": [1]}, "no column 'item'; known are 'name', 'x'"),
        ({"items": ["a"], "x": [1]}, "no column 'item'; did you mean 'items'?"),
    ],
)
def test_unusable_tables_are_named(table, message):
    with pytest.raises(DataError, match=message):
        Items.from_table(table)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files_give_back_what_was_written(tmp_path, suffix):
    path = tmp_path / f"items{suffix}"
    snacks().write(path)
    assert Items.read(path) == snacks()


def test_a_feature_cannot_take_the_column_of_the_names():
    with pytest.raises(DataError, match="a feature named 'item'"):
        Items([[1.0]], feature_names=["item"]).to_table()


def test_a_million_items_need_no_more_than_their_features(rng):
    features = rng.normal(size=(1_000_000, 2))
    items = Items(features)
    assert items.n_items == 1_000_000
    assert items.index("999999") == 999_999
