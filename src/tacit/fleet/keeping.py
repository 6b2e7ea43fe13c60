"""Files of sums: merged, asked for one person, and rid of one person."""

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from tacit._extras import require
from tacit.errors import DataError
from tacit.fleet._sources import Engine, failures_named
from tacit.fleet._stages import Stages
from tacit.fleet._statistics_file import (
    TableWriter,
    check_addable,
    check_same_people,
    read_header,
    stored,
    write_blocks,
)
from tacit.records._whole_file import whole_file

AnyPath = str | PathLike[str]


def merge(statistics: Sequence[AnyPath], out: AnyPath, *, engine: Engine | None = None) -> int:
    """Add up files of sums, person by person.

    Parameters
    ----------
    statistics : sequence of paths
        Files that `fit` or `merge` wrote, over different trials and by the same rules.
    out : path
        Parquet file for the sums of all, written whole or not at all.
    engine : Engine, optional
        How much of this machine the embedded database may use.

    Returns
    -------
    int
        Number of people.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from tacit import fleet
    >>> log = {"x": [1.0, 1.0], "choice": [1, -1], "response_time": [0.9, 0.8]}
    >>> rules = fleet.Log(features=("x",), person=None)
    >>> with TemporaryDirectory() as folder:
    ...     for day in ("monday", "tuesday"):
    ...         _ = fleet.fit(log, log=rules, statistics=f"{folder}/{day}.parquet")
    ...     days = [folder + "/monday.parquet", folder + "/tuesday.parquet"]
    ...     _ = merge(days, folder + "/both.parquet")
    ...     fleet.fit_statistics(folder + "/both.parquet").n_trials
    4
    """
    paths = [Path(path) for path in statistics]
    if not paths:
        raise DataError("there is no file of sums to merge")
    header = check_addable({str(path): read_header(path) for path in paths})
    check_same_people(paths)
    with (
        (engine or Engine()).connect() as connection,
        failures_named(", ".join(map(str, paths))),
        whole_file(Path(out), overwrite=True) as draft,
        threadpool_limits(1),
    ):
        return write_blocks(stored(paths, connection, Stages()), draft, header)


def export_person(statistics: AnyPath, person: int | str) -> str:
    """Return everything that a file of sums holds about one person, as JSON text.

    Parameters
    ----------
    statistics : path
        A file that `fit` or `merge` wrote.
    person : int or str
        Who, as named in the file; a number may be given as text.

    Returns
    -------
    str
        The person's row, and the rules by which it was summed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from tacit import fleet
    >>> log = {"x": [1.0], "choice": [1], "response_time": [0.9], "person": ["ann"]}
    >>> with TemporaryDirectory() as folder:
    ...     path = folder + "/sums.parquet"
    ...     _ = fleet.fit(log, log=fleet.Log(features=("x",)), statistics=path)
    ...     json.loads(export_person(path, "ann"))["sums"]["choice_sum"]
    [1.0]
    """
    path = Path(statistics)
    header = read_header(path)
    row = _row(path, person)
    return json.dumps({"features": header["features"], "rules": header["rules"], "sums": row})


def delete_person(statistics: AnyPath, person: int | str) -> None:
    """Take one person out of a file of sums, which is replaced as a whole.

    Parameters
    ----------
    statistics : path
        A file that `fit` or `merge` wrote.
    person : int or str
        Who, as named in the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from tacit import fleet
    >>> log = {"x": [1.0, 2.0], "choice": [1, 1], "response_time": [0.9, 1.0], "person": [1, 2]}
    >>> with TemporaryDirectory() as folder:
    ...     path = folder + "/sums.parquet"
    ...     _ = fleet.fit(log, log=fleet.Log(features=("x",)), statistics=path)
    ...     delete_person(path, 2)
    ...     fleet.fit_statistics(path).n_people
    1
    """
    arrow = require("pyarrow", extra="fleet")
    path = Path(statistics)
    header = read_header(path)
    own = _is(path, person)
    _row(path, person)
    found = require("pyarrow.dataset", extra="fleet").dataset(path)
    with whole_file(path, overwrite=True) as draft:
        writer = TableWriter(draft, header)
        writer.write(found.schema.remove_metadata().empty_table())
        for batch in found.to_batches(filter=~own):
            writer.write(arrow.Table.from_batches([batch]).replace_schema_metadata())
        writer.close()


def _is(path: Path, person: int | str) -> Any:
    """Return the filter that finds a person."""
    arrow, compute, parquet = (
        require(f"pyarrow{part}", extra="fleet") for part in ("", ".compute", ".parquet")
    )
    kind = parquet.read_schema(path).field("person").type
    try:
        if isinstance(person, str) and require("pyarrow.types", extra="fleet").is_integer(kind):
            person = int(person)
        return compute.field("person") == arrow.scalar(person, kind)
    except (arrow.ArrowException, TypeError, ValueError):
        raise DataError(f"{path} names people as {kind}, got {person!r}") from None


def _row(path: Path, person: int | str) -> dict[str, Any]:
    """Return the row of a person; raise if nobody has that name."""
    found = require("pyarrow.dataset", extra="fleet").dataset(path)
    rows: list[dict[str, Any]] = found.to_table(filter=_is(path, person)).to_pylist()
    if not rows:
        raise DataError(f"{path} holds nobody named {person!r}")
    return rows[0]
