"""Stop when sure: ask until the favourite is known well enough, or the patience is over."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from tacit.errors import DataError
from tacit.learners._base import NOTHING, Floats, Ints, Learner, Recommendation, State, put
from tacit.learners._belief import Belief
from tacit.learners._believing import BeliefState, BelievingLearner, largest
from tacit.learners._checks import at_least, one_of, positive
from tacit.learners._matrices import apply
from tacit.learners._person_grid import person_grid
from tacit.learners.top_two import ChoiceTopTwo, TopTwo
from tacit.records import Problem

Rule = Literal["posterior", "confidence set"]
Bools = NDArray[np.bool_]

_LOOK_AGAIN = 1 / 16
"""By which share the answers must have grown to integrate again what is open about the person."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StoppingState(State):
    """State of `StopWhenSure`.

    Attributes
    ----------
    inner : BeliefState
        State of the learner that asks.
    response_time : ndarray of float, shape (n_runs, n_told)
        Seconds that each answer took; NaN where void, left out, or after the run was done.
    seconds : ndarray of float, shape (n_runs,)
        Seconds of answering; void times, which nobody knows, count for nothing.
    sure : ndarray of bool, shape (n_runs,)
        Whether the run stopped because it was sure.
    looked_at : ndarray of int64, shape (n_runs,)
        Number of answers when what is open about the person was last integrated.
    """

    inner: BeliefState
    response_time: Floats
    seconds: Floats
    sure: Bools
    looked_at: Ints

    _parts: ClassVar[Mapping[str, tuple[type, ...]]] = {"inner": (BeliefState,)}


@dataclass(frozen=True, kw_only=True)
class StopWhenSure(Learner[StoppingState]):
    """Let a learner ask until it is sure of the favourite.

    Parameters
    ----------
    learner : BelievingLearner
        Who asks: any learner with a belief about the weights, `TopTwo` by default.
    confidence : float, default 0.95
        How sure to be, in (0, 1).
    rule : {"posterior", "confidence set"}
        "posterior" stops when the probabilities that others are better than the leader add up to
        less than 1 - `confidence`, given the answers; barrier, non-decision time and scale of the
        preferences are integrated out. It needs at least one response time. "confidence set"
        stops when no weights in an any-time confidence set make another item better; it is exact
        whatever was asked and whenever one looks, needs the three numbers below, and takes several
        times longer.
    barrier, nondecision_time, weights_norm : float, optional
        For the rule "confidence set": the person's barrier and non-decision time, and a bound on
        the length of the weights.
    max_time : float, optional
        Seconds of answering after which a run stops, sure or not.
    max_queries : int, optional
        Number of answers after which a run stops, sure or not.
    top_k : int, default 1
        How many of the best items are to be known, as a set.

    References
    ----------
    Y. Abbasi-Yadkori, D. Pal and C. Szepesvari, "Improved algorithms for linear stochastic
    bandits", NeurIPS 2011: the confidence set, in discrete time.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace, ddm
    >>> from tacit.learners import StopWhenSure
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem, liking = Problem(snacks, QuerySpace.all_pairs(snacks)), np.array([0.0, 0.4, 1.5])
    >>> rng = np.random.default_rng(0)
    >>> learner = StopWhenSure(confidence=0.9, max_time=120.0)
    >>> state = learner.start(problem, rng)
    >>> while not state.done.all():
    ...     drift = problem.queries.vectors(learner.ask(state)) @ liking
    ...     answer = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
    ...     state = learner.tell(state, learner.ask(state), *answer)
    >>> snacks.names[learner.recommend(state).item[0]], bool(state.sure[0]), state.n_told < 20
    ('figs', True, True)
    """

    learner: BelievingLearner = field(default_factory=TopTwo)
    confidence: float = 0.95
    rule: Rule = "posterior"
    barrier: float | None = None
    nondecision_time: float | None = None
    weights_norm: float | None = None
    max_time: float | None = None
    max_queries: int | None = None
    top_k: int = 1

    _for_set: ClassVar = ("barrier", "nondecision_time", "weights_norm")

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise DataError(f"`confidence` must be above 0 and below 1, got {self.confidence}")
        one_of("rule", self.rule, get_args(Rule))
        if self.rule == "confidence set" and isinstance(self.learner, ChoiceTopTwo):
            raise DataError('the rule "confidence set" needs a learner that uses response times')
        if self.rule == "confidence set" and self.learner.lapse_share:
            raise DataError('the rule "confidence set" holds for people without lapses only')
        for name in self._for_set:
            value = getattr(self, name)
            if (value is None) == (self.rule == "confidence set"):
                belongs = "needed for" if value is None else "used with"
                raise DataError(f'`{name}` is {belongs} the rule "confidence set" only')
            if value is not None and name != "nondecision_time":
                positive(name, value)
        if self.nondecision_time is not None:
            at_least("nondecision_time", self.nondecision_time, 0)
        for name in ("max_time", "max_queries", "top_k"):
            if (value := getattr(self, name)) is not None:
                positive(name, value)

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> StoppingState:
        if self.top_k >= problem.items.n_items:
            raise DataError(
                f"`top_k` must be below the number of items ({problem.items.n_items}), "
                f"got {self.top_k}"
            )
        inner = self.learner.start(problem, np.random.default_rng(key), n_runs=n_runs)
        return StoppingState(
            problem=problem,
            key=key,
            n_told=0,
            query=inner.query,
            inner=inner,
            response_time=np.empty((n_runs, 0)),
            seconds=np.zeros(n_runs),
            sure=np.zeros(n_runs, dtype=bool),
            looked_at=np.zeros(n_runs, dtype=np.int64),
        )

    def _learn(self, state: StoppingState, choice: Floats, response_time: Floats) -> StoppingState:
        going = np.flatnonzero(~state.done)
        times = np.column_stack([state.response_time, response_time])
        seconds = state.seconds + np.where(np.isnan(response_time), 0.0, response_time)
        part = state.inner.take(going)
        part = self.learner.tell(part, part.query, choice[going], response_time[going])
        sure, looked_at = state.sure.copy(), state.looked_at.copy()
        difference = self._differences(part)
        seems = self._seems_sure(part, difference)
        if self.rule == "posterior" and isinstance(belief := part.belief, Belief):
            times[going] = belief.counted(times[going])
            due = (state.n_told + 1) >= (1 + _LOOK_AGAIN) * looked_at[going]
            seems &= due & (belief.time_sums[:, 0] > 0)
            if len(rows := np.flatnonzero(seems)):
                looked_at[going[rows]] = state.n_told + 1
                grid = person_grid(belief.take(rows), self.learner.prior, times[going[rows]])
                doubt = grid.probability_negative(difference[rows]).sum(axis=1)
                seems[rows] = doubt <= 1 - self.confidence
        sure[going] = seems
        inner = put(state.inner, going, part)
        return replace(
            state,
            inner=inner,
            response_time=times,
            seconds=seconds,
            sure=sure,
            looked_at=looked_at,
        )

    def _choose(self, state: StoppingState, _rng: np.random.Generator) -> Ints:
        over = state.sure.copy()
        if state.n_told:
            over |= state.done
        if self.max_time is not None:
            over |= state.seconds >= self.max_time
        if self.max_queries is not None:
            over |= state.n_told >= self.max_queries
        return np.where(over, NOTHING, self.learner.ask(state.inner))

    def _recommend(self, state: StoppingState, _rng: np.random.Generator) -> Recommendation:
        return self.learner.recommend(state.inner)

    def best(self, state: StoppingState) -> Ints:
        """Return the `top_k` items of highest estimated utility, best first, (n_runs, top_k)."""
        utility = state.inner.belief.mean @ state.problem.items.features.T
        return np.argsort(-utility, axis=1, kind="stable")[:, : self.top_k]

    def _seems_sure(self, state: BeliefState, difference: Floats) -> Bools:
        """Return whether nothing outside of the top k can well be better, the person known."""
        if self.rule == "confidence set":
            mean, covariance, radius = self._confidence_set(state)
            height = _heights(difference, mean, covariance)
            return np.asarray((height > radius[:, None]).all(axis=1))
        height = _heights(difference, state.belief.mean, state.belief.covariance)
        return np.asarray(ndtr(-height).sum(axis=1) <= 1 - self.confidence)

    def _differences(self, state: BeliefState) -> Floats:
        """Return the features of each of the top k items minus those of each of its rivals."""
        items = state.problem.items
        utility = state.belief.mean @ items.features.T
        candidates = largest(utility, min(self.learner.n_rivals + self.top_k, items.n_items))
        order = np.argsort(-np.take_along_axis(utility, candidates, axis=1), axis=1)
        ranked = np.take_along_axis(candidates, order, axis=1)
        top, rest = ranked[:, : self.top_k], ranked[:, self.top_k :]
        inside = np.repeat(top, rest.shape[1], axis=1)
        outside = np.tile(rest, (1, self.top_k))
        return np.asarray(items.features[inside] - items.features[outside])

    def _confidence_set(self, state: BeliefState) -> tuple[Floats, Floats, Floats]:
        """Return centre, shape and radius of the set of weights that is right at any time.

        With V_r = V + r I and s in units of evidence, |theta - V_r^-1 a s|_{V_r} is at most
        sqrt(r) |theta| + sqrt(2 log(1 / delta) + log(det V_r / r^d)) for ever, with probability
        1 - delta. The bound on the weights sets r.
        """
        a, t0, norm = (float(getattr(self, name) or 0.0) for name in self._for_set)
        belief = state.belief
        if not isinstance(belief, Belief):
            raise TypeError("the learner's belief is about choices alone")
        ridge = 1 / norm**2
        information: Floats = belief.grams[:, 1] - t0 * belief.grams[:, 0]
        n_features = information.shape[-1]
        precision = information + ridge * np.eye(n_features)
        covariance = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        mean = a * apply(covariance, belief.choice_sums[:, 0])
        log_det = np.linalg.slogdet(precision)[1] - n_features * np.log(ridge)
        radius = 1.0 + np.sqrt(2 * np.log(1 / (1 - self.confidence)) + log_det)
        return mean, covariance, radius


def _heights(difference: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Return utility differences in standard deviations."""
    variance = np.einsum("rki,rki->rk", np.matmul(difference, covariance), difference)
    sd = np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    return np.asarray(apply(difference, mean) / sd)
