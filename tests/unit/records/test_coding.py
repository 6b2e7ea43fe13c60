import numpy as np
import pytest

from tacit.errors import DataError
from tacit.records import (
    choice_from_left_right,
    choice_from_one_two,
    choice_from_zero_one,
    seconds_from_milliseconds,
)


@pytest.mark.parametrize(
    ("convert", "values"),
    [
        (choice_from_zero_one, [1, 0, 1]),
        (choice_from_zero_one, [1.0, 0.0, 1.0]),
        (choice_from_zero_one, [True, False, True]),
        (choice_from_zero_one, ["1", "0", " 1 "]),
        (choice_from_zero_one, ["1.0", "0.0", "+1"]),
        (choice_from_zero_one, np.array([1, 0, 1], dtype=np.uint8)),
        (choice_from_one_two, [1, 2, 1]),
        (choice_from_one_two, ["1", "2", "1"]),
        (choice_from_left_right, ["left", "right", "LEFT"]),
        (choice_from_left_right, np.array(["left", "right", "Left"])),
    ],
)
def test_codings_become_plus_and_minus_one(convert, values):
    choice = convert(values)
    assert choice.dtype == np.int8
    np.testing.assert_array_equal(choice, [1, -1, 1])


@pytest.mark.parametrize(
    ("convert", "values", "message"),
    [
        (choice_from_zero_one, [1, 0, 3], r"must be 1 \(first\) or 0 \(second\), got 3 at trial 2"),
        (choice_from_zero_one, [1.0, np.nan], "got nan at trial 1"),
        (choice_from_one_two, [1, 2, None], "got None at trial 2"),
        (choice_from_left_right, ["left", "up"], "got 'up' at trial 1"),
    ],
)
def test_values_outside_the_coding_are_named(convert, values, message):
    with pytest.raises(DataError, match=message):
        convert(values)


@pytest.mark.parametrize(
    ("convert", "values", "converter"),
    [
        (choice_from_zero_one, [1, 2, 2], "choice_from_one_two"),
        (choice_from_one_two, [1, 0, 1], "choice_from_zero_one"),
        (choice_from_zero_one, [1, -1], "plus_minus"),
        (choice_from_one_two, ["left", "right"], "choice_from_left_right"),
    ],
)
def test_a_column_in_another_coding_is_recognised(convert, values, converter):
    with pytest.raises(DataError, match=f"every choice is .*{converter}"):
        convert(values)


def test_milliseconds_become_seconds_in_any_shape():
    np.testing.assert_allclose(seconds_from_milliseconds([[250], [1500]]), [[0.25], [1.5]])
