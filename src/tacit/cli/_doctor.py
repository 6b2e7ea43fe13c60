"""The examination of a store."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tacit.cli._sqlite import damages
from tacit.errors import TacitError
from tacit.study.reading import parse_study
from tacit.study.replay import first_difference
from tacit.study.store import Store

_LITTLE_SPACE = 1 << 30


@dataclass
class Report:
    """What was found."""

    lines: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def examine(store: Store, address: str) -> Report:
    """Examine a store.

    Parameters
    ----------
    store : Store
        Open.
    address : str
        What it was opened by.
    """
    report = Report()
    if "://" not in address:
        _examine_file(Path(address), report)
    for stored in store.studies():
        study = parse_study(stored.source)
        sessions = store.sessions(stored.study_id)
        n_entries = n_checked = 0
        for session in sessions:
            if session.digest != stored.digest:
                continue
            try:
                log = store.log(session.session_id)
                wrong = first_difference(study, session.seed, [line.entry for line in log])
                numbers = [line.number for line in log]
                if numbers != list(range(1, session.n_entries + 1)):
                    wrong = f"the log has {len(log)} entries, and should have {session.n_entries}"
            except TacitError as error:
                wrong = str(error)
            n_entries, n_checked = n_entries + session.n_entries, n_checked + 1
            if wrong:
                report.problems.append(f"session {session.session_id}: {wrong}")
        frozen = "frozen" if stored.frozen_at else "not frozen yet"
        report.lines.append(
            f"study {stored.study_id} ({frozen}): {len(sessions)} sessions, "
            f"{n_checked} replayed, {n_entries} entries"
        )
    return report


def _examine_file(path: Path, report: Report) -> None:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        wrong = damages(connection)
    report.problems += [f"{path}: {one}" for one in wrong[:5]]
    report.lines.append(f"{path}: {path.stat().st_size} bytes, {'damaged' if wrong else 'sound'}")
    free = shutil.disk_usage(path.absolute().parent).free
    if free < _LITTLE_SPACE:
        report.problems.append(f"only {free >> 20} MB are free where {path} is")
