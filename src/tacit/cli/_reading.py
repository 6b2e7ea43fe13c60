"""Trials of a file, person by person, with items whose utilities the answers can tell."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.linalg import helmert

from tacit.cli._options import TrialFile
from tacit.errors import DataError, DataWarning, TacitError
from tacit.records import REFERENCE, Items, Trials
from tacit.records.tables import Table, read_table

Result = TypeVar("Result")

THE_REFERENCE = "the reference"
THE_MEAN_ITEM = "the mean item"
ZERO_FEATURES = "an item whose features are all zero"


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
        What has utility zero: one of the phrases above, or an item by name.
    """

    name: int | str | None
    trials: Trials
    has_features: bool
    zero: str

    @property
    def label(self) -> str:
        """The name in a table."""
        return "-" if self.name is None else str(self.name)

    @property
    def counts(self) -> str:
        """How many trials there are, and how many rows were left out, in words."""
        excluded = sum(self.trials.excluded.values())
        return f"{self.trials.n_trials}" + (f" (and {excluded} left out)" if excluded else "")

    def record(self) -> dict[str, object]:
        """Return what every JSON object about a person starts with."""
        return {
            "person": self.name,
            "n_trials": self.trials.n_trials,
            "excluded": self.trials.excluded,
        }


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
    delimiter = "\t" if file.delimiter == r"\t" else file.delimiter
    table = read_table(file.trials, delimiter=delimiter)
    _check_columns(file, table)
    items = None if file.items is None else Items.read(file.items, delimiter=delimiter)
    if items is not None and file.reference is not None:
        origin = items.features[items.index(file.reference)]
        items = Items(items.features - origin, items.names, items.feature_names)
    trials = Trials.from_table(
        table,
        items,
        first=file.first,
        second=file.second or None,
        choice=file.choice,
        response_time=file.response_time,
        person=_person_column(file, table),
        choice_coding=file.choice_coding,
        time_unit=file.time_unit.value,
        on_invalid=file.on_invalid.value,
        allow_identical=file.allow_identical,
        allow_void_times=allow_void_times,
        nondecision_time=nondecision_time,
    )
    if file.reference is not None:
        trials.items.index(file.reference)
    nobody = trials.excluded.get("missing person", 0)
    if nobody:
        warnings.warn(f"rows that name no person and were left out: {nobody}", DataWarning, 2)
    if file.drop_fast is not None:
        trials = trials.drop_fast(file.drop_fast)
    if file.drop_slow is not None:
        trials = trials.drop_slow(file.drop_slow)
    return list(_people(trials, file, has_features=items is not None))


def for_each(
    people: Sequence[PersonTrials],
    work: Callable[[PersonTrials], Result],
    progress: Callable[[int], None],
) -> list[Result | TacitError]:
    """Do some work on each person; an error of one of them is returned, and stops nobody else."""
    results: list[Result | TacitError] = []
    for done, person in enumerate(people, 1):
        with warnings.catch_warnings(record=True) as caught:
            try:
                if not person.trials.n_trials:
                    raise DataError("none of this person's rows can be used")
                results.append(work(person))
            except TacitError as error:
                results.append(error)
        for (category, message), n in Counter(map(_category_and_text, caught)).items():
            times = f" ({n} times)" if n > 1 else ""
            warnings.warn(f"person {person.name}: {message}{times}", category, 2)
        progress(done)
    return results


def _category_and_text(warning: warnings.WarningMessage) -> tuple[type[Warning], str]:
    return warning.category, str(warning.message)


def _people(trials: Trials, file: TrialFile, *, has_features: bool) -> Iterator[PersonTrials]:
    for name, own in trials.by_person():
        if has_features or not own.n_trials:
            yield PersonTrials(name, own, has_features, file.reference or ZERO_FEATURES)
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
    elif len(names) == 1 or (trials.second == REFERENCE).any():
        features, zero = np.eye(len(names)), reference or THE_REFERENCE
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


def _check_columns(file: TrialFile, table: Table) -> None:
    """Raise if there is no column of the usual name, naming the option that helps."""
    for name in ("first", "second", "choice", "response_time"):
        if getattr(file, name) == name and name not in table.names:
            option = "--" + name.replace("_", "-")
            advice = f"{option} COLUMN names it"
            if name == "second":
                advice += (
                    f"; {option} '' if every question was about one item, against the reference"
                )
            raise DataError(f"no column {name!r}; {table.hint(name)} ({advice})")


def _person_column(file: TrialFile, table: Table) -> str | None:
    if file.person is None:
        return "person" if "person" in table.names else None
    return file.person or None
