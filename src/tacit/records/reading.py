"""Trials of a table: which columns, in which coding and unit."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypedDict
from unicodedata import normalize
from warnings import warn

from tacit.errors import DataError, DataWarning
from tacit.records._validation import Checked, Columns, OnInvalid, Rules, check
from tacit.records.coding import seconds_from_milliseconds
from tacit.records.items import Items
from tacit.records.tables import Table


class TableOptions(TypedDict, total=False):
    """The keywords of :meth:`Trials.from_table` and :meth:`Trials.read`.

    Parameters
    ----------
    first : str, default "first"
        Column with the names of the items shown first.
    second : str or None, default "second"
        Column with the names of the items shown second; an empty cell is the reference, and
        None means that every item is judged against the reference.
    choice : str, default "choice"
        Column with the choices.
    response_time : str, default "response_time"
        Column with the response times.
    person : str or None, default None
        Column that says who answered.
    choice_coding : {"plus_minus", "zero_one", "one_two", "left_right"}, other str or dict
        How choices are recorded, "plus_minus" by default; "yes/no" stands for any two values
        that mean first and second, and a dict gives the +1 or -1 that each value means.
    time_unit : {"s", "ms"}, default "s"
        Unit of the response times in the table.
    allow_void_times : bool, default False
        Keep trials without a time for their choice.
    allow_identical : bool, default False
        Keep trials whose two items are the same.
    nondecision_time : float, default 0
        Seconds that every response time must exceed.
    on_invalid : {"raise", "exclude"}, default "raise"
        Refuse data with unusable rows, or leave them out, counted by reason.

    Examples
    --------
    >>> options = TableOptions(choice="answer", choice_coding={"yes": 1, "no": -1}, time_unit="ms")
    """

    first: str
    second: str | None
    choice: str
    response_time: str
    person: str | None
    choice_coding: str | Mapping[str, int]
    time_unit: Literal["s", "ms"]
    allow_void_times: bool
    allow_identical: bool
    nondecision_time: float
    on_invalid: OnInvalid


def trial_columns(
    table: Table,
    items: Items | None,
    *,
    first: str = "first",
    second: str | None = "second",
    choice: str = "choice",
    response_time: str = "response_time",
    person: str | None = None,
    choice_coding: str | Mapping[str, int] = "plus_minus",
    time_unit: Literal["s", "ms"] = "s",
    allow_void_times: bool = False,
    allow_identical: bool = False,
    nondecision_time: float = 0.0,
    on_invalid: OnInvalid = "raise",
) -> tuple[Checked, Items]:
    """Take the columns of trials from a table and check them; see `TableOptions`."""
    if time_unit not in {"s", "ms"}:
        raise DataError(f'`time_unit` must be "s" or "ms", got {time_unit!r}')
    times, unreadable = table.readable_numbers(response_time)
    firsts = table.labels(first)
    seconds: list[str | None] = [None] * len(firsts)
    if second is not None:
        seconds = table.labels(second)
    columns = Columns(
        first=firsts,
        second=seconds,
        choice=table.values(choice),
        response_time=times if time_unit == "s" else seconds_from_milliseconds(times),
        person=None if person is None else table.values(person),
        unreadable_times=unreadable,
        recorded_in=time_unit,
    )
    if table.rows.n == 0:
        raise DataError(f"the data are empty: {table.rows.source or 'the table'} holds no trial")
    items = one_hot_of(firsts, seconds) if items is None else items
    rules = Rules(choice_coding, allow_void_times, allow_identical, nondecision_time, on_invalid)
    return check(columns, items, rules, table.rows), items


def one_hot_of(*columns: Sequence[str | None]) -> Items:
    """Make one-hot items of all names, in numerical order if they are numbers."""
    names = {name for column in columns for name in column if name is not None}
    if not names:
        raise DataError("no item is named: the columns of the items are empty")
    _warn_of_twins(names)
    numerical = all(name.isdecimal() for name in names)
    return Items.one_hot(sorted(names, key=int if numerical else str))


def _warn_of_twins(names: Collection[str]) -> None:
    """Warn of two names that look like one item: nothing but the file says what items there are."""
    seen: dict[str, str] = {}
    for name in sorted(names):
        plain = " ".join(normalize("NFKC", name).casefold().split())
        twin = seen.setdefault(plain, name)
        if twin != name:
            warn(
                f"{twin!r} and {name!r} are taken for two items; is it one, written in two ways?",
                DataWarning,
                stacklevel=5,
            )
            return
