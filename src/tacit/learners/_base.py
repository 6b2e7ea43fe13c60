"""What every learner shares: the order of calls, the randomness of a step, stored states."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import CallOrderError, DataError
from tacit.records import Problem

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOTHING = -1
"""Stands for the query of a run that has nothing more to ask."""

_ASKING, _RECOMMENDING, LEARNING = 0, 1, 2


class Recommendation(NamedTuple):
    """What a learner would recommend now.

    Attributes
    ----------
    item : ndarray of int64, shape (n_runs,)
        Index of the recommended item.
    probability : ndarray of float, shape (n_runs,)
        Probability that it is the best one, given the answers and the learner's model; NaN for
        learners that do not say.
    """

    item: Ints
    probability: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class State:
    """What a learner knows, for `n_runs` people or replicates at once.

    Attributes
    ----------
    problem : Problem
        What is learned about.
    key : tuple of int
        Two 64-bit words from which the randomness of every step follows.
    n_told : int
        Answers told so far, in every run that is not done.
    query : ndarray of int64, shape (n_runs,)
        The queries asked now, stable until they are answered; -1 in runs that are done.
    """

    problem: Problem
    key: tuple[int, int]
    n_told: int
    query: Ints

    _parts: ClassVar[Mapping[str, tuple[type, ...]]] = {}
    """Fields that are dataclasses of arrays with a leading axis of runs, and what they may be."""

    @property
    def n_runs(self) -> int:
        """Number of people or replicates."""
        return len(self.query)

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which runs have nothing more to ask, shape (n_runs,)."""
        return np.asarray(self.query == NOTHING)

    def take(self, runs: ArrayLike) -> Self:
        """Return the state of some of the runs (indices or a mask)."""
        chosen = np.asarray(runs)
        columns = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, np.ndarray):
                columns[f.name] = value[chosen]
            elif f.name in self._parts:
                columns[f.name] = value.take(chosen)
        return replace(self, **columns)

    def to_json(self) -> str:
        """Return everything but the problem as JSON text, exact to the last bit."""
        return json.dumps(_stored(self))

    @classmethod
    def from_json(cls, text: str, problem: Problem) -> Self:
        """Return the state that `to_json` wrote about the same problem."""
        try:
            return cls.from_stored(json.loads(text), problem)
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"not the JSON of a {cls.__name__}: {error!r}") from error

    @classmethod
    def from_stored(cls, stored: dict[str, Any], problem: Problem) -> Self:
        """Return the state from the values that its JSON holds."""
        values: dict[str, Any] = {"problem": problem}
        for f in fields(cls):
            if f.name in cls._parts:
                values[f.name] = _part(stored[f.name], cls._parts[f.name], problem)
            elif f.name != "problem":
                values[f.name] = _restored(stored[f.name])
        values["key"] = tuple(values["key"])
        return cls(**values)


S = TypeVar("S", bound=State)
D = TypeVar("D", bound="DataclassInstance")


class Learner(ABC, Generic[S]):
    """Decides what to ask next, from the answers so far.

    A learner is a frozen configuration; what it knows is an explicit `State`, and neither `ask`
    nor `tell` changes anything in place:

        state = learner.start(problem, rng)
        query = learner.ask(state)
        state = learner.tell(state, query, choice, response_time)
        best = learner.recommend(state)

    A run for which `ask` returns -1 is done: there is nothing more to ask. In a batch, its row of
    an answer is ignored.
    """

    any_time: ClassVar[bool] = True
    """Whether it need not know how many seconds there are in all. A learner that must know has a
    field `time_budget`, in seconds."""

    def start(self, problem: Problem, rng: np.random.Generator, *, n_runs: int = 1) -> S:
        """Return the state before the first answer.

        Parameters
        ----------
        problem : Problem
            Items, and the queries that may be asked.
        rng : numpy.random.Generator
            Source of the key from which all later randomness follows.
        n_runs : int, default 1
            How many people or replicates are learned about at once.
        """
        if n_runs < 1:
            raise DataError(f"`n_runs` must be at least 1, got {n_runs}")
        key = rng.integers(0, 2**63, size=2)
        state = self._begin(problem, (int(key[0]), int(key[1])), n_runs)
        return replace(state, query=self._choose(state, step_rng(state, _ASKING)))

    def ask(self, state: S) -> Ints:
        """Return the index of the query to ask now in each run, shape (n_runs,), -1 when done."""
        return state.query

    def tell(self, state: S, query: ArrayLike, choice: ArrayLike, response_time: ArrayLike) -> S:
        """Return the state after an answer in every run.

        Parameters
        ----------
        state : State
            The state that asked.
        query : array_like of int, shape (n_runs,)
            What was asked: what `ask` returned.
        choice : array_like of int, shape (n_runs,)
            +1 (first) or -1 (second); anything in runs that are done.
        response_time : array_like of float, shape (n_runs,)
            Seconds; NaN where the time is void and only the choice counts.
        """
        done = state.done
        if done.all():
            raise CallOrderError("nothing was asked: every run is done")
        asked = _row(query, state)
        if (other := asked != state.query).any():
            run = int(np.argmax(other))
            raise CallOrderError(
                f"expected the answer to query {state.query[run]}, got one to {asked[run]}"
                f"{_in_run(state, run)}; was it told twice, or to an old state?"
            )
        c, rt = _row(choice, state, np.float64), _row(response_time, state, np.float64)
        if done.any():
            c, rt = np.where(done, 1.0, c), np.where(done, np.nan, rt)
        if (bad := np.abs(c) != 1).any():
            run = int(np.argmax(bad))
            raise DataError(
                f"`choice` must be +1 (first) or -1 (second), got {c[run]:g}{_in_run(state, run)}"
            )
        if (bad := ~(np.isnan(rt) | ((rt > 0) & (rt < np.inf)))).any():
            run = int(np.argmax(bad))
            raise DataError(
                "`response_time` must be a positive number of seconds, or NaN for a void time, "
                f"got {rt[run]:g}{_in_run(state, run)}"
            )
        learned = replace(self._learn(state, c, rt), n_told=state.n_told + 1)
        return replace(learned, query=self._choose(learned, step_rng(learned, _ASKING)))

    def recommend(self, state: S) -> Recommendation:
        """Return the item to recommend now in each run, and how sure the learner is of it."""
        return self._recommend(state, step_rng(state, _RECOMMENDING))

    @abstractmethod
    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> S:
        """Return the state without any answer; `start` fills in the first query."""

    @abstractmethod
    def _learn(self, state: S, choice: Floats, response_time: Floats) -> S:
        """Return the state with the answers to its pending queries added.

        A run that is done (`state.done`) comes with +1 and NaN, and must stay as it is.
        """

    @abstractmethod
    def _choose(self, state: S, rng: np.random.Generator) -> Ints:
        """Return the next query of each run, `NOTHING` in runs that are done."""

    @abstractmethod
    def _recommend(self, state: S, rng: np.random.Generator) -> Recommendation:
        """Return the item to recommend."""


def step_rng(state: State, purpose: int) -> np.random.Generator:
    """Return the generator of this step: the same for the same state, without any history.

    `LEARNING` is the purpose for learners that need randomness to take in an answer.
    """
    return np.random.Generator(
        np.random.Philox(key=state.key, counter=[0, 0, purpose, state.n_told])
    )


def put(whole: D, rows: Ints, part: D) -> D:
    """Return a state, or a part of one, in which some runs are those of another.

    Numbers that all runs share, such as `n_told`, are those of the other.
    """
    columns: dict[str, Any] = {}
    for f in fields(whole):
        old, new = getattr(whole, f.name), getattr(part, f.name)
        if isinstance(old, np.ndarray):
            new = old.copy()
            new[rows] = getattr(part, f.name)
        elif is_dataclass(old) and f.name != "problem":
            new = put(old, rows, new)
        columns[f.name] = new
    return type(whole)(**columns)


def _row(values: ArrayLike, state: State, dtype: type | None = None) -> NDArray[Any]:
    """Return one value for each run."""
    row = np.asarray(values, dtype=dtype)
    shape = state.query.shape
    if row.shape == shape:
        return row
    return np.full(shape, row) if row.ndim == 0 else np.broadcast_to(row, shape)


def _in_run(state: State, run: int) -> str:
    return f" in run {run}" if state.n_runs > 1 else ""


def _stored(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": value.shape, "values": value.ravel().tolist()}
    if is_dataclass(value):
        names = [f.name for f in fields(value) if f.name != "problem"]
        columns = {name: _stored(getattr(value, name)) for name in names}
        return {"class": type(value).__name__, **columns}
    return value


def _part(stored: dict[str, Any], kinds: tuple[type, ...], problem: Problem) -> Any:
    kind: Any = {kind.__name__: kind for kind in kinds}[stored["class"]]
    if issubclass(kind, State):
        return kind.from_stored(stored, problem)
    return kind(**{f.name: _restored(stored[f.name]) for f in fields(kind)})


def _restored(value: Any) -> Any:
    if isinstance(value, dict):
        return np.array(value["values"], dtype=value["dtype"]).reshape(value["shape"])
    return value
