"""Figure 4: six variants of GSE at selected time budgets, people of all three data sets."""

from collections.abc import Mapping
from typing import Any

from tacit.paper import style
from tacit.paper.bandits import Errors, compare, variant_errors
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding
from tacit.paper.violins import draw_panel, name_learners

SELECTED: Mapping[str, tuple[float, ...]] = {
    "food-risk": (500, 1000, 1500),
    "clithero": (50, 100, 150),
    "krajbich": (150, 250, 350),
}
"""Time budgets shown: small, middle and large among those with errors to tell apart."""


class SelectedBudgets(Figure[list[Errors]]):
    """Errors with the people of all three data sets, a row for each."""

    name = "figure-4"
    data_sets = tuple(SELECTED)
    title = "Selected time budgets: people of three data sets"
    claim = (
        "In all three data sets, choices with decision times find the favourite more often than "
        "choices alone within the same seconds, and these more often with the transductive than "
        "with the weak-preference design."
    )

    def collect(self, desk: Desk) -> list[Errors]:
        """Run every person, variant and budget, unless a figure of all budgets did."""
        found = []
        for data, selected in SELECTED.items():
            available = desk.scale.budgets(SETTINGS[data].time_budgets)
            budgets = [budget for budget in selected if budget in available]
            found.append(variant_errors(desk, data, budgets))
        return found

    def draw(self, found: list[Errors]) -> Any:
        """Draw a row of panels for each data set."""
        n_columns = max(len(errors.time_budgets) for errors in found)
        figure = style.new_figure(0.5 + 1.75 * len(found))
        panels = figure.subplots(len(found), n_columns, sharey=True, squeeze=False)
        for row, errors in zip(panels, found, strict=True):
            for column, axes in enumerate(row):
                if column < len(errors.time_budgets):
                    draw_panel(axes, errors, column)
                else:
                    axes.set_axis_off()
            row[0].set_ylabel(errors.data)
        figure.supylabel("share of runs that name a wrong item", fontsize=8)
        name_learners(figure, found[0])
        return figure

    def judge(self, found: list[Errors]) -> list[Finding]:
        """Compare choices with times, choices alone, and the weak-preference design."""
        return [finding for errors in found for finding in compare(errors)[:3]]

    def rows(self, found: list[Errors]) -> list[Row]:
        """Return means and quartiles over people."""
        return [row for errors in found for row in errors.rows()]
