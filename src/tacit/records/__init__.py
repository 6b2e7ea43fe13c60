"""The nouns that everybody shares: items, queries, problems and trials.

Records are values: frozen, with read-only arrays, equal when their contents are.
"""

from tacit.records._arrays import REFERENCE
from tacit.records.coding import (
    choice_from_left_right,
    choice_from_one_two,
    choice_from_zero_one,
    seconds_from_milliseconds,
)
from tacit.records.exclusions import Exclusions
from tacit.records.items import Items
from tacit.records.problem import Problem
from tacit.records.queries import AgainstReference, AllPairs, ListedPairs, QuerySpace
from tacit.records.reading import TableOptions
from tacit.records.trials import Trials

__all__ = [
    "REFERENCE",
    "AgainstReference",
    "AllPairs",
    "Exclusions",
    "Items",
    "ListedPairs",
    "Problem",
    "QuerySpace",
    "TableOptions",
    "Trials",
    "choice_from_left_right",
    "choice_from_one_two",
    "choice_from_zero_one",
    "seconds_from_milliseconds",
]
