"""An export as named files, and as one archive."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from tacit.study.export.archives import Files, bids_files, psych_ds_files
from tacit.study.export.columns import TABLES, data_dictionary
from tacit.study.export.tables import StudyTables
from tacit.study.export.texts import as_csv, as_jsonl, as_parquet

_WRITERS: dict[str, Callable[..., bytes]] = {
    "csv": as_csv,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
}
_LAYOUTS: dict[str, Callable[[StudyTables], Files]] = {
    "psych-ds": psych_ds_files,
    "bids": bids_files,
}
FORMATS = (*_WRITERS, *_LAYOUTS)
"""Names of the formats."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def export_files(tables: StudyTables, wanted: str) -> Files:
    """Return the files of an export.

    Parameters
    ----------
    tables : StudyTables
        The data.
    wanted : str
        One of `FORMATS`.

    Returns
    -------
    dict of bytes
        Files by path, a data dictionary among them.
    """
    if wanted in _LAYOUTS:
        return _LAYOUTS[wanted](tables)
    write: Any = _WRITERS[wanted]
    files = {
        f"{name}.{wanted}": write(columns, tables.rows[name]) for name, columns in TABLES.items()
    }
    words = json.dumps(data_dictionary(), indent=2, ensure_ascii=False) + "\n"
    files["data_dictionary.json"] = words.encode()
    files["study.toml"] = tables.stored.source.encode()
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one archive, the same for the same files.

    Parameters
    ----------
    files : mapping of bytes
        By path.

    Examples
    --------
    >>> zipped({"a.txt": b"tea"})[:2]
    b'PK'
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), files[path], zipfile.ZIP_DEFLATED)
    return content.getvalue()
