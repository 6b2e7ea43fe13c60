"""A live session in JSON lines: a set-up, then one reply for each request."""

import hashlib
import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tacit.cli._learner_options import configured
from tacit.errors import DataError, TacitError
from tacit.learners import Learner, State
from tacit.records import REFERENCE, Items, Problem, QuerySpace

Reply = dict[str, object]

_CHOICES = {"first": 1, "second": -1}
_QUERIES: dict[str, Callable[[Items], QuerySpace]] = {
    "all pairs": QuerySpace.all_pairs,
    "against reference": QuerySpace.against_reference,
}
_DIGITS = 16


@dataclass(frozen=True)
class Session:
    """A learner with one person.

    Parameters
    ----------
    setup : mapping
        The request that opened it.
    learner : Learner
        Who asks.
    state : State
        What is known.
    """

    setup: Mapping[str, Any]
    learner: Learner[Any]
    state: State

    @classmethod
    def open(cls, request: Mapping[str, Any]) -> Self:
        """Return a new session, or the one whose state the request holds."""
        if "state" not in request:
            return cls._begin(request)
        _check_names(request, ["state"])
        setup, stored = _unpacked(request["state"])
        fresh = cls._begin(setup)
        state = type(fresh.state).from_json(json.dumps(stored), fresh.state.problem)
        return replace(fresh, state=state)

    @classmethod
    def _begin(cls, setup: Mapping[str, Any]) -> Self:
        _check_names(setup, ["items", "queries", "learner", "options", "seed"], needed=["items"])
        items = _items(setup["items"])
        problem = Problem(items, _queries(setup.get("queries", "all pairs"), items))
        name, options = setup.get("learner", "TopTwo"), setup.get("options", {})
        if not isinstance(name, str) or not isinstance(options, dict):
            raise DataError(
                "`learner` must be a name and `options` an object, got "
                f"{_short(name)} and {_short(options)}"
            )
        learner = configured(name, options)
        seed = setup.get("seed")
        if seed is not None and (not _is_whole(seed) or seed < 0):
            raise DataError(f"`seed` must be a whole number from 0 on, got {_short(seed)}")
        return cls(setup, learner, learner.start(problem, np.random.default_rng(seed)))

    def answered(self, request: Mapping[str, Any]) -> Self:
        """Return the session after an answer."""
        names = ["choice", "response_time", "query"]
        _check_names(request, names, needed=["choice", "response_time"])
        choice, seconds = request["choice"], request["response_time"]
        if isinstance(choice, str):
            choice = _CHOICES.get(choice)
        if not _is_number(choice) or abs(choice) != 1:
            raise DataError(
                f'`choice` must be 1 or "first", or -1 or "second", got {_short(request["choice"])}'
            )
        if seconds is not None and not (_is_number(seconds) and 0 < seconds < math.inf):
            raise DataError(
                "`response_time` must be a positive number of seconds, or null for a void time, "
                f"got {_short(seconds)}"
            )
        query = request.get("query", int(self.state.query[0]))
        if not _is_whole(query):
            raise DataError(f"`query` must be the number of the query, got {_short(query)}")
        taken = math.nan if seconds is None else float(seconds)
        return replace(self, state=self.learner.tell(self.state, [query], [choice], [taken]))

    def question(self) -> Reply:
        """Return the pending query with its items by name; null for what there is not."""
        if self.state.done[0]:
            return {"query": None, "first": None, "second": None}
        query, names = int(self.state.query[0]), self.state.problem.items.names
        first, second = (int(item) for item in self.state.problem.queries.pairs(query))
        return {
            "query": query,
            "first": names[first],
            "second": None if second == REFERENCE else names[second],
        }

    def standing(self) -> Reply:
        """Return the recommendation, and how many answers it rests on."""
        item, probability = self.learner.recommend(self.state)
        sure = float(probability[0])
        return {
            "best": self.state.problem.items.names[int(item[0])],
            "probability": sure if math.isfinite(sure) else None,
            "n_answers": self.state.n_told,
        }

    def stored(self) -> Reply:
        """Return the state, as a request that opens the session anew."""
        content = json.dumps({"setup": self.setup, "state": json.loads(self.state.to_json())})
        return {"state": f"{_digest(content)} {content}"}

    def reply(self, request: Mapping[str, Any]) -> tuple[Self, Reply]:
        """Return the session after a request, and what to answer."""
        if "command" not in request:
            after = self.answered(request)
            return after, after.question() | after.standing()
        _check_names(request, ["command"])
        if request["command"] == "state":
            return self, self.stored()
        if request["command"] == "recommend":
            return self, self.question() | self.standing()
        raise DataError(
            f"`command` must be 'state' or 'recommend', got {_short(request['command'])}"
        )


class Conversation:
    """What is said on either side: lines in, replies out."""

    def __init__(self) -> None:
        self.session: Session | None = None

    def reply(self, line: bytes, number: int) -> Reply:
        """Return the reply to a line; one that cannot be used changes nothing.

        Parameters
        ----------
        line : bytes
            The first opens the session.
        number : int
            Of the line, for messages.
        """
        try:
            # What overflows is an answer that no person gave.
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                self.session, reply = self._next(_parsed(line))
        except TacitError as error:
            return {"error": str(error), "line": number}
        except (ArithmeticError, np.linalg.LinAlgError, MemoryError) as error:
            why = error.args[-1] if error.args else "too large"
            cause = f"these numbers cannot be computed with ({why}); are they in the right unit?"
            return {"error": cause, "line": number}
        return reply

    def _next(self, request: Mapping[str, Any]) -> tuple[Session, Reply]:
        if self.session is not None:
            return self.session.reply(request)
        session = Session.open(request)
        return session, session.question() | (session.standing() if session.state.n_told else {})


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line."""
    try:
        value = json.loads(
            line.decode("utf-8-sig"), parse_constant=_refused, object_pairs_hook=_object
        )
    except (ValueError, RecursionError) as error:
        raise DataError(f"expected a line of JSON in UTF-8: {error}") from None
    if not isinstance(value, dict):
        raise DataError(f"expected a JSON object in curly braces, got {_short(value)}")
    return value


def _items(given: Any) -> Items:
    if isinstance(given, list):
        if not given:
            raise DataError("`items` must hold at least one name")
        return Items.one_hot(given)
    if not isinstance(given, dict):
        raise DataError(f"`items` must be a list of names, or an object, got {_short(given)}")
    names = ["features", "names", "feature_names", "reference"]
    _check_names(given, names, needed=["features"])
    for name in names[1:]:
        if not isinstance(given.get(name, []), list):
            raise DataError(f"`{name}` of items must be a list, got {_short(given[name])}")
    for name in ("features", "reference"):
        _check_numbers(name, given.get(name, []))
    return Items(**given)


def _check_numbers(name: str, values: Any) -> None:
    if isinstance(values, list):
        for value in values:
            _check_numbers(name, value)
    elif not _is_number(values):
        raise DataError(f"`{name}` of items must hold numbers, got {_short(values)}")


def _queries(given: Any, items: Items) -> QuerySpace:
    if isinstance(given, str) and given in _QUERIES:
        return _QUERIES[given](items)
    if not isinstance(given, list):
        raise DataError(
            f"`queries` must be {' or '.join(map(repr, _QUERIES))}, or a list of pairs, got "
            f"{_short(given)}"
        )
    pairs = [_pair(position, pair, items) for position, pair in enumerate(given)]
    first, second = zip(*pairs, strict=True) if pairs else ((), ())
    return QuerySpace.listed(items, np.array(first, dtype=int), np.array(second, dtype=int))


def _pair(position: int, pair: Any, items: Items) -> tuple[int, int]:
    if not (
        isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], str | None)
    ):
        raise DataError(
            "`queries` must hold pairs of names, [first, second], with null for the reference; "
            f"got {_short(pair)} at position {position}"
        )
    first, second = pair
    return items.index(first), REFERENCE if second is None else items.index(second)


def _unpacked(text: Any) -> tuple[Mapping[str, Any], Any]:
    digest, _, content = str(text).partition(" ")
    if not isinstance(text, str) or digest != _digest(content):
        raise DataError(
            "`state` must be the text that the command state gave, unchanged; was it cut?"
        )
    stored = json.loads(content)
    return stored["setup"], stored["state"]


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:_DIGITS]


def _check_names(
    request: Mapping[str, Any], known: Sequence[str], *, needed: Collection[str] = ()
) -> None:
    for name in request:
        if name not in known:
            raise DataError(f"unknown key {_short(name)}; there are {', '.join(known)}")
    for name in needed:
        if name not in request:
            raise DataError(f"`{name}` is missing")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise ValueError("a key is given twice")
    return named


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON; null stands for a void time")


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
