"""The figures and tables of the paper, and what goes beyond them, from stored results.

Li, Zhang, Ren, Liang, Li & Shah (2024), Enhancing Preference-based Linear Bandits via Human
Response Time, NeurIPS 2024, arXiv:2409.05798. On the command line: ``tacit paper``.
"""

from typing import Any

from tacit.paper.ablation import AblationFigure
from tacit.paper.bandits import oracle
from tacit.paper.beyond import ClitheroBeyond, FoodRiskBeyond, KrajbichBeyond
from tacit.paper.crowds import Crowd, Subject, crowd
from tacit.paper.figure import Desk, Figure
from tacit.paper.figure_1 import EvidenceFigure
from tacit.paper.figure_2 import WeightsFigure
from tacit.paper.figure_3 import SphereFigure
from tacit.paper.figure_4 import SelectedBudgets
from tacit.paper.figure_5 import FoodRiskBudgets
from tacit.paper.figure_6 import ClitheroTuning
from tacit.paper.figure_7 import ClitheroBudgets
from tacit.paper.figure_8 import KrajbichTuning
from tacit.paper.figure_9 import KrajbichBudgets
from tacit.paper.held_out import HeldOutFigure
from tacit.paper.report import Entry, page
from tacit.paper.robustness import RobustnessFigure
from tacit.paper.scales import SCALES, Scale
from tacit.paper.settings import SETTINGS, Setting
from tacit.paper.style import save, styled
from tacit.paper.table_d import FittedTable
from tacit.paper.verdicts import Finding, verdict

FIGURES: dict[str, Figure[Any]] = {
    figure.name: figure
    for figure in (
        EvidenceFigure(),
        WeightsFigure(),
        SphereFigure(),
        SelectedBudgets(),
        FoodRiskBudgets(),
        ClitheroTuning(),
        ClitheroBudgets(),
        KrajbichTuning(),
        KrajbichBudgets(),
        FittedTable(),
        FoodRiskBeyond(),
        ClitheroBeyond(),
        KrajbichBeyond(),
        AblationFigure(),
        HeldOutFigure(),
        RobustnessFigure(),
    )
}
"""Every figure and table by its name, in the order of the report."""

__all__ = [
    "FIGURES",
    "SCALES",
    "SETTINGS",
    "Crowd",
    "Desk",
    "Entry",
    "Figure",
    "Finding",
    "Scale",
    "Setting",
    "Subject",
    "crowd",
    "oracle",
    "page",
    "save",
    "styled",
    "verdict",
]
