import numpy as np
import pytest

from tacit.errors import DataError
from tacit.estimators import single_query

CHOICE, TIME = [1, 1, -1, 1], [0.5, 1.0, 1.5, 1.0]


def test_ratio_of_means_by_hand():
    assert single_query.utility_over_barrier(CHOICE, TIME) == pytest.approx(0.5)
    assert single_query.utility_over_barrier(1, 0.25) == pytest.approx(4.0)


def test_log_odds_by_hand():
    assert single_query.log_odds(CHOICE) == pytest.approx(np.log(3))
    assert single_query.log_odds([1, -1]) == pytest.approx(0.0, abs=1e-15)
    assert single_query.log_odds([1, 1]) == pytest.approx(np.log(3))
    assert single_query.log_odds([-1] * 10) == pytest.approx(-np.log(19))
    assert single_query.log_odds([1]) == pytest.approx(0.0, abs=1e-15)


def test_opposite_choices_give_opposite_estimates():
    opposite = -np.array(CHOICE)
    assert single_query.log_odds(opposite) == pytest.approx(-single_query.log_odds(CHOICE))
    assert single_query.utility_over_barrier(opposite, TIME) == pytest.approx(-0.5)


def test_leading_axes_are_repetitions(rng):
    choice = np.where(rng.random((3, 2, 8)) < 0.7, 1, -1)
    time = rng.uniform(0.2, 2.0, choice.shape)
    ratio, odds = single_query.utility_over_barrier(choice, time), single_query.log_odds(choice)
    assert ratio.shape == odds.shape == (3, 2)
    for index in np.ndindex(3, 2):
        assert ratio[index] == single_query.utility_over_barrier(choice[index], time[index])
        assert odds[index] == single_query.log_odds(choice[index])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: single_query.log_odds([1, 0]), "got 0 at position 1; was it coded 0/1"),
        (lambda: single_query.log_odds([]), "answered at least once"),
        (lambda: single_query.utility_over_barrier([], []), "answered at least once"),
        (lambda: single_query.utility_over_barrier([1, 1], [1.0, 0.0]), "got 0 at position 1"),
        (lambda: single_query.utility_over_barrier([1, 1], [1.0]), r"\(2,\) and \(1,\)"),
        (lambda: single_query.utility_over_barrier([1], [np.nan]), "got nan"),
    ],
)
def test_impossible_arguments_are_named(call, message):
    with pytest.raises(DataError, match=message):
        call()
