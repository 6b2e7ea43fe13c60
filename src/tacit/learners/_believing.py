"""What learners share that hold a Gaussian belief about the weights: start, learn, recommend."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tacit.errors import DataError
from tacit.learners._base import Floats, Ints, Learner, Recommendation, State
from tacit.learners._belief import Belief
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._checks import at_least
from tacit.learners._choice_belief import ChoiceBelief
from tacit.learners._lapses import DoubtingBelief
from tacit.learners._matrices import apply
from tacit.learners._queries import mean_query_size
from tacit.records import Items, Problem

_N_DRAWS = 512
"""Draws of the weights behind a probability, each of which is used with both signs."""

_AT_ONCE = 1 << 22
"""Bound on the numbers held at once while probabilities are computed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BeliefState(State):
    """State of a learner with a belief: the pending queries, and what is known of each person."""

    belief: Belief | ChoiceBelief

    _parts: ClassVar[Mapping[str, tuple[type, ...]]] = {
        "belief": (Belief, ChoiceBelief, DoubtingBelief)
    }


@dataclass(frozen=True, kw_only=True)
class BelievingLearner(Learner[BeliefState]):
    """Base of the learners that hold a `Belief`; what to ask is left to write.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer. Their defaults suit people who compare
        two options in seconds; they fade after a few answers.
    n_rivals : int, default 256
        How many items are compared with a leader; with more items than this, those of highest
        mean (and, for a challenger, highest drawn) utility.
    lapse_share : float, default 0
        Share of answers that may be guesses or come from a mind that wandered, in [0, 1). Above 0,
        answers that are more probably that than not are left out.
    """

    prior: BeliefPrior = field(default_factory=BeliefPrior)
    n_rivals: int = 256
    lapse_share: float = 0.0

    def __post_init__(self) -> None:
        at_least("n_rivals", self.n_rivals, 2)
        if not 0 <= self.lapse_share < 1:
            raise DataError(f"`lapse_share` must be at least 0 and below 1, got {self.lapse_share}")
        if self.lapse_share and not issubclass(self._belief, Belief):
            raise DataError("`lapse_share` needs a learner that uses response times")

    _belief: ClassVar[type[Belief | ChoiceBelief]] = Belief

    def _begin(self, problem: Problem, key: tuple[int, int], n_runs: int) -> BeliefState:
        size = mean_query_size(problem.queries)
        belief = self._belief.start(n_runs, problem.items.n_features, size, self.prior)
        if self.lapse_share and isinstance(belief, Belief):
            belief = DoubtingBelief.doubting(belief, self.lapse_share)
        query = np.zeros(n_runs, dtype=np.int64)
        return BeliefState(problem=problem, key=key, n_told=0, query=query, belief=belief)

    def _learn(self, state: BeliefState, choice: Floats, response_time: Floats) -> BeliefState:
        x = state.problem.queries.vectors(state.query)
        return replace(state, belief=state.belief.observe(x, choice, response_time, self.prior))

    def _recommend(self, state: BeliefState, rng: np.random.Generator) -> Recommendation:
        return most_useful(state, self.n_rivals, rng)


def most_useful(state: BeliefState, n_rivals: int, rng: np.random.Generator) -> Recommendation:
    """Return the item of highest mean utility, and how probably it is best among the foremost."""
    belief, items = state.belief, state.problem.items
    utility = belief.mean @ items.features.T
    # Ties (before the first answer, or identical items) are broken at random.
    tied = utility == utility.max(axis=1, keepdims=True)
    item = np.argmax(np.where(tied, rng.random(utility.shape), -1.0), axis=1)
    rivals = largest(utility, n_rivals)
    return Recommendation(item, probability_best(belief, items, item, rivals, rng))


def largest(values: Floats, n: int) -> Ints:
    """Return the columns of the n largest values of each row, all of them if there are no more."""
    n_rows, n_columns = values.shape
    if n_columns <= n:
        return np.arange(n_columns)[None, :].repeat(n_rows, axis=0)
    return np.argpartition(values, n_columns - n, axis=1)[:, n_columns - n :]


def probability_best(
    belief: Belief | ChoiceBelief, items: Items, item: Ints, rivals: Ints, rng: np.random.Generator
) -> Floats:
    """Return the posterior probability that an item is at least as good as all of its rivals.

    Parameters
    ----------
    belief : Belief or ChoiceBelief
        About the weights of each run.
    items : Items
        What is compared.
    item : ndarray of int64, shape (n_runs,)
        The item of each run.
    rivals : ndarray of int64, shape (n_runs, n_rivals)
        What it is compared with.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (n_runs,)
    """
    n_runs, n_rivals = rivals.shape
    noise = rng.standard_normal((_N_DRAWS, items.n_features))
    probability = np.empty(n_runs)
    rows_at_once = max(1, _AT_ONCE // (_N_DRAWS * n_rivals))
    mean, root = belief.mean, np.linalg.cholesky(belief.covariance)
    for start in range(0, n_runs, rows_at_once):
        rows = slice(start, start + rows_at_once)
        difference = items.features[item[rows]][:, None, :] - items.features[rivals[rows]]
        gap = apply(difference, mean[rows])[:, None, :]
        # The same draws serve all runs, and each of them with either sign.
        spread = np.matmul(noise, np.matmul(difference, root[rows]).transpose(0, 2, 1))
        wins = (gap + spread >= 0).all(axis=2).mean(axis=1)
        probability[rows] = 0.5 * (wins + (gap - spread >= 0).all(axis=2).mean(axis=1))
    return probability
