"""Queries in the coordinates of their own spread, ready to be solved for any active items."""

from functools import cached_property

import numpy as np

from tacit.designs._directions import Directions, Floats, Ints, Listed, Pairs
from tacit.designs._interior import MinimaxProblem
from tacit.errors import DataError
from tacit.records import AllPairs, QuerySpace

_SPANNED = 1e-13
"""Share of the largest eigenvalue below which the queries do not span a direction."""
_CARRIED = 1e-10
"""The same, for what their weights leave of it."""
_OUTSIDE = 1e-6
"""Share of its length that a difference may stick out of the span of the queries."""
_FEW = 8
"""Dimensions up to which the compiled solver of `tacit.designs._lifted` is the faster one."""


def directions(queries: QuerySpace, query_weights: Floats | None = None) -> Directions:
    """Return the vectors of all queries, times the square roots of their weights."""
    scale = None if query_weights is None else np.sqrt(query_weights)
    if isinstance(queries, AllPairs):
        features = queries.items.features
        return Pairs(features - features.mean(axis=0), scale)
    rows = queries.all_vectors()
    return Listed(rows if scale is None else rows * scale[:, None])


class Geometry:
    """A basis in which the even design is the identity, shared by all active sets.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    query_weights : ndarray of shape (n_queries,), optional
        Information of one trial of each query, times x x'.
    information : ndarray of shape (n_features, n_features), optional
        Information that is there already.
    """

    def __init__(
        self, queries: QuerySpace, query_weights: Floats | None, information: Floats | None
    ) -> None:
        self.items = queries.items
        extra = np.zeros((self.items.n_features,) * 2) if information is None else information
        # The span does not depend on positive weights, so it is found without their rounding.
        vectors = directions(queries, query_weights)
        carried = vectors if query_weights is None else directions(queries, np.sign(query_weights))
        even = _even_gram(carried) + extra
        # Features may differ in units by orders of magnitude.
        self._unit = np.sqrt(np.where(even.diagonal() > 0, even.diagonal(), 1.0))
        axes, self._missing = _spanned(even / np.outer(self._unit, self._unit), _SPANNED)
        self._span = axes / self._unit[:, None]
        even = _even_gram(vectors.mapped(self._span)) + self._span.T @ extra @ self._span
        axes, self._faint = _spanned(even, _CARRIED)
        self._basis = self._span @ axes
        self._vectors = vectors.mapped(self._basis)
        self._information = self._basis.T @ extra @ self._basis

    def problem(self, active: Ints, *, coarse: bool) -> tuple[MinimaxProblem, float] | None:
        """Return the problem of some active items and the unit of its objective.

        A coarse one may be solved by the compiled solver if there are few dimensions. None stands
        for items that do not differ, so that there is nothing to learn.
        """
        features = self.items.features[active]
        features = features - features.mean(axis=0)
        self._check_estimable(active, features)
        differences = Pairs(features @ self._basis)
        longest = differences.quadratic(np.eye(self._basis.shape[1])).max(initial=0.0)
        if longest <= np.finfo(float).tiny:
            return None
        scaled = differences.mapped(np.eye(self._basis.shape[1]) / np.sqrt(longest))
        lifts = self._lifts if coarse and self._basis.shape[1] <= _FEW else None
        return MinimaxProblem(self._vectors, scaled, self._information, lifts), float(longest)

    @cached_property
    def _lifts(self) -> Floats:
        """Lifts of all queries."""
        from tacit.designs._lifted import lifted

        return lifted(self._vectors.vectors(np.arange(self._vectors.size)))

    def _check_estimable(self, active: Ints, features: Floats) -> None:
        scaled, spanned = features / self._unit, features @ self._span
        for rows, missing in ((scaled, self._missing), (spanned, self._faint)):
            outside = rows @ missing
            apart = np.linalg.norm(outside - outside[0], axis=1)
            length = np.linalg.norm(rows - rows[0], axis=1)
            for row in np.flatnonzero(apart > _OUTSIDE * length)[:1]:
                one, other = (self.items.names[active[place]] for place in (0, row))
                raise DataError(
                    f"no mix of the queries tells items {one!r} and {other!r} apart: their "
                    "difference is outside the span of the queries that carry weight; allow a "
                    "query that links them, or pass `information`"
                )


def _even_gram(vectors: Directions) -> Floats:
    return vectors.gram(np.full(vectors.size, 1 / vectors.size))


def _spanned(gram: Floats, threshold: float) -> tuple[Floats, Floats]:
    """Return a basis in which a matrix is the identity, and the directions that it lacks."""
    sizes, axes = np.linalg.eigh(gram)
    kept = sizes > threshold * sizes.max(initial=0.0)
    return np.asarray(axes[:, kept] / np.sqrt(sizes[kept])), np.asarray(axes[:, ~kept])
