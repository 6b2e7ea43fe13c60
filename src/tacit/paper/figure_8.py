"""Figure 8: the rate of elimination of each variant of GSE, people of krajbich."""

from tacit.paper.tuning import TuningFigure


class KrajbichTuning(TuningFigure):
    """Errors with the people of krajbich at every rate of elimination."""

    name = "figure-8"
    data_sets = ("krajbich",)
    title = "Which rate of elimination suits: people of krajbich"
