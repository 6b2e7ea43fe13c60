"""The best fixed shares for a person whose preferences are known: a reference line.

How well can one do who knows the person but does not adapt? B seconds, of which a share w_x goes
into query x, give the weights the precision

    V = I / q + B sum w_x rho_x x x',    rho_x = E[t_x] / (E[t_x] + t0),

with q the mean square of the true weights, and the best item i seems worse than j with probability
Phi(-h_j), where h_j = (u_i - u_j) / |z_i - z_j|_{V^-1}. The shares minimise the sum of these, which
bounds the probability of any mistake. Each h_j^2 is concave in w, and log Phi(-sqrt(s)) is
decreasing and convex in s; so the logarithm of the sum is convex in w, and its gradient certifies
how far it is from the least (Jaggi 2013).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import log_ndtr, logsumexp

from tacit.ddm import mean_time
from tacit.errors import DataError
from tacit.learners._base import NOTHING, Floats, Ints, Learner, Recommendation, put
from tacit.learners._belief import Belief
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._believing import BeliefState, most_useful
from tacit.learners._checks import at_least, positive
from tacit.learners._queries import mean_query_size
from tacit.records import Items, Problem, QuerySpace

_LEAST_SHARE = 1e-6
"""Share of the seconds below which a query is left out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OracleState(BeliefState):
    """State of `Oracle`.

    Attributes
    ----------
    n_asked : ndarray of int64, shape (n_runs, n_support)
        How often each query that has a share was asked.
    seconds : ndarray of float, shape (n_runs,)
        Spent so far.
    """

    n_asked: Ints
    seconds: Floats


@dataclass(frozen=True, kw_only=True)
class Oracle(Learner[OracleState]):
    """Ask a known person in the best fixed shares, and learn as `TopTwo` does.

    It is for simulations alone: it shows what is lost by having to find out what to ask, and what
    is won by adapting, since a learner that adapts can beat it.

    Parameters
    ----------
    time_budget : float
        Seconds for all answers together, positive. An answer after them is not used.
    weights : array_like of shape (n_features,)
        What each feature really adds to utility.
    barrier : float
        The person's barrier, positive.
    nondecision_time : float
        The person's non-decision time, seconds, at least 0.
    prior : BeliefPrior
        Guesses about the person before the first answer, for the recommendation.
    n_rivals : int, default 256
        With more items than this, the recommendation's probability counts so many rivals only.

    References
    ----------
    M. Jaggi, "Revisiting Frank-Wolfe: projection-free sparse convex optimization", ICML 2013: the
    gap.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> from tacit.learners import Oracle
    >>> pairs = QuerySpace.all_pairs(Items.one_hot(["nuts", "cake", "figs"]))
    >>> knowing = Oracle(time_budget=60, weights=[0, 1.2, 1.5], barrier=1.2, nondecision_time=0.4)
    >>> for query, share in zip(*knowing.shares(pairs), strict=True):
    ...     print(*(pairs.items.names[item] for item in pairs.pairs(query)), round(share, 2))
    nuts cake 0.06
    nuts figs 0.07
    cake figs 0.87
    """

    time_budget: float
    weights: ArrayLike
    barrier: float
    nondecision_time: float
    prior: BeliefPrior = field(default_factory=BeliefPrior)
    n_rivals: int = 256

    any_time = False

    def __post_init__(self) -> None:
        at_least("n_rivals", self.n_rivals, 2)
        for name in ("time_budget", "barrier"):
            positive(name, getattr(self, name))
        at_least("nondecision_time", self.nondecision_time, 0)
        weights = np.asarray(self.weights, dtype=np.float64)
        if weights.ndim != 1 or not np.isfinite(weights).all():
            raise DataError(f"`weights` must be finite numbers, one per feature, got {weights}")
        object.__setattr__(self, "weights", tuple(weights.tolist()))

    def shares(self, queries: QuerySpace) -> tuple[Ints, Floats]:
        """Return the queries that are asked, and the share of the answers of each.

        Parameters
        ----------
        queries : QuerySpace
            What may be asked.

        Returns
        -------
        index : ndarray of int64, shape (n_support,)
            Numbers of queries.
        share : ndarray of float, shape (n_support,)
            Positive, with sum 1.
        """
        weights = np.asarray(self.weights)
        if len(weights) != queries.items.n_features:
            raise DataError(
                f"`weights` must be a number for each of {queries.items.n_features} features, got "
                f"{len(weights)}"
            )
        return _shares(self, queries)

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> OracleState:
        index, _ = self.shares(problem.queries)
        size = mean_query_size(problem.queries)
        return OracleState(
            problem=problem,
            key=key,
            n_told=0,
            query=np.full(n_runs, NOTHING),
            belief=Belief.start(n_runs, problem.items.n_features, size, self.prior),
            n_asked=np.zeros((n_runs, len(index)), dtype=np.int64),
            seconds=np.zeros(n_runs),
        )

    def _learn(self, state: OracleState, choice: Floats, response_time: Floats) -> OracleState:
        index, _ = self.shares(state.problem.queries)
        x = state.problem.queries.vectors(np.maximum(state.query, 0))
        _, usual = _times(self, x)
        taken = np.where(np.isnan(response_time), usual, response_time)
        seconds = state.seconds + np.where(state.done, 0.0, taken)
        runs = np.flatnonzero(~state.done & (seconds <= self.time_budget))
        part = state.belief.take(runs)
        told = part.observe(x[runs], choice[runs], response_time[runs], self.prior)
        return replace(
            state,
            belief=put(state.belief, runs, told),
            n_asked=state.n_asked + (index == state.query[:, None]),
            seconds=seconds,
        )

    def _choose(self, state: OracleState, _rng: np.random.Generator) -> Ints:
        index, share = self.shares(state.problem.queries)
        n_next = state.n_asked.sum(axis=1, keepdims=True) + 1
        due = np.argmax(share * n_next - state.n_asked, axis=1)
        return np.where(state.seconds >= self.time_budget, NOTHING, index[due])

    def _recommend(self, state: OracleState, rng: np.random.Generator) -> Recommendation:
        return most_useful(state, self.n_rivals, rng)


def _times(oracle: Oracle, vectors: Floats) -> tuple[Floats, Floats]:
    """Return the mean decision and response times of queries, seconds."""
    time = mean_time(vectors @ np.asarray(oracle.weights), oracle.barrier)
    return time, time + oracle.nondecision_time


@lru_cache(maxsize=32)
def _shares(oracle: Oracle, queries: QuerySpace) -> tuple[Ints, Floats]:
    """Return queries and shares; they follow from the arguments, and are not worth storing."""
    vectors = queries.all_vectors()
    time, cost = _times(oracle, vectors)
    told = oracle.time_budget * time / cost
    parts = _least(_mistakes(queries.items, np.asarray(oracle.weights), vectors, told), len(told))
    index = np.flatnonzero(parts >= _LEAST_SHARE)
    per_answer = parts[index] / cost[index]
    return index, per_answer / per_answer.sum()


Criterion = Callable[[Floats], tuple[float, Floats]]


def _mistakes(items: Items, weights: Floats, vectors: Floats, told: Floats) -> Criterion:
    """Return the logarithm of the bound, and its gradient, as a function of shares of the seconds.

    `told` is what all of the seconds would add to the precision if they went into one query, in
    units of x x'.
    """
    utility = items.features @ weights
    best = int(np.argmax(utility))
    worse = utility < utility[best]
    gap = utility[best] - utility[worse]
    difference = items.features[best] - items.features[worse]
    prior = np.eye(len(weights)) / max(np.mean(weights**2), np.finfo(float).tiny)

    def criterion(parts: Floats) -> tuple[float, Floats]:
        precision = prior + (vectors.T * (parts * told)) @ vectors
        spread = np.linalg.solve(precision, difference.T)
        variance = np.einsum("ji,ij->j", difference, spread)
        height = gap / np.sqrt(variance)
        log_each = log_ndtr(-height)
        log_all = float(logsumexp(log_each))
        # d log Phi(-h) / d h^2 = -phi(h) / (2 h Phi(-h))
        density = np.exp(-0.5 * height**2 - log_each) / np.sqrt(2 * np.pi)
        pull = np.exp(log_each - log_all) * density / (2 * height) * (gap / variance) ** 2
        return log_all, -told * ((vectors @ spread) ** 2 @ pull)

    return criterion if worse.any() else lambda parts: (0.0, np.zeros_like(parts))


def _least(criterion: Criterion, n: int) -> Floats:
    """Minimise over shares, as squares of coordinates of a point on the sphere."""

    def on_sphere(point: Floats) -> tuple[float, Floats]:
        square = point @ point
        parts = point**2 / square
        value, slope = criterion(parts)
        return value, 2 * point / square * (slope - slope @ parts)

    found = minimize(
        on_sphere, np.full(n, n**-0.5), jac=True, method="L-BFGS-B", options={"maxiter": 2000}
    )
    return np.asarray(found.x**2 / (found.x @ found.x))
