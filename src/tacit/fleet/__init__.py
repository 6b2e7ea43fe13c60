"""The same estimates over tables of millions of people.

The exact estimate of a person needs nothing but sums, so one pass over a log gives everybody's.
"""

from tacit.fleet._sources import Engine
from tacit.fleet._tables import weights_of
from tacit.fleet.fitting import FleetFit, fit, fit_statistics
from tacit.fleet.keeping import delete_person, export_person, merge
from tacit.fleet.log import REASONS, Log
from tacit.fleet.model import FLAGS, Model
from tacit.fleet.retrieval import TopItems, top_items

__all__ = [
    "FLAGS",
    "REASONS",
    "Engine",
    "FleetFit",
    "Log",
    "Model",
    "TopItems",
    "delete_person",
    "export_person",
    "fit",
    "fit_statistics",
    "merge",
    "top_items",
    "weights_of",
]
