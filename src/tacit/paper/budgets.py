"""What figures 5, 7 and 9 share: all time budgets of one data set."""

from typing import Any

from tacit.paper.bandits import Errors, compare, variant_errors
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding
from tacit.paper.violins import draw_budgets


class BudgetFigure(Figure[Errors]):
    """Base: errors of the six variants of GSE with the people of one data set."""

    def collect(self, desk: Desk) -> Errors:
        """Run every person, variant and budget."""
        budgets = desk.scale.budgets(SETTINGS[self.data].time_budgets)
        return variant_errors(desk, self.data, budgets)

    def draw(self, found: Errors) -> Any:
        """Draw a panel for each budget."""
        return draw_budgets(found)

    def judge(self, found: Errors) -> list[Finding]:
        """Compare the variants over people."""
        return compare(found)

    def rows(self, found: Errors) -> list[Row]:
        """Return means and quartiles over people."""
        return found.rows()
