import copy

import numpy as np
import pytest

from tacit.errors import DataError, DataWarning
from tacit.records import Items, Trials, seconds_from_milliseconds

SNACKS = Items([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]], names=["nuts", "cake", "fruit"])


def make(first=(0, 1, 2, 0), second=(1, 2, 0, -1), choice=(1, -1, 1, -1), **options) -> Trials:
    response_time = options.pop("response_time", (0.8, 1.2, 0.6, 2.0))
    return Trials.from_arrays(first, second, choice, response_time, SNACKS, **options)


def test_vectors_follow_from_the_items():
    z = SNACKS.features
    expected = [z[0] - z[1], z[1] - z[2], z[2] - z[0], z[0]]
    np.testing.assert_array_equal(make().vectors, expected)


def test_columns_are_read_only_copies_in_tacits_own_types():
    first, times = np.array([0, 1], dtype=np.int32), np.array([0.5, 0.7])
    trials = Trials.from_arrays(first, [1, 2], [1.0, -1.0], times, SNACKS, person=[7, 7])
    first[0], times[0] = 2, 9.0
    assert trials.first.tolist() == [0, 1]
    assert trials.response_time.tolist() == [0.5, 0.7]
    assert [c.dtype for c in (trials.first, trials.second, trials.choice)] == [
        np.int64,
        np.int64,
        np.int8,
    ]
    columns = (trials.first, trials.choice, trials.response_time, trials.person, trials.vectors)
    for column in columns:
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_items_may_be_named():
    by_name = make(["nuts", "cake", "fruit", "nuts"], ["cake", "fruit", "nuts", None])
    assert by_name == make()
    assert make(["nuts"] * 4, None).second.tolist() == [-1] * 4


def test_equality_is_by_value_wherever_the_rows_stood():
    trials = make()
    assert trials == make()
    assert hash(trials) == hash(make())
    assert trials != make(choice=(1, 1, 1, -1))
    assert trials != make(response_time=(0.8, 1.2, 0.6, 2.1))
    assert trials != make(person=[1, 1, 1, 1])
    assert trials != "trials"
    assert trials.select([2, 3]) == make((2, 0), (0, -1), (1, -1), response_time=(0.6, 2.0))
    assert copy.deepcopy(trials) == trials


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"first": (0, 1, 3, 0)},
            "`first` must be an item index from 0 to 2, got 3 at trial 2\n",
        ),
        (
            {"first": (1, 2, 3, 1), "second": None},
            r"from 0 to 2, got 3 at trial 2; are items counted from 1\?",
        ),
        (
            {"second": (1, 2, 0, -2)},
            "`second` must be an item index from -1 to 2, got -2 at trial 3",
        ),
        ({"first": (-1, 1, 2, 0)}, "`first` must be an item index from 0 to 2, got -1 at trial 0"),
        ({"first": (0.5, 1, 2, 0)}, "whole numbers.* got float64 values such as 0.5"),
        ({"first": (True, False, True, True)}, "got bool values such as True"),
        (
            {"first": ["nuts", "cakes", "fruit", "nuts"]},
            r"`first` names an unknown item, 'cakes', at trial 1; did you mean 'cake'\?",
        ),
        ({"first": ["nuts", None, "fruit", "nuts"]}, "`first` names no item at trial 1"),
        ({"second": (1, 1, 0, -1)}, "must differ, got 'cake' twice at trial 1; .*allow_identical"),
        ({"choice": (1, -1, 3, -1)}, r"1 \(first\) or -1 \(second\), got 3 at trial 2"),
        ({"choice": (1, -1, np.nan, -1)}, "got nan at trial 2"),
        ({"choice": (1, 0, 0, 1)}, "got 0 at trial 1; every choice is .*choice_from_zero_one"),
        ({"choice": (1, 2, 2, 1)}, "got 2 at trial 1; every choice is .*choice_from_one_two"),
        ({"choice": (True, False, True, True)}, "choice_from_zero_one"),
        ({"choice": ["left", "right", "left", "left"]}, "choice_from_left_right"),
        (
            {"response_time": (0.8, 0.12, 0.6, 2.0), "nondecision_time": 0.3},
            r"must exceed nondecision_time \(0.30 s\), got 0.12 s at trial 1; was it a fast guess",
        ),
        (
            {"response_time": (0.8, -99, 0.6, 2.0)},
            "must be positive, got -99 s at trial 1; does it stand for a missing time",
        ),
        ({"response_time": (0.8, 0.0, 0.6, 2.0)}, "must be positive, got 0 s at trial 1; was the"),
        (
            {"response_time": (0.8, np.nan, 0.6, 2.0)},
            "`response_time` is missing at trial 1; allow_void_times=True",
        ),
        (
            {"response_time": (0.8, np.inf, 0.6, 2.0), "allow_void_times": True},
            "`response_time` must be finite, got inf at trial 1",
        ),
        ({"response_time": (0.8, "fast", 0.6, 2.0)}, "must hold numbers, got 'fast' at trial 1"),
        ({"response_time": np.array([1, 2, 3, 4], dtype="m8[ms]")}, "got timedelta64"),
        ({"person": ["eve", None, "eve", "bob"]}, "`person` is missing at trial 1"),
        ({"choice": (1, -1)}, r"`choice` must hold one value for each of 4 trials, got shape \(2,"),
        ({"response_time": (0.5,)}, "`response_time` must hold one value for each of 4 trials"),
        ({"nondecision_time": -0.1}, "`nondecision_time` must be at least 0 s, got -0.1"),
        ({"on_invalid": "drop"}, '`on_invalid` must be "raise" or "exclude", got \'drop\''),
    ],
)
def test_unusable_rows_are_named_with_value_row_and_cause(options, message):
    with pytest.raises(DataError, match=message):
        make(**options)


def test_an_error_counts_the_rows_and_shows_the_first_few():
    times = [-1.0] * 7 + [1.0]
    with pytest.raises(DataError, match=r"\(7 of 8 trials: trials 0, 1, 2, 3, 4, \.\.\.\)"):
        Trials.from_arrays([0] * 8, [1] * 8, [1] * 8, times, SNACKS)


def test_an_error_tells_all_kinds_of_defects_and_the_way_out():
    with pytest.raises(DataError) as caught:
        make(first=(0, 9, 2, 0), choice=(1, 5, 1, -1), response_time=(0.8, 1.2, 0.6, -2.0))
    lines = str(caught.value).splitlines()
    assert ["`first`" in lines[0], "`choice`" in lines[1], "`response_time`" in lines[2]] == [
        True
    ] * 3
    assert 'on_invalid="exclude"' in lines[3]


def test_empty_data_are_refused():
    with pytest.raises(DataError, match="the data are empty"):
        make((), (), (), response_time=())


def test_excluded_rows_are_counted_once_and_listed():
    trials = make(
        first=(0, 9, 2, 0),
        choice=(1, 5, 1, -1),
        response_time=(0.8, -1.0, 0.6, np.nan),
        on_invalid="exclude",
    )
    assert trials.row.tolist() == [0, 2]
    assert trials.excluded == {"unknown item": 1, "missing response_time": 1}
    assert trials.exclusions.row.tolist() == [1, 3]
    assert repr(trials) == (
        "Trials(n_trials=2, n_items=3, excluded={'unknown item': 1, 'missing response_time': 1})"
    )


def test_exclusion_does_not_hide_another_coding_or_a_total_loss():
    with pytest.raises(DataError, match="choice_from_zero_one"):
        make(choice=(1, 0, 1, 0), on_invalid="exclude")
    with pytest.raises(DataError, match=r"none of 4 trials is usable .*nondecision_time: 4"):
        make(nondecision_time=5.0, on_invalid="exclude")


def test_milliseconds_are_suspected_not_refused():
    milliseconds = (800.0, 1200.0, 600.0, 2000.0)
    with pytest.warns(DataWarning, match="the median response time is 1000 s; were millis") as seen:
        make(response_time=milliseconds)
    assert seen[0].filename == __file__
    assert make(response_time=seconds_from_milliseconds(milliseconds)) == make()


def test_void_times_stay_when_allowed():
    trials = make(response_time=(0.8, np.nan, 0.6, 2.0), allow_void_times=True)
    assert np.isnan(trials.response_time).tolist() == [False, True, False, False]
    assert trials == copy.deepcopy(trials)


def test_identical_items_stay_when_allowed():
    trials = make((0, 1, 2, 0), (1, 1, 0, -1), allow_identical=True)
    np.testing.assert_array_equal(trials.vectors[1], [0.0, 0.0])


def test_a_subset_is_no_exclusion_and_a_reason_makes_it_one():
    trials = make(person=["eve", "bob", "eve", "bob"])
    assert trials.select([True, False, True, False]).excluded == {}
    assert trials.select([3, 0, 0]).row.tolist() == [3, 0, 0]
    kept = trials.select([True, False, True, False], "practice")
    assert kept.excluded == {"practice": 2}
    assert kept.exclusions.person.tolist() == ["bob", "bob"]
    with pytest.raises(DataError, match=r"one value for each of 4 trials, got shape \(2,\)"):
        trials.select([True, False])


def test_cut_offs_are_counted_and_leave_void_times():
    times = [0.1, 0.15, np.nan, *[1.0] * 40, 30.0]
    n = len(times)
    trials = Trials.from_arrays([0] * n, None, [1] * n, times, SNACKS, allow_void_times=True)
    kept = trials.drop_fast(0.15).drop_slow()
    assert kept.excluded == {
        "response_time below 0.15 s": 1,
        "response_time above mean + 5 sd": 1,
    }
    assert kept.exclusions.row.tolist() == [0, n - 1]
    assert np.isnan(kept.response_time).sum() == 1


def test_slow_is_judged_by_each_persons_own_times(rng):
    quick, slow = rng.uniform(0.5, 0.6, 50), rng.uniform(5.0, 9.0, 50)
    times = np.concatenate([quick, [4.0], slow])
    person = ["quick"] * 51 + ["slow"] * 50
    trials = Trials.from_arrays([0] * 101, None, [1] * 101, times, SNACKS, person=person)
    assert trials.drop_slow(5).exclusions.row.tolist() == [50]
    own = times[:51]
    threshold = own.mean() + 5 * own.std()
    assert quick.max() < threshold < 4.0
    assert Trials.from_arrays([0] * 101, None, [1] * 101, times, SNACKS).drop_slow(5).excluded == {}


def test_a_person_without_any_time_has_nothing_to_cut_off():
    trials = make(
        response_time=(0.5, 0.5, np.nan, np.nan), person=[1, 1, 2, 2], allow_void_times=True
    )
    assert trials.drop_slow(3) == trials


def test_people_come_in_order_with_their_own_trials_and_exclusions():
    trials = make(
        (0, 1, 2, 0, 1, 2),
        None,
        (1, -1, 1, -1, 1, 1),
        response_time=(0.8, 1.2, -1.0, 2.0, -1.0, -1.0),
        person=["eve", "bob", "eve", "eve", "ann", None],
        on_invalid="exclude",
    )
    people = dict(trials.by_person())
    assert list(people) == ["eve", "bob", "ann"]
    assert [own.row.tolist() for own in people.values()] == [[0, 3], [1], []]
    assert [sum(own.excluded.values()) for own in people.values()] == [1, 0, 1]
    assert sum(trials.excluded.values()) == 3


def test_a_persons_trials_keep_their_order(rng):
    person = rng.integers(0, 3, 500)
    n = len(person)
    trials = Trials.from_arrays([0] * n, None, [1] * n, np.ones(n), SNACKS, person=person)
    for name, own in trials.by_person():
        np.testing.assert_array_equal(own.row, np.flatnonzero(person == name))


def test_whole_number_persons_stay_numbers_and_nobody_is_one_person():
    assert [person for person, _ in make(person=[602, 601, 602, 601]).by_person()] == [602, 601]
    trials = make()
    assert list(trials.by_person()) == [(None, trials)]


def test_without_trials_nothing_breaks():
    none = make().select(np.zeros(4, dtype=bool))
    assert len(none) == 0
    assert none.vectors.shape == (0, 2)
    assert none.drop_slow().drop_fast(1.0) == none
