"""Errors over people as violins with box plots, a panel for each time budget."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.paper import style
from tacit.paper.bandits import Errors

_IN_A_ROW = 7
"""Names that fit next to each other."""

_MEAN = {
    "marker": "o",
    "markersize": 2.6,
    "color": "white",
    "markeredgecolor": "black",
    "markeredgewidth": 0.6,
    "linestyle": "none",
}


def draw_panel(axes: Any, errors: Errors, column: int) -> None:
    """Draw the errors of every learner at one time budget.

    Violins show people's errors, boxes their quartiles, the bar the median, and the dot the mean.
    """
    samples = list(errors.error[:, :, column].T)
    places = np.arange(len(samples))
    draw_violins(axes, samples, places, errors.colours)
    axes.set_xticks([])
    axes.set_title(f"{errors.time_budgets[column]:g} s")


def draw_violins(
    axes: Any, samples: Sequence[Any], places: Any, colours: Sequence[str], *, width: float = 0.85
) -> None:
    """Draw violins with box plots, one for each sample, on an axis of shares."""
    bodies = axes.violinplot(samples, places, widths=width, showextrema=False)["bodies"]
    for body, colour in zip(bodies, colours, strict=True):
        body.set(facecolor=colour, alpha=0.35, edgecolor="none")
        # A density is smooth; shares are not outside of 0 to 1.
        path = body.get_paths()[0]
        path.vertices[:, 1] = np.clip(path.vertices[:, 1], 0, 1)
    thin = {"color": "0.15", "linewidth": 0.6}
    boxes = axes.boxplot(
        samples,
        positions=places,
        widths=0.25 * width,
        showfliers=False,
        patch_artist=True,
        manage_ticks=False,
        medianprops={"color": "black", "linewidth": 1.1},
        whiskerprops=thin,
        capprops=thin,
        boxprops={"linewidth": 0.6, "edgecolor": "0.15"},
    )["boxes"]
    for box, colour in zip(boxes, colours, strict=True):
        box.set_facecolor(colour)
    means = [float(np.mean(own)) for own in samples]
    axes.plot(places, means, **_MEAN, zorder=5, clip_on=False, label="mean")
    axes.set_ylim(0, 1)
    axes.grid(axis="y")


def name_learners(figure: Any, errors: Errors, *, reference: str | None = None) -> None:
    """Say below the panels which colour is which learner, and what the dot is."""
    patches = require("matplotlib.patches", extra="plot")
    lines = require("matplotlib.lines", extra="plot")
    handles = [patches.Patch(facecolor=colour, alpha=0.6) for colour in errors.colours]
    handles.append(lines.Line2D([], [], **_MEAN))
    labels = [*errors.labels, "mean"]
    if reference is not None:
        handles.append(lines.Line2D([], [], color="black", lw=0.9, ls="--"))
        labels.append(f"{reference} (mean)")
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=len(labels) if len(labels) <= _IN_A_ROW else -(-len(labels) // 2),
        handlelength=1.2,
        columnspacing=1.0,
    )


def draw_budgets(errors: Errors, reference: tuple[str, Any] | None = None) -> Any:
    """Draw all time budgets of one data set.

    Parameters
    ----------
    errors : Errors
        Of the learners.
    reference : tuple of str and array of shape (n_budgets,), optional
        Name and level of a line to compare with.
    """
    n = len(errors.time_budgets)
    n_columns = min(n, 4) if n != 6 else 3
    n_rows = -(-n // n_columns)
    figure = style.new_figure(0.5 + 1.75 * n_rows)
    panels = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False)
    for column, axes in enumerate(panels.flat):
        if column < n:
            draw_panel(axes, errors, column)
            if reference is not None:
                axes.axhline(reference[1][column], color="black", lw=0.9, ls="--")
        else:
            axes.set_axis_off()
    figure.supylabel("share of runs that name a wrong item", fontsize=8)
    name_learners(figure, errors, reference=None if reference is None else reference[0])
    return figure
