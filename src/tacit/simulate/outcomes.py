"""What runs came to: one row for each run and time budget."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import DataError
from tacit.simulate.work import Columns


@dataclass(frozen=True, eq=False)
class Outcomes(Columns):
    """A tidy table of recommendations and how good they were, as columns of equal length.

    The rows of a run follow each other, by increasing time budget.

    Attributes
    ----------
    run : ndarray of int64
        Number of the run, from 0.
    time_budget : ndarray of float
        Seconds that might be spent.
    item : ndarray of int64
        Index of the recommended item.
    error : ndarray of bool
        Whether another item is better.
    regret : ndarray of float
        Utility of the best item minus that of the recommended one; 0 unless `error`.
    seconds_used : ndarray of float
        Seconds until the last answer that counts was given.
    answers_used : ndarray of int64
        Number of answers that count.
    confidence : ndarray of float
        Probability that the item is the best one, as the learner states it; NaN if it does not.
    stopped : ndarray of bool
        Whether the learner itself had nothing more to ask.
    """

    run: NDArray[np.int64]
    time_budget: NDArray[np.float64]
    item: NDArray[np.int64]
    error: NDArray[np.bool_]
    regret: NDArray[np.float64]
    seconds_used: NDArray[np.float64]
    answers_used: NDArray[np.int64]
    confidence: NDArray[np.float64]
    stopped: NDArray[np.bool_]

    @property
    def time_budgets(self) -> NDArray[np.float64]:
        """The time budgets, increasing."""
        return np.unique(self.time_budget)

    def by_budget(self, column: str) -> NDArray[Any]:
        """Return a column with one row for each time budget.

        Parameters
        ----------
        column : str
            Name of the column.

        Returns
        -------
        ndarray of shape (n_budgets, n_runs)
        """
        columns = self.columns()
        if column not in columns:
            raise DataError(f"no column {column!r}; there are {', '.join(columns)}")
        return columns[column].reshape(-1, len(self.time_budgets)).T
