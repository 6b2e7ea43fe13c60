"""Exports: the data of a study as files."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from tacit.errors import NotFound
from tacit.study.export import TABLES, StudyTables, export_files, zipped
from tacit.web.experimenters import Exporting
from tacit.web.models import StudyId
from tacit.web.participants import Live

router = APIRouter(prefix="/studies/{study_id}/export", tags=["experimenters"])

Format = Literal["csv", "jsonl", "parquet", "psych-ds", "bids"]
_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


@router.get(
    "",
    dependencies=[Exporting],
    response_class=Response,
    responses={
        200: {"content": {kind: {} for kind in (*_TYPES.values(), "application/zip")}},
    },
)
def export(
    study_id: StudyId,
    live: Live,
    form: Annotated[Format, Query(alias="format")] = "csv",
    table: Literal["trials", "practice", "sessions", "events", "all"] = "trials",
    previews: bool = False,
) -> Response:
    """Return one table, or an archive of all of them with a data dictionary.

    Psych-DS and BIDS are always archives.
    """
    stored = next((one for one in live.store.studies() if one.study_id == study_id), None)
    if stored is None:
        raise NotFound(f"there is no study {study_id!r} here")
    tables = StudyTables.of(live.store, stored, previews=previews)
    files = export_files(tables, form)
    if form not in _TYPES or table not in TABLES:
        name, content, kind = f"{study_id}-{form}.zip", zipped(files), "application/zip"
    else:
        name = f"{study_id}-{table}.{form}"
        content, kind = files[f"{table}.{form}"], _TYPES[form]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)
