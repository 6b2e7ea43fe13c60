"""Figure 6: the rate of elimination of each variant of GSE, people of clithero."""

from tacit.paper.tuning import TuningFigure


class ClitheroTuning(TuningFigure):
    """Errors with the people of clithero at every rate of elimination."""

    name = "figure-6"
    data_sets = ("clithero",)
    title = "Which rate of elimination suits: people of clithero"
