"""Smith and Krajbich's choices between coin flips over two foods each."""

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

FEATURES = ("up", "down", "up^2", "down^2", "up*down")


def people(table: Table) -> tuple[Person, ...]:
    """Take the people from the file, which has a row for each eye fixation.

    All that is used is the same in every row of a trial: the first row stands for it. Choice 1
    is the left option. Trials with two identical options stay, as in the paper's fits.
    """
    subject = table.numbers("subj").astype(np.int64)
    trial = table.numbers("trial").astype(np.int64)
    _, starts = np.unique(np.stack([subject, trial]), axis=1, return_index=True)
    ratings = np.stack(
        [
            table.numbers(column)[starts].astype(np.int64)
            for column in ("upleftval", "downleftval", "uprightval", "downrightval")
        ],
        axis=1,
    )
    choice = choice_from_zero_one(table.values("choice")[starts])
    response_time = seconds_from_milliseconds(table.numbers("rt")[starts])
    subject = subject[starts]
    return tuple(
        _person(str(name), ratings[own], choice[own], response_time[own])
        for name in dict.fromkeys(subject.tolist())
        for own in [subject == name]
    )


def options(ratings: IntArray) -> Items:
    """Return options as items: an even chance of the upper or the lower food.

    Parameters
    ----------
    ratings : array of int, shape (n_options, 2)
        Different pairs of ratings from 1 to 10, of the upper and of the lower food.

    Returns
    -------
    Items
        With the five features that the paper gives to an option.
    """
    up, down = ratings.T / 10.0
    names = [f"{a} up, {b} down" for a, b in ratings.tolist()]
    features = np.stack([up, down, up**2, down**2, up * down], axis=1)
    return Items(features, names, FEATURES)


def _person(
    name: str,
    ratings: IntArray,
    choice: npt.NDArray[np.int8],
    response_time: npt.NDArray[np.float64],
) -> Person:
    distinct, index = np.unique(ratings.reshape(-1, 2), axis=0, return_inverse=True)
    items = options(distinct)
    left, right = index.reshape(-1, 2).T
    trials = Trials.from_arrays(left, right, choice, response_time, items, allow_identical=True)
    return Person(name, trials, None, Problem(items, QuerySpace.all_pairs(items)))
