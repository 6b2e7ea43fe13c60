"""Sums over the answers to each different query."""

from typing import NamedTuple, Self

import numpy as np

from tacit.ddm._checks import Floats
from tacit.estimators._validation import Answers


class QuerySums(NamedTuple):
    """Answers to each query, summed.

    A query and its mirror image, the same options swapped, are one query: the answers to the
    latter are counted with the opposite choice.

    Attributes
    ----------
    vectors : ndarray of shape (n_queries, n_features)
        Different query vectors; the first entry that is not zero is positive.
    n_answers : ndarray of shape (n_queries,)
        Sum of the trials' weights.
    choice_sum : ndarray of shape (n_queries,)
        Sum of choices.
    time_sum : ndarray of shape (n_queries,)
        Sum of response times, seconds; 0 where there are none.
    """

    vectors: Floats
    n_answers: Floats
    choice_sum: Floats
    time_sum: Floats

    @classmethod
    def from_answers(cls, answers: Answers) -> Self:
        """Group trials whose vectors are identical up to the sign."""
        X, weight = answers.vectors, answers.weight
        leading = X[np.arange(len(X)), np.argmax(X != 0, axis=1)]
        side = np.where(leading < 0, -1.0, 1.0)
        time = np.zeros(len(X)) if answers.response_time is None else answers.response_time
        return cls._group(X * side[:, None], weight, weight * answers.choice * side, weight * time)

    def merge(self, other: Self) -> Self:
        """Return the sums over both sets of trials."""
        return self._group(*map(np.concatenate, zip(self, other, strict=True)))

    @classmethod
    def _group(cls, rows: Floats, *columns: Floats) -> Self:
        """Add up the columns over rows of the same vector."""
        vectors, group = np.unique(rows + 0.0, axis=0, return_inverse=True)
        n_answers, choice_sum, time_sum = (
            np.asarray(np.bincount(group, column, len(vectors)), dtype=np.float64)
            for column in columns
        )
        return cls(vectors, n_answers, choice_sum, time_sum)

    def regress(self, response: Floats) -> Floats:
        """Return (sum n x x')^+ sum n x response."""
        root = np.sqrt(self.n_answers)
        design = self.vectors * root[:, None]
        return np.asarray(np.linalg.lstsq(design, root * response, rcond=None)[0])

    def sandwich(self, variance: Floats) -> Floats:
        """Return the covariance of `regress`, given the variance of each answer's response."""
        weighted = self.vectors * self.n_answers[:, None]
        bread = np.linalg.pinv(self.vectors.T @ weighted, hermitian=True)
        meat = self.vectors.T @ (weighted * variance[:, None])
        return np.asarray(bread @ meat @ bread)
