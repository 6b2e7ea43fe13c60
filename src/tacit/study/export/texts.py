"""Tables as files. What people typed cannot become a formula in a spreadsheet."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from tacit._extras import require
from tacit.study.export.columns import Column

Rows = Sequence[dict[str, Any]]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_ARROW = {"text": "string", "number": "float64", "whole": "int64", "truth": "bool_"}


def as_csv(columns: Sequence[Column], rows: Rows) -> bytes:
    r"""Return a table as CSV.

    Texts that a spreadsheet would take for a formula begin with an apostrophe.

    Parameters
    ----------
    columns : sequence of Column
        What it holds.
    rows : sequence of dict
        Values by column; None and absent ones are empty cells.

    Examples
    --------
    >>> name = Column("name", "text", "A name.")
    >>> as_csv([name], [{"name": "=1+1"}, {"name": "tea, green"}])
    b'name\r\n\'=1+1\r\n"tea, green"\r\n'
    """
    return _separated(columns, rows, ",", "")


def as_tsv(columns: Sequence[Column], rows: Rows) -> bytes:
    """Return a table as tab-separated text, as BIDS wants it: absent values are n/a."""
    return _separated(columns, rows, "\t", "n/a")


def as_jsonl(columns: Sequence[Column], rows: Rows) -> bytes:
    """Return a table as one JSON object a line."""
    names = [column.name for column in columns]
    lines = (
        json.dumps({name: row.get(name) for name in names}, ensure_ascii=False) for row in rows
    )
    return "".join(line + "\n" for line in lines).encode()


def as_parquet(columns: Sequence[Column], rows: Rows) -> bytes:
    """Return a table as Parquet, with the meaning of each column in its metadata."""
    pa = require("pyarrow", extra="tables")
    parquet = require("pyarrow.parquet", extra="tables")
    fields = [
        pa.field(
            column.name,
            getattr(pa, _ARROW[column.type])(),
            metadata={"description": column.meaning, "unit": column.unit},
        )
        for column in columns
    ]
    arrays = [pa.array([row.get(field.name) for row in rows], type=field.type) for field in fields]
    content = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), content)
    return content.getvalue()


def _separated(columns: Sequence[Column], rows: Rows, separator: str, absent: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator)
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([_cell(column, row.get(column.name), absent) for column in columns])
    return text.getvalue().encode()


def _cell(column: Column, value: Any, absent: str) -> str:
    if value is None or value == "":
        return absent
    if column.type == "truth":
        return "true" if value else "false"
    if column.type == "text":
        shown = str(value)
        return f"'{shown}" if shown.startswith(_FORMULA) else shown
    return repr(value)
