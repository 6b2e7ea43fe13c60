"""Figure 9: six variants of GSE at all time budgets, people of krajbich."""

from tacit.paper.budgets import BudgetFigure


class KrajbichBudgets(BudgetFigure):
    """Errors with the people of krajbich at every time budget."""

    name = "figure-9"
    data_sets = ("krajbich",)
    title = "All time budgets: choices between two snacks"
    claim = (
        "Choices with decision times find the favourite more often than choices alone, and these "
        "more often with the transductive than with the weak-preference design. Response times do "
        "nearly as well as decision times; the variants with logits are not as good throughout."
    )
