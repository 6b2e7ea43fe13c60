"""Learners whose questions do not depend on the answers: baselines, and designs made beforehand."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tacit.designs import Design, solve
from tacit.learners._base import Ints
from tacit.learners._believing import BeliefState, BelievingLearner
from tacit.records import QuerySpace


@dataclass(frozen=True, kw_only=True)
class RandomPairs(BelievingLearner):
    """Ask any query with the same probability; learn from choices and times as `TopTwo` does.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer.
    n_rivals : int, default 256
        With more items than this, the recommendation's probability counts so many rivals only.
    lapse_share : float, default 0
        As in `TopTwo`.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace
    >>> from tacit.learners import RandomPairs
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> problem = Problem(snacks, QuerySpace.all_pairs(snacks))
    >>> learner = RandomPairs()
    >>> state = learner.start(problem, np.random.default_rng(0), n_runs=6)
    >>> learner.ask(state)
    array([1, 0, 0, 1, 0, 1])
    """

    def _choose(self, state: BeliefState, rng: np.random.Generator) -> Ints:
        return rng.integers(state.problem.queries.n_queries, size=state.n_runs)


@dataclass(frozen=True, kw_only=True)
class FixedDesign(BelievingLearner):
    """Ask by the transductive design for all items; learn as `TopTwo` does.

    Parameters
    ----------
    prior : BeliefPrior
        Guesses about the person before the first answer.
    n_rivals : int, default 256
        With more items than this, the recommendation's probability counts so many rivals only.
    lapse_share : float, default 0
        As in `TopTwo`.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items, Problem, QuerySpace
    >>> from tacit.learners import FixedDesign
    >>> cakes = Items([[1.0, 0.0], [0.0, 1.0], [0.6, 0.7], [0.9, 0.9]])
    >>> problem = Problem(cakes, QuerySpace.all_pairs(cakes))
    >>> learner = FixedDesign()
    >>> state = learner.start(problem, np.random.default_rng(0), n_runs=100)
    >>> np.unique(learner.ask(state))
    array([0, 2, 4])
    """

    def _choose(self, state: BeliefState, rng: np.random.Generator) -> Ints:
        return _design(state.problem.queries).sample(state.n_runs, rng=rng)


@lru_cache(maxsize=8)
def _design(queries: QuerySpace) -> Design:
    """Return the design for all items; it follows from the queries, and is not worth storing."""
    return solve(queries)
