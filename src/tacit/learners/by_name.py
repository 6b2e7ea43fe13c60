"""Learners by name, with options."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import NoneType
from typing import Any, TypeVar, get_args

from tacit.errors import DataError
from tacit.learners._base import Learner
from tacit.learners.gse import GSE
from tacit.learners.halving import SequentialHalving
from tacit.learners.passive import FixedDesign, RandomPairs
from tacit.learners.stopping import StopWhenSure
from tacit.learners.top_two import ChoiceTopTwo, TopTwo

Options = dict[str, Any]
L = TypeVar("L", bound=Learner[Any])

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
    return reconfigured(name, LEARNERS[name](), options)


def reconfigured(name: str, learner: L, options: Mapping[str, Any]) -> L:
    """Return a learner with some of its parameters changed, whatever is registered.

    Parameters
    ----------
    name : str
        What messages call it.
    learner : Learner
        Whose parameters are changed.
    options : mapping
        As in `configured`.

    Returns
    -------
    Learner
        A configuration of the same class.

    Examples
    --------
    >>> reconfigured("wide", TopTwo(), {"n_extremes": 16}).n_extremes
    16
    """
    changed: L = _changed(name, learner, options)
    return changed


def _changed(noun: str, config: Any, options: Mapping[str, Any]) -> Any:
    known = {f.name: f for f in fields(config) if f.init}
    for name in options:
        if name not in known:
            raise DataError(f"{noun} has no option {name!r}; there are {_names(known)}")
    changes: Options = {}
    for name, given in options.items():
        kinds = get_args(known[name].type)
        if given is None and NoneType in kinds:
            changes[name] = None
            continue
        usual = getattr(config, name)
        # Where nothing is usual, the kind of what may be given is.
        alike = next(kind() for kind in kinds if kind is not NoneType) if usual is None else usual
        changes[name] = _alike(noun, name, alike, given)
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
        return _number(expected, known, given)
    if isinstance(known, tuple):
        raise DataError(f"option {name!r} of {noun} is not to be set here, got {given!r}")
    if not isinstance(given, str):
        raise DataError(f"{expected} a text, got {given!r}")
    return given


def _number(expected: str, known: float, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise DataError(f"{expected} a number, got {given!r}")
    if isinstance(known, int) and given != given // 1:
        raise DataError(f"{expected} a whole number, got {given!r}")
    try:
        return type(known)(given)
    except OverflowError:
        raise DataError(f"{expected} a number of at most 1e308 in size") from None


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
