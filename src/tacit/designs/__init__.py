"""Which queries to ask, in which shares.

A design minimises the largest variance among differences of active items. One solver serves the
transductive design (choices with times), the weak-preference design (choices alone) and the
time-aware design (seconds instead of trials); they differ in what one query tells, `query_weights`.
Every solution carries a certificate of how far from the best it can be.
"""

from tacit.designs.batch import DesignBatch, solve_many
from tacit.designs.design import Design, Status
from tacit.designs.information import choice_information, time_information
from tacit.designs.paper import frank_wolfe_of_the_paper
from tacit.designs.rounding import apportion
from tacit.designs.solving import solve

__all__ = [
    "Design",
    "DesignBatch",
    "Status",
    "apportion",
    "choice_information",
    "frank_wolfe_of_the_paper",
    "solve",
    "solve_many",
    "time_information",
]
