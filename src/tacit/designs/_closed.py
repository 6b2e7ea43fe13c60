"""Designs that symmetry gives without a solver."""

import numpy as np

from tacit.designs._directions import Floats, Ints
from tacit.records import AgainstReference, AllPairs, QuerySpace


def has_closed_form(queries: QuerySpace, *, weighted: bool) -> bool:
    """Tell whether `closed_form` knows the designs for these queries.

    An invertible map makes linearly independent vectors one-hot, and designs do not change under
    invertible maps, so independence is all that the two forms need.
    """
    features = queries.items.features
    if isinstance(queries, AgainstReference):
        return _independent(features - queries.items.reference)
    return (
        isinstance(queries, AllPairs) and not weighted and _independent(features[1:] - features[0])
    )


def closed_form(
    queries: QuerySpace, active: Ints, query_weights: Floats | None
) -> tuple[Ints, Floats, float]:
    """Return queries, shares and objective for at least two active items."""
    if isinstance(queries, AgainstReference):
        weights = np.ones(len(active)) if query_weights is None else query_weights[active]
        return active, *_one_against_reference(1 / weights)
    first, second = np.triu_indices(len(active), 1)
    asked = queries.index(active[first], active[second])
    # sum of (e_i - e_j)(e_i - e_j)' over pairs of k items is k (I - 11'/k)
    return asked, np.full(len(asked), 1 / len(asked)), len(active) - 1.0


def _one_against_reference(cost: Floats) -> tuple[Floats, float]:
    """Minimise the sum of the two largest variances v_i = cost_i / share_i.

    All v are equal, unless one item costs more than all others together: only two levels
    matter, that of the costliest item and that of the rest.
    """
    top = int(np.argmax(cost))
    rest = cost.sum() - cost[top]
    if cost[top] <= rest:
        return cost / cost.sum(), 2 * float(cost.sum())
    roots = np.sqrt(cost[top]) + np.sqrt(rest)
    shares = cost / (np.sqrt(rest) * roots)
    shares[top] = np.sqrt(cost[top]) / roots
    return shares, float(roots**2)


def _independent(vectors: Floats) -> bool:
    rows, columns = vectors.shape
    return bool(rows <= columns and np.linalg.matrix_rank(vectors) == rows)
