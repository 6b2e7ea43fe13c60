"""Output files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.errors import DataError


@contextmanager
def whole_file(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield a file beside `path` to write into, which then takes its place.

    The name yielded ends like `path`, so that writers recognise the format. When writing fails,
    it is removed and `path` stays as it was.
    """
    if path.is_dir():
        raise DataError(f"{path} is a folder; name a file in it")
    if path.exists() and not overwrite:
        raise DataError(f"{path} exists already; --force overwrites it")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
