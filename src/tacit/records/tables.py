"""Columns of any table, and tables of any file, without a table library where possible."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit._extras import require
from tacit.errors import DataError
from tacit.records._arrays import AnyArray, FloatArray
from tacit.records._rows import Rows, did_you_mean, listing
from tacit.records._text_file import read_text

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
NOT_A_NUMBER = {"", "na", "n/a", "nan", "none", "null"}
_WAYS_OUT = {
    ".gz": "unpack it first",
    ".zip": "unpack it first",
    ".txt": "rename it to .csv if commas separate its cells, to .tsv if tabs do",
    ".xls": "save the sheet as CSV (UTF-8)",
    ".xlsx": "save the sheet as CSV (UTF-8)",
    ".ods": "save the sheet as CSV (UTF-8)",
}


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, fetched when asked for.

    Parameters
    ----------
    names : tuple of str
        Names of the columns.
    fetch : callable
        Returns the values of a column by its name.
    rows : Rows
        What the rows are called in messages.
    """

    names: tuple[str, ...]
    fetch: Callable[[str], AnyArray | Sequence[object]]
    rows: Rows

    def values(self, name: str) -> AnyArray:
        """Return a column as it is, numbers as numbers, anything else as objects."""
        if name not in self.names:
            raise DataError(f"no column {name!r}; {self.hint(name)}")
        column = as_column(self.fetch(name))
        if column.shape != (self.rows.n,):
            raise DataError(
                f"column {name!r} must hold one value for each of {self.rows.n} rows, "
                f"got shape {column.shape}"
            )
        return column

    def hint(self, name: str) -> str:
        """Say what a column that does not exist may be instead."""
        if any(map(_is_number, self.names)):
            return f"{did_you_mean(name, self.names)}; is there no line with names of columns?"
        return did_you_mean(name, self.names)

    def labels(self, name: str) -> list[str | None]:
        """Return a column as text, with None for missing cells; 3 and 3.0 are "3"."""
        return [None if is_missing(v) else as_label(v) for v in self.values(name).tolist()]

    def numbers(self, name: str) -> FloatArray:
        """Return a column as numbers, with NaN for missing cells."""
        return as_numbers(self.values(name), name, self.rows)

    def readable_numbers(self, name: str) -> tuple[FloatArray, dict[int, object]]:
        """Return a column as numbers, and what else stands where; there it has NaN."""
        return _parsed(self.values(name), name, self.rows)


def as_table(table: object) -> Table:
    """Take the columns of a dict, a pandas or polars frame, or anything that speaks Arrow.

    Parameters
    ----------
    table : object
        A mapping of names to columns; a frame whose columns have ``to_numpy``; an object with
        ``__arrow_c_stream__`` (the Arrow PyCapsule interface) or ``__dataframe__`` (the
        dataframe interchange protocol), for which pyarrow is needed.

    Returns
    -------
    Table
        Its columns.

    Examples
    --------
    >>> as_table({"item": ["nuts", "cake"], "sugar": [1, 9]}).numbers("sugar")
    array([1., 9.])
    """
    if isinstance(table, Table):
        return table
    if isinstance(table, Mapping):
        names = tuple(map(str, table))
        n = len(table[names[0]]) if names else 0
        return Table(names, table.__getitem__, Rows(n, "row"))
    if hasattr(table, "to_numpy") and hasattr(table, "columns"):
        return _frame_table(table)
    if hasattr(table, "__arrow_c_stream__"):
        return _arrow_table(require("pyarrow", extra="tables").table(table))
    if hasattr(table, "__dataframe__"):
        interchange = require("pyarrow.interchange", extra="tables")
        return _arrow_table(interchange.from_dataframe(table))
    raise DataError(
        "expected a dict of columns, a pandas, polars or Arrow table, got "
        f"{type(table).__name__}; a file is read with `read`"
    )


def read_table(path: str | PathLike[str], *, delimiter: str | None = None) -> Table:
    r"""Read a CSV or Parquet file.

    Parameters
    ----------
    path : path
        A file that ends in .csv, .tsv or .parquet; Parquet needs the extra "tables".
    delimiter : str, optional
        What separates the cells of a text file: "," for .csv and tab for .tsv when absent.

    Returns
    -------
    Table
        Typed columns from Parquet; from CSV whole numbers as such and any other cell as text.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "items.csv"
    ...     _ = path.write_text('item,sugar\n"nuts, salted",1\n')
    ...     read_table(path).labels("item")
    ['nuts, salted']
    """
    path = Path(path)
    suffix = checked_format(path)
    if suffix == ".parquet":
        table = _read_parquet(path)
        return Table(table.names, table.fetch, Rows(table.rows.n, "row", path.name))
    columns, rows = read_text(path, delimiter or _DELIMITERS[suffix])
    return Table(tuple(columns), lambda name: _recognised(columns[name]), rows)


def write_columns(
    columns: Mapping[str, Sequence[object] | AnyArray], path: str | PathLike[str]
) -> None:
    """Write columns to a CSV or Parquet file; None and NaN become empty cells.

    Parameters
    ----------
    columns : dict
        Names and columns of equal length.
    path : path
        A file that ends in .csv, .tsv or .parquet; Parquet needs the extra "tables".

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_columns({"item": ["nuts"], "sugar": [1]}, folder + "/items.csv")
    ...     read_table(folder + "/items.csv").names
    ('item', 'sugar')
    """
    path = Path(path)
    suffix = checked_format(path)
    if suffix == ".parquet":
        pyarrow = require("pyarrow", extra="tables")
        require("pyarrow.parquet", extra="tables").write_table(pyarrow.table(dict(columns)), path)
        return
    cells = [_cells(column) for column in columns.values()]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=_DELIMITERS[suffix], lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*cells, strict=True))


def checked_format(path: Path) -> str:
    """Return the ending of a file that tables are read from and written to, or refuse it."""
    suffix = path.suffix.lower()
    if suffix == ".parquet" or suffix in _DELIMITERS:
        return suffix
    expected = f"expected a .csv, .tsv or .parquet file, got {path.name or str(path)!r}"
    way_out = _WAYS_OUT.get(suffix)
    raise DataError(f"{expected}; {way_out}" if way_out else expected)


def is_missing(value: object) -> bool:
    """Tell whether a cell is empty: None, "", NaN, or the NA and NaT of pandas."""
    if value is None or isinstance(value, str):
        return not value
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return type(value).__name__ in {"NAType", "NaTType"}


def as_label(value: object) -> str:
    """Write a cell as a name: whole numbers without a point, anything else as ``str`` does."""
    if isinstance(value, float | np.floating) and value.is_integer():
        return str(int(value))
    return str(value)


def as_column(values: npt.ArrayLike | Sequence[object]) -> AnyArray:
    """Make an array of a sequence: numbers when all are, else the objects themselves."""
    column = np.asarray(values)
    # A list such as ["tea", None, 3] must not turn into text.
    return column if column.dtype.kind in "biufmM" else np.asarray(values, dtype=object)


def as_numbers(values: AnyArray, name: str, rows: Rows) -> FloatArray:
    """Return a column as numbers, with NaN for missing cells."""
    numbers, unreadable = _parsed(values, name, rows)
    for position, value in unreadable.items():
        raise DataError(
            f"column {name!r} must hold numbers, got {value!r} at {rows.name(position)}"
        )
    return numbers


def _parsed(values: AnyArray, name: str, rows: Rows) -> tuple[FloatArray, dict[int, object]]:
    """Return values as numbers, and those that are not; a decimal comma is never left at that.

    Where commas stand for points, whole numbers would be all that is left of the column.
    """
    if values.dtype.kind in "biuf":
        return values.astype(float), {}
    if values.dtype.kind in "mM":
        raise DataError(f"column {name!r} must hold plain numbers, got {values.dtype} values")
    numbers, unreadable = np.full(values.shape, np.nan), dict[int, object]()
    for position, value in enumerate(values.tolist()):
        try:
            numbers[position] = _number(value)
        except (TypeError, ValueError):
            unreadable[position] = value
            if "," in str(value) and _is_number(str(value).replace(",", ".", 1)):
                raise DataError(
                    f"column {name!r} must hold numbers, got {value!r} at {rows.name(position)}; "
                    "is it a decimal comma? write a point"
                ) from None
    return numbers, unreadable


def _number(value: Any) -> float:
    if isinstance(value, str):
        if value.strip().lower() in NOT_A_NUMBER:
            return float("nan")
        # Python reads "1_0" as 10; in data it is more likely a slip.
        if "_" in value:
            raise ValueError(value)
    return float("nan") if is_missing(value) else float(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _frame_table(frame: Any) -> Table:
    return Table(
        tuple(map(str, frame.columns)),
        lambda name: frame[name].to_numpy(),
        Rows(len(frame), "row"),
    )


def _arrow_table(table: Any) -> Table:
    if len(set(table.column_names)) != table.num_columns:
        twice = [n for n in dict.fromkeys(table.column_names) if table.column_names.count(n) > 1]
        raise DataError(f"the table has more than one column called {listing(twice)}")
    return Table(
        tuple(table.column_names),
        lambda name: table.column(name).to_numpy(),
        Rows(table.num_rows, "row"),
    )


def _cells(column: Sequence[object] | AnyArray) -> list[object]:
    values = column.tolist() if isinstance(column, np.ndarray) else column
    return ["" if is_missing(value) else value for value in values]


def _read_parquet(path: Path) -> Table:
    parquet = require("pyarrow.parquet", extra="tables")
    with path.open("rb") as file:
        try:
            # Threads of pyarrow that still run when Python ends can abort the whole process.
            return _arrow_table(parquet.ParquetFile(file).read(use_threads=False))
        except (require("pyarrow", extra="tables").ArrowException, OSError) as error:
            raise DataError(
                f"{path.name} is not readable as Parquet; was it cut off? ({error})"
            ) from None


def _recognised(cells: Sequence[str]) -> AnyArray | Sequence[str]:
    """Return whole numbers as numbers, unless "007" or "1e3" would lose how it is written."""
    try:
        numbers = [int(cell) for cell in cells]
        column = np.array(numbers, dtype=np.int64)
    except (OverflowError, ValueError):
        return cells
    return column if all(map(str.__eq__, map(str, numbers), cells)) else cells
