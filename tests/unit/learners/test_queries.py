"""Search of a query space without going through all pairs."""

import numpy as np
import pytest

from tacit import Items, QuerySpace, ddm
from tacit.learners import Belief, BeliefPrior
from tacit.learners._choice_belief import ChoiceBelief
from tacit.learners._queries import mean_query_size, telling_queries

N_RUNS, N_FEATURES, N_ANSWERS = 3, 4, 41
WEIGHTS = np.array([1.0, -0.5, 0.3, 0.0])


def observed(rng, kind=Belief):
    prior = BeliefPrior()
    belief = kind.start(N_RUNS, N_FEATURES, 2.0, prior)
    for x in rng.normal(size=(N_ANSWERS, N_RUNS, N_FEATURES)):
        choice, time = ddm.sample(x @ WEIGHTS, 1.1, nondecision_time=0.3, rng=rng)
        belief = belief.observe(x, choice.astype(float), time, prior)
    return belief


def gains(belief, run, vectors, contrast):
    """Return by how much each query lowers the variance of a contrast, per unit of its cost."""
    covariance = belief.covariance[run]
    drift = vectors @ belief.mean[run]
    if isinstance(belief, Belief):
        added = ddm.mean_time(drift, belief.barrier[run])
        cost = added + belief.nondecision_time[run]
    else:
        share = 1 / (1 + np.exp(-drift))
        added, cost = share * (1 - share), np.ones(len(drift))
    gain = []
    for x, more in zip(vectors, added, strict=True):
        after = np.linalg.inv(np.linalg.inv(covariance) + more * np.outer(x, x))
        gain.append(contrast @ (covariance - after) @ contrast)
    return np.array(gain) / cost


@pytest.mark.parametrize("kind", [Belief, ChoiceBelief])
@pytest.mark.parametrize("n_items", [2, 3, 9])
@pytest.mark.parametrize("space", ["all pairs", "against the reference", "listed"])
def test_the_telling_query_is_the_best_of_all(space, n_items, kind, rng) -> None:
    belief = observed(rng, kind)
    items = Items(rng.normal(size=(n_items, N_FEATURES)), reference=rng.normal(size=N_FEATURES))
    first = np.arange(n_items)
    queries = {
        "all pairs": QuerySpace.all_pairs(items),
        "against the reference": QuerySpace.against_reference(items),
        "listed": QuerySpace.listed(items, first, np.where(first > 0, first - 1, -1)),
    }[space]
    contrast = rng.normal(size=(N_RUNS, N_FEATURES))
    chosen = telling_queries(queries, belief, contrast, n_extremes=n_items)
    for run in range(N_RUNS):
        gain = gains(belief, run, queries.all_vectors(), contrast[run])
        assert gain[chosen[run]] == pytest.approx(gain.max(), rel=1e-7)


def test_few_extremes_find_nearly_as_much_as_all_pairs(rng) -> None:
    belief = observed(rng)
    queries = QuerySpace.all_pairs(Items(rng.normal(size=(60, N_FEATURES))))
    x, shares = queries.all_vectors(), []
    for _ in range(20):
        contrast = rng.normal(size=(N_RUNS, N_FEATURES))
        chosen = telling_queries(queries, belief, contrast, n_extremes=8)
        for run in range(N_RUNS):
            gain = gains(belief, run, x, contrast[run])
            shares.append(gain[chosen[run]] / gain.max())
    assert np.mean(shares) > 0.9
    assert min(shares) > 0.5


@pytest.mark.parametrize(
    "queries",
    [
        QuerySpace.all_pairs(Items(np.random.default_rng(6).normal(size=(7, 3)))),
        QuerySpace.against_reference(
            Items(np.random.default_rng(7).normal(size=(7, 3))), np.ones(3)
        ),
    ],
)
def test_mean_query_size_is_that_of_the_vectors(queries) -> None:
    expected = (queries.all_vectors() ** 2).sum(axis=1).mean()
    assert mean_query_size(queries) == pytest.approx(expected)


def test_empty_queries_have_a_size_all_the_same() -> None:
    assert mean_query_size(QuerySpace.all_pairs(Items(np.ones((3, 2))))) == 1.0
