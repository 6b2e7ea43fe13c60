"""How people answer, and what learners make of it: respondents, runs and studies."""

from tacit.simulate.cell import Cell
from tacit.simulate.collapsing import CollapsingBarrier
from tacit.simulate.diffusion import Biased, Diffusion
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.race import Race
from tacit.simulate.registry import RESPONDENTS, make_respondent, respondent_from_config
from tacit.simulate.respondent import Respondent
from tacit.simulate.running import run
from tacit.simulate.ssms import SSMS
from tacit.simulate.store import Store, StoredCell
from tacit.simulate.study import Results, run_many
from tacit.simulate.variability import Lapsing, VariableDrift, VariableNondecision
from tacit.simulate.work import Columns, Work

__all__ = [
    "RESPONDENTS",
    "SSMS",
    "Biased",
    "Cell",
    "CollapsingBarrier",
    "Columns",
    "Diffusion",
    "Lapsing",
    "Outcomes",
    "Race",
    "Respondent",
    "Results",
    "Store",
    "StoredCell",
    "VariableDrift",
    "VariableNondecision",
    "Work",
    "make_respondent",
    "respondent_from_config",
    "run",
    "run_many",
]
