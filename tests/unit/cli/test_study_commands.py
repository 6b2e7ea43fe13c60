import sqlite3
import uuid
from pathlib import Path

import pytest

from tacit.study.live import LiveStudies
from tacit.study.signing import Link
from tacit.study.store import open_store
from tests.unit.study._people import Person, study


@pytest.fixture
def store(folder) -> str:
    """A store with one person's answers."""
    store = open_store(str(folder / "study.db"))
    live = LiveStudies(store)
    live.add(study())
    opened = live.open(live.signer.link(Link("tea", "reusable")), {}, {}, str(uuid.uuid4()))
    person = Person(1)
    while (trial := live.session(opened.session_id).pending) is not None:
        live.answer(opened.session_id, trial.trial_id, person.body(trial))
    store.close()
    return "study.db"


def test_a_study_is_checked(tacit, folder):
    (folder / "study.toml").write_text(study().source)
    shown = tacit("study", "check", "study.toml").stdout
    assert "6 items, 15 questions" in shown
    assert "next: tacit serve study.toml" in shown


def test_what_is_wrong_with_a_study_is_named(tacit, folder):
    (folder / "study.toml").write_text(study().source.replace("queries = 12", "queries = 0"))
    shown = tacit("study", "check", "study.toml", code=2).stderr
    assert "`budget.queries` must be a whole number from 1 to 10000, got 0" in shown


@pytest.mark.parametrize("form", ["csv", "psych-ds"])
def test_data_are_written_whole(tacit, store, folder, form):
    shown = tacit("export", store, "data", "--format", form).stdout
    assert shown == "data: 12 trials, 0 practice, 1 sessions, 0 events\n"
    assert any(path.suffix == ".csv" for path in (folder / "data").rglob("*"))
    again = tacit("export", store, "data", "--format", form, code=2).stderr
    assert "exists already and is not an empty folder" in again
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_study_that_is_not_there_is_named(tacit, store):
    assert (
        "no study 'coffee'; this store has tea"
        in tacit("export", store, "data", "--study", "coffee", code=2).stderr
    )
    assert "no store nothing.db" in tacit("export", "nothing.db", "data", code=2).stderr


def test_a_backup_is_a_store(tacit, store):
    tacit("backup", store, "copy.db")
    original, copy = open_store(store), open_store("copy.db")
    (one,) = original.sessions("tea")
    assert copy.session(one.session_id) == one
    assert copy.log(one.session_id) == original.log(one.session_id)
    for opened in (original, copy):
        opened.close()
    assert "exists already" in tacit("backup", store, "copy.db", code=2).stderr
    tacit("backup", store, "copy.db", "--force")
    # Both hold the secret that links and tokens are signed with.
    assert [Path(path).stat().st_mode & 0o777 for path in (store, "copy.db")] == [0o600, 0o600]


def test_the_doctor_finds_nothing_in_a_sound_store(tacit, store):
    shown = tacit("doctor", store).stdout
    assert "study.db: " in shown
    assert "sound" in shown
    assert "study tea (frozen): 1 sessions, 1 replayed, 25 entries" in shown
    assert "problem" not in shown


def test_the_doctor_finds_an_answer_that_was_changed(tacit, store):
    with sqlite3.connect(store) as connection:
        (body,) = connection.execute("SELECT body FROM entries WHERE number = 2").fetchone()
        changed = (
            body.replace('"left"', '"right"')
            if '"left"' in body
            else body.replace('"right"', '"left"')
        )
        connection.execute("UPDATE entries SET body = ? WHERE number = 2", (changed,))
    connection.close()
    shown = tacit("doctor", store, code=1).stdout
    assert "and would now be" in shown


def test_the_doctor_finds_a_log_with_a_gap(tacit, store):
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM entries WHERE number = 25")
    connection.close()
    assert "the log has 24 entries, and should have 25" in tacit("doctor", store, code=1).stdout


def test_more_processes_need_a_store_that_they_share(tacit, folder):
    (folder / "study.toml").write_text(study().source)
    shown = tacit("serve", "study.toml", "--processes", "2", code=2).stderr
    assert "2 processes need a store that they can share" in shown
