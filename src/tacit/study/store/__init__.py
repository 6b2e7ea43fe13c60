"""Where sessions are kept: SQLite or PostgreSQL behind one class."""

from tacit.study.store.opening import open_store
from tacit.study.store.rows import (
    NewSession,
    StoredEntry,
    StoredEvent,
    StoredKey,
    StoredSession,
    StoredStudy,
)
from tacit.study.store.store import LogGrew, Store

__all__ = [
    "LogGrew",
    "NewSession",
    "Store",
    "StoredEntry",
    "StoredEvent",
    "StoredKey",
    "StoredSession",
    "StoredStudy",
    "open_store",
]
