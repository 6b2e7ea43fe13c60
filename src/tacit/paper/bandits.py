"""GSE's variants and other learners as they question the people of a data set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.learners import GSE, Learner, Oracle
from tacit.paper import style
from tacit.paper.crowds import Crowd, Subject
from tacit.paper.figure import Desk, Row
from tacit.paper.verdicts import Finding, above, below, mean_interval, within
from tacit.simulate import Cell, Diffusion

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Variant:
    """A variant of GSE that the paper compares.

    Parameters
    ----------
    label : str
        What it is called in figures.
    options : mapping
        Design and estimator of `tacit.learners.GSE`.
    colour : str
        In figures.
    knows_nondecision_time : bool, default True
        Whether it subtracts the person's nondecision time.
    """

    label: str
    options: Mapping[str, Any]
    colour: str
    knows_nondecision_time: bool = True

    def learner(
        self, crowd: Crowd, person: Subject, time_budget: float, eta: float | None = None
    ) -> GSE:
        """Return the learner for a person, with another rate of elimination if given."""
        told = crowd.gse_options(person, self.options)
        if eta is not None:
            told["eta"] = float(eta)
        if not self.knows_nondecision_time:
            told["nondecision_time"] = 0.0
        return GSE(time_budget=time_budget, **(told | dict(self.options)))


TIMES, RESPONSE_TIMES, CHOICES, WEAK, LOGIT, TIMED_LOGIT = VARIANTS = (
    Variant("(trans, CH,DT)", {}, style.BLUE),
    Variant("(trans, CH,RT)", {}, style.SKY, knows_nondecision_time=False),
    Variant("(trans, CH)", {"estimator": "choice-only"}, style.ORANGE),
    Variant("(weak, CH)", {"estimator": "choice-only", "design": "weak-preference"}, style.YELLOW),
    Variant("(trans, CH,logit)", {"estimator": "choice-logit"}, style.PURPLE),
    Variant("(trans, CH,DT,logit)", {"estimator": "choice-decision-time-logit"}, style.GREEN),
)
"""The six variants of the paper."""

_CLOSE = 0.05
"""Share of errors by which two variants may differ and still count as close."""


@dataclass(frozen=True)
class Errors:
    """How often learners recommend another item than the best.

    Attributes
    ----------
    data : str
        Whose favourites were sought.
    labels, colours : tuple of str
        Of the learners.
    time_budgets : tuple of float
        Seconds.
    error : ndarray of shape (n_people, n_learners, n_budgets)
        Share of runs.
    n_runs : int
        Of each learner with each person.
    """

    data: str
    labels: tuple[str, ...]
    colours: tuple[str, ...]
    time_budgets: tuple[float, ...]
    error: Floats
    n_runs: int

    def of(self, label: str) -> Floats:
        """Return the errors of one learner, shape (n_people, n_budgets)."""
        return np.asarray(self.error[:, self.labels.index(label)])

    def rows(self) -> list[Row]:
        """Return means and quartiles over people."""
        n = len(self.error)
        rows: list[Row] = []
        for place, label in enumerate(self.labels):
            for column, budget in enumerate(self.time_budgets):
                own = self.error[:, place, column]
                low, middle, high = np.quantile(own, [0.25, 0.5, 0.75]).tolist()
                rows.append(
                    {
                        "data": self.data,
                        "learner": label,
                        "time_budget": budget,
                        "people": n,
                        "runs": self.n_runs,
                        "mean": float(own.mean()),
                        "standard_error": float(own.std(ddof=1) / np.sqrt(n)) if n > 1 else "",
                        "first_quartile": low,
                        "median": middle,
                        "third_quartile": high,
                    }
                )
        return rows


@dataclass(frozen=True)
class Entry:
    """A learner that questions a person; with one time budget, or any number at once.

    Parameters
    ----------
    label : str
        What it is called in figures.
    learner : Learner
        Told about the person what it may know.
    time_budgets : tuple of float
        Seconds.
    """

    label: str
    learner: Learner[Any]
    time_budgets: tuple[float, ...]


class Questioned:
    """What learners came to with the people of a data set.

    Parameters
    ----------
    desk : Desk
        Where outcomes are kept.
    data : str
        Name of the data set.
    time_budgets : sequence of float
        Seconds.
    entries : callable
        Returns the learners for a person. Those of one learner follow each other, and have all
        time budgets together.
    """

    def __init__(
        self,
        desk: Desk,
        data: str,
        time_budgets: Sequence[float],
        entries: Callable[[Crowd, Subject], list[Entry]],
    ) -> None:
        crowd = desk.crowd(data)
        cells = [
            cell(
                crowd,
                person,
                label=entry.label,
                learner=entry.learner,
                time_budgets=entry.time_budgets,
                n_runs=desk.scale.n_runs,
            )
            for person in crowd.people
            for entry in entries(crowd, person)
        ]
        self._outcomes = desk.run(f"people of {data}", cells).outcomes
        self._shape = (len(crowd.people), -1, len(time_budgets))

    def mean(self, column: str) -> Floats:
        """Return means over runs of a column, shape (n_people, n_learners, n_budgets)."""
        means = [own.by_budget(column).mean(axis=1) for own in self._outcomes]
        return np.asarray(np.concatenate(means).reshape(self._shape))


def variant_entries(
    variants: Sequence[Variant], time_budgets: Sequence[float], crowd: Crowd, person: Subject
) -> list[Entry]:
    """Return variants of GSE with each time budget: a cell is a person, a variant and a budget."""
    return [
        Entry(variant.label, variant.learner(crowd, person, budget), (budget,))
        for variant in variants
        for budget in time_budgets
    ]


def variant_errors(desk: Desk, data: str, time_budgets: Sequence[float]) -> Errors:
    """Let the six variants question the people of a data set."""
    entries = partial(variant_entries, VARIANTS, time_budgets)
    return Errors(
        data,
        tuple(variant.label for variant in VARIANTS),
        tuple(variant.colour for variant in VARIANTS),
        tuple(time_budgets),
        Questioned(desk, data, time_budgets, entries).mean("error"),
        desk.scale.n_runs,
    )


def oracle(person: Subject, time_budget: float) -> Oracle:
    """Return the learner that knows the person: the reference line.

    Parameters
    ----------
    person : Subject
        Whose parameters it is told.
    time_budget : float
        Seconds for all answers together.
    """
    own = person.parameters
    return Oracle(
        time_budget=time_budget,
        weights=own.weights,
        barrier=own.barrier,
        nondecision_time=own.nondecision_time,
    )


def cell(
    crowd: Crowd,
    person: Subject,
    *,
    label: str,
    learner: Learner[Any],
    time_budgets: Sequence[float],
    n_runs: int,
) -> Cell:
    """Return the cell of a learner that questions a person."""
    own = person.parameters
    return Cell(
        problem=person.problem,
        learner=learner,
        respondent=Diffusion(own.weights, own.barrier, own.nondecision_time),
        time_budgets=time_budgets,
        n_runs=n_runs,
        labels={"data": crowd.name, "person": person.name, "learner": label},
    )


def compare(errors: Errors) -> list[Finding]:
    """Return what the errors of the six variants say about the paper's claims."""

    def gap(one: Variant, other: Variant) -> Floats:
        return errors.of(one.label) - errors.of(other.label)

    def named(one: Variant, other: Variant, what: str) -> str:
        return f"{errors.data}: {one.label} minus {other.label}, {what}"

    findings = []
    for one, other in ((TIMES, CHOICES), (TIMES, WEAK), (CHOICES, WEAK)):
        difference = gap(one, other)
        n_clear = sum(mean_interval(column)[2] < 0 for column in difference.T)
        n_against = sum(mean_interval(column)[1] > 0 for column in difference.T)
        counted = f"mean over budgets (clear at {n_clear} of {len(difference.T)}"
        against = f", against it at {n_against})" if n_against else ")"
        findings.append(
            below(named(one, other, counted + against), mean_interval(difference.mean(axis=1)))
        )
    close = mean_interval(gap(RESPONSE_TIMES, TIMES).mean(axis=1))
    text = f"mean over budgets, within {_CLOSE}"
    findings.append(within(named(RESPONSE_TIMES, TIMES, text), close, _CLOSE))
    for one in (LOGIT, TIMED_LOGIT):
        difference = gap(one, TIMES)
        worst = int(difference.mean(axis=0).argmax())
        text = f"at its worst budget ({errors.time_budgets[worst]:g} s), above 0"
        interval = mean_interval(difference[:, worst], n_looks=len(errors.time_budgets))
        findings.append(above(named(one, TIMES, text), interval))
    return findings
