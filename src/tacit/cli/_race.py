"""Learners that race for people's favourites: who takes part, the runs, the standings."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.special import stdtrit

from tacit._extras import require
from tacit.cli._learner_options import parse_learner, split_learners
from tacit.errors import DataError
from tacit.learners import LEARNERS, Learner, configured, reconfigured
from tacit.paper import Crowd, Subject, oracle
from tacit.simulate import Cell, Outcomes, Work, make_respondent, run_many

Floats = npt.NDArray[np.float64]

DEFAULT = "TopTwo,ChoiceTopTwo,GSE,RandomPairs"
"""Who races when nobody is named."""

ORACLE = "Oracle"
"""The reference line: it knows the person, and can only be raced."""

_ANY = 60.0
"""Seconds of a learner that is told each budget before it starts."""

_ROUNDS = 4
"""Cells per process between two looks at the standings."""


@dataclass(frozen=True)
class Entry:
    """A learner that takes part: its name with options, as it was written."""

    label: str
    name: str
    options: dict[str, Any]

    def learner(self, crowd: Crowd, person: Subject) -> Learner[Any]:
        """Return the learner for a person; GSE is told what the paper tells it, Oracle all."""
        if self.name == ORACLE:
            return reconfigured(self.name, oracle(person, _ANY), self.options)
        told = crowd.gse_options(person, self.options) if self.name == "GSE" else {}
        return configured(self.name, told | self.options)


def entries(texts: Sequence[str]) -> list[Entry]:
    """Read the learners that take part."""
    labels = [label for text in texts for label in split_learners(text)]
    found = [Entry(label, *parse_learner(label)) for label in labels]
    known = [*LEARNERS, ORACLE]
    for entry in found:
        if entry.name not in known:
            raise DataError(f"unknown learner {entry.name!r}; there are {', '.join(known)}")
        if labels.count(entry.label) > 1:
            raise DataError(f"learners must differ, got {entry.label} twice")
        if "time_budget" in entry.options:
            raise DataError(f"{entry.label}: the race sets the time budget; see --budgets")
    return found


def budgets(text: str) -> list[float]:
    """Read seconds separated by commas."""
    try:
        seconds = [float(part) for part in text.split(",")]
    except ValueError:
        seconds = []
    if not seconds or not np.isfinite(seconds).all():
        raise DataError(
            f"--budgets must be seconds separated by commas, such as 50,100,200, got {text!r}"
        )
    return seconds


def cells(
    crowd: Crowd,
    learners: Sequence[Entry],
    time_budgets: Sequence[float],
    respondent: str,
    *,
    n_runs: int,
    seed: int,
) -> list[Cell]:
    """Return a cell for each person and learner; those of a person follow each other."""
    return [
        Cell(
            problem=person.problem,
            learner=entry.learner(crowd, person),
            respondent=make_respondent(respondent, person.parameters),
            time_budgets=time_budgets,
            n_runs=n_runs,
            seed=seed,
            labels={
                "data": crowd.name,
                "person": person.name,
                "learner": entry.label,
                "respondent": respondent,
            },
        )
        for person in crowd.people
        for entry in learners
    ]


class Standing(NamedTuple):
    """How one learner did within each time budget, over people.

    Attributes
    ----------
    learner : str
        Which one.
    n_people : int
        How many people are done.
    error, error_se, seconds, answers : array of float, shape (n_budgets,)
        Means over people, and the standard error over people of the first; NaN if unknown.
    margin : array of float, shape (n_budgets,)
        Half of the 95% confidence interval of the error over people.
    """

    learner: str
    n_people: int
    error: Floats
    error_se: Floats
    seconds: Floats
    answers: Floats
    margin: Floats


class Tally:
    """The results so far.

    Parameters
    ----------
    learners : sequence of str
        Labels of those that take part.
    time_budgets : sequence of float
        Seconds.
    """

    def __init__(self, learners: Sequence[str], time_budgets: Sequence[float]) -> None:
        self.time_budgets = list(time_budgets)
        self._means: dict[str, list[Floats]] = {learner: [] for learner in learners}

    def add(self, cell: Work[Outcomes], outcomes: Outcomes) -> None:
        """Take in what a learner came to with one person."""
        columns = ("error", "seconds_used", "answers_used")
        means = [outcomes.by_budget(name).mean(axis=1) for name in columns]
        self._means[cell.labels["learner"]].append(np.stack(means))

    def standings(self) -> Iterator[Standing]:
        """Go through the learners."""
        unknown = np.full(len(self.time_budgets), np.nan)
        for learner, found in self._means.items():
            n = len(found)
            mean = np.mean(found, axis=0) if n else np.tile(unknown, (3, 1))
            se = unknown
            if n > 1:
                se = np.std([own[0] for own in found], axis=0, ddof=1) / np.sqrt(n)
            margin = se * stdtrit(max(n - 1, 1), 0.975)
            yield Standing(learner, n, mean[0], se, mean[1], mean[2], np.asarray(margin))


def run(
    cells: Sequence[Cell],
    tally: Tally,
    *,
    out: Path | None,
    n_jobs: int | None,
    progress: Callable[[int], None],
) -> None:
    """Run all cells, a part at a time, and add them to the tally."""
    store = None if out is None else store_of(out)
    size = effective_n_jobs(n_jobs)
    size *= _ROUNDS if size > 1 else 1
    for start in range(0, len(cells), size):
        results = run_many(cells[start : start + size], out=store, n_jobs=n_jobs)
        for cell, outcomes in zip(results.cells, results.outcomes, strict=True):
            tally.add(cell, outcomes)
        progress(start + len(results.cells))


def store_of(out: Path) -> Path:
    """Return the folder of the outcomes, and see that there will be something to write them."""
    require("pyarrow", extra="tables")
    return out / "cells"
