"""The paper's own solver, kept as a reference."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._checks import as_active, as_query_weights
from tacit.designs._directions import Floats, Pairs
from tacit.designs._geometry import directions
from tacit.designs.design import Design
from tacit.records import QuerySpace

_SMALLEST_STEP = 1e-2
_SMALLEST_SHARE = 1e-5


def frank_wolfe_of_the_paper(
    queries: QuerySpace,
    active: ArrayLike | None = None,
    *,
    query_weights: ArrayLike | None = None,
    max_iterations: int = 5000,
) -> Design:
    """Solve for a design as the paper does.

    From the even design, step k moves a share 2 / (k + 2) to the query along which the objective
    falls fastest, until a step is below a hundredth of the shares in length. Shares below 1e-5
    are then dropped. Nothing certifies the result; it is usually within a few per cent.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    active : array_like of int or bool, optional
        Items that are still candidates, all by default.
    query_weights : array_like of shape (n_queries,), optional
        Information of one unit of each query, in multiples of x x'.
    max_iterations : int
        Steps at most.

    Returns
    -------
    Design
        With status "heuristic" and without a gap (NaN).

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> design = frank_wolfe_of_the_paper(QuerySpace.against_reference(Items.one_hot(4)))
    >>> round(design.objective, 1), design.status
    (8.0, 'heuristic')
    """
    items = as_active(active, queries.items)
    weights = None if query_weights is None else as_query_weights(query_weights, queries)
    every = np.arange(queries.n_queries)
    X = directions(queries, weights).vectors(every)
    differences = Pairs(queries.items.features[items])
    Y = differences.vectors(np.arange(differences.size))
    shares = np.full(len(X), 1 / len(X))
    step = 0
    for step in range(1, max_iterations + 1):
        rows = Y @ _inverse(X, shares)
        hardest = rows[np.argmax(np.einsum("ij,ij->i", rows, Y))]
        move = -shares * 2 / (step + 2)
        move[np.argmax((X @ hardest) ** 2)] += 2 / (step + 2)
        small = np.linalg.norm(move) < _SMALLEST_STEP * np.linalg.norm(shares)
        shares = shares + move
        if small:
            break
    indices = np.flatnonzero(shares >= _SMALLEST_SHARE)
    kept = shares[indices] / shares[indices].sum()
    inverse = _inverse(X[indices], kept)
    objective = float(np.einsum("ij,ij->i", Y @ inverse, Y).max())
    return Design(
        indices,
        kept,
        len(X),
        objective,
        np.nan,
        "heuristic",
        step,
        f"the paper's rule stopped after {step} steps; nothing is certified",
    )


def _inverse(X: Floats, shares: Floats) -> Floats:
    return np.asarray(np.linalg.pinv(X.T @ (X * shares[:, None]), hermitian=True), dtype=float)
