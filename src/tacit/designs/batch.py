"""Many design problems at once, equal ones solved once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._checks import as_information, as_masks, as_query_weights, check_tolerance
from tacit.designs._directions import Floats, Ints
from tacit.designs.design import Design, announce
from tacit.designs.solving import Solver
from tacit.errors import DataError
from tacit.records import QuerySpace


@dataclass(frozen=True, eq=False)
class DesignBatch:
    """One design for each replicate, equal ones held once.

    Parameters
    ----------
    designs : tuple of Design
        The different designs.
    which : ndarray of int, shape (n_replicates,)
        Position in `designs` of each replicate's design.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> from tacit.designs import solve_many
    >>> tea = QuerySpace.against_reference(Items.one_hot(3))
    >>> batch = solve_many(tea, np.array([[True, True, False]] * 4 + [[True] * 3]))
    >>> len(batch), len(batch.designs), batch[4].objective
    (5, 2, 6.0)
    """

    designs: tuple[Design, ...]
    which: Ints

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, replicate: int) -> Design:
        return self.designs[int(self.which[replicate])]

    def __iter__(self) -> Iterator[Design]:
        return (self.designs[place] for place in self.which)

    @property
    def converged(self) -> bool:
        """Whether every gap is certified to be as small as was asked for."""
        return all(design.converged for design in self.designs)

    def sample(self, size: tuple[int, ...] = (), *, rng: np.random.Generator) -> Ints:
        """Draw queries for every replicate from its design.

        Parameters
        ----------
        size : tuple of int
            Shape of the draws of one replicate.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of int, shape ``(n_replicates, *size)``
            Numbers of queries.

        Examples
        --------
        >>> from tacit import Items, QuerySpace
        >>> from tacit.designs import solve_many
        >>> tea = QuerySpace.against_reference(Items.one_hot(3))
        >>> batch = solve_many(tea, np.array([[True, False, True], [False, True, True]]))
        >>> draws = batch.sample((50,), rng=np.random.default_rng(1))
        >>> [np.unique(row).tolist() for row in draws]
        [[0, 2], [1, 2]]
        """
        ladder, queries = self._ladder
        own = self.which.reshape((-1,) + (1,) * len(size))
        height = own + rng.random((len(self), *size))
        # own + u may round up to own + 1, the start of the next design
        height = np.minimum(height, np.nextafter(own + 1.0, 0.0))
        return np.asarray(queries[np.searchsorted(ladder, height, side="right")])

    @cached_property
    def _ladder(self) -> tuple[Floats, Ints]:
        """Cumulative shares of all designs, design k from k to k + 1, and their queries."""
        rungs = []
        for position, design in enumerate(self.designs):
            rung = position + np.cumsum(design.shares)
            rung[-1] = position + 1.0
            rungs.append(np.minimum(rung, position + 1.0))
        return np.concatenate(rungs), np.concatenate([design.indices for design in self.designs])


def solve_many(
    queries: QuerySpace,
    active: ArrayLike,
    *,
    query_weights: ArrayLike | None = None,
    information: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 100,
    start: DesignBatch | None = None,
    use_closed_forms: bool = True,
) -> DesignBatch:
    """Find a design for every replicate, solving equal problems once.

    Parameters
    ----------
    queries : QuerySpace
        What may be asked.
    active : array_like of bool, shape (n_replicates, n_items)
        Items that are still candidates.
    query_weights : array_like of shape (n_queries,) or (n_replicates, n_queries), optional
        As in `solve`, for all replicates or for each.
    information : float or array_like of shape (n_features, n_features), optional
        As in `solve`, for all replicates.
    tolerance : float
        Certified relative gap to stop at, positive.
    max_iterations : int
        Newton steps at most, for each problem.
    start : DesignBatch, optional
        A design for each replicate to start from, such as those of the phase before.
    use_closed_forms : bool
        Whether to use the exact solution where symmetry gives one.

    Returns
    -------
    DesignBatch
        The designs.

    Raises
    ------
    DataError
        If the queries cannot tell two active items apart, or an argument is malformed.

    Warns
    -----
    ConvergenceWarning
        If a gap is above `tolerance`; the design says by how much.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> cakes = QuerySpace.all_pairs(Items([[1.0, 0.0], [0.0, 1.0], [0.6, 0.7]]))
    >>> batch = solve_many(cakes, [[True, True, True], [True, True, False]])
    >>> [design.converged for design in batch]
    [True, True]
    """
    check_tolerance(tolerance, max_iterations)
    masks = as_masks(active, queries.items)
    weights = _rows_of_weights(query_weights, queries, len(masks))
    known = as_information(information, queries.items.n_features)
    if start is not None and len(start) != len(masks):
        raise DataError(f"`start` must hold {len(masks)} designs, got {len(start)}")
    weighted_first, solver_of = _distinct(weights)
    solvers = [
        Solver(
            queries,
            weights[replicate] if query_weights is not None else None,
            known,
            tolerance=tolerance,
            max_iterations=max_iterations,
            use_closed_forms=use_closed_forms,
        )
        for replicate in weighted_first
    ]
    posed_first, which = _distinct(np.column_stack([solver_of, masks]))
    designs = []
    for replicate in posed_first:
        design = solvers[solver_of[replicate]].design(
            np.flatnonzero(masks[replicate]), None if start is None else start[replicate]
        )
        designs.append(announce(design))
    return DesignBatch(tuple(designs), which)


def _rows_of_weights(
    query_weights: ArrayLike | None, queries: QuerySpace, n_replicates: int
) -> Floats:
    """Return one row of weights for each replicate, rows of no length when there are none."""
    if query_weights is None:
        return np.empty((n_replicates, 0))
    weights = as_query_weights(query_weights, queries)
    if weights.ndim > 2 or (weights.ndim == 2 and len(weights) != n_replicates):
        raise DataError(
            f"`query_weights` must have one row or {n_replicates}, got shape {weights.shape}"
        )
    return np.broadcast_to(weights, (n_replicates, queries.n_queries))


def _distinct(rows: Floats | Ints) -> tuple[list[int], Ints]:
    """Return where different rows appear first, and which of these each row equals."""
    places: dict[bytes, int] = {}
    first: list[int] = []
    which = np.empty(len(rows), dtype=np.int64)
    for number, row in enumerate(rows):
        which[number] = places.setdefault(row.tobytes(), len(places))
        if which[number] == len(first):
            first.append(number)
    return first, which
