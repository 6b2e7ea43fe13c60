"""Ablation: from the paper's best variant to a learner that wastes nothing, step by step."""

from typing import Any

import numpy as np

from tacit.learners import TopTwo
from tacit.paper import style
from tacit.paper.bandits import TIMES, Entry, Errors, Questioned, Variant, variant_entries
from tacit.paper.crowds import Crowd, Subject
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding, below, mean_bars, mean_interval

_LIKELIHOOD = {"estimator": "likelihood"}
_REUSE = _LIKELIHOOD | {"reuse": True}
_NO_BUFFER = _REUSE | {"phase_buffer": 0.0}

STEPS = (
    TIMES,
    Variant("+ likelihood", _LIKELIHOOD, style.SKY),
    Variant("+ reuse", _REUSE, style.YELLOW),
    Variant("+ no buffer", _NO_BUFFER, style.ORANGE),
    Variant("+ time-aware", _NO_BUFFER | {"design": "time-aware"}, style.PURPLE),
)
"""Each step is the one before and something more; they replace what the paper tells GSE."""

_LAST, _LAST_COLOUR = "TopTwo", style.GREEN
_MARKERS = "osD^vP"


class AblationFigure(Figure[list[Errors]]):
    """Mean errors of the steps, a panel for each data set."""

    name = "ablation"
    data_sets = tuple(SETTINGS)
    title = "What each part of the paper's learner costs"
    beyond = True
    claim = (
        "The paper's best variant averages choices and times apart, forgets the answers of earlier "
        "phases, loses seconds to a buffer in each phase, and asks as if every question took as "
        "long. Without each of these it errs less, and a learner without phases errs least."
    )

    def collect(self, desk: Desk) -> list[Errors]:
        """Run every person and step."""
        return [_errors(desk, data) for data in SETTINGS]

    def draw(self, found: list[Errors]) -> Any:
        """Draw mean errors against seconds, with 95% intervals over people."""
        figure = style.new_figure(2.8)
        panels = figure.subplots(1, len(found), sharey=True)
        for number, (axes, errors) in enumerate(zip(panels, found, strict=True)):
            for place, (label, colour) in enumerate(
                zip(errors.labels, errors.colours, strict=True)
            ):
                mean, ends = mean_bars(errors.of(label))
                shift = 1 + 0.012 * (place - 2.5)
                axes.errorbar(
                    shift * np.array(errors.time_budgets),
                    mean,
                    ends,
                    color=colour,
                    marker=_MARKERS[place],
                    markersize=3.5,
                    elinewidth=0.6,
                    label=label,
                )
            axes.set_xscale("log")
            axes.set_xticks(errors.time_budgets, [f"{own:g}" for own in errors.time_budgets])
            axes.tick_params(axis="x", labelrotation=45 if len(errors.time_budgets) > 4 else 0)
            axes.minorticks_off()
            axes.set_xlabel("seconds")
            axes.set_ylim(0, 1)
            axes.grid(axis="y")
            style.letter(axes, "abc"[number], errors.data)
        panels[0].set_ylabel("share of runs that\nname a wrong item")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return figure

    def judge(self, found: list[Errors]) -> list[Finding]:
        """Compare each step with the one before."""
        return [
            below(
                f"{errors.data}: {new} minus {old}, mean over budgets",
                mean_interval((errors.of(new) - errors.of(old)).mean(axis=1)),
            )
            for errors in found
            for old, new in zip(errors.labels, errors.labels[1:], strict=False)
        ]

    def rows(self, found: list[Errors]) -> list[Row]:
        """Return means and quartiles over people."""
        return [row for errors in found for row in errors.rows()]


def _errors(desk: Desk, data: str) -> Errors:
    budgets = desk.scale.budgets(SETTINGS[data].time_budgets)

    def entries(crowd: Crowd, person: Subject) -> list[Entry]:
        last = Entry(_LAST, TopTwo(), tuple(budgets))
        return [*variant_entries(STEPS, budgets, crowd, person), last]

    return Errors(
        data,
        (*(step.label for step in STEPS), _LAST),
        (*(step.colour for step in STEPS), _LAST_COLOUR),
        tuple(budgets),
        Questioned(desk, data, budgets, entries).mean("error"),
        desk.scale.n_runs,
    )
