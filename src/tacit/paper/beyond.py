"""Beyond the paper: learners that keep every answer, on the axes of figures 5, 7 and 9."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.learners import ChoiceTopTwo, Learner, StopWhenSure, TopTwo
from tacit.paper import style
from tacit.paper.bandits import (
    CHOICES,
    TIMES,
    Entry,
    Errors,
    Questioned,
    Variant,
    oracle,
    variant_entries,
)
from tacit.paper.crowds import Crowd, Subject
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding, below, mean_interval, within
from tacit.paper.violins import draw_budgets

Floats = NDArray[np.float64]

RIDGE = 0.03
"""Precision of the prior on 2 a theta that makes choices alone a fair baseline."""

RIDGED = Variant("(trans, CH), ridge", {"estimator": "choice-only", "ridge": RIDGE}, style.YELLOW)
_NEW: dict[str, tuple[str, Callable[[], Learner[Any]]]] = {
    "ChoiceTopTwo": (style.PURPLE, ChoiceTopTwo),
    "TopTwo": (style.GREEN, TopTwo),
    "StopWhenSure": (style.SKY, StopWhenSure),
}
_ORACLE = "Oracle"
_CLOSE = 0.05


@dataclass(frozen=True)
class Raced:
    """What learners came to.

    Attributes
    ----------
    errors : Errors
        Of the learners that compete.
    oracle : ndarray of shape (n_people, n_budgets)
        Errors of the learner that knows the person.
    seconds : ndarray of shape (n_people, n_learners, n_budgets)
        Seconds used on average.
    """

    errors: Errors
    oracle: Floats
    seconds: Floats


class BeyondFigure(Figure[Raced]):
    """Base: the paper's best variant against learners that keep every answer."""

    beyond = True
    claim = (
        "A learner that keeps every answer and chooses each question for what it tells per second "
        "finds the favourite more often than the paper's best variant within the same seconds, "
        "and more often with times than without; stopping when sure saves seconds at next to no "
        "loss. The paper's variant is better than choices alone with a fair ridge, too."
    )

    def collect(self, desk: Desk) -> Raced:
        """Run every learner; one that needs no budget goes through all of them in one cell."""
        budgets = desk.scale.budgets(SETTINGS[self.data].time_budgets)
        variants = (TIMES, CHOICES, RIDGED)

        def entries(crowd: Crowd, person: Subject) -> list[Entry]:
            return [
                *variant_entries(variants, budgets, crowd, person),
                *(Entry(label, make(), tuple(budgets)) for label, (_, make) in _NEW.items()),
                Entry(_ORACLE, oracle(person, budgets[-1]), tuple(budgets)),
            ]

        found = Questioned(desk, self.data, budgets, entries)
        error, seconds = found.mean("error"), found.mean("seconds_used")
        errors = Errors(
            self.data,
            (*(one.label for one in variants), *_NEW),
            (*(one.colour for one in variants), *(colour for colour, _ in _NEW.values())),
            tuple(budgets),
            error[:, :-1],
            desk.scale.n_runs,
        )
        return Raced(errors, error[:, -1], seconds[:, :-1])

    def draw(self, found: Raced) -> Any:
        """Draw a panel for each budget, with the oracle's mean error as a line."""
        return draw_budgets(found.errors, reference=(_ORACLE, found.oracle.mean(axis=0)))

    def judge(self, found: Raced) -> list[Finding]:
        """Compare learners over people."""
        errors = found.errors

        def gap(one: str, other: str) -> Floats:
            return errors.of(one) - errors.of(other)

        stopping = errors.labels.index("StopWhenSure")
        saved = found.seconds[:, stopping, -1] / found.seconds[:, errors.labels.index("TopTwo"), -1]
        smallest, largest = errors.time_budgets[0], errors.time_budgets[-1]
        over = "mean over budgets"
        return [
            below(f"TopTwo minus {TIMES.label}, {over}", _over(gap("TopTwo", TIMES.label))),
            below(f"TopTwo minus ChoiceTopTwo, {over}", _over(gap("TopTwo", "ChoiceTopTwo"))),
            below(f"TopTwo minus {RIDGED.label}, {over}", _over(gap("TopTwo", RIDGED.label))),
            below(
                f"{TIMES.label} minus {RIDGED.label}, {over}", _over(gap(TIMES.label, RIDGED.label))
            ),
            below(
                f"{TIMES.label} minus {RIDGED.label}, at {smallest:g} s",
                mean_interval(gap(TIMES.label, RIDGED.label)[:, 0]),
            ),
            within(
                f"StopWhenSure minus TopTwo at {largest:g} s, within {_CLOSE}",
                mean_interval(gap("StopWhenSure", "TopTwo")[:, -1]),
                _CLOSE,
            ),
            below(
                f"StopWhenSure at {largest:g} s: share of TopTwo's seconds, below 1",
                mean_interval(saved),
                than=1.0,
            ),
        ]

    def rows(self, found: Raced) -> list[Row]:
        """Return means and quartiles over people, and seconds used."""
        seconds = found.seconds.mean(axis=0).ravel().tolist()
        rows: list[Row] = [
            {**row, "seconds_used": used}
            for row, used in zip(found.errors.rows(), seconds, strict=True)
        ]
        known = Errors(
            self.data,
            (_ORACLE,),
            (style.BLACK,),
            found.errors.time_budgets,
            found.oracle[:, None, :],
            found.errors.n_runs,
        )
        return rows + [{**row, "seconds_used": ""} for row in known.rows()]


class FoodRiskBeyond(BeyondFigure):
    """On the axes of figure 5."""

    name = "beyond-5"
    data_sets = ("food-risk",)
    title = "Learners that keep every answer: choices between risky options"


class ClitheroBeyond(BeyondFigure):
    """On the axes of figure 7."""

    name = "beyond-7"
    data_sets = ("clithero",)
    title = "Learners that keep every answer: yes or no to a snack"


class KrajbichBeyond(BeyondFigure):
    """On the axes of figure 9."""

    name = "beyond-9"
    data_sets = ("krajbich",)
    title = "Learners that keep every answer: choices between two snacks"


def _over(difference: Floats) -> tuple[float, float, float]:
    return mean_interval(difference.mean(axis=1))
