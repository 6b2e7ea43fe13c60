"""Generalized Successive Elimination: the learner of Li et al. (2024, algorithm 1).

The seconds are divided evenly among phases. Each phase asks queries drawn from a design for the
items that are left, until its seconds are spent but for a buffer, estimates the weights, and keeps
the best 1 / eta of the items. What the paper wastes can be switched off part by part.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tacit.ddm import mean_time
from tacit.designs import DesignBatch, choice_information, solve_many, time_information
from tacit.errors import DataError
from tacit.estimators import (
    ChoiceDecisionTime,
    ChoiceDecisionTimeLogit,
    ChoiceLogit,
    ChoiceOnly,
    Likelihood,
    QuerySums,
)
from tacit.learners._answers import AnswerTable
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
from tacit.learners._checks import at_least, one_of, positive
from tacit.records import Problem, QuerySpace

DesignName = Literal["transductive", "weak-preference", "time-aware"]
EstimatorName = Literal[
    "choice-decision-time",
    "choice-only",
    "choice-logit",
    "choice-decision-time-logit",
    "likelihood",
]

_SUITED: dict[str, tuple[EstimatorName, ...]] = {
    "weak-preference": ("choice-only", "choice-logit"),
    "time-aware": ("choice-decision-time", "likelihood"),
}
"""Estimators on the scale that the design of the next phase is computed from."""

_ROUNDING = 1e-9
"""What a power of eta or a share of items may be off by rounding."""

_GAP = 0.02
"""Certified relative gap of designs, between those of the paper's own solver (decision 10)."""

_USUAL_SECONDS = 1.0
"""What an answer without a usable time takes, before there was one with it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GSEState(State):
    """State of `GSE`.

    Attributes
    ----------
    phase : ndarray of int64, shape (n_runs,)
        Phases completed.
    active : ndarray of bool, shape (n_runs, n_items)
        Items that are left.
    utility : ndarray of float, shape (n_runs, n_items)
        Estimated at the end of the last phase; zero before.
    seconds : ndarray of float, shape (n_runs,)
        Spent in this phase.
    seconds_before : ndarray of float, shape (n_runs,)
        Spent in the phases before.
    table : AnswerTable
        Queries of this phase's design, and the answers that the next estimate rests on.
    """

    phase: Ints
    active: NDArray[np.bool_]
    utility: Floats
    seconds: Floats
    seconds_before: Floats
    table: AnswerTable

    _parts: ClassVar[Mapping[str, tuple[type, ...]]] = {"table": (AnswerTable,)}


@dataclass(frozen=True, kw_only=True)
class GSE(Learner[GSEState]):
    """Find the favourite within a time budget by successive elimination.

    The defaults are the paper's "(trans, CH, DT)". Other variants: ``estimator="choice-only"`` with
    ``design="transductive"`` or ``"weak-preference"``, ``nondecision_time=0`` for "(CH, RT)".

    Parameters
    ----------
    time_budget : float
        Seconds for all answers together, positive.
    eta : float, default 2
        Of how many items one stays at the end of a phase, above 1.
    phase_buffer : float, default 10
        A phase ends when at most so many of its seconds are left. With 0 there is one clock for
        all phases, none of them loses seconds, and an answer after the whole budget is not used.
    design : {"transductive", "weak-preference", "time-aware"}
        Which queries are asked in which shares. "weak-preference" adds a first phase that
        eliminates nothing, for the weights that this design needs; "time-aware" draws the queries
        that tell most per second, from the second phase on.
    estimator : {"choice-decision-time", "choice-only", "choice-logit", ...}
        How weights are estimated: one of the paper's five, or "likelihood".
    nondecision_time : float, default 0
        Seconds to subtract from every response time. An answer that is not slower has no usable
        time.
    ridge : float, default 0
        For "choice-only" and "likelihood": precision of the Gaussian prior, as in these estimators.
    reuse : bool, default False
        Whether estimates rest on the answers of all phases instead of the last one's.

    Notes
    -----
    A phase asks one query at least. Items whose estimates tie are kept at random. Designs are
    certified to be within 2% of the best; those of the paper's software are 0.5% to 13% from it.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace, ddm
    >>> from tacit.learners import GSE
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem, liking = Problem(snacks, QuerySpace.all_pairs(snacks)), np.array([0.0, 0.4, 1.5])
    >>> rng = np.random.default_rng(0)
    >>> learner = GSE(time_budget=60.0, phase_buffer=5.0, nondecision_time=0.4)
    >>> state = learner.start(problem, rng)
    >>> while not state.done.all():
    ...     drift = problem.queries.vectors(learner.ask(state)) @ liking
    ...     answer = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
    ...     state = learner.tell(state, learner.ask(state), *answer)
    >>> snacks.names[learner.recommend(state).item[0]]
    'figs'
    """

    time_budget: float
    eta: float = 2.0
    phase_buffer: float = 10.0
    design: DesignName = "transductive"
    estimator: EstimatorName = "choice-decision-time"
    nondecision_time: float = 0.0
    ridge: float = 0.0
    reuse: bool = False

    any_time = False

    def __post_init__(self) -> None:
        positive("time_budget", self.time_budget)
        if not 1 < self.eta < np.inf:
            raise DataError(f"`eta` must be above 1, got {self.eta}")
        for name in ("phase_buffer", "nondecision_time", "ridge"):
            at_least(name, getattr(self, name), 0)
        one_of("design", self.design, get_args(DesignName))
        one_of("estimator", self.estimator, get_args(EstimatorName))
        if self.ridge and self.estimator not in ("choice-only", "likelihood"):
            raise DataError(f"`ridge` must be 0 for the estimator {self.estimator!r}")
        suited = _SUITED.get(self.design)
        if suited and self.estimator not in suited:
            raise DataError(
                f"the {self.design} design needs weights on another scale than {self.estimator!r} "
                f"estimates; use {' or '.join(map(repr, suited))}"
            )

    @property
    def _n_burn_in(self) -> int:
        return 1 if self.design == "weak-preference" else 0

    def n_phases(self, problem: Problem) -> int:
        """Return in how many phases the seconds are divided."""
        n_eliminations = np.ceil(np.log(problem.items.n_items) / np.log(self.eta) - _ROUNDING)
        return self._n_burn_in + max(1, int(n_eliminations))

    @cached_property
    def _estimate(self) -> Any:
        """The estimator, for times from which the non-decision time is gone."""
        if self.estimator == "choice-only" and self.ridge:
            return ChoiceOnly("ridge", ridge=self.ridge)
        return {
            "choice-decision-time": ChoiceDecisionTime(),
            "choice-only": ChoiceOnly(),
            "choice-logit": ChoiceLogit(),
            "choice-decision-time-logit": ChoiceDecisionTimeLogit(),
            "likelihood": Likelihood(0.0, ridge=self.ridge),
        }[self.estimator]

    @property
    def _uses_times(self) -> bool:
        return self.estimator not in ("choice-only", "choice-logit")

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> GSEState:
        state = GSEState(
            problem=problem,
            key=key,
            n_told=0,
            query=np.full(n_runs, NOTHING),
            phase=np.zeros(n_runs, dtype=np.int64),
            active=np.ones((n_runs, problem.items.n_items), dtype=bool),
            utility=np.zeros((n_runs, problem.items.n_items)),
            seconds=np.zeros(n_runs),
            seconds_before=np.zeros(n_runs),
            table=AnswerTable.empty(n_runs),
        )
        everybody = np.arange(n_runs)
        designs = solve_many(problem.queries, state.active, tolerance=_GAP)
        return replace(state, table=_asking(state.table, everybody, designs, keep_answers=False))

    def _learn(self, state: GSEState, choice: Floats, response_time: Floats) -> GSEState:
        going = ~state.done
        elapsed = state.seconds_before + state.seconds
        usual = elapsed / state.n_told if state.n_told else _USUAL_SECONDS
        taken = np.where(np.isnan(response_time), usual, response_time)
        seconds = state.seconds + np.where(going, taken, 0.0)
        time = response_time - self.nondecision_time
        usable = time > 0  # not so where the time is void
        counts = going & (usable | (not self._uses_times))
        if self.phase_buffer == 0:
            counts &= state.seconds_before + seconds <= self.time_budget
        time = np.where(usable, time, 0.0)
        table = state.table.add(state.query, choice, time, counts)
        told = replace(state, seconds=seconds, table=table)
        over = np.flatnonzero(going & self._phase_is_over(told))
        return self._next_phase(told, over, step_rng(state, LEARNING)) if len(over) else told

    def _phase_is_over(self, state: GSEState) -> NDArray[np.bool_]:
        share = self.time_budget / self.n_phases(state.problem)
        if self.phase_buffer == 0:
            return np.asarray(state.seconds + state.seconds_before >= share * (state.phase + 1))
        return np.asarray(share - state.seconds <= self.phase_buffer)

    def _next_phase(self, state: GSEState, runs: Ints, rng: np.random.Generator) -> GSEState:
        """Estimate, eliminate and design anew in the runs whose phase is over."""
        queries = state.problem.queries
        sums = [state.table.sums(int(run), queries) for run in runs]
        weights = np.stack([self._weights(one, queries) for one in sums])
        utility, active = state.utility.copy(), state.active.copy()
        utility[runs] = weights @ queries.items.features.T
        keeping = runs[state.phase[runs] >= self._n_burn_in]
        active[keeping] = self._kept(state, keeping, utility[keeping], rng)
        over = np.zeros(state.n_runs, dtype=bool)
        over[runs] = True
        phase = state.phase + over
        more = phase[runs] < self.n_phases(state.problem)
        table = state.table
        if more.any():
            asking = runs[more]
            chosen = [one for one, goes_on in zip(sums, more, strict=True) if goes_on]
            designs = self._designs(queries, active[asking], weights[more], chosen)
            table = _asking(table, asking, designs, keep_answers=self.reuse)
        return replace(
            state,
            phase=phase,
            active=active,
            utility=utility,
            seconds=np.where(over, 0.0, state.seconds),
            seconds_before=state.seconds_before + np.where(over, state.seconds, 0.0),
            table=table,
        )

    def _weights(self, sums: QuerySums, queries: QuerySpace) -> Floats:
        """Return the estimate, zero where no answer counts."""
        if not len(sums.n_answers):
            return np.zeros(queries.items.n_features)
        return np.asarray(self._estimate.coefficients(sums))

    def _kept(
        self, state: GSEState, runs: Ints, utility: Floats, rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """Return which items stay: the best ceil(|active| / eta), one at last."""
        last = state.phase[runs] + 1 == self.n_phases(state.problem)
        active = state.active[runs]
        n_kept = np.ceil(active.sum(axis=1) / self.eta - _ROUNDING)
        n_kept = np.where(last, 1, np.maximum(n_kept, 1))
        score = np.where(active, utility, -np.inf)
        order = np.lexsort((rng.random(score.shape), -score), axis=1)
        rank = np.argsort(order, axis=1)
        return np.asarray(rank < n_kept[:, None])

    def _designs(
        self,
        queries: QuerySpace,
        active: NDArray[np.bool_],
        weights: Floats,
        sums: list[QuerySums],
    ) -> DesignBatch:
        """Return the designs of the next phase for runs with these items and estimates."""
        if self.design == "transductive":
            return solve_many(queries, active, tolerance=_GAP)
        if self.design == "weak-preference":
            told = choice_information(queries, weights)
            return solve_many(queries, active, query_weights=told, tolerance=_GAP)
        vectors = queries.all_vectors()
        times = np.stack(
            [_expected_times(vectors, *pair) for pair in zip(weights, sums, strict=True)]
        )
        told = time_information(times, self.nondecision_time)
        shares = solve_many(queries, active, query_weights=told, tolerance=_GAP)
        seconds = times + self.nondecision_time
        designs = tuple(one.per_trial(seconds[run]) for run, one in enumerate(shares))
        return DesignBatch(designs, np.arange(len(designs)))

    def _choose(self, state: GSEState, rng: np.random.Generator) -> Ints:
        done = state.phase >= self.n_phases(state.problem)
        return np.where(done, NOTHING, state.table.draw(rng))

    def _recommend(self, state: GSEState, rng: np.random.Generator) -> Recommendation:
        score = np.where(state.active, state.utility, -np.inf)
        tied = score == score.max(axis=1, keepdims=True)
        item = np.argmax(np.where(tied, rng.random(score.shape), -1.0), axis=1)
        return Recommendation(item, np.full(state.n_runs, np.nan))


def _asking(
    table: AnswerTable, runs: Ints, designs: DesignBatch, *, keep_answers: bool
) -> AnswerTable:
    chosen = [(one.indices, one.shares) for one in designs]
    return table.with_shares(runs, chosen, keep_answers=keep_answers)


def _expected_times(vectors: Floats, slope: Floats, sums: QuerySums) -> Floats:
    """Return the mean decision time of every query, at theta / a = slope.

    The barrier is the one whose expected times add up to the times that were taken.
    """
    total = float(sums.time_sum.sum())
    if not total > 0:
        return np.ones(len(vectors))
    rates = sums.vectors @ slope
    low, high = 0.0, np.sqrt(total)
    while (sums.n_answers @ mean_time(high * rates, high)) < total:
        low, high = high, 2 * high
        if high > 1e6 * np.sqrt(total):
            break
    for _ in range(50):
        middle = 0.5 * (low + high)
        short = sums.n_answers @ mean_time(middle * rates, middle) < total
        low, high = (middle, high) if short else (low, middle)
    return np.asarray(mean_time(high * (vectors @ slope), high))
