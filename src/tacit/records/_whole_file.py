"""Output files that are written whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.errors import DataError


def make_room(path: Path, *, overwrite: bool) -> None:
    """Make the folder of a file to be written, and see that the file can be written there.

    Before long work, so that the work is not lost for want of a place.
    """
    if path.is_dir():
        raise DataError(f"{path} is a folder; name a file in it")
    if path.exists() and not overwrite:
        raise DataError(f"{path} exists already; --force overwrites it")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = _draft(path)
    with _naming(path, draft):
        draft.touch()
        draft.unlink()


@contextmanager
def whole_file(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield a file beside `path` to write into, which then takes its place.

    The name yielded ends like `path`, so that writers recognise the format. When writing fails,
    it is removed and `path` stays as it was.
    """
    make_room(path, overwrite=overwrite)
    draft = _draft(path)
    try:
        with _naming(path, draft):
            yield draft
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a folder beside `path` to write into, which then takes its place.

    When writing fails, it is removed. A folder that holds something is not overwritten.
    """
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise DataError(f"{path} exists already and is not an empty folder; name another one")
    draft = _draft(path)
    draft.mkdir(parents=True)
    try:
        yield draft
        draft.replace(path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")


@contextmanager
def _naming(path: Path, draft: Path) -> Iterator[None]:
    """Let errors name the file that was asked for, not its draft."""
    try:
        yield
    except OSError as error:
        if error.filename in {draft, str(draft)}:
            error.filename = str(path)
        raise
