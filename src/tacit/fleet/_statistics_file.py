"""Files of sums: what is added to, merged, and taken out of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tacit._extras import require
from tacit.errors import DataError
from tacit.fleet._blocks import Block, joined, people_at_once
from tacit.fleet._rows import Rows, n_open
from tacit.fleet._stages import Stages
from tacit.fleet._stream import batches
from tacit.fleet._tables import block_of, block_table, header_of, with_header
from tacit.fleet.log import Log

KIND = "statistics"

_RULES = ("reference", "allow_identical", "drop_fast", "drop_slow", "censor_above")


def header_for(rows: Rows, log: Log, nondecision_time: float) -> dict[str, Any]:
    """Return what must agree for sums to be added up."""
    rules = {name: asdict(log)[name] for name in _RULES}
    rules["nondecision_time"] = nondecision_time
    return {
        "kind": KIND,
        "version": 1,
        "features": list(rows.feature_names),
        "n_open": n_open(rows.items, pairs=log.second is not None),
        "rules": rules,
    }


def notes_of(header: dict[str, Any]) -> tuple[str, ...]:
    """Return what the items leave open for everybody."""
    n_open, n_features = header["n_open"], len(header["features"])
    if not n_open:
        return ()
    note = (
        f"the items leave {n_open} of {n_features} directions of the weights open, which stay 0: "
        "utilities are told but for their common level; `reference` names an item to count from"
    )
    return (note,)


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a file of sums."""
    arrow, parquet = (require(f"pyarrow{part}", extra="fleet") for part in ("", ".parquet"))
    if not path.is_file():
        raise DataError(f"there is no file {path}")
    try:
        schema = parquet.read_schema(path)
    except (arrow.ArrowException, OSError) as error:
        raise DataError(f"{path} is not readable as Parquet; was it cut off? ({error})") from None
    return header_of(schema, path, KIND)


def check_addable(headers: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the header that all share, or raise and say in what they differ."""
    (name, first), *others = headers.items()
    for other, header in others:
        if header["features"] != first["features"]:
            raise DataError(
                f"sums of different features cannot be added: {name} has {first['features']}, "
                f"{other} has {header['features']}"
            )
        for rule, value in first["rules"].items():
            if header["rules"][rule] != value:
                raise DataError(
                    f"sums over rows chosen by different rules cannot be added: `{rule}` is "
                    f"{value} in {name} and {header['rules'][rule]} in {other}"
                )
    if others and first["rules"]["drop_slow"] is not None:
        raise DataError(
            "drop_slow compares with a person's other trials, so sums made with it cannot be "
            "added; sum all trials at once, or use drop_fast and censor_above"
        )
    return first


def stored(paths: Sequence[Path], connection: Any, stages: Stages) -> Iterator[Block]:
    """Yield the sums of several files, added up by person, people in order."""
    header = check_addable({str(path): read_header(path) for path in paths})
    table = connection.read_parquet(list(paths)).order_by("person")
    size = people_at_once(len(header["features"]))
    censor_above = header["rules"]["censor_above"]
    parts = batches(table, connection, size, stages)
    return joined(block_of(part, censor_above) for part in parts)


def check_same_people(paths: Sequence[Path]) -> None:
    """Raise if people are numbers in one file and text in another."""
    parquet = require("pyarrow.parquet", extra="fleet")
    types = {str(path): parquet.read_schema(path).field("person").type for path in paths}
    arrow_types = require("pyarrow.types", extra="fleet")
    kinds = {name: arrow_types.is_integer(kind) for name, kind in types.items()}
    if len(set(kinds.values())) > 1:
        raise DataError(f"people are named in different ways: {types}")


class TableWriter:
    """Writes tables of one schema, one after the other, to a Parquet file."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self._path, self._header = path, header
        self._writer: Any = None

    def write(self, table: Any) -> None:
        """Add a table."""
        parquet = require("pyarrow.parquet", extra="fleet")
        if self._writer is None:
            schema = with_header(table.schema, self._header)
            self._writer = parquet.ParquetWriter(self._path, schema, use_dictionary=False)
        self._writer.write_table(table.cast(self._writer.schema))

    def close(self) -> None:
        """Finish the file."""
        if self._writer is None:
            raise DataError("there is nobody: no row names a person")
        self._writer.close()


def write_blocks(blocks: Iterator[Block], path: Path, header: dict[str, Any]) -> int:
    """Write sums to a file; return the number of people."""
    writer, n_people = TableWriter(path, header), 0
    for block in blocks:
        writer.write(block_table(block))
        n_people += block.n_people
    writer.close()
    return n_people
