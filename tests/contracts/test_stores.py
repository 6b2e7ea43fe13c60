"""What every store promises, whatever database is behind it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from tacit.errors import Conflict, DataError, NotFound
from tacit.study import Entry
from tacit.study.store import LogGrew, NewSession, StoredKey, open_store
from tacit.study.store.tables import METADATA

NEW = NewSession(
    session_id="s1",
    study_id="tea",
    digest="d1",
    seed=2**63 - 1,
    resume_key="k1",
    single_link=None,
    preview=False,
    parameters={"PROLIFIC_PID": "'; DROP TABLE sessions; --"},
    client={"screen": [1, 2.5], "name": "ü ☕ \u2028"},
)
ASKED = Entry("asked", {"sequence": 1, "left": "a", "right": "b"})
ANSWERED = Entry("answered", {"response_ms": 0.1 + 0.2, "tiny": 5e-324, "large": 1.7e308})


@pytest.fixture
def store(store_address):
    store = open_store(store_address)
    store.save_study("tea", "d1", "source")
    yield store
    store.close()


def test_what_was_written_comes_back_after_a_restart(store, store_address):
    assert store.open_session(NEW, [ASKED], {"stage": "main"})
    store.append("s1", 1, [ANSWERED, ASKED], {"stage": "main", "n": 1})
    again = open_store(store_address)
    stored = again.session("s1")
    assert {name: getattr(stored, name) for name in NEW.__dict__} == NEW.__dict__
    assert (stored.n_entries, stored.summary) == (3, {"stage": "main", "n": 1})
    lines = again.log("s1")
    assert [(line.number, line.entry) for line in lines] == [(1, ASKED), (2, ANSWERED), (3, ASKED)]
    assert [line.number for line in again.log("s1", after=2)] == [3]
    again.close()


def test_a_page_has_one_session(store):
    assert store.open_session(NEW, [], {})
    assert not store.open_session(replace(NEW, session_id="s2"), [], {})
    assert store.session_by_key("tea", "d1", "k1").session_id == "s1"
    assert store.session_by_key("tea", "d1", "k2") is None
    assert [stored.session_id for stored in store.sessions("tea")] == ["s1"]
    with pytest.raises(NotFound, match="no session 's2'"):
        store.session("s2")


def test_a_single_link_is_used_once(store):
    single = replace(NEW, single_link="tea.1")
    assert store.open_session(single, [], {})
    assert not store.open_session(single, [], {})
    other = replace(single, session_id="s2", resume_key="k2")
    with pytest.raises(Conflict, match="used already"):
        store.open_session(other, [], {})
    assert store.open_session(replace(other, single_link="tea.2"), [], {})


def test_a_log_grows_only_from_where_it_is(store):
    store.open_session(NEW, [ASKED], {})
    store.append("s1", 1, [ANSWERED], {})
    with pytest.raises(LogGrew):
        store.append("s1", 1, [ANSWERED], {})
    with pytest.raises(NotFound):
        store.append("s9", 0, [ANSWERED], {})
    assert len(store.log("s1")) == 2


def test_of_many_at_once_one_wins_each_place(store, store_address):
    """Two processes with many threads each, all of which want to add the same entry."""
    other = open_store(store_address)
    store.open_session(NEW, [], {})
    n_rounds, won = 15, []

    def add(which: int) -> None:
        for number in range(n_rounds):
            try:
                (store, other)[which % 2].append("s1", number, [ASKED], {})
                won.append(number)
            except LogGrew:
                pass

    with ThreadPoolExecutor(8) as pool:
        while len(store.log("s1")) < n_rounds:
            list(pool.map(add, range(8)))
    other.close()
    assert sorted(won) == list(range(n_rounds))
    assert [line.number for line in store.log("s1")] == list(range(1, n_rounds + 1))


def test_a_write_that_fails_takes_no_other_with_it(store):
    store.open_session(NEW, [], {})
    start = threading.Barrier(12)

    def write(number: int) -> str:
        start.wait()
        try:
            if number % 3 == 0:
                store.transactions.write(lambda _: 1 / 0)
            elif number % 3 == 1:
                store.append("nobody", 0, [ASKED], {})
            else:
                event = {"event_id": f"e{number}", "name": "blur", "at_ms": 1.0, "detail": {}}
                store.add_events("s1", [event], 100)
        except (ZeroDivisionError, NotFound) as error:
            return type(error).__name__
        return "stored"

    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(write, range(12)))
    assert outcomes == ["ZeroDivisionError", "NotFound", "stored"] * 4
    assert len(store.events("s1")) == 4


def test_events_count_once_and_have_a_bound(store):
    store.open_session(NEW, [], {})
    event = {"event_id": "e1", "name": "blur", "at_ms": 12.75, "detail": {"a": [1, None]}}
    for _ in range(2):
        store.add_events("s1", [event, event], 2)
    store.add_events("s1", [event | {"event_id": "e2", "at_ms": 13.0}], 2)
    with pytest.raises(Conflict, match="at most 2 events, got 3"):
        store.add_events("s1", [event | {"event_id": "e3"}], 2)
    kept = store.events("s1")
    assert [one.event_id for one in kept] == ["e1", "e2"]
    assert (kept[0].at_ms, kept[0].detail) == (12.75, {"a": [1, None]})


def test_a_study_is_frozen_by_its_first_participant_and_not_by_a_preview(store):
    store.open_session(replace(NEW, preview=True), [], {})
    assert store.save_study("tea", "d2", "changed").frozen_at is None
    assert store.session_by_key("tea", "d2", "k1") is None
    stale = replace(NEW, session_id="s2", resume_key="k2")
    with pytest.raises(Conflict, match="has changed"):
        store.open_session(stale, [], {})
    store.open_session(replace(stale, digest="d2"), [], {})
    with pytest.raises(Conflict, match="'tea' was frozen when its first participant began"):
        store.save_study("tea", "d3", "changed again")
    kept = store.save_study("tea", "d2", "the same")
    assert kept.frozen_at is not None
    assert [study.source for study in store.studies()] == ["changed"]


def test_erasing_leaves_nothing_but_the_fact(store):
    store.open_session(NEW, [ASKED], {})
    store.append("s1", 1, [ANSWERED], {})
    event = {"event_id": "e1", "name": "blur", "at_ms": 1.0, "detail": {}}
    store.add_events("s1", [event], 5)
    last = Entry("withdrawn", {"erase": True})
    store.erase("s1", 2, last, {"stage": "withdrawn"})
    stored = store.session("s1")
    assert [line.entry for line in store.log("s1")] == [last]
    assert (store.events("s1"), stored.parameters, stored.client) == ([], {}, {})
    assert stored.n_entries == 1


def test_settings_are_made_once(store):
    assert store.setting("secret") is None
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: store.setting("colour", f"{n}"), range(8)))
    assert len(set(made)) == 1
    store.change_setting("colour", "blue")
    assert store.setting("colour", "red") == "blue"


def test_keys_are_kept_and_revoked(store):
    key = StoredKey(
        key_id="k1",
        name="robot",
        digest="ab",
        scopes=("read", "export"),
        created_at=1.5,
        revoked_at=None,
    )
    store.add_key(key)
    assert store.api_key("k1") == key
    assert store.api_key("k2") is None
    store.revoke_key("k1")
    assert store.api_keys()[0].revoked_at is not None
    with pytest.raises(NotFound):
        store.revoke_key("k2")


def test_the_version_changes_with_every_entry(store):
    seen = {store.version("tea")}
    store.open_session(NEW, [ASKED], {})
    seen.add(store.version("tea"))
    store.append("s1", 1, [ANSWERED], {})
    seen.add(store.version("tea"))
    assert len(seen) == 3


def test_the_migrations_make_the_tables_that_the_code_uses(store):
    def compare(connection):
        return compare_metadata(MigrationContext.configure(connection), METADATA)

    assert store.transactions.read(compare) == []


def test_an_address_must_be_known():
    with pytest.raises(DataError, match="begins with postgresql://, got mysql://"):
        open_store("mysql://host/db")
