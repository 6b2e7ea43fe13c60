"""Sums of products of columns over the rows of each of many people."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tacit.ddm._checks import Floats

_NUMBERS_AT_ONCE = 1 << 23
"""Bound on the numbers held at once while sums are formed."""


class SumsOfProducts:
    """Sums of products of columns over the rows of each person, who are in order."""

    def __init__(self, table: Floats, who: NDArray[np.int64], n_people: int) -> None:
        self._table, self._n_people = table, n_people
        self.count = np.bincount(who, minlength=n_people)

    def parts(self, which: Mapping[str, tuple[slice | int, slice | int]]) -> dict[str, Floats]:
        """Return blocks of W'W by name, given their rows and columns."""
        n_columns = self._table.shape[1]
        step = max(1, _NUMBERS_AT_ONCE // n_columns**2)
        end = np.concatenate([[0], np.cumsum(self.count)])
        blocks: dict[str, list[Floats]] = {name: [] for name in which}
        for first in range(0, max(self._n_people, 1), step):
            last = min(first + step, self._n_people)
            product = np.empty((last - first, n_columns, n_columns))
            # A product for each person is faster than sums over padded groups of people.
            for i in range(first, last):
                own = self._table[end[i] : end[i + 1]]
                np.matmul(own.T, own, out=product[i - first])
            for name, (row, column) in which.items():
                blocks[name].append(product[:, row, column].copy())
        return {name: np.concatenate(block) for name, block in blocks.items()}
