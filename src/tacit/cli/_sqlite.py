"""Copies and checks of SQLite files."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tacit.errors import DataError, StorageError


def copy_database(source: Path, target: Path) -> int:
    """Copy a database that others write to, and check the copy; returns its size in bytes.

    Parameters
    ----------
    source, target : Path
        The file, and the file to write.
    """
    if not source.is_file():
        raise DataError(f"there is no store {source}")
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
            wrong = damages(new)
    except sqlite3.Error as error:
        raise StorageError(f"{source} could not be copied: {error}") from error
    if wrong:
        raise StorageError(f"the copy of {source} is damaged: {wrong[0]}; is the file itself?")
    return target.stat().st_size


def damages(connection: sqlite3.Connection) -> list[str]:
    """Return what SQLite finds wrong with a database."""
    found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    return [] if found == ["ok"] else found
