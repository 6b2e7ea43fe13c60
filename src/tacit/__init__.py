"""Learn what a person prefers from what they choose and how long they hesitate."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tacit import (
        bayes,
        datasets,
        ddm,
        designs,
        errors,
        estimators,
        learners,
        records,
        simulate,
    )
    from tacit.records import Items, Problem, QuerySpace, Trials

__version__ = "0.1.0"

__all__ = [
    "Items",
    "Problem",
    "QuerySpace",
    "Trials",
    "__version__",
    "bayes",
    "datasets",
    "ddm",
    "designs",
    "errors",
    "estimators",
    "learners",
    "records",
    "simulate",
]

_RECORDS = frozenset({"Items", "Problem", "QuerySpace", "Trials"})


def __getattr__(name: str) -> object:
    """Load a room, or one of the records, on first use."""
    if name in _RECORDS:
        return getattr(importlib.import_module("tacit.records"), name)
    if name in __all__:
        return importlib.import_module(f"tacit.{name}")
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
