"""Learners by name, with options."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tacit.errors import DataError
from tacit.learners._base import Learner
from tacit.learners.gse import GSE
from tacit.learners.halving import SequentialHalving
from tacit.learners.passive import FixedDesign, RandomPairs
from tacit.learners.stopping import StopWhenSure
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
"""Every learner with its defaults, by name; those that must know the seconds, with a minute.

The contract tests run on each of them.
"""


def configured(name: str, options: Mapping[str, Any]) -> Learner[Any]:
    """Return a learner with some of its parameters changed.

    Parameters
    ----------
    name : str
        A name in `LEARNERS`.
    options : mapping
        Values by parameter; a mapping for a parameter that has parameters itself.

    Returns
    -------
    Learner
        A configuration, ready to start.

    Examples
    --------
    >>> configured("TopTwo", {"n_rivals": 32}).n_rivals
    32
    """
    if name not in LEARNERS:
        raise DataError(f"unknown learner {name!r}; there are {', '.join(LEARNERS)}")
    learner: Learner[Any] = _changed(name, LEARNERS[name](), options)
    return learner


def _changed(noun: str, config: Any, options: Mapping[str, Any]) -> Any:
    known = {f.name: getattr(config, f.name) for f in fields(config) if f.init}
    for name in options:
        if name not in known:
            raise DataError(f"{noun} has no option {name!r}; there are {_names(known)}")
    changes = {name: _alike(noun, name, known[name], options[name]) for name in options}
    return replace(config, **changes)


def _alike(noun: str, name: str, known: Any, given: Any) -> Any:
    """Return a given value as the kind of thing that the known value is."""
    expected = f"option {name!r} of {noun} must be"
    if is_dataclass(known):
        if not isinstance(given, Mapping):
            parts = _names(f.name for f in fields(known))
            raise DataError(f"{expected} options themselves ({parts}), got {given!r}")
        return _changed(name, known, given)
    if isinstance(known, bool):
        if not isinstance(given, bool):
            raise DataError(f"{expected} true or false, got {given!r}")
        return given
    if isinstance(known, int | float):
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise DataError(f"{expected} a number, got {given!r}")
        if isinstance(known, int) and given != given // 1:
            raise DataError(f"{expected} a whole number, got {given!r}")
        return type(known)(given)
    if not isinstance(given, str):
        raise DataError(f"{expected} a text, got {given!r}")
    return given


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
