"""Inverses of sums of x x', whose features may differ in scale and need not span the space."""

from typing import NamedTuple

import numpy as np

from tacit.ddm._checks import Floats

_FAINTEST = 1e-13
"""Size, relative to the largest feature's, up to which a feature is the rounding of others."""


class Decomposition(NamedTuple):
    """The row space of a symmetric positive semi-definite matrix A.

    Attributes
    ----------
    directions : ndarray of shape (n_features, rank)
        U with U'AU = diag(size), orthogonal to the null space of A.
    size : ndarray of shape (rank,)
        Positive. U diag(1 / size) U' is the pseudo-inverse of A.
    log_det : float
        Logarithm of the product of A's eigenvalues other than 0.
    """

    directions: Floats
    size: Floats
    log_det: float

    def solve(self, right: Floats) -> Floats:
        """Return the pseudo-inverse times a vector."""
        return np.asarray(self.directions @ ((right @ self.directions) / self.size))

    def inverse(self) -> Floats:
        """Return the pseudo-inverse."""
        return np.asarray((self.directions / self.size) @ self.directions.T)

    def whitener(self) -> Floats:
        """Return W with W'AW = I and W W' the pseudo-inverse."""
        return np.asarray(self.directions / np.sqrt(self.size))

    def basis(self) -> Floats | None:
        """Return an orthonormal basis of the row space in columns, None if it is all of space."""
        if len(self.size) == len(self.directions):
            return None
        return np.asarray(np.linalg.qr(self.directions)[0])


def decompose(matrix: Floats) -> Decomposition:
    """Decompose a matrix after scaling its features to about one size, by powers of two.

    Without the scaling, a feature 1e8 times smaller than another would count as unexplored.
    """
    root = np.sqrt(np.clip(np.diag(matrix), 0, None))
    counted = root > _FAINTEST * root.max(initial=0.0)
    scale = np.where(counted, np.ldexp(1.0, np.frexp(root)[1]), 1.0)
    scaled = np.where(np.outer(counted, counted), matrix / np.outer(scale, scale), 0.0)
    size, axes = np.linalg.eigh(scaled)
    explored = size > size[-1:] * len(size) * np.finfo(float).eps
    kept, directions = size[explored], axes[:, explored] / scale[:, None]
    log_det = float(np.log(kept).sum())
    if explored.all():
        return Decomposition(directions, kept, log_det + 2 * float(np.log(scale).sum()))
    null, _ = np.linalg.qr(axes[:, ~explored] / scale[:, None])
    directions = directions - null @ (null.T @ directions)
    stretch = np.abs(np.diag(np.linalg.qr(directions, mode="r")))
    return Decomposition(directions, kept, log_det - 2 * float(np.log(stretch).sum()))
