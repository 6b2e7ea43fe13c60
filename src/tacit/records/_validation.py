"""What makes a row unusable, and what is then done about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from tacit.errors import DataError
from tacit.records._arrays import (
    REFERENCE,
    AnyArray,
    BoolArray,
    ChoiceArray,
    FloatArray,
    IntArray,
)
from tacit.records._rows import Rows, did_you_mean
from tacit.records.coding import decode_choices, expected_choices
from tacit.records.items import Items
from tacit.records.tables import as_label, is_missing

ItemColumn: TypeAlias = AnyArray | list[str | None]
OnInvalid: TypeAlias = Literal["raise", "exclude"]

MEDIAN_SECONDS_TO_DOUBT = 60.0
"""A median response time above this is more likely to be in milliseconds."""

LONGEST_SECONDS_TO_DOUBT = 100.0
"""A longer response time is no decision if it is also a hundred times the median."""

_UNKNOWN = -2
_MANY = 10


@dataclass(frozen=True)
class Rules:
    """What is asked of every row; see :meth:`Trials.from_table`."""

    choice_coding: str | Mapping[str, int]
    allow_void_times: bool
    allow_identical: bool
    nondecision_time: float
    on_invalid: OnInvalid


@dataclass(frozen=True)
class Columns:
    """The columns of trials, as they come in; those of a table were recorded in a unit."""

    first: ItemColumn
    second: ItemColumn
    choice: AnyArray
    response_time: FloatArray
    person: AnyArray | None
    unreadable_times: Mapping[int, object] = field(default_factory=dict)
    recorded_in: str = ""


@dataclass(frozen=True)
class Checked:
    """The columns of trials in tacit's own form, and the rows that must not stay."""

    first: IntArray
    second: IntArray
    choice: ChoiceArray
    response_time: FloatArray
    row: IntArray
    person: AnyArray | None
    left_out: Mapping[str, BoolArray]
    doubt: str


@dataclass(frozen=True)
class Defect:
    """One way in which rows are unusable: how it is counted, where, and what to say."""

    reason: str
    bad: BoolArray
    message: str


def check(columns: Columns, items: Items, rules: Rules, rows: Rows) -> Checked:
    """Check every row against the rules; raise, or say what to leave out."""
    if rows.n == 0:
        raise DataError("the data are empty: there is no trial")
    first, unknown_first = _item_indices(columns.first, "first", items, rows, lowest=0)
    second, unknown_second = _item_indices(columns.second, "second", items, rows, lowest=REFERENCE)
    _refuse_names_as_choices(columns, rules, rows)
    choice, invalid = _choices(columns.choice, rules.choice_coding, rows)
    person, nobody = (None, []) if columns.person is None else _persons(columns.person, rows)
    defects = [
        *unknown_first,
        *unknown_second,
        *([] if rules.allow_identical else _identical_items(first, second, items, rows)),
        *invalid,
        *_response_times(columns, rules, rows),
        *nobody,
    ]
    left_out = _settle(defects, rules.on_invalid, rows.n)
    row = np.arange(rows.n) if rows.numbers is None else rows.numbers
    doubt = doubt_about(columns, rows)
    return Checked(first, second, choice, columns.response_time, row, person, left_out, doubt)


def doubt_about(columns: Columns, rows: Rows) -> str:
    """Say what is odd about times of which each by itself may be right, if anything is."""
    seconds = columns.response_time
    known = np.flatnonzero(np.isfinite(seconds))
    if known.size == 0:
        return ""
    timed = seconds[known]
    median, longest = float(np.median(timed)), int(known[np.argmax(timed)])
    if median > MEDIAN_SECONDS_TO_DOUBT:
        return (
            f"the median response time is {median:g} s; were milliseconds taken for "
            'seconds? (time_unit="ms" or seconds_from_milliseconds)'
        )
    if columns.recorded_in == "ms" and median < 1e-3 * MEDIAN_SECONDS_TO_DOUBT:
        return f"the median response time is {median:g} s; were seconds taken for milliseconds?"
    if columns.recorded_in and timed.size >= _MANY and timed.min() == timed.max():
        return f"every response time is {median:g} s; is it the limit instead of the time?"
    if seconds[longest] > max(LONGEST_SECONDS_TO_DOUBT, 100 * median):
        return (
            f"the longest response time is {seconds[longest]:g} s, at {rows.name(longest)}, and "
            f"the median {median:g} s; was it an interruption, or does it stand for a missing time?"
        )
    return ""


def _defect(reason: str, bad: BoolArray, rows: Rows, say: Callable[[int], str]) -> list[Defect]:
    """Describe the rows that are bad by the first of them; nothing when there is none."""
    positions = np.flatnonzero(bad)
    if positions.size == 0:
        return []
    message = say(int(positions[0]))
    if positions.size > 1:
        message += f" ({positions.size} of {rows.n} {rows.noun}s: {rows.names(positions)})"
    return [Defect(reason, bad, message)]


def _settle(defects: Sequence[Defect], on_invalid: OnInvalid, n: int) -> dict[str, BoolArray]:
    """Raise what was found, or say which rows are left out for which reason, each once."""
    if on_invalid not in {"raise", "exclude"}:
        raise DataError(f'`on_invalid` must be "raise" or "exclude", got {on_invalid!r}')
    if defects and on_invalid == "raise":
        found = "\n".join(item.message for item in defects)
        raise DataError(f'{found}\npass on_invalid="exclude" to leave out and count such rows')
    usable = np.ones(n, dtype=bool)
    left_out: dict[str, BoolArray] = {}
    for item in defects:
        left_out[item.reason] = (item.bad & usable) | left_out.get(item.reason, np.False_)
        usable &= ~item.bad
    if not usable.any():
        counts = ", ".join(f"{reason}: {bad.sum()}" for reason, bad in left_out.items())
        raise DataError(f"none of {n} trials is usable ({counts})")
    return left_out


def _item_indices(
    values: ItemColumn, column: str, items: Items, rows: Rows, *, lowest: int
) -> tuple[IntArray, list[Defect]]:
    """Return indices of items, given as such or by name; `lowest` is -1 where none may be."""
    if isinstance(values, list):
        return _named_items(values, column, items, rows, lowest=lowest)
    if values.dtype.kind in "iu":
        return _numbered_items(values.astype(np.int64), column, items, rows, lowest=lowest)
    if values.dtype.kind != "O":
        raise DataError(
            f"`{column}` must hold item indices (whole numbers) or item names, "
            f"got {values.dtype} values such as {values.tolist()[0]!r}"
        )
    names = [None if is_missing(value) else as_label(value) for value in values.tolist()]
    return _named_items(names, column, items, rows, lowest=lowest)


def _numbered_items(
    index: IntArray, column: str, items: Items, rows: Rows, *, lowest: int
) -> tuple[IntArray, list[Defect]]:
    cause = "; are items counted from 1?" if index.min() == 1 else ""
    return index, _defect(
        "unknown item",
        (index < lowest) | (index >= items.n_items),
        rows,
        lambda i: (
            f"`{column}` must be an item index from {lowest} to {items.n_items - 1}, "
            f"got {index[i]} at {rows.name(i)}{cause}"
        ),
    )


def _named_items(
    names: list[str | None], column: str, items: Items, rows: Rows, *, lowest: int
) -> tuple[IntArray, list[Defect]]:
    positions = items.positions
    unnamed = REFERENCE if lowest == REFERENCE else _UNKNOWN
    index = np.array(
        [unnamed if name is None else positions.get(name, _UNKNOWN) for name in names],
        dtype=np.int64,
    )

    def say(i: int) -> str:
        name = names[i]
        if name is None:
            return f"`{column}` names no item at {rows.name(i)}"
        hint = did_you_mean(name, items.names)
        return f"`{column}` names an unknown item, {name!r}, at {rows.name(i)}; {hint}"

    return index, _defect("unknown item", index == _UNKNOWN, rows, say)


def _identical_items(first: IntArray, second: IntArray, items: Items, rows: Rows) -> list[Defect]:
    """Find queries of an item against itself."""
    return _defect(
        "identical items",
        (first == second) & (first >= 0) & (first < items.n_items),
        rows,
        lambda i: (
            f"`first` and `second` must differ, got {items.names[first[i]]!r} twice at "
            f"{rows.name(i)}; if that was asked on purpose, pass allow_identical=True"
        ),
    )


def _choices(
    values: AnyArray, coding: str | Mapping[str, int], rows: Rows
) -> tuple[ChoiceArray, list[Defect]]:
    """Decode choices and find those in neither code."""
    choice, invalid = decode_choices(values, coding, rows)
    return choice, _defect(
        "invalid choice",
        invalid,
        rows,
        lambda i: (
            f"`choice` must be {expected_choices(coding)}, got {values.tolist()[i]!r} "
            f"at {rows.name(i)}"
        ),
    )


def _refuse_names_as_choices(columns: Columns, rules: Rules, rows: Rows) -> None:
    """Refuse choices that are the names of the items chosen, which no coding stands for."""
    if columns.choice.dtype.kind != "O" or not isinstance(columns.first, list):
        return
    pairs = zip(columns.choice.tolist(), columns.first, columns.second, strict=True)
    if all(name is not None and name in pair for name, *pair in pairs):
        raise DataError(
            f"choices must be {expected_choices(rules.choice_coding)}, got "
            f"{columns.choice[0]!r} at {rows.name(0)}; every choice is the name of an item: write "
            "1 where it is the first, -1 where it is the second"
        )


def _response_times(columns: Columns, rules: Rules, rows: Rows) -> list[Defect]:
    """Find times that no answer can have taken."""
    seconds, written = columns.response_time, columns.unreadable_times
    unreadable = np.zeros(rows.n, dtype=bool)
    unreadable[list(written)] = True
    nondecision_time = rules.nondecision_time
    if not (np.isfinite(nondecision_time) and nondecision_time >= 0):
        raise DataError(f"`nondecision_time` must be at least 0 s, got {nondecision_time}")
    return [
        *_defect(
            "unreadable response_time",
            unreadable,
            rows,
            lambda i: f"`response_time` must be a number, got {written[i]!r} at {rows.name(i)}",
        ),
        *_defect(
            "missing response_time",
            np.isnan(seconds) & ~unreadable & (not rules.allow_void_times),
            rows,
            lambda i: (
                f"`response_time` is missing at {rows.name(i)}; allow_void_times=True keeps "
                "such trials, with a choice and no time"
            ),
        ),
        *_defect(
            "infinite response_time",
            np.isinf(seconds),
            rows,
            lambda i: f"`response_time` must be finite, got {seconds[i]} at {rows.name(i)}",
        ),
        *_defect(
            "response_time not above nondecision_time",
            (seconds <= nondecision_time) & np.isfinite(seconds),
            rows,
            lambda i: _too_short(seconds[i], nondecision_time, rows.name(i)),
        ),
    ]


def _persons(values: AnyArray, rows: Rows) -> tuple[AnyArray, list[Defect]]:
    """Return who answered as whole numbers or text, and find rows that do not say."""
    if values.dtype.kind in "iu":
        return values.astype(np.int64), []
    written = values.tolist()
    missing = np.array([is_missing(value) for value in written], dtype=bool)
    person = np.array(
        ["" if gone else as_label(v) for v, gone in zip(written, missing, strict=True)]
    )
    return person, _defect(
        "missing person", missing, rows, lambda i: f"`person` is missing at {rows.name(i)}"
    )


def _too_short(seconds: float, nondecision_time: float, where: str) -> str:
    if seconds < 0:
        cause = "does it stand for a missing time?"
    elif nondecision_time:
        cause = "was it a fast guess, or recorded in another unit?"
    else:
        cause = "was the clock read before the question was shown?"
    bound = (
        f"exceed nondecision_time ({nondecision_time:.2f} s)" if nondecision_time else "be positive"
    )
    return f"`response_time` must {bound}, got {seconds:g} s at {where}; {cause}"
