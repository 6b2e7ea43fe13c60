"""Clithero's choices of snacks: one at a time, yes or no, and in pairs."""

import numpy as np
import numpy.typing as npt

from tacit.datasets.people import Person
from tacit.records import (
    Items,
    Problem,
    QuerySpace,
    Trials,
    choice_from_one_two,
    choice_from_zero_one,
)
from tacit.records.tables import Table


def people(table: Table) -> tuple[Person, ...]:
    """Take the people from the file.

    Yes/no answers are the trials: an item against the reference, yes is +1. Answers faster than
    0.2 s, then those slower than the person's mean plus 5 standard deviations, are excluded.
    Choices between two items are held out: choice 1 is the left item, as it is the item with
    more yes answers in 93% of the pairs in which these differ.
    """
    items = _items(table)
    subject = table.numbers("subj").astype(np.int64)
    seconds = table.numbers("rt")
    single = table.numbers("YesNo") == 1
    trials = Trials.from_arrays(
        _item_index(table, "Item")[single],
        None,
        choice_from_zero_one(table.numbers("response")[single]),
        seconds[single],
        items,
        person=subject[single],
    )
    held_out = Trials.from_arrays(
        _item_index(table, "Item_l")[~single],
        _item_index(table, "Item_r")[~single],
        choice_from_one_two(table.numbers("choice")[~single]),
        seconds[~single],
        items,
        person=subject[~single],
    )
    problem = Problem(items, QuerySpace.against_reference(items))
    pairs_of = dict(held_out.by_person())
    return tuple(
        Person(str(name), own, pairs_of[name], problem)
        for name, own in trials.drop_fast(0.2).drop_slow(mean_plus_sd=5).by_person()
    )


def _item_index(table: Table, column: str) -> npt.NDArray[np.int64]:
    """Return indices of items, which the file counts from 1."""
    return table.numbers(column).astype(np.int64) - 1


def _items(table: Table) -> Items:
    named = {
        index: picture.removeprefix("stim_").removesuffix(".jpg")
        for index, picture in zip(
            _item_index(table, "Item").tolist(), table.labels("item"), strict=True
        )
        if picture is not None
    }
    return Items.one_hot([named[index] for index in sorted(named)])
