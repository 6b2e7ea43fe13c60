"""Figure 5: six variants of GSE at all time budgets, people of food-risk."""

from tacit.paper.budgets import BudgetFigure


class FoodRiskBudgets(BudgetFigure):
    """Errors with the people of food-risk at every time budget."""

    name = "figure-5"
    data_sets = ("food-risk",)
    title = "All time budgets: choices between risky options of two foods"
    claim = (
        "Choices with decision times find the favourite more often than choices alone, and these "
        "more often with the transductive than with the weak-preference design. Response times do "
        "nearly as well as decision times; the variants with logits are not as good throughout."
    )
