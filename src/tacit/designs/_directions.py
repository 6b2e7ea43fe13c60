"""Sets of vectors that a design problem scans again and again: a list, or all pairs of points."""

from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Directions(Protocol):
    """Vectors x_0, ..., x_{n-1} in few dimensions, with what a solver asks of them."""

    @property
    def size(self) -> int:
        """Number of vectors."""

    def vectors(self, index: Ints) -> Floats:
        """Return some of the vectors, one per row."""

    def quadratic(self, matrix: Floats) -> Floats:
        """Return x'Mx of every vector for a symmetric `matrix`."""

    def gram(self, shares: Floats) -> Floats:
        """Return sum_x shares_x x x'."""

    def mapped(self, basis: Floats) -> "Directions":
        """Return the vectors ``x @ basis``."""


class Listed:
    """Vectors held one by one.

    Parameters
    ----------
    rows : ndarray of shape (n_vectors, n_dimensions)
        The vectors.
    """

    def __init__(self, rows: Floats) -> None:
        self.rows = rows

    @property
    def size(self) -> int:
        """Number of vectors."""
        return len(self.rows)

    def vectors(self, index: Ints) -> Floats:
        """Return some of the vectors, one per row."""
        return self.rows[index]

    def quadratic(self, matrix: Floats) -> Floats:
        """Return x'Mx of every vector for a symmetric `matrix`."""
        return np.asarray(np.einsum("ij,ij->i", self.rows @ matrix, self.rows))

    def gram(self, shares: Floats) -> Floats:
        """Return sum_x shares_x x x'."""
        return np.asarray(self.rows.T @ (self.rows * shares[:, None]))

    def mapped(self, basis: Floats) -> "Listed":
        """Return the vectors ``x @ basis``."""
        return Listed(self.rows @ basis)


@lru_cache(maxsize=8)
def _upper_triangle(size: int) -> tuple[Ints, Ints, Ints]:
    """Return row, column and place in the flat matrix of everything above the diagonal."""
    first, second = np.triu_indices(size, 1)
    return first, second, first * size + second


class Pairs:
    """Scaled differences of all pairs of points, held as the points.

    The pair (i, j), i < j, has the place that it has in `tacit.records.AllPairs`, and the vector
    scale_ij (z_i - z_j).

    Parameters
    ----------
    points : ndarray of shape (n_points, n_dimensions)
        The points. Centred ones lose no accuracy in distances.
    scale : ndarray of shape (n_pairs,), optional
        Non-negative factor of each vector; 1 by default.
    """

    def __init__(self, points: Floats, scale: Floats | None = None) -> None:
        self.points = points
        self.scale = scale
        self._first, self._second, self._place = _upper_triangle(len(points))

    @property
    def size(self) -> int:
        """Number of vectors."""
        return len(self._first)

    def items(self, index: Ints) -> tuple[Ints, Ints]:
        """Return both points of some of the pairs."""
        return self._first[index], self._second[index]

    def vectors(self, index: Ints) -> Floats:
        """Return some of the vectors, one per row."""
        rows = self.points[self._first[index]] - self.points[self._second[index]]
        return rows if self.scale is None else rows * self.scale[index, None]

    def quadratic(self, matrix: Floats) -> Floats:
        """Return x'Mx of every vector for a symmetric `matrix`."""
        products = (self.points @ matrix) @ self.points.T
        size = products.diagonal().copy()
        products *= -2.0
        products += size
        products += size[:, None]
        squares = products.ravel()[self._place]
        return np.asarray(squares if self.scale is None else squares * self.scale**2)

    def gram(self, shares: Floats) -> Floats:
        """Return sum_x shares_x x x'."""
        # Z'LZ, L the Laplacian of the graph of points whose edges weigh as much as the pairs
        adjacency = np.zeros((len(self.points), len(self.points)))
        edges = shares if self.scale is None else shares * self.scale**2
        adjacency.ravel()[self._place] = edges
        adjacency += adjacency.T
        degree = adjacency.sum(axis=0)
        return np.asarray((self.points.T * degree - self.points.T @ adjacency) @ self.points)

    def mapped(self, basis: Floats) -> "Pairs":
        """Return the vectors ``x @ basis``."""
        image = object.__new__(Pairs)
        image.__dict__ = {**self.__dict__, "points": self.points @ basis}
        return image
