"""Validation shared by the functions of the room."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._directions import Bools, Floats, Ints
from tacit.errors import DataError
from tacit.records import Items, QuerySpace


def as_active(active: ArrayLike | None, items: Items) -> Ints:
    """Return the active items as ascending indices, given as a mask, as indices or not at all."""
    if active is None:
        return np.arange(items.n_items)
    given = np.asarray(active)
    if given.dtype == bool:
        if given.shape != (items.n_items,):
            raise DataError(
                f"a mask of `active` items must hold one value for each of the {items.n_items} "
                f"items, got shape {given.shape}"
            )
        given = np.flatnonzero(given)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise DataError(
            f"`active` must be indices of items or a mask over them, got {active!r:.60}"
        )
    for item in given[(given < 0) | (given >= items.n_items)][:1]:
        raise DataError(f"`active` must hold items from 0 to {items.n_items - 1}, got {item}")
    if not given.size:
        raise DataError("a design needs at least one active item, got none")
    return np.unique(given).astype(np.int64)


def as_masks(active: ArrayLike, items: Items) -> Bools:
    """Return masks of active items, one for each replicate, with at least one item in each."""
    masks = np.asarray(active)
    if masks.dtype != bool or masks.ndim != 2 or masks.shape[1] != items.n_items:
        raise DataError(
            f"`active` must be a mask with one column for each of the {items.n_items} items, "
            f"got {masks.dtype} of shape {masks.shape}"
        )
    for row in np.flatnonzero(~masks.any(axis=1))[:1]:
        raise DataError(f"a design needs at least one active item, got none in row {row}")
    return masks


def as_query_weights(query_weights: ArrayLike, queries: QuerySpace) -> Floats:
    """Return weights of the queries, of shape (..., n_queries)."""
    weights = np.asarray(query_weights, dtype=float)
    if weights.ndim == 0 or weights.shape[-1] != queries.n_queries:
        raise DataError(
            f"`query_weights` must hold one number for each of the {queries.n_queries} queries, "
            f"got shape {weights.shape}"
        )
    for place in np.argwhere(~(np.isfinite(weights) & (weights >= 0)))[:1]:
        raise DataError(
            f"`query_weights` must be finite and not negative, got {weights[tuple(place)]} for "
            f"query {place[-1]}"
        )
    return weights


def as_information(information: ArrayLike | None, n_features: int) -> Floats | None:
    """Return information that is there already: symmetric, without negative directions."""
    if information is None:
        return None
    matrix = np.asarray(information, dtype=float)
    if matrix.ndim == 0:
        matrix = matrix * np.eye(n_features)
    if matrix.shape != (n_features, n_features) or not np.isfinite(matrix).all():
        raise DataError(
            f"`information` must be a finite number or matrix of {n_features} x {n_features}, "
            f"got {information!r:.60}"
        )
    size = np.abs(matrix).max(initial=0.0)
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-9 * size:
        raise DataError("`information` must be symmetric")
    smallest = float(np.linalg.eigvalsh(matrix)[0])
    if smallest < -1e-9 * size:
        raise DataError(f"`information` must not be negative, got an eigenvalue of {smallest:g}")
    return np.asarray((matrix + matrix.T) / 2)


def check_tolerance(tolerance: float, max_iterations: int) -> None:
    """Raise unless a solver can be given these."""
    if not (np.isfinite(tolerance) and tolerance > 0):
        raise DataError(f"`tolerance` must be a positive relative gap, got {tolerance}")
    if max_iterations < 0:
        raise DataError(f"`max_iterations` must not be negative, got {max_iterations}")
