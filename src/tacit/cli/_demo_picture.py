"""The race as a picture: with matplotlib in a file, with characters on a terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from tacit._extras import require
from tacit.cli._demo_race import CHANCE, CHOICES, LEARNERS, TIMES, Advantage, Curves

TITLES = {
    "yes or no": "Would you like this snack?",
    "which of two": "Which of these two would you like?",
}

# Okabe and Ito's colours, which nearly everybody can tell apart; markers differ as well.
_STYLE = {
    CHOICES: {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    TIMES: {"color": "#0072B2", "marker": "o", "linestyle": "-"},
}
_GLYPHS = {CHOICES: "□", TIMES: "●"}
COLOURS = {CHOICES: "dark_orange3", TIMES: "dodger_blue1"}
"""The colours nearest to these that terminals have."""

_ROWS, _COLUMNS = 13, 46


def save_picture(path: Path, curves: Mapping[str, Curves], gains: Mapping[str, Advantage]) -> None:
    """Draw error against seconds, with a panel for each kind of question.

    Parameters
    ----------
    path : Path
        File to write; its ending names the format.
    curves : dict of Curves
        The race of each kind of question.
    gains : dict of Advantage
        What times saved in it.
    """
    figure = require("matplotlib.figure", extra="plot").Figure(figsize=(9, 4), layout="constrained")
    panels = figure.subplots(1, len(curves), sharey=True, squeeze=False)[0]
    for axes, (question, found) in zip(panels, curves.items(), strict=True):
        _draw_panel(axes, found, gains[question])
        axes.set_title(TITLES[question])
    panels[0].set_ylabel("people whose favourite is not found (%)")
    panels[0].set_ylim(0, 100)
    n_people = len(next(iter(curves.values())).wrong[TIMES])
    panels[0].legend(
        frameon=False,
        loc="lower left",
        title=f"{n_people} simulated people,\n10 snacks, 95% bands",
        alignment="left",
    )
    figure.savefig(path, dpi=200)


def _draw_panel(axes: Any, curves: Curves, gain: Advantage) -> None:
    for learner in LEARNERS:
        style = _STYLE[learner]
        seconds, share, low, high = _percent(curves, learner)
        axes.fill_between(seconds, low, high, color=style["color"], alpha=0.15, linewidth=0)
        axes.plot(seconds, share, **style, markersize=4, clip_on=False, label=learner)
    end = curves.seconds[-1]
    if np.isfinite(gain.seconds):
        level = 100 * (1 - gain.right)
        reach = {"arrowstyle": "->", "color": "0.4", "shrinkA": 4, "shrinkB": 0}
        axes.annotate("", (gain.seconds, level), xytext=(end, level), arrowprops=reach)
        note = f"as good {gain.ratio:.2g} times sooner\n(95% interval {interval(gain)})"
        axes.text(0.98, 0.97, note, color="0.3", ha="right", va="top", transform=axes.transAxes)
    asked, seconds = np.append(0, curves.questions), np.append(0, curves.seconds)
    top = axes.secondary_xaxis(
        "top",
        functions=(lambda x: np.interp(x, seconds, asked), lambda x: np.interp(x, asked, seconds)),
    )
    step = max(10 * round(asked[-1] / 60), 1)
    top.set_ticks(np.arange(0, asked[-1], step))
    top.set_xlabel("questions answered")
    axes.set_xlabel("seconds spent answering")
    axes.set_xlim(0, end)
    axes.spines["right"].set_visible(False)


def interval(gain: Advantage) -> str:
    """Write the confidence interval of a ratio."""
    if np.isinf(gain.high):
        return f"above {gain.low:.2g}"
    return f"{gain.low:.2g} to {gain.high:.2g}"


def _percent(curves: Curves, learner: str) -> tuple[Any, ...]:
    """Return seconds, error, and both ends of its interval in percent, from the first guess on."""
    error = (np.append(CHANCE, part) * 100 for part in curves.error(learner))
    return np.append(0.0, curves.seconds), *error


def terminal_picture(curves: Mapping[str, Curves], width: int) -> Table:
    """Draw error against seconds with characters, side by side where the terminal is wide.

    Parameters
    ----------
    curves : dict of Curves
        The race of each kind of question.
    width : int
        Columns of the terminal.

    Returns
    -------
    rich.table.Table
        Something to print.
    """
    grid = Table.grid(padding=(0, 2))
    charts = [_chart(TITLES[question], found) for question, found in curves.items()]
    if width >= len(charts) * (_COLUMNS + 8):
        grid.add_row(*charts)
    else:
        for chart in charts:
            grid.add_row(chart)
    return grid


def _chart(title: str, curves: Curves) -> Text:
    canvas = [[(" ", "")] * _COLUMNS for _ in range(_ROWS)]
    at = np.linspace(0, curves.seconds[-1], _COLUMNS)
    for learner in LEARNERS:
        glyph, colour = _GLYPHS[learner], COLOURS[learner]
        share, low, high = (
            np.rint((1 - np.interp(at, seconds, part) / 100) * (_ROWS - 1)).astype(int)
            for seconds, *parts in [_percent(curves, learner)]
            for part in parts
        )
        for column in range(_COLUMNS):
            for row in range(high[column], low[column] + 1):
                if canvas[row][column][0] == " ":
                    canvas[row][column] = ("·", colour)
        for column in range(0, _COLUMNS, 3):
            canvas[share[column]][column] = (glyph, colour)
    chart = Text(f"{title}\n", style="bold")
    for row, cells in enumerate(canvas):
        percent = 100 * (1 - row / (_ROWS - 1))
        chart.append(f"{percent:4.0f}% ┤" if row % 3 == 0 else "      │", style="not bold dim")
        for glyph, colour in cells:
            chart.append(glyph, style=f"not bold {colour}")
        chart.append("\n")
    seconds = curves.seconds[-1]
    axis = "0" + f"{seconds / 2:g}".center(_COLUMNS - 5) + f"{seconds:g} s".rjust(4)
    chart.append("      └" + "─" * _COLUMNS + "\n       " + axis, style="not bold dim")
    return chart


def legend() -> Text:
    """Say which mark stands for which learner."""
    text = Text("people whose favourite is not found (%), by  ")
    for learner in LEARNERS:
        glyph, colour = _GLYPHS[learner], COLOURS[learner]
        text.append(f"{glyph} {learner}   ", style=colour)
    return text.append("· 95% interval", style="dim")
