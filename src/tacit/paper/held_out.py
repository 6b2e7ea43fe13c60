"""Held out: real people's choices, predicted with times and without."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.datasets import load
from tacit.paper import style
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.predictions import METHODS, STUDIES, PersonToPredict, Study, tuned_on_others
from tacit.paper.verdicts import Finding, above, mean_bars, mean_interval, within

Floats = NDArray[np.float64]

_CHOICES, _TIMES, _ = range(len(METHODS))
_NO_WORSE = 0.03
"""Accuracy that one timed answer may miss and still count as good as ten untimed ones."""
_SAME = 0.02
"""Accuracy by which predictions may differ and still count as the same."""


@dataclass(frozen=True)
class Accuracies:
    """Shares of held-out choices predicted, ridges tuned on the other people.

    Attributes
    ----------
    study : Study
        What is predicted.
    choices, times : ndarray of shape (n_people, n_sizes)
        Without and with response times.
    """

    study: Study
    choices: Floats
    times: Floats


class HeldOutFigure(Figure[list[Accuracies]]):
    """Accuracy against the number of answers, a panel for each data set."""

    name = "held-out"
    data_sets = tuple(study.name for study in STUDIES)
    title = "Real people's held-out choices"
    beyond = True
    claim = (
        "Where preferences are strong (snacks), times predict a person's other choices better, "
        "and one timed answer for each snack does as well as ten untimed ones. Where they are weak "
        "(risky options), times make no difference."
    )

    def collect(self, desk: Desk) -> list[Accuracies]:
        """Run every person and number of answers."""
        found = []
        for study in STUDIES:
            people = load(study.name, desk.data).people[: desk.scale.n_people]
            works = [
                PersonToPredict(person=person, study=study, size=size, n_draws=desk.scale.n_draws)
                for person in people
                for size in study.sizes
            ]
            outcomes = desk.run(
                f"predictions, people of {study.name}", works, store="predictions"
            ).outcomes
            shape = (len(people), len(study.sizes), -1)
            accuracy = {
                method: np.reshape([own.accuracy[own.method == method] for own in outcomes], shape)
                for method in (_CHOICES, _TIMES)
            }
            choices, times = (
                np.stack(
                    [1 - tuned_on_others(1 - own[:, size]) for size in range(shape[1])], axis=1
                )
                for own in accuracy.values()
            )
            found.append(Accuracies(study, choices, times))
        return found

    def draw(self, found: list[Accuracies]) -> Any:
        """Draw means over people with 95% intervals."""
        figure = style.new_figure(2.7)
        panels = figure.subplots(1, len(found))
        titles = ("snacks: yes or no predicts choices", "risky options: answers predict answers")
        for number, (axes, own) in enumerate(zip(panels, found, strict=True)):
            sizes = np.array(own.study.sizes)
            for shift, values, label, colour, marker in (
                (0.97, own.times, "choices and times", style.BLUE, "o"),
                (1.03, own.choices, "choices alone", style.ORANGE, "s"),
            ):
                mean, ends = mean_bars(values)
                axes.errorbar(
                    shift * sizes,
                    mean,
                    ends,
                    color=colour,
                    marker=marker,
                    markersize=3.5,
                    capsize=2,
                    elinewidth=0.7,
                    label=label,
                )
            axes.set_xscale("log")
            axes.set_xticks(sizes, [str(size) for size in sizes])
            axes.minorticks_off()
            axes.set_xlabel(f"{own.study.unit} ({len(own.times)} people)")
            axes.grid(axis="y")
            style.letter(axes, "ab"[number], titles[number])
        panels[0].set_ylabel("share of held-out choices predicted")
        panels[0].legend(loc="lower right")
        return figure

    def judge(self, found: list[Accuracies]) -> list[Finding]:
        """Compare predictions over people."""
        snacks, risks = found
        few, many = snacks.study.sizes[0], snacks.study.sizes[-1]
        gain = (snacks.times - snacks.choices).mean(axis=1)
        return [
            above(
                "snacks: accuracy with times minus without, mean over numbers of answers",
                mean_interval(gain),
            ),
            above(
                f"snacks: {few} timed minus {many} untimed answers for each, above -{_NO_WORSE}",
                mean_interval(snacks.times[:, 0] - snacks.choices[:, -1]),
                than=-_NO_WORSE,
            ),
            within(
                f"risky options: with times minus without, within {_SAME}",
                mean_interval((risks.times - risks.choices).mean(axis=1)),
                _SAME,
            ),
        ]

    def rows(self, found: list[Accuracies]) -> list[Row]:
        """Return means over people with their intervals."""
        rows: list[Row] = []
        for own in found:
            for column, size in enumerate(own.study.sizes):
                pair = {"with_times": own.times, "choices_alone": own.choices}
                gap = mean_interval(own.times[:, column] - own.choices[:, column])
                rows.append(
                    {
                        "data": own.study.name,
                        "answers": size,
                        "unit": own.study.unit,
                        "people": len(own.times),
                        **{name: float(values[:, column].mean()) for name, values in pair.items()},
                        "difference": gap[0],
                        "difference_low": gap[1],
                        "difference_high": gap[2],
                    }
                )
        return rows
