"""What every respondent shares: a person's weights, and answers to many queries at once."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError
from tacit.simulate._configuration import digest, plain

Floats = NDArray[np.float64]
Choices = NDArray[np.int8]
Answers = tuple[Choices, Floats]


class Respondent(ABC):
    """A person who answers queries: weights, and a law of choices and response times.

    A respondent is a frozen configuration without memory. It answers a query in each row; rows are
    independent, so they may be replicates of one person at different points of a study.

    Attributes
    ----------
    weights : ndarray of float, shape (n_features,)
        What each feature adds to utility.
    """

    weights: Floats

    def answer(self, vectors: ArrayLike, rng: np.random.Generator) -> Answers:
        """Return an answer to each query.

        Parameters
        ----------
        vectors : array_like of shape (n_rows, n_features)
            Vectors of the queries, ``z_first - z_second``.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        choice : ndarray of int8, shape (n_rows,)
            +1 (first) or -1 (second).
        response_time : ndarray of float, shape (n_rows,)
            Seconds.
        """
        x = np.asarray(vectors, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != len(self.weights):
            raise DataError(
                f"`vectors` must have a column for each of the {len(self.weights)} weights of the "
                f"respondent, got shape {x.shape}"
            )
        return self.respond(np.asarray(x @ self.weights), rng)

    def config(self) -> dict[str, Any]:
        """Return the class and its arguments as JSON values; see `respondent_from_config`."""
        values: dict[str, Any] = plain(self)
        return values

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and plain(other) == plain(self)

    def __hash__(self) -> int:
        return int(digest(plain(self))[:15], 16)

    @abstractmethod
    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference.

        Parameters
        ----------
        drift : ndarray of float, shape (n_rows,)
            Utility of the first item minus that of the second.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        choice, response_time : ndarray of shape (n_rows,)
            As of `answer`.
        """
