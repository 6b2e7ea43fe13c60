"""Search of a query space without going through all pairs."""

import numpy as np

from tacit.learners._base import Floats, Ints
from tacit.learners._belief import Belief, apply
from tacit.learners._choice_belief import ChoiceBelief
from tacit.records import REFERENCE, AllPairs, QuerySpace


def mean_query_size(queries: QuerySpace) -> float:
    """Return the mean squared length of a query vector; 1 if all queries are empty."""
    features = queries.items.features
    if isinstance(queries, AllPairs):
        # mean over pairs of |z_i - z_j|^2 is twice the (unbiased) total variance
        size = 2.0 * float(features.var(axis=0, ddof=1).sum())
    else:
        vectors = queries.all_vectors()
        size = float(np.einsum("qi,qi->", vectors, vectors)) / len(vectors)
    return size if size > 0 else 1.0


def telling_queries(
    queries: QuerySpace, belief: Belief | ChoiceBelief, contrast: Floats, n_extremes: int
) -> Ints:
    """Return for each run the query that tells most about a contrast per expected second.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    belief : Belief or ChoiceBelief
        About the weights (covariance P), and about what an answer adds and costs.
    contrast : ndarray of shape (n_runs, n_features)
        The direction y of which more is to be known.
    n_extremes : int
        Bound on the search: pairs of this many items from either end of z'P y, or as many
        queries of largest |x'P y| as that makes pairs.
    """
    direction = apply(belief.covariance, contrast)
    score = direction @ queries.items.features.T
    first, second = _candidates(queries, score, direction @ queries.items.reference, n_extremes)
    x = queries.items.differences(first, second)
    spread = np.matmul(x, belief.covariance)
    told = np.einsum("rqi,ri->rq", spread, contrast) ** 2
    size = np.einsum("rqi,rqi->rq", spread, x)
    drift = np.matmul(x, belief.mean[:, :, None])[:, :, 0]
    added, cost = belief.yields(drift)
    gain = told * added / ((1 + added * size) * cost)
    gain[first == second] = -1.0
    runs, best = np.arange(len(score)), np.argmax(gain, axis=1)
    return queries.index(first[runs, best], second[runs, best])


def _candidates(
    queries: QuerySpace, score: Floats, reference_score: Floats, n_extremes: int
) -> tuple[Ints, Ints]:
    """Return first and second items of promising queries, each of shape (n_runs, n_candidates)."""
    n_items = score.shape[1]
    if isinstance(queries, AllPairs):
        n = min(n_extremes, n_items - 1)
        high = np.argpartition(score, n_items - n, axis=1)[:, n_items - n :]
        low = np.argpartition(score, n - 1, axis=1)[:, :n]
        i = np.repeat(high, n, axis=1)
        j = np.tile(low, (1, n))
        return np.minimum(i, j), np.maximum(i, j)
    first, second = queries.pairs(np.arange(queries.n_queries))
    against = np.where(second == REFERENCE, reference_score[:, None], score[:, second])
    told = score[:, first] - against
    n = min(n_extremes**2, queries.n_queries)
    best = np.argpartition(np.abs(told), queries.n_queries - n, axis=1)[:, queries.n_queries - n :]
    return first[best], second[best]
