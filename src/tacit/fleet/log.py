"""How a log of choices is written, and which of its rows count."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacit.errors import DataError
from tacit.records.coding import signs_of

REASONS: Mapping[str, str] = {
    "unknown_item": "unknown item",
    "identical_items": "identical items",
    "unusable_feature": "missing or infinite feature",
    "invalid_choice": "invalid choice",
    "unreadable_time": "unreadable response_time",
    "missing_time": "missing response_time",
    "infinite_time": "infinite response_time",
    "short_time": "response_time not above nondecision_time",
    "fast": "response_time below the limit",
    "slow": "response_time far above the person's mean",
}
"""Why a row does not count, by the name of the column that counts such rows; the first holds."""


@dataclass(frozen=True, kw_only=True)
class Log:
    """How trials are written in a table, and which rows count.

    Parameters
    ----------
    first : str, default "first"
        Column with the items shown first, or alone.
    second : str or None, default "second"
        Column with the items shown second; an empty cell is the reference. None: every item was
        judged alone, as in "bought / skipped".
    choice, response_time : str
        Columns with choices and times.
    person : str or None, default "person"
        Column that says who answered; None takes all rows as one person's.
    features : tuple of str, optional
        Columns that hold the query vectors themselves, features of the first item minus those of
        the second; `first` and `second` are not looked at then.
    choice_coding : str or dict, default "plus_minus"
        As in :class:`tacit.records.TableOptions`.
    time_unit : {"s", "ms"}, default "s"
        Unit of the times in the table. All other times are seconds.
    reference : str, optional
        Item whose utility is taken as zero, and that empty cells of `second` stand for.
    allow_identical : bool, default False
        Keep rows with the same item twice, which only tell how fast the person is.
    drop_fast : float, optional
        Seconds; faster answers do not count.
    drop_slow : float, optional
        Answers slower than the person's mean plus this many standard deviations do not count.
    censor_above : float, optional
        Seconds; slower answers count as not given by then, whatever they are.

    table : str, optional
        Name of the table, in a database that holds several.
    delimiter : str, optional
        What separates the cells of a text file: "," for .csv and tab for .tsv when absent.

    Examples
    --------
    >>> Log(first="product", second=None, choice="action", choice_coding="bought/skipped").person
    'person'
    """

    first: str = "first"
    second: str | None = "second"
    choice: str = "choice"
    response_time: str = "response_time"
    person: str | None = "person"
    features: tuple[str, ...] | None = None
    choice_coding: str | Mapping[str, int] = "plus_minus"
    time_unit: Literal["s", "ms"] = "s"
    reference: str | None = None
    allow_identical: bool = False
    drop_fast: float | None = None
    drop_slow: float | None = None
    censor_above: float | None = None
    table: str | None = None
    delimiter: str | None = None

    def __post_init__(self) -> None:
        signs_of(self.choice_coding)
        if self.time_unit not in {"s", "ms"}:
            raise DataError(f'`time_unit` must be "s" or "ms", got {self.time_unit!r}')
        for name in ("drop_fast", "drop_slow", "censor_above"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value > 0):
                raise DataError(f"`{name}` must be a positive number, got {value}")
        if self.features is not None and not self.features:
            raise DataError("`features` must name at least one column")
        if None not in (self.features, self.reference):
            raise DataError("a `reference` is an item; columns with query vectors have none")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table that are read."""
        names = self.features or (self.first, self.second)
        asked = (*names, self.choice, self.response_time, self.person)
        return tuple(dict.fromkeys(name for name in asked if name is not None))
