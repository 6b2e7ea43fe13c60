"""Where a log is: files, a database, a table in memory, or any table that ibis reaches."""

import csv
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np

from tacit._extras import require
from tacit.errors import DataError, DataWarning
from tacit.fleet._rows import Expression
from tacit.fleet.log import Log
from tacit.records import Trials
from tacit.records._rows import Rows as NamedRows
from tacit.records._rows import did_you_mean
from tacit.records._validation import Columns, doubt_about
from tacit.records.coding import decode_choices, seconds_from_milliseconds
from tacit.records.tables import as_table

_DATABASES = {".duckdb", ".db", ".ddb"}
_TEXT = {".csv": ",", ".tsv": "\t"}
_LOOKED_AT = 10_000


@dataclass(frozen=True, kw_only=True)
class Engine:
    """How much of this machine the embedded database may use.

    Parameters
    ----------
    memory : str, default "2GB"
        Bound on its memory; what does not fit goes to temporary files.
    threads : int, optional
        Number of its threads; one for each core by default.
    folder : path, optional
        For temporary files; the system's folder for them by default.

    Examples
    --------
    >>> Engine(memory="500MB", threads=1).memory
    '500MB'
    """

    memory: str = "2GB"
    threads: int | None = None
    folder: str | PathLike[str] | None = None

    @contextmanager
    def connect(self) -> Iterator[Any]:
        """Yield a connection of ibis to an empty embedded DuckDB."""
        ibis = require("ibis", extra="fleet")
        settings = {} if self.threads is None else {"threads": self.threads}
        with tempfile.TemporaryDirectory(prefix="tacit-fleet-", dir=self.folder) as folder:
            connection = ibis.duckdb.connect(
                memory_limit=self.memory,
                temp_directory=folder,
                preserve_insertion_order=False,
                **settings,
            )
            # Its progress would be printed among the results.
            connection.raw_sql("SET enable_progress_bar = false")
            try:
                yield connection
            finally:
                connection.disconnect()


@dataclass(frozen=True)
class Source:
    """A log that can be read.

    Parameters
    ----------
    table : ibis table
        The log.
    name : str
        What it is called in messages.
    backend : ibis backend
        What runs its expressions.
    """

    table: Expression
    name: str
    backend: Any


def open_source(trials: object, connection: Any, log: Log) -> Source:
    """Find a log, without reading it.

    Parameters
    ----------
    trials : path, ibis table, Trials, dict of columns, pandas, polars or Arrow table
        A Parquet or text file, a folder or pattern of such files, a DuckDB database, or a table.
    connection : ibis backend
        The embedded database, for what is not in a database already.
    log : Log
        How it is written.
    """
    types = require("ibis.expr.types", extra="fleet")
    if isinstance(trials, types.Table):
        return Source(trials, "the table", trials.get_backend())
    if isinstance(trials, str | PathLike):
        path = Path(trials)
        if path.suffix.lower() in _DATABASES and not path.is_dir():
            return _database(path, connection, log.table)
        return _files(path, connection, log.delimiter)
    arrow = require("pyarrow", extra="fleet")
    if isinstance(trials, Trials):
        trials = trials.to_table()
    columns = as_table(trials)
    data = arrow.table({name: arrow.array(columns.values(name)) for name in columns.names})
    return Source(require("ibis", extra="fleet").memtable(data), "the table", connection)


def check_source(source: Source, log: Log) -> None:
    """Raise before any work if the columns are not there, or are not what they are taken for."""
    check_columns(source.table.columns, log, source.name)
    some = source.table.limit(_LOOKED_AT).select(log.choice, log.response_time)
    head = source.backend.to_pyarrow(some)
    if not head.num_rows:
        raise DataError(f"the data are empty: {source.name} holds no trial")
    sample = as_table(head)
    rows = NamedRows(head.num_rows, "row", source.name)
    decode_choices(sample.values(log.choice), log.choice_coding, rows)
    seconds, _ = sample.readable_numbers(log.response_time)
    if not np.isfinite(seconds).any():
        return
    if log.time_unit == "ms":
        seconds = seconds_from_milliseconds(seconds)
    # Single odd times are no surprise in a log of this size; people who have them get flags.
    middle = np.nanmedian(np.where(np.isfinite(seconds), seconds, np.nan), keepdims=True)
    nothing = np.empty(0)
    columns = Columns([], [], nothing, middle, None, recorded_in=log.time_unit)
    question = doubt_about(columns, rows)
    if question:
        warn(question, DataWarning, stacklevel=3)


@contextmanager
def failures_named(name: str) -> Iterator[None]:
    """Let errors of the database say which data could not be read."""
    duckdb, arrow = require("duckdb", extra="fleet"), require("pyarrow", extra="fleet")
    try:
        yield
    except (duckdb.Error, arrow.ArrowException) as error:
        raise DataError(f"{name} could not be read to its end: {error}") from error


def check_columns(names: Sequence[str], log: Log, where: str) -> None:
    """Raise if a column is missing."""
    for column in log.columns:
        if column not in names:
            raise DataError(f"{where} has no column {column!r}; {did_you_mean(column, names)}")


def _database(path: Path, connection: Any, table: str | None) -> Source:
    if not path.is_file():
        raise DataError(f"there is no file {path}")
    duckdb = require("duckdb", extra="fleet")
    try:
        connection.attach(path, name="given", read_only=True)
    except (duckdb.Error, OSError) as error:
        raise DataError(f"{path} is not readable as a DuckDB database ({error})") from None
    tables = connection.list_tables(database=("given", "main"))
    if table is None and len(tables) != 1:
        raise DataError(f"{path} holds {len(tables)} tables; name one of {sorted(tables)}")
    name = tables[0] if table is None else table
    if name not in tables:
        raise DataError(f"{path} has no table {name!r}; {did_you_mean(name, tables)}")
    return Source(connection.table(name, database=("given", "main")), f"{path}: {name}", connection)


def _files(path: Path, connection: Any, delimiter: str | None) -> Source:
    files = _listed(path)
    kinds = {file.suffix.lower() for file in files}
    if kinds == {".parquet"}:
        _check_parquet(files)
        return Source(connection.read_parquet(files, union_by_name=True), str(path), connection)
    if len(kinds) == 1 and kinds <= _TEXT.keys():
        delimiter = delimiter or _TEXT[kinds.pop()]
        _check_text(files, delimiter)
        table = connection.read_csv(files, all_varchar=True, header=True, delim=delimiter)
        return Source(table, str(path), connection)
    raise DataError(f"expected .parquet, .csv or .tsv files of one kind in {path}, got {kinds}")


def _listed(path: Path) -> list[Path]:
    """Return the files that are meant: one, those in a folder, or those that fit a pattern."""
    if path.is_file():
        return [path]
    if path.is_dir():
        known = {".parquet", *_TEXT}
        found = [file for file in path.rglob("*") if file.suffix.lower() in known]
    else:
        found = list(path.parent.glob(path.name)) if "*" in path.name else []
    if not found:
        raise DataError(f"there is no .parquet, .csv or .tsv file at {path}")
    return sorted(file for file in found if not file.name.startswith("."))


def _check_parquet(files: Sequence[Path]) -> None:
    """Raise if a file is cut off, or has other columns than the first."""
    parquet = require("pyarrow.parquet", extra="fleet")
    failed = require("pyarrow", extra="fleet").ArrowException
    first = None
    for file in files:
        try:
            names = parquet.read_schema(file).names
        except (failed, OSError) as error:
            raise DataError(
                f"{file} is not readable as Parquet; was it cut off? ({error})"
            ) from None
        first = _same_columns(first, names, file, files[0])


def _check_text(files: Sequence[Path], delimiter: str) -> None:
    first = None
    for file in files:
        with file.open(encoding="utf-8-sig", newline="") as text:
            try:
                names = next(csv.reader(text, delimiter=delimiter), [])
            except (UnicodeDecodeError, csv.Error) as error:
                raise DataError(f"{file} is not readable as text in UTF-8 ({error})") from None
        first = _same_columns(first, names, file, files[0])


def _same_columns(
    first: Sequence[str] | None, names: Sequence[str], file: Path, first_file: Path
) -> Sequence[str]:
    if first is None:
        return names
    for missing in set(first) - set(names):
        raise DataError(f"{file} has no column {missing!r}, which {first_file.name} has")
    return first
