"""Sums over the answers to each different query."""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.estimators._base import pseudo_inverse
from tacit.estimators._validation import Answers

_CELL_BITS = 30
"""Vectors that agree in so many bits of every feature's largest size are one query: a matrix
product gives the same row different last bits at different places of the matrix."""


class QuerySums(NamedTuple):
    """Answers to each query, summed.

    A query and its mirror image, the same options swapped, are one query: the answers to the
    latter are counted with the opposite choice. Vectors are the same up to rounding.

    The sums may have leading axes, of people or replicates who were asked the same queries; some
    of them not at all.

    Attributes
    ----------
    vectors : ndarray of shape (n_queries, n_features)
        Different query vectors, as they first came; the first entry that is not zero is positive.
    n_answers : ndarray of shape (..., n_queries)
        Sum of the trials' weights.
    choice_sum : ndarray of shape (..., n_queries)
        Sum of choices.
    time_sum : ndarray of shape (..., n_queries)
        Sum of response times, seconds; 0 where there are none.
    """

    vectors: Floats
    n_answers: Floats
    choice_sum: Floats
    time_sum: Floats

    @classmethod
    def from_answers(cls, answers: Answers) -> Self:
        """Group trials whose vectors are the same up to the sign."""
        weight, time = answers.weight, answers.response_time
        time_sum = np.zeros(len(weight)) if time is None else weight * time
        return cls._group(answers.vectors, weight, weight * answers.choice, time_sum)

    def merge(self, other: Self) -> Self:
        """Return the sums over both sets of trials."""
        return self._group(*map(np.concatenate, zip(self, other, strict=True)))

    @classmethod
    def _group(cls, rows: Floats, n_answers: Floats, choice_sum: Floats, time_sum: Floats) -> Self:
        """Add up the columns over rows of the same vector or of its mirror image."""
        cells = _cells(rows)
        leading = cells[np.arange(len(cells)), np.argmax(cells != 0, axis=1)]
        side = np.where(leading < 0, -1, 1)
        _, first, group = np.unique(
            cells * side[:, None], axis=0, return_index=True, return_inverse=True
        )
        n_each, choice, time = (
            np.asarray(np.bincount(group, column, len(first)), dtype=np.float64)
            for column in (n_answers, side * choice_sum, time_sum)
        )
        return cls(rows[first] * side[first, None] + 0.0, n_each, choice, time)

    def regress(self, response: Floats) -> Floats:
        """Return (sum n x x')^+ sum n x response."""
        if self.n_answers.ndim == 1:
            weighted = self.vectors * self.n_answers[:, None]
            return decompose(self.vectors.T @ weighted).solve(response @ weighted)
        rows = (-1, len(self.vectors))
        n, linear = self.n_answers.reshape(rows), (self.n_answers * response).reshape(rows)
        found = np.zeros((len(n), self.vectors.shape[1]))
        for group, basis in explored(self.vectors, n):
            axes = np.eye(self.vectors.shape[1]) if basis is None else basis
            x = self.vectors @ axes
            gram = np.einsum("rq,qi,qj->rij", n[group], x, x, optimize=True)
            solved = np.linalg.solve(gram, (linear[group] @ x)[:, :, None])
            found[group] = solved[:, :, 0] @ axes.T
        return found.reshape(*self.n_answers.shape[:-1], -1)

    def sandwich(self, variance: Floats) -> Floats:
        """Return the covariance of `regress`, given the variance of each answer's response."""
        weighted = self.vectors * self.n_answers[:, None]
        bread = pseudo_inverse(self.vectors.T @ weighted)
        meat = self.vectors.T @ (weighted * variance[:, None])
        return np.asarray(bread @ meat @ bread)


def _cells(rows: Floats) -> NDArray[np.int64]:
    """Return rows in units in which rounding errors vanish, the same for both signs."""
    _, exponent = np.frexp(np.abs(rows).max(axis=0))
    return np.asarray(np.rint(np.ldexp(rows, _CELL_BITS - exponent)), dtype=np.int64)


def explored(
    vectors: Floats, n_answers: Floats
) -> Iterator[tuple[NDArray[np.int64], Floats | None]]:
    """Group rows of answers by the directions that their queries explore.

    Parameters
    ----------
    vectors : ndarray of shape (n_queries, n_features)
        Query vectors.
    n_answers : ndarray of shape (n_rows, n_queries)
        How often each was answered.

    Yields
    ------
    rows : ndarray of int64
        Rows of one group.
    basis : ndarray of shape (n_features, rank) or None
        Orthonormal columns that span what they explore; None if it is all of space.
    """
    asked = n_answers > 0
    _, first, which = np.unique(
        np.packbits(asked, axis=1), axis=0, return_index=True, return_inverse=True
    )
    bases = [decompose(vectors[own].T @ vectors[own]).basis() for own in asked[first]]
    everything = np.array([basis is None for basis in bases])[which]
    if everything.any():
        yield np.flatnonzero(everything), None
    for number, basis in enumerate(bases):
        if basis is not None:
            yield np.flatnonzero(which == number), basis
