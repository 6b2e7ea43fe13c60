"""How people answer, and what learners make of it: respondents and runs."""

from tacit.simulate.diffusion import Diffusion
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.respondent import Respondent
from tacit.simulate.running import run

__all__ = ["Diffusion", "Outcomes", "Respondent", "run"]
