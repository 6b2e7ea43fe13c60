"""Solve for the design that tells active items apart with the least effort."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._checks import as_active, as_information, as_query_weights, check_tolerance
from tacit.designs._closed import closed_form, has_closed_form
from tacit.designs._directions import Floats, Ints
from tacit.designs._geometry import Geometry
from tacit.designs._interior import Solution
from tacit.designs.design import Design, Status, announce
from tacit.errors import ConvergenceError, DataError
from tacit.records import QuerySpace

_COARSE = 0.002
"""Tolerance from which the compiled solver may be used, where there are few dimensions: its first
call on a machine takes seconds, and rounding errors stop it earlier than the other one."""


class Solver:
    """Designs for one set of queries and weights, for any number of active sets.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    query_weights : ndarray of shape (n_queries,), optional
        Information of one trial of each query, times x x'.
    information : ndarray of shape (n_features, n_features), optional
        Information that is there already.
    tolerance : float
        Certified relative gap to stop at.
    max_iterations : int
        Newton steps at most.
    use_closed_forms : bool
        Whether to skip the solver where symmetry gives the design.
    """

    def __init__(
        self,
        queries: QuerySpace,
        query_weights: Floats | None,
        information: Floats | None,
        *,
        tolerance: float,
        max_iterations: int,
        use_closed_forms: bool,
    ) -> None:
        self.queries = queries
        self.query_weights = query_weights
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        positive = query_weights is None or bool(np.all(query_weights > 0))
        self._closed = (
            use_closed_forms
            and information is None
            and positive
            and has_closed_form(queries, weighted=query_weights is not None)
        )
        self._geometry = None if self._closed else Geometry(queries, query_weights, information)

    def design(self, active: Ints, start: Design | None = None) -> Design:
        """Return the design for some active items, from where another design left off."""
        if len(active) == 1:
            return self._even("one active item has nothing to be told apart from; even shares")
        if self._geometry is None:
            indices, shares, objective = closed_form(self.queries, active, self.query_weights)
            return self._closed_design(indices, shares, objective, "exact, by symmetry")
        posed = self._geometry.problem(active, coarse=self.tolerance >= _COARSE)
        if posed is None:
            return self._even("the active items have the same features; even shares")
        problem, unit = posed
        try:
            solution = problem.solve(
                None if start is None else start.dense(),
                tolerance=self.tolerance,
                max_iterations=self.max_iterations,
            )
        except np.linalg.LinAlgError as error:
            raise ConvergenceError(
                "the information of a design is singular to rounding; do query weights or "
                "features differ by many orders of magnitude?"
            ) from error
        return self._finished(problem.without_dust(solution, self.tolerance), unit)

    def _even(self, message: str) -> Design:
        n_queries = self.queries.n_queries
        return self._closed_design(
            np.arange(n_queries), np.full(n_queries, 1 / n_queries), 0.0, message
        )

    def _closed_design(
        self, indices: Ints, shares: Floats, objective: float, message: str
    ) -> Design:
        n_queries = self.queries.n_queries
        return Design(indices, shares, n_queries, objective, 0.0, "closed form", 0, message)

    def _finished(self, solution: Solution, unit: float) -> Design:
        order = np.argsort(solution.queries)
        gap = max(solution.objective / solution.bound - 1, 0.0) if solution.bound > 0 else np.inf
        n = solution.n_iterations
        status: Status
        if gap <= self.tolerance:
            status, how = "optimal", f"relative gap {gap:.1e} certified after {n} steps"
        else:
            status = "stalled" if solution.stalled else "iteration limit"
            cause = (
                "rounding errors stop the solver; are features nearly dependent?"
                if solution.stalled
                else f"raise `max_iterations` ({self.max_iterations}) or `tolerance`"
            )
            how = (
                f"the design has a certified relative gap of {gap:.1e} after {n} steps, "
                f"above `tolerance` ({self.tolerance:.1e}); {cause}"
            )
        return Design(
            solution.queries[order],
            solution.shares[order],
            self.queries.n_queries,
            solution.objective * unit,
            gap,
            status,
            n,
            how,
        )


def solve(
    queries: QuerySpace,
    active: ArrayLike | None = None,
    *,
    query_weights: ArrayLike | None = None,
    information: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 100,
    start: Design | None = None,
    use_closed_forms: bool = True,
) -> Design:
    """Find shares over queries that tell every two active items apart as well as possible.

    Minimises, over shares on the simplex, the largest ``y' A^-1 y`` over differences y of two
    active items, where ``A = sum_x share_x query_weight_x x x' + information``.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    active : array_like of int or bool, optional
        Items that are still candidates, as indices or as a mask of shape (n_items,); all by
        default.
    query_weights : array_like of shape (n_queries,), optional
        Information of one unit of each query, in multiples of x x'; at least 0, 1 by default. See
        `choice_information` and `time_information`.
    information : float or array_like of shape (n_features, n_features), optional
        Information that is there already, in units of the whole design; a number stands for that
        multiple of the identity. Makes under-determined problems solvable.
    tolerance : float
        Certified relative gap to stop at, positive.
    max_iterations : int
        Newton steps at most.
    start : Design, optional
        A design for similar items or weights, to start from.
    use_closed_forms : bool
        Whether to use the exact solution where symmetry gives one.

    Returns
    -------
    Design
        The best shares found, with the gap certified.

    Raises
    ------
    DataError
        If the queries cannot tell two active items apart, or an argument is malformed.
    ConvergenceError
        If the problem is too badly scaled to start.

    Warns
    -----
    ConvergenceWarning
        If the gap is above `tolerance`; the design says by how much.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> cakes = Items([[1.0, 0.0], [0.0, 1.0], [0.6, 0.7], [0.9, 0.9]])
    >>> design = solve(QuerySpace.all_pairs(cakes), active=[0, 1, 3])
    >>> design.converged, design.gap <= 1e-3
    (True, True)
    >>> design.indices
    array([0, 2, 4])
    """
    check_tolerance(tolerance, max_iterations)
    items = as_active(active, queries.items)
    weights = None if query_weights is None else as_query_weights(query_weights, queries)
    if weights is not None and weights.ndim != 1:
        raise DataError(
            f"`query_weights` must have one dimension, got shape {weights.shape}; see solve_many"
        )
    if start is not None and start.n_queries != queries.n_queries:
        raise DataError(
            f"`start` must be a design over {queries.n_queries} queries, got {start.n_queries}"
        )
    solver = Solver(
        queries,
        weights,
        as_information(information, queries.items.n_features),
        tolerance=tolerance,
        max_iterations=max_iterations,
        use_closed_forms=use_closed_forms,
    )
    return announce(solver.design(items, start))
