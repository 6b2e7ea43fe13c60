"""Cells of CSV and TSV files, with the line that each row starts at."""

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from tacit.errors import DataError
from tacit.records._rows import Rows, listing

_BATCH = 4096


def read_text(path: Path, delimiter: str) -> tuple[dict[str, list[str]], Rows]:
    """Read the columns of a text file by their names, and the lines of its rows.

    Columns without a name are taken for what spreadsheets leave behind, if they are empty.
    """
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise DataError(f"`delimiter` must be a single character such as ';', got {delimiter!r}")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _read(file, path.name, delimiter)
    except UnicodeDecodeError as error:
        raise DataError(f"{path.name} is not UTF-8 ({error.reason}); save it as UTF-8") from None
    except csv.Error as error:
        raise DataError(
            f"{path.name} is not readable as CSV: {error}; is a quote never closed?"
        ) from None


def _read(file: TextIO, name: str, delimiter: str) -> tuple[dict[str, list[str]], Rows]:
    reader = csv.reader(_without_nul(file, name), delimiter=delimiter, strict=True)
    header = [cell.strip() for cell in next(filter(None, reader), [])]
    _check_header(header, name)
    columns: list[list[str]] = [[] for _ in header]
    lines: list[int] = []

    def records() -> Iterator[list[str]]:
        line = reader.line_num + 1
        for record in reader:
            if len(record) == len(header):
                lines.append(line)
                yield record
            elif len(record) > 1 or "".join(record).strip():
                raise DataError(_ragged(name, header, delimiter, len(record), line))
            line = reader.line_num + 1

    # In batches, because a million lists at once keep the garbage collector busy.
    complete = records()
    while batch := list(islice(complete, _BATCH)):
        for column, cells in zip(columns, zip(*batch, strict=True), strict=True):
            column.extend(cells)
    named = {
        label: cells
        for label, cells in zip(header, columns, strict=True)
        if label or any(map(str.strip, cells))
    }
    return named, Rows(len(lines), "line", name, np.array(lines, dtype=np.int64))


def _without_nul(file: TextIO, name: str) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        if "\0" in line:
            raise DataError(f"{name} holds a NUL character in line {number}; is it damaged?")
        yield line


def _ragged(name: str, header: list[str], delimiter: str, n_cells: int, line: int) -> str:
    if len(header) == 1:
        return (
            f"{name} has one column, {header[0]!r:.60}, but {n_cells} cells at line {line}; does "
            "the first line hold the names of the columns?"
        )
    cause = f"is a cell with a {delimiter!r} not quoted?"
    if n_cells < len(header):
        cause = "was the file cut off, or the row not finished?"
    return f"{name} has {len(header)} columns, but {n_cells} cells at line {line}; {cause}"


def _check_header(header: list[str], name: str) -> None:
    if not any(header):
        raise DataError(f"{name} is empty; the first line must hold the names of the columns")
    for delimiter in ";\t|,":
        if len(header) == 1 and delimiter in header[0]:
            raise DataError(
                f"{name} has one column, {header[0]!r:.60}; pass delimiter={delimiter!r}?"
            )
    twice = [label for label in dict.fromkeys(header) if label and header.count(label) > 1]
    if twice:
        raise DataError(f"{name} has more than one column called {listing(twice)}")
