"""How rows, values and near misses are named in messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tacit.records._arrays import IntArray

_SHOWN = 5
_MOST_COMPARED = 20_000


@dataclass(frozen=True)
class Rows:
    """The rows of one source, and what a message calls them.

    Parameters
    ----------
    n : int
        Number of rows.
    noun : str
        "trial" for arrays, "row" for tables, "line" for text files.
    source : str
        Name of the file the rows came from; empty for data in memory.
    numbers : array of int, shape (n,), optional
        Number of each row in its source; 0 to n - 1 when absent.
    """

    n: int
    noun: str = "trial"
    source: str = ""
    numbers: IntArray | None = None

    def number(self, position: int) -> int:
        """Return the number of the row at a position."""
        return position if self.numbers is None else int(self.numbers[position])

    def name(self, position: int) -> str:
        """Name one row: ``trial 7``, ``line 9 of trials.csv``."""
        return f"{self.noun} {self.number(position)}{self._of_source()}"

    def names(self, positions: IntArray) -> str:
        """Name the first few of many rows: ``trials 7, 9, 12``."""
        shown = ", ".join(str(self.number(int(i))) for i in positions[:_SHOWN])
        return f"{self.noun}s {shown}{', ...' if len(positions) > _SHOWN else ''}"

    def _of_source(self) -> str:
        return f" of {self.source}" if self.source else ""


def did_you_mean(unknown: str, known: Sequence[str]) -> str:
    """Suggest the nearest known name, or list the known ones when they are few."""
    if len(known) <= _MOST_COMPARED:
        nearest = get_close_matches(unknown, known, n=1)
        if nearest:
            return f"did you mean {nearest[0]!r}?"
    return f"known are {listing(known)}"


def listing(values: Iterable[object], most: int = _SHOWN) -> str:
    """Write out the first few values: ``'a', 'b', 'c', ...``."""
    values = list(values)
    return ", ".join(map(repr, values[:most])) + (", ..." if len(values) > most else "")
