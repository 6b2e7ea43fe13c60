"""The picture of a race: error against seconds, with bands over people."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.cli._race import Standing, Tally

# Okabe and Ito's colours, which nearly everybody can tell apart; markers differ as well.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vPX"
_LINES = ("-", "--", "-.", ":")

_WIDE = 8
"""Largest over smallest time budget from which seconds are on a logarithmic axis."""

_MANY = 10
"""Time budgets that still have room for a number each."""


def save_picture(path: Path, tally: Tally, *, title: str, citation: str) -> None:
    """Draw the error of every learner against seconds.

    Parameters
    ----------
    path : Path
        File to write; its ending names the format.
    tally : Tally
        What to draw.
    title, citation : str
        What stands above and below.
    """
    figure = require("matplotlib.figure", extra="plot").Figure(
        figsize=(8.6, 4.8), layout="constrained"
    )
    axes = figure.subplots()
    for number, one in enumerate(tally.standings()):
        _draw(axes, number, one, tally.time_budgets)
    _label(axes, tally.time_budgets)
    figure.legend(
        loc="outside right upper",
        frameon=False,
        title="mean over people,\n95% bands",
        alignment="left",
    )
    axes.set_title(title, fontsize="medium", loc="left")
    note = textwrap.fill(citation, 150)
    room = 0.025 + 0.025 * note.count("\n") + 0.01
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.text(0.01, 0.01, note, fontsize=6.5, color="0.35", va="bottom")
    figure.savefig(path, dpi=200)


def _draw(axes: Any, number: int, one: Standing, time_budgets: Sequence[float]) -> None:
    colour = _COLOURS[number % len(_COLOURS)]
    style = {
        "color": colour,
        "marker": _MARKERS[number % len(_MARKERS)],
        "linestyle": _LINES[number % len(_LINES)],
    }
    error, margin = 100 * one.error, 100 * one.margin
    axes.plot(time_budgets, error, **style, markersize=5, clip_on=False, label=_as_is(one.learner))
    if np.isnan(margin).any():
        return
    if len(time_budgets) == 1:
        axes.errorbar(time_budgets, error, margin, color=colour, capsize=4)
        return
    low, high = np.maximum(error - margin, 0), np.minimum(error + margin, 100)
    axes.fill_between(time_budgets, low, high, color=colour, alpha=0.15, linewidth=0)


def _label(axes: Any, time_budgets: Sequence[float]) -> None:
    if time_budgets[-1] >= _WIDE * time_budgets[0]:
        axes.set_xscale("log")
    if len(time_budgets) <= _MANY:
        axes.set_xticks(time_budgets, [f"{seconds:g}" for seconds in time_budgets])
        axes.minorticks_off()
    axes.set_xlabel("seconds that the person may spend answering")
    axes.set_ylabel("recommended item is not the best (% of runs)")
    axes.set_ylim(0, None)
    axes.grid(axis="y", color="0.92")
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _as_is(text: str) -> str:
    """Keep dollars from being taken for formulas."""
    return text.replace("$", r"\$")
