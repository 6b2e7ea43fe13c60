"""Runs: what a learner finds out about a respondent, in many replicates at once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError
from tacit.learners import Learner
from tacit.records import Problem
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.respondent import Answers, Floats, Respondent

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Progress = Callable[[int, int], None]

_IDLE_SHARE = 0.2
"""A batch is compacted when this share of its runs is over: copying costs, idle rows cost too."""

_ROUNDING = 1e-12
"""Relative difference up to which two utilities are the same but for rounding."""


def run(
    problem: Problem,
    learner: Learner[Any],
    respondent: Respondent,
    time_budgets: ArrayLike,
    *,
    n_runs: int,
    rng: np.random.Generator,
    max_queries: int | None = None,
    progress: Progress | None = None,
) -> Outcomes:
    """Let a learner question a respondent, and return what it would recommend when.

    An any-time learner goes through one pass for all budgets: what it recommends at a budget rests
    on the answers completed by then, and the answer that would end later counts only for larger
    ones. A learner that must know its budget goes through one pass for each, and may overrun it.

    Parameters
    ----------
    problem : Problem
        Items, and the queries that may be asked.
    learner : Learner
        Who decides what to ask.
    respondent : Respondent
        Who answers.
    time_budgets : float or array_like of float
        Seconds that may be spent, increasing.
    n_runs : int
        Number of replicates, all at once.
    rng : numpy.random.Generator
        Source of randomness. The same state, runs and budgets give the same outcomes; with other
        budgets, runs leave the batch at other moments, and the randomness is another.
    max_queries : int, optional
        Stop each run after this many answers.
    progress : callable, optional
        Called with the number of outcomes known and their number in all.

    Returns
    -------
    Outcomes
        One row for each run and budget.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace
    >>> from tacit.learners import TopTwo
    >>> from tacit.simulate import Diffusion, run
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem = Problem(snacks, QuerySpace.all_pairs(snacks))
    >>> person = Diffusion([0.0, 0.4, 1.5], barrier=1.2, nondecision_time=0.4)
    >>> rng = np.random.default_rng(0)
    >>> outcomes = run(problem, TopTwo(), person, [5.0, 30.0], n_runs=200, rng=rng)
    >>> early, late = outcomes.by_budget("error")
    >>> bool(late.mean() < 0.05 < early.mean())
    True
    """
    budgets = _checked_budgets(time_budgets)
    for name, count in (("n_runs", n_runs), ("max_queries", max_queries)):
        if count is not None and count < 1:
            raise DataError(f"`{name}` must be at least 1, got {count}")
    utility = _utility(problem, respondent)
    sheet = _Sheet(n_runs, budgets, progress)
    if learner.any_time:
        _any_time_pass(_Batch(problem, learner, respondent, n_runs, rng), sheet, max_queries)
    else:
        for column, budget in enumerate(budgets.tolist()):
            batch = _Batch(problem, _told(learner, budget), respondent, n_runs, rng)
            _fixed_budget_pass(batch, sheet, column, max_queries)
    return sheet.outcomes(utility)


class _Batch:
    """Runs in progress: their states, the seconds they have spent, and which runs they are.

    All of them have given as many answers; those that are over may stay for a while.
    """

    def __init__(
        self,
        problem: Problem,
        learner: Learner[Any],
        respondent: Respondent,
        n_runs: int,
        rng: np.random.Generator,
    ) -> None:
        self.learner, self.respondent, self.rng = learner, respondent, rng
        self.state = learner.start(problem, rng, n_runs=n_runs)
        self.run = np.arange(n_runs)
        self.seconds = np.zeros(n_runs)

    def answers(self) -> Answers:
        """Return an answer to each pending query; that of a run that is done means nothing."""
        asked = np.maximum(self.learner.ask(self.state), 0)
        return self.respondent.answer(self.state.problem.queries.vectors(asked), self.rng)

    def tell(self, answers: Answers, kept: Bools) -> None:
        """Go on with the answers of the runs that are kept; the others may leave the batch."""
        choice, response_time = answers
        if np.count_nonzero(~kept) > _IDLE_SHARE * len(kept):
            self.state = self.state.take(kept)
            self.run, self.seconds = self.run[kept], self.seconds[kept]
            choice, response_time = choice[kept], response_time[kept]
        self.seconds = self.seconds + response_time
        self.state = self.learner.tell(self.state, self.state.query, choice, response_time)


class _Sheet:
    """The outcomes so far, one row for each run and one column for each budget."""

    def __init__(self, n_runs: int, budgets: Floats, progress: Progress | None) -> None:
        self.budgets, self.progress = budgets, progress
        self.n_known = 0
        shape = (n_runs, len(budgets))
        self.item = np.zeros(shape, dtype=np.int64)
        self.seconds = np.zeros(shape)
        self.n_answers = np.zeros(shape, dtype=np.int64)
        self.confidence = np.zeros(shape)
        self.stopped = np.zeros(shape, dtype=bool)

    def record(self, batch: _Batch, rows: Ints, first: Ints, end: Ints) -> None:
        """Write what the runs in `rows` of the batch would recommend at budgets first to end."""
        everybody = len(rows) == len(batch.run)
        state = batch.state if everybody else batch.state.take(rows)
        item, probability = batch.learner.recommend(state)
        n = end - first
        row = np.repeat(np.arange(len(rows)), n)
        column = np.arange(len(row)) + np.repeat(first - (np.cumsum(n) - n), n)
        where = batch.run[rows][row], column
        self.item[where] = item[row]
        self.confidence[where] = probability[row]
        self.seconds[where] = batch.seconds[rows][row]
        self.n_answers[where] = state.n_told
        self.stopped[where] = state.done[row]
        self.n_known += len(row)
        if self.progress is not None:
            self.progress(self.n_known, self.item.size)

    def outcomes(self, utility: Floats) -> Outcomes:
        """Return the tidy table, given the utility of every item."""
        n_runs, n_budgets = self.item.shape
        best = utility.max()
        regret = best - utility[self.item.ravel()]
        error = regret > _ROUNDING * np.abs(utility).max()
        return Outcomes(
            run=np.repeat(np.arange(n_runs), n_budgets),
            time_budget=np.tile(self.budgets, n_runs),
            item=self.item.ravel(),
            error=error,
            regret=np.where(error, regret, 0.0),
            seconds_used=self.seconds.ravel(),
            answers_used=self.n_answers.ravel(),
            confidence=self.confidence.ravel(),
            stopped=self.stopped.ravel(),
        )


def _any_time_pass(batch: _Batch, sheet: _Sheet, max_queries: int | None) -> None:
    """Question every run up to the largest budget; write down what it says at each on the way."""
    n_budgets = len(sheet.budgets)
    n_written = np.zeros(len(batch.run), dtype=np.int64)
    while True:
        answers = batch.answers()
        over = batch.state.done | (batch.state.n_told == max_queries)
        # An answer that ends with the budget still counts; after the last one, time just passes.
        end = np.where(over, np.inf, batch.seconds + answers[1])
        passed = np.searchsorted(sheet.budgets, end, side="left")
        if (due := passed > n_written[batch.run]).any():
            rows = np.flatnonzero(due)
            sheet.record(batch, rows, n_written[batch.run[rows]], passed[rows])
            n_written[batch.run[rows]] = passed[rows]
        going = passed < n_budgets
        if not going.any():
            return
        batch.tell(answers, going)


def _fixed_budget_pass(batch: _Batch, sheet: _Sheet, column: int, max_queries: int | None) -> None:
    """Question every run until the learner, which knows its budget, is done."""
    written = np.zeros(len(batch.run), dtype=bool)
    while True:
        over = batch.state.done | (batch.state.n_told == max_queries)
        if (due := over & ~written[batch.run]).any():
            rows = np.flatnonzero(due)
            sheet.record(batch, rows, np.full(len(rows), column), np.full(len(rows), column + 1))
            written[batch.run[rows]] = True
        if over.all():
            return
        batch.tell(batch.answers(), ~over)


def _told(learner: Any, time_budget: float) -> Learner[Any]:
    """Return the learner with its time budget known."""
    told: Learner[Any] = replace(learner, time_budget=time_budget)
    return told


def _checked_budgets(time_budgets: ArrayLike) -> Floats:
    budgets = np.atleast_1d(np.asarray(time_budgets, dtype=np.float64))
    if budgets.ndim != 1 or not budgets.size:
        raise DataError(f"`time_budgets` must be a list of seconds, got shape {budgets.shape}")
    if (bad := ~((budgets > 0) & (budgets < np.inf))).any():
        at = int(np.argmax(bad))
        raise DataError(
            f"`time_budgets` must be positive numbers of seconds, got {budgets[at]} at position "
            f"{at}"
        )
    if (bad := np.diff(budgets) <= 0).any():
        at = int(np.argmax(bad)) + 1
        raise DataError(
            f"`time_budgets` must increase, got {budgets[at]:g} after {budgets[at - 1]:g} at "
            f"position {at}"
        )
    return budgets


def _utility(problem: Problem, respondent: Respondent) -> Floats:
    if len(respondent.weights) != problem.items.n_features:
        raise DataError(
            f"`respondent` must have a weight for each of {problem.items.n_features} features of "
            f"the items, got {len(respondent.weights)}"
        )
    return problem.items.utilities(respondent.weights)
