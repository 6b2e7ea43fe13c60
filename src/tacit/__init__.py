"""Learn what a person prefers from what they choose and how long they hesitate."""

import importlib
from types import ModuleType

__version__ = "0.1.0"

__all__ = ["__version__", "bayes", "datasets", "ddm", "errors", "estimators", "records"]

_ROOMS = frozenset(__all__) - {"__version__"}


def __getattr__(name: str) -> ModuleType:
    """Load a room on first use, so that ``import tacit`` stays light."""
    if name in _ROOMS:
        return importlib.import_module(f"tacit.{name}")
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
