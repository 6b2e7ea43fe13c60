"""Learners by name, with options: as text on the command line, as JSON in a session."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from types import NoneType
from typing import Any, TypeVar, get_args

from tacit.errors import DataError
from tacit.learners import LEARNERS, Learner

Options = dict[str, Any]
L = TypeVar("L", bound=Learner[Any])


def configured(name: str, options: Mapping[str, Any]) -> Learner[Any]:
    """Return a learner with some of its parameters changed.

    Parameters
    ----------
    name : str
        A name in `LEARNERS`.
    options : mapping
        Values by parameter; a mapping for a parameter that has parameters itself.
    """
    if name not in LEARNERS:
        raise DataError(f"unknown learner {name!r}; there are {', '.join(LEARNERS)}")
    return reconfigured(name, LEARNERS[name](), options)


def reconfigured(name: str, learner: L, options: Mapping[str, Any]) -> L:
    """Return a learner with some of its parameters changed, as in `configured`."""
    changed: L = _changed(name, learner, options)
    return changed


def split_learners(text: str) -> list[str]:
    """Split ``TopTwo,GSE:eta=6,phase_buffer=10`` into learners, each with its options."""
    learners: list[str] = []
    for part in re.split(r"[,\s]+", text.strip(", \t\n")):
        if ":" in part or "=" not in part:
            learners.append(part)
        elif learners:
            learners[-1] += ("," if ":" in learners[-1] else ":") + part
        else:
            raise DataError(f"expected a learner such as GSE:{part}, got {text!r}")
    return learners


def parse_learner(text: str) -> tuple[str, Options]:
    """Return name and options of ``NAME:option=value,option=value``."""
    name, _, rest = text.partition(":")
    options: Options = {}
    for part in filter(None, rest.split(",")):
        key, sign, value = part.partition("=")
        if not sign:
            raise DataError(f"options of {name} must read option=value, got {part!r}")
        *groups, last = key.split(".")
        place = options
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise DataError(f"option {group!r} of {name} was given a value already")
        if last in place:
            raise DataError(f"option {key!r} of {name} was given twice")
        place[last] = _value(value)
    return name, options


def _value(text: str) -> object:
    """Read numbers and truth values as such; anything else is a text."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value


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
