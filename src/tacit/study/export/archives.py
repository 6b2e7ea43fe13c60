"""Whole data sets in the forms that archives ask for."""

import json
from importlib.metadata import version
from typing import Any

from tacit.study.export.columns import TABLES, Column, described
from tacit.study.export.tables import Row, StudyTables
from tacit.study.export.texts import as_csv, as_tsv

Files = dict[str, bytes]

_BIDS_VERSION = "1.10.0"
_ONSET = Column(
    "onset",
    "number",
    "When the trial was shown, since the session began: when the server stored the answer, less "
    "the time from onset to response.",
    "s",
)
_DURATION = Column("duration", "number", "From onset to response, valid or not.", "s")
_TRIAL_TYPE = Column("trial_type", "text", "Why the trial was asked.")
_PARTICIPANT = Column("participant_id", "text", "The person.")


def psych_ds_files(tables: StudyTables) -> Files:
    """Return a data set in the layout of Psych-DS: described as JSON-LD, tables under data.

    Parameters
    ----------
    tables : StudyTables
        The data.

    Returns
    -------
    dict of bytes
        Files by path.
    """
    study = tables.study
    variables = {
        column.name: {
            "@type": "PropertyValue",
            "name": column.name,
            "description": column.meaning,
            **({"unitText": column.unit} if column.unit else {}),
            **({"levels": list(column.levels)} if column.levels else {}),
        }
        for columns in TABLES.values()
        for column in columns
    }
    about = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.title,
        "description": f"Answers and response times to: {study.question}",
        "identifier": study.study_id,
        "version": tables.stored.digest,
        "variableMeasured": list(variables.values()),
    }
    files = {"dataset_description.json": _json(about), "materials/study.toml": _source(tables)}
    for name, columns in TABLES.items():
        path = f"data/study-{_label(study.study_id)}_table-{name}_data.csv"
        files[path] = as_csv(columns, tables.rows[name])
    return files


def bids_files(tables: StudyTables) -> Files:
    """Return a data set in the layout of BIDS: a file of events for each person, with sidecars.

    Parameters
    ----------
    tables : StudyTables
        The data.

    Returns
    -------
    dict of bytes
        Files by path.
    """
    study = tables.study
    task = _label(study.study_id)
    people = (_PARTICIPANT, *(column for column in TABLES["sessions"] if column.name != "person"))
    shown = (column for column in TABLES["trials"] if column.name not in {"person", "kind"})
    events = (_ONSET, _DURATION, _TRIAL_TYPE, *shown)
    about = {
        "Name": study.title,
        "BIDSVersion": _BIDS_VERSION,
        "DatasetType": "raw",
        "GeneratedBy": [{"Name": "tacit", "Version": version("tacit")}],
    }
    files = {
        "dataset_description.json": _json(about),
        "participants.json": _json(_sidecar(people)),
        f"task-{task}_events.json": _json(_sidecar(events) | {"TaskName": study.study_id}),
        "stimuli/study.toml": _source(tables),
    }
    rows = []
    for session in tables.rows["sessions"]:
        subject = f"sub-{session['person']}"
        rows.append(session | {"participant_id": subject})
        began = float(session["opened_at"])
        mine = [row for row in tables.rows["trials"] if row["person"] == session["person"]]
        path = f"{subject}/beh/{subject}_task-{task}_events.tsv"
        files[path] = as_tsv(events, [_event(row, began) for row in mine])
    files["participants.tsv"] = as_tsv(people, rows)
    return files


def _event(row: Row, began: float) -> Row:
    took = (row["response_ms"] - row["onset_ms"]) / 1000.0
    onset = row["answered_at"] - began - took
    return row | {"onset": onset, "duration": took, "trial_type": row["kind"]}


def _sidecar(columns: tuple[Column, ...]) -> dict[str, Any]:
    renamed = {"description": "Description", "unit": "Units", "levels": "Levels"}
    sidecar: dict[str, Any] = {}
    for column in columns:
        entry = {renamed[k]: v for k, v in described(column).items() if k in renamed}
        if "Levels" in entry:
            entry["Levels"] = {level: level for level in entry["Levels"]}
        sidecar[column.name] = entry
    return sidecar


def _label(text: str) -> str:
    """Return an identifier as the layouts allow it: letters and digits."""
    return "".join(character for character in text if character.isalnum())


def _source(tables: StudyTables) -> bytes:
    return tables.stored.source.encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
