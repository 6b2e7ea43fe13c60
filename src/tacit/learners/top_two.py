"""Top-two learning: let the leader meet its likeliest rival, by the most telling query a second.

Every answer stays. A draw from the posterior names a leader i (Thompson sampling); a challenger j
is drawn with the odds that it beats the leader (after Russo 2020); then the query is asked that
most reduces the variance of their difference y = z_i - z_j per second of its expected time,

    (x'P y)^2 E[t_x] / (1 + E[t_x] x'P x) / (E[t_x] + t0),    P the posterior covariance.

No time budget, phases, elimination rate or buffer are needed, and the non-decision time, the
barrier and the scale of the preferences are learned on the way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_ndtr

from tacit.errors import DataError
from tacit.learners._base import Floats, Ints, Learner, Recommendation, State
from tacit.learners._belief import Belief, BeliefPrior, apply
from tacit.learners._queries import mean_query_size, telling_queries
from tacit.records import Problem

_N_DRAWS = 1_000
_NEVER = -np.inf


@dataclass(frozen=True, kw_only=True, eq=False)
class TopTwoState(State):
    """State of `TopTwo`: the pending queries, and the belief about each run's person."""

    belief: Belief

    _parts: ClassVar[Mapping[str, Any]] = {"belief": Belief}


@dataclass(frozen=True, kw_only=True)
class TopTwo(Learner[TopTwoState]):
    """Find the favourite item by choices and response times, at any time.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer. Their defaults suit people who compare
        two options in seconds; they fade after a few answers.
    n_rivals : int, default 256
        How many items may become the challenger at a time; with more items than this, those of
        highest mean and highest drawn utility.
    n_extremes : int, default 8
        Queries are sought among pairs of this many items from either end of the direction that
        separates leader and challenger.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace, ddm
    >>> from tacit.learners import TopTwo
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem, liking = Problem(snacks, QuerySpace.all_pairs(snacks)), np.array([0.0, 0.4, 1.5])
    >>> rng = np.random.default_rng(0)
    >>> learner = TopTwo()
    >>> state = learner.start(problem, rng)
    >>> for _ in range(30):
    ...     query = learner.ask(state)
    ...     drift = problem.queries.vectors(query) @ liking
    ...     choice, time = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
    ...     state = learner.tell(state, query, choice, time)
    >>> snacks.names[learner.recommend(state).item[0]]
    'figs'
    """

    prior: BeliefPrior = field(default_factory=BeliefPrior)
    n_rivals: int = 256
    n_extremes: int = 8

    def __post_init__(self) -> None:
        for name in ("n_rivals", "n_extremes"):
            if getattr(self, name) < 2:
                raise DataError(f"`{name}` must be at least 2, got {getattr(self, name)}")

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> TopTwoState:
        size = mean_query_size(problem.queries)
        belief = Belief.start(n_runs, problem.items.n_features, size, self.prior)
        query = np.zeros(n_runs, dtype=np.int64)
        return TopTwoState(problem=problem, key=key, n_told=0, query=query, belief=belief)

    def _learn(self, state: TopTwoState, choice: Floats, response_time: Floats) -> TopTwoState:
        x = state.problem.queries.vectors(state.query)
        return replace(state, belief=state.belief.observe(x, choice, response_time, self.prior))

    def _choose(self, state: TopTwoState, rng: np.random.Generator) -> Ints:
        belief, features = state.belief, state.problem.items.features
        mean = belief.mean
        root: Floats = np.asarray(np.linalg.cholesky(belief.covariance), dtype=np.float64)
        noise: Floats = rng.standard_normal(mean.shape)
        weights = mean + apply(root, noise)
        drawn = np.asarray(weights @ features.T)
        leader = np.argmax(drawn, axis=1)
        contrast = self._contrast(state, mean, drawn, leader, rng)
        return telling_queries(state.problem.queries, belief, contrast, self.n_extremes)

    def _contrast(
        self,
        state: TopTwoState,
        mean: Floats,
        drawn: Floats,
        leader: Ints,
        rng: np.random.Generator,
    ) -> Floats:
        """Return leader minus challenger, the latter drawn with the odds to beat the former."""
        features = state.problem.items.features
        rivals = self._rivals(mean @ features.T, drawn)
        difference = features[leader][:, None, :] - features[rivals]
        gap = np.matmul(difference, mean[:, :, None])[:, :, 0]
        spread = np.einsum(
            "rki,rki->rk", np.matmul(difference, state.belief.covariance), difference
        )
        same = spread <= 1e-12 * spread.max(axis=1, keepdims=True)
        log_odds = np.where(same, _NEVER, log_ndtr(-gap / np.sqrt(np.where(same, 1.0, spread))))
        # The largest of Gumbel-perturbed logarithms is a draw in proportion to the odds.
        challenger = np.argmax(log_odds - np.log(rng.standard_exponential(gap.shape)), axis=1)
        return np.asarray(difference[np.arange(len(leader)), challenger])

    def _rivals(self, utility: Floats, drawn: Floats) -> Ints:
        """Return the items that may challenge, shape (n_runs, n_rivals) at most."""
        n_runs, n_items = utility.shape
        if n_items <= self.n_rivals:
            return np.broadcast_to(np.arange(n_items), (n_runs, n_items))
        half = n_items - self.n_rivals // 2
        tops = [np.argpartition(v, half, axis=1)[:, half:] for v in (utility, drawn)]
        return np.concatenate(tops, axis=1)

    def _recommend(self, state: TopTwoState, rng: np.random.Generator) -> Recommendation:
        belief, features = state.belief, state.problem.items.features
        mean, root = belief.mean, np.linalg.cholesky(belief.covariance)
        utility = mean @ features.T
        # Ties (before the first answer, or identical items) are broken at random.
        tied = utility == utility.max(axis=1, keepdims=True)
        item = np.argmax(np.where(tied, rng.random(utility.shape), -1.0), axis=1)
        rivals = self._rivals(utility, utility)
        probability = np.empty(state.n_runs)
        for run in range(state.n_runs):
            draws = mean[run] + rng.standard_normal((_N_DRAWS, mean.shape[1])) @ root[run].T
            others = features[rivals[run]] - features[item[run]]
            probability[run] = np.mean(~(draws @ others.T > 0).any(axis=1))
        return Recommendation(item, probability)
