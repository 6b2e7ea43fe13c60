"""Figure 7: six variants of GSE at all time budgets, people of clithero."""

from tacit.paper.budgets import BudgetFigure


class ClitheroBudgets(BudgetFigure):
    """Errors with the people of clithero at every time budget."""

    name = "figure-7"
    data_sets = ("clithero",)
    title = "All time budgets: yes or no to a snack"
    claim = (
        "Choices with decision times find the favourite more often than choices alone, and these "
        "more often with the transductive than with the weak-preference design. Response times do "
        "nearly as well as decision times; the variants with logits are not as good throughout."
    )
