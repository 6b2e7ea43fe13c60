"""Tables on disk: one Parquet file for each piece of work, written whole or not at all."""

import json
import os
import platform
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.errors import DataError
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.work import T, Work

_CONFIG, _VERSIONS = b"tacit.config", b"tacit.versions"
_PACKAGES = ("tacit", "numpy", "scipy", "numba")


@dataclass(frozen=True)
class StoredCell:
    """What the file of a cell holds.

    Attributes
    ----------
    config : dict
        What `Cell.config` returned.
    versions : dict
        Versions of Python and of the packages that computed the outcomes.
    outcomes : Outcomes
        What the runs came to.
    """

    config: Mapping[str, Any]
    versions: Mapping[str, str]
    outcomes: Outcomes


class Store:
    """A folder of tables, one Parquet file for each piece of work, named by its key.

    A file has the labels of the work and its outcomes as columns, and configuration, seed and
    versions in its metadata. All files together are one table for anything that reads a folder
    of Parquet. Needs ``pip install 'tacit[tables]'``.

    Parameters
    ----------
    folder : path
        Made when something is written.

    Examples
    --------
    >>> from tacit.simulate import Store
    >>> list(Store("nowhere"))
    []
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)

    def path(self, work: Work[Any]) -> Path:
        """Return the file of a piece of work, whether it exists or not."""
        return self.folder / f"{work.key}.parquet"

    def __contains__(self, work: Work[Any]) -> bool:
        return self.path(work).exists()

    def __iter__(self) -> Iterator[StoredCell]:
        """Go through all cells stored, by key; nothing else may be in the folder."""
        for path in sorted(self.folder.glob("*.parquet")):
            yield StoredCell(*_read(path, Outcomes))

    def read(self, work: Work[T]) -> T:
        """Return the outcomes of work that is stored."""
        path = self.path(work)
        if not path.exists():
            raise DataError(
                f"{path} does not exist; the {work.noun} was not run, or with other settings"
            )
        config, _, outcomes = _read(path, work.table)
        if config != work.config():
            raise DataError(f"{path} holds the outcomes of another {work.noun}; was it renamed?")
        return outcomes

    def write(self, work: Work[T], outcomes: T) -> None:
        """Store the outcomes of work: afterwards the file is on the disk, and complete."""
        arrow, parquet = _pyarrow()
        n = len(outcomes)
        labels = {
            name: arrow.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int32), [label])
            for name, label in work.labels.items()
        }
        table = arrow.table(labels | outcomes.columns()).replace_schema_metadata(
            {_CONFIG: json.dumps(work.config()), _VERSIONS: json.dumps(_versions())}
        )
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(work)
        draft = path.with_name(f".{path.stem}.{secrets.token_hex(8)}.part")
        with draft.open("wb") as file:
            parquet.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        try:
            draft.replace(path)
        except FileNotFoundError:
            # Another process stored the same work meanwhile, and cleared up this draft.
            if not path.exists():
                raise
        _sync_folder(self.folder)
        # What a process that was killed here left behind.
        for left in self.folder.glob(f".{path.stem}.*.part"):
            left.unlink(missing_ok=True)


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    return require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")


def _read(path: Path, kind: type[T]) -> tuple[dict[str, Any], dict[str, str], T]:
    arrow, parquet = _pyarrow()
    try:
        # Read as one file: a folder might otherwise add columns of its own.
        table = parquet.ParquetFile(path).read()
        metadata = table.schema.metadata or {}
        columns = {f.name: table.column(f.name).to_numpy() for f in fields(kind)}
        config, versions = json.loads(metadata[_CONFIG]), json.loads(metadata[_VERSIONS])
    except (arrow.ArrowException, KeyError, ValueError) as error:
        raise DataError(f"{path} does not hold outcomes of tacit: {error!r}") from error
    return config, versions, kind(**columns)


def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES}


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a loss of power, where the system knows how to."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
