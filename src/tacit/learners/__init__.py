"""Who decides what to ask next: learners with one interface for simulation and live use."""

from collections.abc import Callable
from typing import Any

from tacit.learners._base import Learner, Recommendation, State
from tacit.learners._belief import Belief, BeliefPrior
from tacit.learners.top_two import TopTwo, TopTwoState

LEARNERS: dict[str, Callable[[], Learner[Any]]] = {"TopTwo": TopTwo}
"""Every learner with its defaults, by name. The contract tests run on each of them."""

__all__ = [
    "LEARNERS",
    "Belief",
    "BeliefPrior",
    "Learner",
    "Recommendation",
    "State",
    "TopTwo",
    "TopTwoState",
]
