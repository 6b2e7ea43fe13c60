"""Search of a query space without going through all pairs."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.learners._base import Floats, Ints
from tacit.learners._belief import Belief
from tacit.learners._choice_belief import ChoiceBelief
from tacit.learners._matrices import apply
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
    if isinstance(queries, AllPairs):
        found = _among_pairs(queries, belief, score, n_extremes)
    else:
        reference_score = direction @ queries.items.reference
        found = _among_listed(queries, belief, score, reference_score, n_extremes)
    added, cost = belief.yields(found.drift)
    gain = found.told**2 * added / ((1 + added * found.size) * cost)
    gain[found.first == found.second] = -1.0
    runs, best = np.arange(len(score)), np.argmax(gain, axis=1)
    return queries.index(found.first[runs, best], found.second[runs, best])


class _Candidates(NamedTuple):
    """Promising queries x of each run; arrays of shape (n_runs, n_candidates)."""

    first: Ints
    second: Ints
    told: Floats
    """x'P y, up to its sign."""
    size: Floats
    """x'P x."""
    drift: Floats
    """Mean of x'theta, up to its sign."""


def _among_pairs(
    queries: AllPairs, belief: Belief | ChoiceBelief, score: Floats, n_extremes: int
) -> _Candidates:
    """Return the pairs of one item from each end of the direction.

    What is needed of x'P x follows from the products of these few items.
    """
    n_items = score.shape[1]
    n = min(n_extremes, n_items - 1)
    order = np.argpartition(score, (n - 1, n_items - n), axis=1)
    ends = np.concatenate([order[:, n_items - n :], order[:, :n]], axis=1)
    features = queries.items.features[ends]
    # Only differences count, and features far from the origin would drown them in rounding.
    features = features - features[:, :1]
    product = np.matmul(np.matmul(features, belief.covariance), features.mT)
    own = product.diagonal(axis1=1, axis2=2)
    size = _from_each_end(np.add, own, n) - 2 * product[:, :n, n:].reshape(len(score), -1)
    runs = np.arange(len(score))[:, None]
    return _Candidates(
        _from_each_end(np.minimum, ends, n),
        _from_each_end(np.maximum, ends, n),
        _from_each_end(np.subtract, score[runs, ends], n),
        size,
        _from_each_end(np.subtract, apply(features, belief.mean), n),
    )


def _from_each_end(combine: np.ufunc, values: NDArray[Any], n: int) -> NDArray[Any]:
    """Return the first n values of each run combined with each of the others."""
    return np.asarray(combine(values[:, :n, None], values[:, None, n:]).reshape(len(values), -1))


def _among_listed(
    queries: QuerySpace,
    belief: Belief | ChoiceBelief,
    score: Floats,
    reference_score: Floats,
    n_extremes: int,
) -> _Candidates:
    """Return the queries that point most along the direction, as many as there would be pairs."""
    first, second = queries.pairs(np.arange(queries.n_queries))
    against = np.where(second == REFERENCE, reference_score[:, None], score[:, second])
    told = score[:, first] - against
    n = min(n_extremes**2, queries.n_queries)
    best = np.argpartition(np.abs(told), queries.n_queries - n, axis=1)[:, queries.n_queries - n :]
    first, second = first[best], second[best]
    x = queries.items.differences(first, second)
    size = np.einsum("rqi,rqi->rq", np.matmul(x, belief.covariance), x)
    told = np.take_along_axis(told, best, axis=1)
    return _Candidates(first, second, told, size, apply(x, belief.mean))
