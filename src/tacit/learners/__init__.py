"""Who decides what to ask next: learners with one interface for simulation and live use."""

from tacit.learners._base import Learner, Recommendation, State
from tacit.learners._belief import Belief
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._believing import BeliefState, BelievingLearner
from tacit.learners.by_name import LEARNERS, configured, reconfigured
from tacit.learners.gse import GSE, GSEState
from tacit.learners.halving import HalvingState, SequentialHalving
from tacit.learners.oracle import Oracle, OracleState
from tacit.learners.passive import FixedDesign, RandomPairs
from tacit.learners.stopping import StoppingState, StopWhenSure
from tacit.learners.top_two import ChoiceTopTwo, TopTwo

__all__ = [
    "GSE",
    "LEARNERS",
    "Belief",
    "BeliefPrior",
    "BeliefState",
    "BelievingLearner",
    "ChoiceTopTwo",
    "FixedDesign",
    "GSEState",
    "HalvingState",
    "Learner",
    "Oracle",
    "OracleState",
    "RandomPairs",
    "Recommendation",
    "SequentialHalving",
    "State",
    "StopWhenSure",
    "StoppingState",
    "TopTwo",
    "configured",
    "reconfigured",
]
