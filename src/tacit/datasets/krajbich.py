"""Krajbich, Armel and Rangel's choices between two rated snacks."""

import numpy as np
import numpy.typing as npt

from tacit.datasets.people import Person
from tacit.records import (
    Items,
    Problem,
    QuerySpace,
    Trials,
    choice_from_zero_one,
    seconds_from_milliseconds,
)
from tacit.records.tables import Table

IntArray = npt.NDArray[np.int64]

LOWEST = -10
RATINGS: IntArray = np.arange(LOWEST, 11)


def people(table: Table) -> tuple[Person, ...]:
    """Take the people from the file.

    Snacks are known by their rating only, which is the one feature of the 21 items; a trial
    with two snacks of equal rating has two identical items. Choice 1 is the left snack.
    """
    trials = Trials.from_arrays(
        _item_index(table, "leftrating"),
        _item_index(table, "rightrating"),
        choice_from_zero_one(table.values("choice")),
        seconds_from_milliseconds(table.numbers("rt")),
        Items(RATINGS[:, None], list(map(str, RATINGS)), ["rating"]),
        person=table.numbers("subject").astype(np.int64),
        allow_identical=True,
    )
    shared = problem()
    return tuple(Person(str(name), own, None, shared) for name, own in trials.by_person())


def problem() -> Problem:
    """Return the paper's problem: one one-hot item for each rating, all pairs of them."""
    items = Items.one_hot(list(map(str, RATINGS)))
    return Problem(items, QuerySpace.all_pairs(items))


def _item_index(table: Table, column: str) -> IntArray:
    """Return the items of ratings: the lowest rating is item 0."""
    return table.numbers(column).astype(np.int64) - LOWEST
