"""Sequential halving under a budget of seconds that answers take at random.

Karnin, Koren & Somekh (2013) halve the items after rounds of equal numbers of answers; where
answers cost random amounts, rounds of equal cost take their place, and items take turns in each
(Li & Cheung 2024). Items have no features here, and times only run down the clock.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tacit.learners._base import (
    LEARNING,
    NOTHING,
    Floats,
    Ints,
    Learner,
    Recommendation,
    State,
    step_rng,
)
from tacit.learners._checks import positive
from tacit.records import REFERENCE, AllPairs, Problem, QuerySpace

_USUAL_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class HalvingState(State):
    """State of `SequentialHalving`.

    Attributes
    ----------
    phase : ndarray of int64, shape (n_runs,)
        Phases completed.
    active : ndarray of bool, shape (n_runs, n_items)
        Items that are left.
    n_asked, score : ndarray of float, shape (n_runs, n_items)
        In this phase: in how many queries the item was, and how often it won less how often it
        lost.
    seconds : ndarray of float, shape (n_runs,)
        Spent so far.
    """

    phase: Ints
    active: NDArray[np.bool_]
    n_asked: Floats
    score: Floats
    seconds: Floats


@dataclass(frozen=True, kw_only=True)
class SequentialHalving(Learner[HalvingState]):
    """Find the favourite within a time budget by halving the items phase by phase.

    In a phase, the items that are left take turns, against each other or against the reference,
    until the phase's share of the seconds is spent; the half that won more often stays.

    Parameters
    ----------
    time_budget : float
        Seconds for all answers together, positive. An answer after them is not used.

    References
    ----------
    Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML
    2013. Z. Li and W. C. Cheung, "Best arm identification with resource constraints", AISTATS 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace, ddm
    >>> from tacit.learners import SequentialHalving
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem, liking = Problem(snacks, QuerySpace.all_pairs(snacks)), np.array([0.0, 0.4, 1.5])
    >>> rng = np.random.default_rng(0)
    >>> learner = SequentialHalving(time_budget=60.0)
    >>> state = learner.start(problem, rng)
    >>> while not state.done.all():
    ...     drift = problem.queries.vectors(learner.ask(state)) @ liking
    ...     answer = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
    ...     state = learner.tell(state, learner.ask(state), *answer)
    >>> snacks.names[learner.recommend(state).item[0]]
    'figs'
    """

    time_budget: float

    any_time = False

    def __post_init__(self) -> None:
        positive("time_budget", self.time_budget)

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> HalvingState:
        shape = (n_runs, problem.items.n_items)
        return HalvingState(
            problem=problem,
            key=key,
            n_told=0,
            query=np.full(n_runs, NOTHING),
            phase=np.zeros(n_runs, dtype=np.int64),
            active=np.ones(shape, dtype=bool),
            n_asked=np.zeros(shape),
            score=np.zeros(shape),
            seconds=np.zeros(n_runs),
        )

    def _learn(self, state: HalvingState, choice: Floats, response_time: Floats) -> HalvingState:
        going = ~state.done
        usual = state.seconds / state.n_told if state.n_told else _USUAL_SECONDS
        taken = np.where(np.isnan(response_time), usual, response_time)
        seconds = state.seconds + np.where(going, taken, 0.0)
        runs = np.flatnonzero(going & (seconds <= self.time_budget))
        first, second = state.problem.queries.pairs(state.query[runs])
        n_asked, score = state.n_asked.copy(), state.score.copy()
        for item, sign in ((first, 1), (second, -1)):
            shown = item != REFERENCE
            where = runs[shown], item[shown]
            n_asked[where] += 1
            score[where] += sign * choice[where[0]]
        told = replace(state, seconds=seconds, n_asked=n_asked, score=score)
        n_phases = _n_phases(state.problem)
        over = going & (seconds >= self.time_budget / n_phases * (state.phase + 1))
        return self._halved(told, np.flatnonzero(over), step_rng(state, LEARNING))

    def _halved(self, state: HalvingState, runs: Ints, rng: np.random.Generator) -> HalvingState:
        """Return the state with the better half of the items of some runs, and a new phase."""
        phase, active = state.phase.copy(), state.active.copy()
        n_asked, score = state.n_asked.copy(), state.score.copy()
        phase[runs] += 1
        kept = (active[runs].sum(axis=1) + 1) // 2
        standing = _standing(state.take(runs))
        order = np.lexsort((rng.random(standing.shape), -standing), axis=1)
        active[runs] = np.argsort(order, axis=1) < kept[:, None]
        more = runs[phase[runs] < _n_phases(state.problem)]
        n_asked[more], score[more] = 0.0, 0.0
        return replace(state, phase=phase, active=active, n_asked=n_asked, score=score)

    def _choose(self, state: HalvingState, rng: np.random.Generator) -> Ints:
        done = state.phase >= _n_phases(state.problem)
        # Random parts below one break ties among items that had as many turns.
        turns = state.n_asked + rng.random(state.n_asked.shape)
        return np.where(done, NOTHING, _next_turn(state.problem.queries, turns, state.active))

    def _recommend(self, state: HalvingState, rng: np.random.Generator) -> Recommendation:
        standing = _standing(state)
        tied = standing == standing.max(axis=1, keepdims=True)
        item = np.argmax(np.where(tied, rng.random(standing.shape), -1.0), axis=1)
        return Recommendation(item, np.full(state.n_runs, np.nan))


def _n_phases(problem: Problem) -> int:
    return max(1, (problem.items.n_items - 1).bit_length())


def _standing(state: HalvingState) -> Floats:
    """Return the mean result of every item that is left."""
    mean = state.score / np.maximum(state.n_asked, 1)
    return np.where(state.active, mean, -np.inf)


def _next_turn(queries: QuerySpace, turns: Floats, active: NDArray[np.bool_]) -> Ints:
    """Return for each run the query whose items had the fewest turns, among those left."""
    # An item that is out comes after all items that are left.
    waiting = np.where(active, turns, turns.max() + 1 + turns)
    if isinstance(queries, AllPairs):
        two = np.sort(np.argpartition(waiting, 1, axis=1)[:, :2], axis=1)
        return queries.index(two[:, 0], two[:, 1])
    first, second = queries.pairs(np.arange(queries.n_queries))
    other = np.where(second == REFERENCE, 0.0, waiting[:, second])
    return np.asarray(np.argmin(waiting[:, first] + other, axis=1))
