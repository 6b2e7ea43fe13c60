"""Rows of an export, straight from the logs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacit.study.definition import Study
from tacit.study.reading import parse_study
from tacit.study.session import Answer, Trial, choice_of
from tacit.study.store import Store, StoredEntry, StoredSession, StoredStudy

Row = dict[str, Any]


@dataclass
class StudyTables:
    """All data of a study, as rows of the tables in `TABLES`.

    Attributes
    ----------
    study : Study
        What it is about.
    stored : StoredStudy
        As it is kept.
    rows : dict of list
        By table.
    """

    study: Study
    stored: StoredStudy
    rows: dict[str, list[Row]] = field(
        default_factory=lambda: {"trials": [], "practice": [], "sessions": [], "events": []}
    )

    @classmethod
    def of(cls, store: Store, stored: StoredStudy, *, previews: bool = False) -> "StudyTables":
        """Read a study's data from a store.

        Parameters
        ----------
        store : Store
            Where it is.
        stored : StoredStudy
            Which study.
        previews : bool
            Whether sessions that were only a look at it are wanted, too.
        """
        tables = cls(parse_study(stored.source), stored)
        for session in store.sessions(stored.study_id):
            if previews or not session.preview:
                tables._add(session, store)
        return tables

    def _add(self, session: StoredSession, store: Store) -> None:
        log = store.log(session.session_id)
        who = {"person": session.session_id}
        for trial, answer, times in _answered(log, self.study):
            row = who | _trial_row(trial, answer) | times
            if trial.kind == "practice":
                self.rows["practice"].append(row)
            else:
                self.rows["trials"].append(row | self._query(trial, answer))
        self.rows["sessions"].append(who | _session_row(session, log))
        for event in store.events(session.session_id):
            self.rows["events"].append(
                who
                | {
                    "event_id": event.event_id,
                    "name": event.name,
                    "at_ms": event.at_ms,
                    "received_at": event.received_at,
                    "detail": _text(event.detail),
                }
            )

    def _query(self, trial: Trial, answer: Answer) -> Row:
        first, second = (trial.right, trial.left) if trial.swapped else (trial.left, trial.right)
        return {"first": first, "second": second, "choice": choice_of(trial, answer)}


def _answered(
    log: Sequence[StoredEntry], study: Study
) -> Iterator[tuple[Trial, Answer, dict[str, float]]]:
    trial, asked_at = None, 0.0
    for line in log:
        if line.entry.kind == "asked":
            trial, asked_at = Trial(**line.entry.body), line.at
        elif line.entry.kind == "answered" and trial is not None:
            times = {"asked_at": asked_at, "answered_at": line.at}
            yield trial, Answer.of(line.entry.body, study), times


def _trial_row(trial: Trial, answer: Answer) -> Row:
    body = answer.body
    clock = body.get("clock") or {}
    raw = ("onset_ms", "response_ms", "handler_ms", "frame_ms", "input")
    return {
        "sequence": trial.sequence,
        "trial_id": trial.trial_id,
        "kind": trial.kind,
        "of": trial.of,
        "left": trial.left,
        "right": trial.right,
        "correct": trial.correct,
        "chosen_side": answer.choice,
        "response_time": answer.seconds,
        "time_valid": answer.seconds is not None,
        "reasons": ";".join(answer.reasons),
        "clock_kind": clock.get("kind"),
        "clock_grain_ms": clock.get("grain_ms"),
        **{name: body.get(name) for name in raw},
    }


def _session_row(session: StoredSession, log: Sequence[StoredEntry]) -> Row:
    stages: dict[str, Mapping[str, Any]] = {
        line.entry.body["stage"]: line.entry.body for line in log if line.entry.kind == "stage"
    }
    told = session.summary
    calibration = stages.get("calibration", {}).get("calibration", {})
    return {
        "study_id": session.study_id,
        "study_digest": session.digest,
        "stage": told["stage"],
        "completed": told["completed"],
        "preview": session.preview,
        "seed": session.seed,
        "opened_at": session.opened_at,
        "updated_at": session.updated_at,
        "consent_version": stages.get("consent", {}).get("consent_version"),
        "practice_passed": stages.get("practice", {}).get("passed"),
        "ended_by": stages.get("main", {}).get("why"),
        "n_trials": told["n_answered"],
        "n_void": told["n_invalid"],
        "favourite": told["favourite"],
        "probability": told["probability"],
        "refresh_hz": calibration.get("refresh_hz"),
        "clock_grain_ms": calibration.get("clock_grain_ms"),
        "simple_rt_ms": ";".join(map(repr, calibration.get("simple_rt_ms", []))),
        "parameters": _text(session.parameters),
        "client": _text(session.client),
    }


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
