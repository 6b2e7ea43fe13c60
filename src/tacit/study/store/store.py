"""A store of studies, sessions and their logs; what it has taken in, it has on disk."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, text, update

from tacit.errors import Conflict, NotFound
from tacit.study.log import Entry
from tacit.study.store.rows import (
    NewSession,
    StoredEntry,
    StoredEvent,
    StoredKey,
    StoredSession,
    StoredStudy,
)
from tacit.study.store.tables import ENTRIES, EVENTS, KEYS, SESSIONS, SETTINGS, STUDIES
from tacit.study.store.transactions import Transactions

Json = Mapping[str, Any]


# Of processes that start together, one adds a row and the others find it.
_ADD_SETTING = text(
    "INSERT INTO settings (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
)
_ADD_STUDY = text(
    "INSERT INTO studies (study_id, digest, source, saved_at) "
    "VALUES (:study_id, :digest, :source, :saved_at) ON CONFLICT (study_id) DO NOTHING"
)


class LogGrew(Conflict):
    """Somebody else has added to the log in between; read it and decide again."""


class Store:
    """Studies, sessions and their logs in a database.

    Every method that writes returns after the commit.

    Parameters
    ----------
    transactions : Transactions
        How to read and write.
    """

    def __init__(self, transactions: Transactions) -> None:
        self.transactions = transactions

    def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        self.transactions.close()

    def setting(self, name: str, default: str | None = None) -> str | None:
        """Return a setting; if there is none, keep the default and return it."""

        def read(c: Connection) -> str | None:
            found: str | None = c.scalar(select(SETTINGS.c.value).where(SETTINGS.c.name == name))
            return found

        def keep(c: Connection) -> str | None:
            c.execute(_ADD_SETTING, {"name": name, "value": default})
            return read(c)

        found = self.transactions.read(read)
        return self.transactions.write(keep) if found is None and default is not None else found

    def change_setting(self, name: str, value: str) -> None:
        """Keep a setting, in the place of what it was."""

        def change(c: Connection) -> None:
            c.execute(_ADD_SETTING, {"name": name, "value": value})
            c.execute(update(SETTINGS).where(SETTINGS.c.name == name).values(value=value))

        self.transactions.write(change)

    def save_study(self, study_id: str, digest: str, source: str) -> StoredStudy:
        """Save a study; one that is frozen must be the same as before."""

        def save(c: Connection) -> StoredStudy:
            values = {"digest": digest, "source": source, "saved_at": time.time()}
            c.execute(_ADD_STUDY, values | {"study_id": study_id})
            here = STUDIES.c.study_id == study_id
            before = c.execute(select(STUDIES).where(here).with_for_update()).one()
            if before.frozen_at is None:
                c.execute(update(STUDIES).where(here).values(values))
            elif before.digest != digest:
                raise Conflict(
                    f"study {study_id!r} was frozen when its first participant began "
                    f"({_date(before.frozen_at)}), and its file or media have changed since; "
                    "give the changed study a new id, or restore the file"
                )
            return _study(c.execute(select(STUDIES).where(here)).one())

        return self.transactions.write(save)

    def studies(self) -> list[StoredStudy]:
        """Return all studies."""
        query = select(STUDIES).order_by(STUDIES.c.study_id)
        return self.transactions.read(lambda c: [_study(row) for row in c.execute(query)])

    def open_session(self, new: NewSession, entries: Sequence[Entry], summary: Json) -> bool:
        """Open a session with the first entries of its log, unless its page has one already.

        The first session that is no preview freezes its study.

        Returns
        -------
        bool
            Whether it is new.
        """

        def run(c: Connection) -> bool:
            frozen = c.execute(
                select(STUDIES).where(STUDIES.c.study_id == new.study_id).with_for_update()
            ).one()
            if c.execute(_by_key(new.study_id, new.digest, new.resume_key)).first() is not None:
                return False
            used = select(SESSIONS.c.session_id).where(SESSIONS.c.single_link == new.single_link)
            if new.single_link is not None and c.scalar(used) is not None:
                raise Conflict("this link was used already, by another browser or device")
            if frozen.digest != new.digest:
                raise Conflict(f"study {new.study_id!r} has changed; reload the page")
            now = time.time()
            if not new.preview and frozen.frozen_at is None:
                here = STUDIES.c.study_id == new.study_id
                c.execute(update(STUDIES).where(here).values(frozen_at=now))
            values = {name: getattr(new, name) for name in _AS_IT_IS}
            c.execute(
                insert(SESSIONS).values(
                    **values,
                    parameters=_dump(new.parameters),
                    client=_dump(new.client),
                    opened_at=now,
                    updated_at=now,
                    n_entries=len(entries),
                    summary=_dump(summary),
                )
            )
            _add_entries(c, new.session_id, 0, entries, now)
            return True

        return self.transactions.write(run)

    def session(self, session_id: str) -> StoredSession:
        """Return a session, without its log."""
        query = select(SESSIONS).where(SESSIONS.c.session_id == session_id)
        row = self.transactions.read(lambda c: c.execute(query).first())
        if row is None:
            raise NotFound(f"there is no session {session_id!r}")
        return _session(row)

    def session_by_key(self, study_id: str, digest: str, resume_key: str) -> StoredSession | None:
        """Return the session that a page has begun of a study as it is, if there is one."""
        query = _by_key(study_id, digest, resume_key)
        row = self.transactions.read(lambda c: c.execute(query).first())
        return None if row is None else _session(row)

    def sessions(self, study_id: str) -> list[StoredSession]:
        """Return the sessions of a study, in the order in which they began."""
        query = select(SESSIONS).where(SESSIONS.c.study_id == study_id)
        query = query.order_by(SESSIONS.c.opened_at, SESSIONS.c.session_id)
        return self.transactions.read(lambda c: [_session(row) for row in c.execute(query)])

    def log(self, session_id: str, after: int = 0) -> list[StoredEntry]:
        """Return the entries of a log after a place."""
        query = select(ENTRIES).where(ENTRIES.c.session_id == session_id, ENTRIES.c.number > after)
        query = query.order_by(ENTRIES.c.number)
        return self.transactions.read(lambda c: [_entry(row) for row in c.execute(query)])

    def append(self, session_id: str, after: int, entries: Sequence[Entry], summary: Json) -> None:
        """Add to a log whose length is known.

        Raises
        ------
        LogGrew
            If the log is longer than `after`; nothing is added then.
        """

        def run(c: Connection) -> None:
            _lock_log(c, session_id, after)
            now = time.time()
            _add_entries(c, session_id, after, entries, now)
            _change_session(c, session_id, after + len(entries), summary, now)

        self.transactions.write(run)

    def erase(self, session_id: str, after: int, last: Entry, summary: Json) -> None:
        """Forget all that a person told; one last entry stays, which says so."""

        def run(c: Connection) -> None:
            _lock_log(c, session_id, after)
            for table in (ENTRIES, EVENTS):
                c.execute(delete(table).where(table.c.session_id == session_id))
            now = time.time()
            _add_entries(c, session_id, 0, [last], now)
            _change_session(c, session_id, 1, summary, now, parameters="{}", client="{}")

        self.transactions.write(run)

    def add_events(self, session_id: str, events: Sequence[Json], most: int) -> None:
        """Keep events; those that are here already stay as they are.

        Parameters
        ----------
        session_id : str
            Whose.
        events : sequence of mapping
            With event_id, name, at_ms and detail.
        most : int
            How many a session may have.
        """

        def run(c: Connection) -> None:
            mine = EVENTS.c.session_id == session_id
            query = select(EVENTS.c.event_id).where(mine)
            lock = select(SESSIONS.c.n_entries).where(SESSIONS.c.session_id == session_id)
            c.execute(lock.with_for_update())
            seen = set(c.scalars(query))
            now, rows = time.time(), []
            for event in events:
                if event["event_id"] not in seen:
                    seen.add(event["event_id"])
                    detail = _dump(event["detail"])
                    values = {name: event[name] for name in ("event_id", "name", "at_ms")}
                    rows.append(
                        values | {"session_id": session_id, "detail": detail, "received_at": now}
                    )
            if len(seen) > most:
                raise Conflict(f"a session has at most {most} events, got {len(seen)}")
            if rows:
                c.execute(insert(EVENTS), rows)

        self.transactions.write(run)

    def events(self, session_id: str) -> list[StoredEvent]:
        """Return the events of a session, in the order in which they arrived."""
        query = select(EVENTS).where(EVENTS.c.session_id == session_id)
        query = query.order_by(EVENTS.c.received_at, EVENTS.c.at_ms, EVENTS.c.event_id)
        return self.transactions.read(lambda c: [_event(row) for row in c.execute(query)])

    def version(self, study_id: str) -> tuple[int, float]:
        """Return the number of a study's sessions, and when one of them last changed."""
        columns = func.count(), func.coalesce(func.max(SESSIONS.c.updated_at), 0.0)
        query = select(*columns).where(SESSIONS.c.study_id == study_id)
        n_sessions, changed = self.transactions.read(lambda c: c.execute(query).one())
        return int(n_sessions), float(changed)

    def add_key(self, key: StoredKey) -> None:
        """Keep an API key."""
        values = {
            "key_id": key.key_id,
            "name": key.name,
            "digest": key.digest,
            "scopes": " ".join(key.scopes),
            "created_at": key.created_at,
        }

        def run(c: Connection) -> None:
            c.execute(insert(KEYS).values(values))

        self.transactions.write(run)

    def api_keys(self) -> list[StoredKey]:
        """Return all API keys, revoked ones too."""
        query = select(KEYS).order_by(KEYS.c.created_at)
        return self.transactions.read(lambda c: [_key(row) for row in c.execute(query)])

    def api_key(self, key_id: str) -> StoredKey | None:
        """Return an API key, if there is one."""
        query = select(KEYS).where(KEYS.c.key_id == key_id)
        row = self.transactions.read(lambda c: c.execute(query).first())
        return None if row is None else _key(row)

    def revoke_key(self, key_id: str) -> None:
        """Let an API key open nothing any more."""

        def run(c: Connection) -> None:
            found = c.execute(
                update(KEYS).where(KEYS.c.key_id == key_id).values(revoked_at=time.time())
            )
            if not found.rowcount:
                raise NotFound(f"there is no API key {key_id!r}")

        self.transactions.write(run)


_AS_IT_IS = (
    "session_id",
    "study_id",
    "digest",
    "seed",
    "resume_key",
    "single_link",
    "preview",
)


def _by_key(study_id: str, digest: str, resume_key: str) -> Select[Any]:
    return select(SESSIONS).where(
        SESSIONS.c.study_id == study_id,
        SESSIONS.c.digest == digest,
        SESSIONS.c.resume_key == resume_key,
    )


def _lock_log(c: Connection, session_id: str, after: int) -> None:
    """Keep other processes from this session, and see that its log is as long as was thought."""
    query = select(SESSIONS.c.n_entries).where(SESSIONS.c.session_id == session_id)
    n_entries = c.scalar(query.with_for_update())
    if n_entries is None:
        raise NotFound(f"there is no session {session_id!r}")
    if n_entries != after:
        raise LogGrew(f"expected {after} entries in the log, found {n_entries}")


def _add_entries(
    c: Connection, session_id: str, after: int, entries: Sequence[Entry], at: float
) -> None:
    rows = [
        {
            "session_id": session_id,
            "number": number,
            "kind": entry.kind,
            "body": _dump(entry.body),
            "at": at,
        }
        for number, entry in enumerate(entries, after + 1)
    ]
    if rows:
        c.execute(insert(ENTRIES), rows)


def _change_session(
    c: Connection, session_id: str, n_entries: int, summary: Json, at: float, **values: str
) -> None:
    changed = {"n_entries": n_entries, "summary": _dump(summary), "updated_at": at} | values
    c.execute(update(SESSIONS).where(SESSIONS.c.session_id == session_id).values(changed))


def _study(row: Row[Any]) -> StoredStudy:
    return StoredStudy(
        study_id=row.study_id, digest=row.digest, source=row.source, frozen_at=row.frozen_at
    )


def _session(row: Row[Any]) -> StoredSession:
    values = {name: getattr(row, name) for name in (*_AS_IT_IS, "opened_at", "updated_at")}
    stored = {name: json.loads(getattr(row, name)) for name in ("parameters", "client", "summary")}
    return StoredSession(n_entries=row.n_entries, **values, **stored)


def _entry(row: Row[Any]) -> StoredEntry:
    return StoredEntry(number=row.number, entry=Entry(row.kind, json.loads(row.body)), at=row.at)


def _event(row: Row[Any]) -> StoredEvent:
    return StoredEvent(
        event_id=row.event_id,
        name=row.name,
        at_ms=row.at_ms,
        detail=json.loads(row.detail),
        received_at=row.received_at,
    )


def _key(row: Row[Any]) -> StoredKey:
    return StoredKey(
        key_id=row.key_id,
        name=row.name,
        digest=row.digest,
        scopes=tuple(row.scopes.split()),
        created_at=row.created_at,
        revoked_at=row.revoked_at,
    )


def _dump(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
