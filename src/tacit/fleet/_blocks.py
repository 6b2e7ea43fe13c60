"""Blocks of people: who they are, their sums, and how many of their rows did not count."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit._extras import require
from tacit.ddm import PeopleStatistics

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NUMBERS_AT_ONCE = 1 << 24
"""Bound on the numbers that the sums of a block of people take."""


@dataclass(frozen=True)
class Block:
    """Sums of some people.

    Parameters
    ----------
    person : pyarrow array of length n_people
        Who they are.
    statistics : PeopleStatistics
        Their sums.
    excluded : ndarray of int64, shape (n_people, n_reasons)
        Numbers of rows that did not count, by reason.
    """

    person: Any
    statistics: PeopleStatistics
    excluded: Ints

    @property
    def n_people(self) -> int:
        """Number of people."""
        return len(self.person)

    def take(self, people: slice) -> Self:
        """Return a part of the block."""
        return type(self)(self.person[people], self.statistics.take(people), self.excluded[people])


def people_at_once(n_features: int) -> int:
    """Return how many people a block may hold."""
    return max(64, NUMBERS_AT_ONCE // (4 * n_features**2))


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """Add up rows of the same person that follow each other, within blocks or across them."""
    pending: Block | None = None
    for block in blocks:
        if not block.n_people:
            continue
        whole = _merged(block if pending is None else _concatenated(pending, block))
        pending = whole.take(slice(-1, None))
        if whole.n_people > 1:
            yield whole.take(slice(-1))
    if pending is not None:
        yield pending


def changes(person: Any) -> NDArray[np.bool_]:
    """Return where a value differs from the one before; the first does."""
    compute = require("pyarrow.compute", extra="fleet")
    n = len(person)
    differs = compute.not_equal(person.slice(1), person.slice(0, n - 1))
    return np.concatenate([[True], differs.to_numpy(zero_copy_only=False)])[:n].astype(bool)


def _concatenated(first: Block, second: Block) -> Block:
    arrow = require("pyarrow", extra="fleet")
    return Block(
        arrow.concat_arrays([first.person, second.person]),
        PeopleStatistics.concatenate([first.statistics, second.statistics]),
        np.concatenate([first.excluded, second.excluded]),
    )


def _merged(block: Block) -> Block:
    new = changes(block.person)
    if new.all():
        return block
    group = np.cumsum(new) - 1
    n_people = int(group[-1]) + 1
    excluded = np.zeros((n_people, block.excluded.shape[1]), dtype=np.int64)
    np.add.at(excluded, group, block.excluded)
    starts = np.flatnonzero(new)
    return Block(block.person.take(starts), block.statistics.grouped(group, n_people), excluded)
