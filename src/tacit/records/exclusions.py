"""Exclusions: which rows were left out, and why."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from tacit.records._arrays import AnyArray, BoolArray, IntArray, freeze


def _no_rows() -> IntArray:
    return np.empty(0, dtype=np.int64)


def _no_reasons() -> AnyArray:
    return np.empty(0, dtype=np.str_)


@dataclass(frozen=True, eq=False)
class Exclusions:
    """Rows that were left out of trials, with the reason for each.

    Parameters
    ----------
    row : array of int, shape (n_excluded,)
        Numbers of the rows in their source.
    reason : array of str, shape (n_excluded,)
        Why each was left out.
    person : array, shape (n_excluded,), optional
        Who answered, where the trials say so.

    Examples
    --------
    >>> trials = Exclusions().adding("too fast", np.array([3, 5]), None)
    >>> trials.counts()
    {'too fast': 2}
    """

    row: IntArray = field(default_factory=_no_rows)
    reason: AnyArray = field(default_factory=_no_reasons)
    person: AnyArray | None = None

    def __post_init__(self) -> None:
        freeze(self.row)
        freeze(self.reason)
        if self.person is not None:
            freeze(self.person)

    def __len__(self) -> int:
        return len(self.row)

    def counts(self) -> dict[str, int]:
        """Return how many rows were left out for each reason.

        Returns
        -------
        dict
            Reasons in the order of their first row, with counts.

        Examples
        --------
        >>> Exclusions().counts()
        {}
        """
        return dict(Counter(self.reason.tolist()))

    def adding(self, reason: str, row: IntArray, person: AnyArray | None) -> "Exclusions":
        """Return these exclusions and more, left out for one reason.

        Parameters
        ----------
        reason : str
            Why the rows are left out.
        row : array of int, shape (m,)
            Their numbers.
        person : array, shape (m,), optional
            Who answered.

        Returns
        -------
        Exclusions
            A new record; this one stays as it is.

        Examples
        --------
        >>> len(Exclusions().adding("too slow", np.array([7]), None))
        1
        """
        if not len(row):
            return self
        reasons = np.full(len(row), reason)
        if not len(self):
            return Exclusions(row, reasons, person)
        both_persons = None
        if self.person is not None and person is not None:
            both_persons = np.concatenate([self.person, person])
        return Exclusions(
            np.concatenate([self.row, row]), np.concatenate([self.reason, reasons]), both_persons
        )

    def taking(self, which: BoolArray | IntArray | slice) -> "Exclusions":
        """Return some of these exclusions.

        Parameters
        ----------
        which : array of bool or int, or slice
            Which to keep.

        Returns
        -------
        Exclusions
            The rest is forgotten.

        Examples
        --------
        >>> Exclusions().adding("too slow", np.array([7, 9]), None).taking(slice(1)).row
        array([7])
        """
        return Exclusions(
            self.row[which],
            self.reason[which],
            None if self.person is None else self.person[which],
        )
