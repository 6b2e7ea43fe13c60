"""The named converters: other codings of choices and times, turned into tacit's own."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from tacit.errors import DataError
from tacit.records._arrays import AnyArray, BoolArray, ChoiceArray, FloatArray
from tacit.records._rows import Rows, listing
from tacit.records.tables import as_column, as_label, is_missing

CODINGS: Mapping[str, Mapping[str, int]] = {
    "plus_minus": {"1": 1, "-1": -1},
    "zero_one": {"1": 1, "0": -1},
    "one_two": {"1": 1, "2": -1},
    "left_right": {"left": 1, "right": -1},
}
"""Which written value means +1 (first) and which -1 (second), by the name of the coding."""


_TRUTHS = {"true": "1", "false": "0"}


def choice_from_zero_one(values: npt.ArrayLike) -> ChoiceArray:
    """Turn choices coded 1 (first) and 0 (second) into +1 and -1.

    Parameters
    ----------
    values : array-like, shape (n,)
        1 or 0, True or False, as numbers or text.

    Returns
    -------
    array of int8, shape (n,)
        +1 for the first item, -1 for the second.

    Examples
    --------
    >>> choice_from_zero_one([1, 0, 0])
    array([ 1, -1, -1], dtype=int8)
    """
    return _convert(values, "zero_one")


def choice_from_one_two(values: npt.ArrayLike) -> ChoiceArray:
    """Turn choices coded 1 (first) and 2 (second) into +1 and -1.

    Parameters
    ----------
    values : array-like, shape (n,)
        1 or 2, as numbers or text.

    Returns
    -------
    array of int8, shape (n,)
        +1 for the first item, -1 for the second.

    Examples
    --------
    >>> choice_from_one_two([1, 2, 2])
    array([ 1, -1, -1], dtype=int8)
    """
    return _convert(values, "one_two")


def choice_from_left_right(values: npt.ArrayLike) -> ChoiceArray:
    """Turn the words "left" (first) and "right" (second) into +1 and -1.

    Parameters
    ----------
    values : array-like of str, shape (n,)
        The words, in capitals or not.

    Returns
    -------
    array of int8, shape (n,)
        +1 for the left item, which is the first, and -1 for the right one.

    Examples
    --------
    >>> choice_from_left_right(["left", "Right"])
    array([ 1, -1], dtype=int8)
    """
    return _convert(values, "left_right")


def seconds_from_milliseconds(values: npt.ArrayLike) -> FloatArray:
    """Turn milliseconds into seconds.

    Parameters
    ----------
    values : array-like of float, shape (...)
        Times in milliseconds.

    Returns
    -------
    array of float, shape (...)
        Times in seconds.

    Examples
    --------
    >>> seconds_from_milliseconds([1500, 620])
    array([1.5 , 0.62])
    """
    return np.asarray(values, dtype=float) / 1000.0


def decode_choices(
    values: AnyArray, coding: str | Mapping[str, int], rows: Rows
) -> tuple[ChoiceArray, BoolArray]:
    """Turn choices into +1 and -1, and say which rows are in neither code.

    Parameters
    ----------
    values : array, shape (n,)
        Choices as they were recorded.
    coding : str or dict
        Name in `CODINGS`; the values that mean first and second, such as "yes/no"; or the
        recorded values with the +1 or -1 that each means.
    rows : Rows
        What the rows are called in messages.

    Returns
    -------
    choice : array of int8, shape (n,)
        +1, -1, or 0 where the recorded value means neither.
    invalid : array of bool, shape (n,)
        Where `choice` is 0.

    Raises
    ------
    DataError
        If the whole column turns out to be in another coding, whatever is done with single
        invalid rows: with 0 and 1 taken for -1 and +1, half of the data would go missing.
    """
    signs = signs_of(coding)
    choice = np.zeros(len(values), dtype=np.int8)
    if values.dtype.kind in "biuf":
        for label, sign in signs.items():
            if _is_number(label):
                choice[values == float(label)] = sign
    else:
        written = values.tolist()
        meaning = {value: signs.get(_written(value), 0) for value in set(written)}
        choice[:] = [meaning[value] for value in written]
    invalid = choice == 0
    if invalid.any():
        _check_whole_column(values, coding, int(np.flatnonzero(invalid)[0]), rows)
    return choice, invalid


def _convert(values: npt.ArrayLike, coding: str) -> ChoiceArray:
    column = as_column(values)
    rows = Rows(len(column))
    choice, invalid = decode_choices(column, coding, rows)
    for position in np.flatnonzero(invalid)[:1]:
        raise DataError(
            f"choices must be {expected_choices(coding)}, got {column.tolist()[position]!r} "
            f"at {rows.name(position)}"
        )
    return choice


def expected_choices(coding: str | Mapping[str, int]) -> str:
    """Write out a coding: ``1 (first) or 0 (second)``."""
    sides = {1: "first", -1: "second"}
    return " or ".join(f"{label} ({sides[sign]})" for label, sign in signs_of(coding).items())


def signs_of(coding: str | Mapping[str, int]) -> Mapping[str, int]:
    """Return the +1 or -1 that each written value means, values as `_written` writes them."""
    if not isinstance(coding, str):
        signs = {_written(value): int(sign) for value, sign in coding.items()}
        if set(signs.values()) != {1, -1}:
            raise DataError(
                f"a coding of choices must give +1 and -1 to values, got {dict(coding)}"
            )
        return signs
    if "/" in coding:
        first, second = map(_written, coding.split("/", 1))
        if first == second or "" in {first, second}:
            raise DataError(f"choice_coding must name two values such as 'yes/no', got {coding!r}")
        return {first: 1, second: -1}
    if coding not in CODINGS:
        raise DataError(
            f"choice_coding must be one of {listing(CODINGS)}, two values such as 'yes/no', or a "
            f"dict, got {coding!r}"
        )
    return CODINGS[coding]


def _check_whole_column(
    values: AnyArray, coding: str | Mapping[str, int], position: int, rows: Rows
) -> None:
    numeric = values.dtype.kind in "biuf"
    distinct = np.unique(values).tolist() if numeric else set(values.tolist())
    present = {_written(value) for value in distinct if not is_missing(value)}
    if present <= set(signs_of(coding)):
        return
    for name, signs in CODINGS.items():
        if present <= set(signs):
            raise DataError(
                f"choices must be {expected_choices(coding)}, got "
                f"{values.tolist()[position]!r} at {rows.name(position)}; every choice is "
                f"{expected_choices(name)}: use choice_coding={name!r} or choice_from_{name}"
            )
    if len(present) == 2 and not present & set(signs_of(coding)):
        one, other = sorted(present)
        raise DataError(
            f"choices must be {expected_choices(coding)}, got "
            f"{values.tolist()[position]!r} at {rows.name(position)}; every choice is {one!r} or "
            f"{other!r}: use choice_coding={f'{one}/{other}'!r} if {one!r} means the first"
        )


def _written(value: object) -> str:
    """Return a recorded value in one form: "1" for 1, 1.0, True, "1.0" and "+1"."""
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, str):
        value = value.strip().lower()
        value = _TRUTHS.get(value, value)
        if _is_number(value):
            value = float(value)
    return "" if is_missing(value) else as_label(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
