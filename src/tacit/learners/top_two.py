"""Top-two learning: let the leader meet its most promising rival, by the most telling query.

Every answer stays. A draw from the posterior names a leader i (Thompson sampling); the challenger j
is the item with the largest expected improvement over it, E[(z_j'theta - z_i'theta)^+] (after Qin,
Klabjan & Russo 2017); then the query is asked that most reduces the variance of their difference
y = z_i - z_j per second of its expected time,

    (x'P y)^2 E[t_x] / (1 + E[t_x] x'P x) / (E[t_x] + t0),    P the posterior covariance.

No time budget, phases, elimination rate or buffer are needed, and the non-decision time, the
barrier and the scale of the preferences are learned on the way.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtr

from tacit.learners._base import Floats, Ints
from tacit.learners._belief import Belief
from tacit.learners._believing import BeliefState, BelievingLearner, largest
from tacit.learners._checks import at_least
from tacit.learners._choice_belief import ChoiceBelief
from tacit.learners._matrices import apply
from tacit.learners._queries import telling_queries

_DENSITY_AT_0 = 1 / np.sqrt(2 * np.pi)
_INDISTINCT = 1e-12
"""Variance of a difference, as a share of the largest, that is nothing but rounding."""


@dataclass(frozen=True, kw_only=True)
class TopTwo(BelievingLearner):
    """Find the favourite item by choices and response times, at any time.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer. Their defaults suit people who compare
        two options in seconds; they fade after a few answers.
    n_rivals : int, default 256
        How many items may become the challenger at a time; with more items than this, those of
        highest mean and highest drawn utility.
    lapse_share : float, default 0
        Share of answers that may be guesses or come from a mind that wandered, in [0, 1). Above 0,
        answers that are more probably that than not are left out.
    n_extremes : int, default 8
        Queries are sought among pairs of this many items from either end of the direction that
        separates leader and challenger.

    References
    ----------
    C. Qin, D. Klabjan and D. Russo, "Improving the expected improvement algorithm", NeurIPS 2017.

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

    n_extremes: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("n_extremes", self.n_extremes, 2)

    def _choose(self, state: BeliefState, rng: np.random.Generator) -> Ints:
        belief, features = state.belief, state.problem.items.features
        root: Floats = np.asarray(np.linalg.cholesky(belief.covariance), dtype=np.float64)
        noise: Floats = rng.standard_normal(belief.mean.shape)
        utility: Floats = belief.mean @ features.T
        drawn: Floats = utility + apply(root, noise) @ features.T
        contrast = self._contrast(features, root, utility, drawn)
        return telling_queries(state.problem.queries, belief, contrast, self.n_extremes)

    def _contrast(self, features: Floats, root: Floats, utility: Floats, drawn: Floats) -> Floats:
        """Return leader minus challenger, shape (n_runs, n_features)."""
        runs, leader = np.arange(len(drawn)), np.argmax(drawn, axis=1)
        rivals = self._rivals(utility, drawn)
        candidates = features if rivals is None else features[rivals]
        known = utility if rivals is None else utility[runs[:, None], rivals]
        gap = utility[runs, leader][:, None] - known
        spread = np.matmul(features[leader][:, None, :], root) - np.matmul(candidates, root)
        variance = np.einsum("rki,rki->rk", spread, spread)
        same = variance <= _INDISTINCT * variance.max(axis=1, keepdims=True)
        variance[same] = 1.0
        sd = np.sqrt(variance)
        height = gap / -sd
        density = np.exp(-0.5 * height * height) * _DENSITY_AT_0
        improvement = sd * (density + height * ndtr(height))
        improvement[same] = -np.inf
        challenger = np.argmax(improvement, axis=1)
        if rivals is not None:
            challenger = rivals[runs, challenger]
        return np.asarray(features[leader] - features[challenger])

    def _rivals(self, utility: Floats, drawn: Floats) -> Ints | None:
        """Return the items that may challenge, shape (n_runs, n_rivals); None for all items."""
        if utility.shape[1] <= self.n_rivals:
            return None
        half = self.n_rivals // 2
        return np.concatenate([largest(utility, half), largest(drawn, half)], axis=1)


@dataclass(frozen=True, kw_only=True)
class ChoiceTopTwo(TopTwo):
    """`TopTwo` without response times: the fair baseline of learning from choices alone.

    The belief is Gaussian in the log-odds of choices, updated by assumed-density filtering, its
    scale learned on the way; the query is asked that tells most per answer.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer; drift and barrier give log-odds.
    n_rivals : int, default 256
        As in `TopTwo`.
    lapse_share : float, default 0
        Must be 0: choices alone do not tell lapses.
    n_extremes : int, default 8
        As in `TopTwo`.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace, ddm
    >>> from tacit.learners import ChoiceTopTwo
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem, liking = Problem(snacks, QuerySpace.all_pairs(snacks)), np.array([0.0, 0.4, 1.5])
    >>> rng = np.random.default_rng(0)
    >>> learner = ChoiceTopTwo()
    >>> state = learner.start(problem, rng)
    >>> for _ in range(30):
    ...     query = learner.ask(state)
    ...     drift = problem.queries.vectors(query) @ liking
    ...     choice, time = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
    ...     state = learner.tell(state, query, choice, time)
    >>> snacks.names[learner.recommend(state).item[0]]
    'figs'
    """

    _belief: ClassVar[type[Belief | ChoiceBelief]] = ChoiceBelief
