"""Who decides what to ask next: learners with one interface for simulation and live use."""

from collections.abc import Callable
from typing import Any

from tacit.learners._base import Learner, Recommendation, State
from tacit.learners._belief import Belief, BeliefPrior
from tacit.learners._believing import BeliefState, BelievingLearner
from tacit.learners.gse import GSE, GSEState
from tacit.learners.halving import HalvingState, SequentialHalving
from tacit.learners.oracle import Oracle, OracleState
from tacit.learners.passive import FixedDesign, RandomPairs
from tacit.learners.stopping import StoppingState, StopWhenSure
from tacit.learners.top_two import ChoiceTopTwo, TopTwo

LEARNERS: dict[str, Callable[[], Learner[Any]]] = {
    "TopTwo": TopTwo,
    "ChoiceTopTwo": ChoiceTopTwo,
    "FixedDesign": FixedDesign,
    "RandomPairs": RandomPairs,
    "GSE": lambda: GSE(time_budget=60.0),
    "StopWhenSure": StopWhenSure,
    "SequentialHalving": lambda: SequentialHalving(time_budget=60.0),
}
"""Every learner that can question a person, by name, with its defaults; those that must know the
seconds, with a minute.

The contract tests run on each of them, and on `Oracle`, which must know the person.
"""

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
]
