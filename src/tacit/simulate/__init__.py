"""How people answer, and what learners make of it: respondents and runs."""

from tacit.simulate.collapsing import CollapsingBarrier
from tacit.simulate.diffusion import Biased, Diffusion
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.race import Race
from tacit.simulate.registry import RESPONDENTS, make_respondent, respondent_from_config
from tacit.simulate.respondent import Respondent
from tacit.simulate.running import run
from tacit.simulate.ssms import SSMS
from tacit.simulate.variability import Lapsing, VariableDrift, VariableNondecision

__all__ = [
    "RESPONDENTS",
    "SSMS",
    "Biased",
    "CollapsingBarrier",
    "Diffusion",
    "Lapsing",
    "Outcomes",
    "Race",
    "Respondent",
    "VariableDrift",
    "VariableNondecision",
    "make_respondent",
    "respondent_from_config",
    "run",
]
