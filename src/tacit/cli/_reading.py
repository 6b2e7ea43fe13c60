"""Trials of a file, person by person, with items whose utilities the answers can tell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import helmert

from tacit.cli._options import TrialFile
from tacit.errors import DataError
from tacit.records import REFERENCE, Items, Trials
from tacit.records.tables import Table, read_table

THE_REFERENCE = "the reference"
THE_MEAN_ITEM = "the mean item"


@dataclass(frozen=True)
class PersonTrials:
    """The trials of one person, ready to be fitted.

    Parameters
    ----------
    name : int, str or None
        Who answered; None if the file does not say.
    trials : Trials
        Their answers. Without features, the items are those that this person was asked about.
    has_features : bool
        Whether the items came with features. If not, weights have no meaning of their own
        beside the utilities of the items.
    zero : str
        What utilities are measured from: the reference, the mean item, or an item by name.
    """

    name: int | str | None
    trials: Trials
    has_features: bool
    zero: str

    @property
    def label(self) -> str:
        """What messages call this person."""
        return "the data" if self.name is None else f"person {self.name}"


def read_people(
    file: TrialFile, *, nondecision_time: float = 0.0, allow_void_times: bool = False
) -> list[PersonTrials]:
    """Read a file and split it by person; people without a usable row have no trials.

    Parameters
    ----------
    file : TrialFile
        Where the trials are and how they are written.
    nondecision_time : float
        Seconds that every response time must exceed.
    allow_void_times : bool
        Keep trials without a time for their choice.

    Returns
    -------
    list of PersonTrials
        In the order of the file.
    """
    table = read_table(file.trials, delimiter=file.delimiter)
    items = None if file.items is None else Items.read(file.items, delimiter=file.delimiter)
    if items is not None and file.reference is not None:
        origin = items.features[items.index(file.reference)]
        items = Items(items.features - origin, items.names, items.feature_names)
    trials = Trials.from_table(
        table,
        items,
        first=file.first,
        second=_second_column(file, table),
        choice=file.choice,
        response_time=file.response_time,
        person=_person_column(file, table),
        choice_coding=_coding(file.choice_coding),
        time_unit=file.time_unit.value,
        on_invalid=file.on_invalid.value,
        allow_identical=file.allow_identical,
        allow_void_times=allow_void_times,
        nondecision_time=nondecision_time,
    )
    if file.reference is not None:
        trials.items.index(file.reference)
    if file.drop_fast is not None:
        trials = trials.drop_fast(file.drop_fast)
    if file.drop_slow is not None:
        trials = trials.drop_slow(file.drop_slow)
    return list(_people(trials, file, has_features=items is not None))


def _people(trials: Trials, file: TrialFile, *, has_features: bool) -> Iterator[PersonTrials]:
    for name, own in trials.by_person():
        if has_features or not own.n_trials:
            yield PersonTrials(name, own, has_features, file.reference or THE_REFERENCE)
        else:
            coded, zero = _without_features(own, file.reference)
            yield PersonTrials(name, coded, False, zero)


def _without_features(trials: Trials, reference: str | None) -> tuple[Trials, str]:
    """Give items that have no features a coding whose weights the answers can determine."""
    asked = np.concatenate([trials.first, trials.second])
    asked = np.unique(asked[asked != REFERENCE])
    names = [trials.items.names[index] for index in asked]
    if reference in names:
        # Every item but this one has a weight, so that its utility is zero.
        others = [position for position, name in enumerate(names) if name != reference]
        features, zero = np.eye(len(names))[:, others], str(reference)
    elif (trials.second == REFERENCE).any():
        features, zero = np.eye(len(names)), THE_REFERENCE
    else:
        # Pairs tell differences only: utilities that sum to zero are all that can be known.
        features, zero = helmert(len(names)).T, THE_MEAN_ITEM
    position = np.searchsorted(asked, trials.second)
    coded = replace(
        trials,
        first=np.searchsorted(asked, trials.first),
        second=np.where(trials.second == REFERENCE, REFERENCE, position),
        items=Items(features, names),
    )
    return coded, zero


def _second_column(file: TrialFile, table: Table) -> str | None:
    if not file.second:
        return None
    if file.second == "second" and "second" not in table.names:
        raise DataError(
            "no column 'second'; name it with --second COLUMN, or pass --second '' if every "
            "question was about one item, against the reference"
        )
    return file.second


def _person_column(file: TrialFile, table: Table) -> str | None:
    if file.person is None:
        return "person" if "person" in table.names else None
    return file.person or None


def _coding(written: str) -> str | Mapping[str, int]:
    first, slash, second = written.partition("/")
    return {first: 1, second: -1} if slash else written
