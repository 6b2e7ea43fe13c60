from types import SimpleNamespace

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.records import (
    AllPairs,
    Items,
    QuerySpace,
    Trials,
    choice_from_one_two,
    choice_from_zero_one,
)

FINITE = st.floats(-1e6, 1e6)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=8)


@st.composite
def items(draw: st.DrawFn, *, min_size: int = 2) -> Items:
    names = draw(st.lists(NAMES, min_size=min_size, max_size=6, unique=True))
    n_features = draw(st.integers(1, 3))
    return Items(draw(hnp.arrays(float, (len(names), n_features), elements=FINITE)), names=names)


@st.composite
def trials(draw: st.DrawFn) -> Trials:
    chosen_among = draw(items())
    n_items = chosen_among.n_items
    pairs = st.tuples(st.integers(0, n_items - 1), st.integers(-1, n_items - 1))
    answers = st.tuples(
        pairs.filter(lambda pair: pair[0] != pair[1]),
        st.sampled_from([1, -1]),
        st.floats(1e-3, 1e3) | st.just(float("nan")),
        st.sampled_from(["eve", "bob", "ann"]),
    )
    rows = draw(st.lists(answers, min_size=1, max_size=12))
    asked, choice, response_time, person = zip(*rows, strict=True)
    first, second = zip(*asked, strict=True)
    # Void times come with a median that hypothesis may push beyond a minute.
    shorter = np.minimum(response_time, 59.0)
    return Trials.from_arrays(
        first, second, choice, shorter, chosen_among, person=person, allow_void_times=True
    )


@given(n_items=st.integers(2, 10**9), data=st.data())
@settings(max_examples=300)
def test_number_and_pair_agree_exactly_at_the_edges_of_the_rows(n_items, data):
    space = AllPairs(SimpleNamespace(n_items=n_items))
    i = data.draw(st.integers(0, n_items - 2) | st.integers(max(0, n_items - 5), n_items - 2))
    edges = {i + 1, min(i + 2, n_items - 1), n_items - 1}
    numbers = [i * n_items - i * (i + 1) // 2 + j - i - 1 for j in edges]
    assert space.index([i] * len(edges), list(edges)).tolist() == numbers
    first, second = space.pairs(numbers)
    assert first.tolist() == [i] * len(edges)
    assert second.tolist() == list(edges)


@given(n_items=st.integers(2, 10**9), data=st.data())
@settings(max_examples=300)
def test_every_number_is_a_pair_and_comes_back(n_items, data):
    space = AllPairs(SimpleNamespace(n_items=n_items))
    number = data.draw(st.integers(0, space.n_queries - 1))
    first, second = space.pairs([0, number, space.n_queries - 1])
    assert (first < second).all()
    assert space.index(first, second).tolist() == [0, number, space.n_queries - 1]


@pytest.mark.parametrize("n_items", [2, 3, 4, 57])
def test_all_numbers_of_few_items_are_the_combinations(n_items):
    space = AllPairs(SimpleNamespace(n_items=n_items))
    first, second = space.pairs(np.arange(space.n_queries))
    expected = np.stack(np.triu_indices(n_items, k=1))
    np.testing.assert_array_equal(np.stack([first, second]), expected)


@given(items(), st.data())
def test_swapped_lists_have_opposite_vectors(chosen_among, data):
    space = QuerySpace.all_pairs(chosen_among)
    numbers = data.draw(
        st.lists(st.integers(0, space.n_queries - 1), min_size=1, max_size=5, unique=True)
    )
    first, second = space.pairs(numbers)
    there = QuerySpace.listed(chosen_among, first, second)
    back = QuerySpace.listed(chosen_among, second, first)
    np.testing.assert_array_equal(there.all_vectors(), space.vectors(numbers))
    np.testing.assert_array_equal(back.all_vectors(), -space.vectors(numbers))
    np.testing.assert_array_equal(there.index(first, second), np.arange(len(numbers)))


@given(items(min_size=1))
def test_items_come_back_from_their_table(some):
    assert Items.from_table(some.to_table()) == some


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_trials_come_back_from_tables_and_files(tmp_path, suffix):
    path = tmp_path / f"trials{suffix}"

    @given(trials())
    def check(some: Trials) -> None:
        again = Trials.from_table(
            some.to_table(), some.items, person="person", allow_void_times=True
        )
        assert again == some
        some.write(path)
        assert Trials.read(path, some.items, person="person", allow_void_times=True) == some

    check()


@given(trials(), st.data())
def test_people_and_exclusions_add_up_to_all_rows(some, data):
    keep = data.draw(hnp.arrays(bool, some.n_trials))
    kept = some.select(keep, "drawn")
    assert kept.n_trials + sum(kept.excluded.values()) == some.n_trials
    own_rows = [own.row for _, own in kept.by_person()]
    own_excluded = [own.exclusions.row for _, own in kept.by_person()]
    all_rows = np.concatenate([*own_rows, *own_excluded])
    np.testing.assert_array_equal(np.sort(all_rows), some.row)
    for person, own in kept.by_person():
        assert set(own.person.tolist()) <= {person}
        np.testing.assert_array_equal(own.vectors, some.vectors[own.row])


@given(st.data())
def test_exclusion_keeps_exactly_the_usable_rows(data):
    n = data.draw(st.integers(1, 15))
    first = data.draw(hnp.arrays(np.int64, n, elements=st.integers(-2, 4)))
    second = data.draw(hnp.arrays(np.int64, n, elements=st.integers(-2, 4)))
    choice = data.draw(hnp.arrays(float, n, elements=st.sampled_from([1.0, -1.0, 3.0, np.nan])))
    times = data.draw(
        hnp.arrays(float, n, elements=st.sampled_from([0.5, 0.3, 0.1, -1.0, np.inf, np.nan]))
    )
    usable = [
        row
        for row in range(n)
        if 0 <= first[row] < 3
        and -1 <= second[row] < 3
        and first[row] != second[row]
        and choice[row] in {1.0, -1.0}
        and 0.3 < times[row] < np.inf
    ]

    def make() -> Trials:
        return Trials.from_arrays(
            first,
            second,
            choice,
            times,
            Items.one_hot(3),
            nondecision_time=0.3,
            on_invalid="exclude",
        )

    if not usable:
        with pytest.raises(ValueError, match="is usable"):
            make()
        return
    made = make()
    assert made.row.tolist() == usable
    assert sum(made.excluded.values()) == n - len(usable)


@given(hnp.arrays(bool, st.integers(1, 20)))
def test_converters_agree_with_each_other(chose_first):
    expected = np.where(chose_first, 1, -1)
    np.testing.assert_array_equal(choice_from_zero_one(chose_first), expected)
    np.testing.assert_array_equal(choice_from_zero_one(chose_first.astype(int)), expected)
    np.testing.assert_array_equal(choice_from_one_two(np.where(chose_first, 1, 2)), expected)
