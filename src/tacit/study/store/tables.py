"""The tables of a store. JSON is kept as text: what comes back is what was written, to the bit."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

STUDIES = Table(
    "studies",
    METADATA,
    Column("study_id", String(64), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("source", Text, nullable=False),
    Column("saved_at", Double, nullable=False),
    Column("frozen_at", Double),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("session_id", String(64), primary_key=True),
    Column("study_id", String(64), ForeignKey("studies.study_id"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("resume_key", String(64), nullable=False),
    Column("single_link", String(64), unique=True),
    Column("preview", Boolean, nullable=False),
    Column("parameters", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("opened_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("n_entries", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    UniqueConstraint("study_id", "digest", "resume_key", name="uq_sessions_resume"),
    Index("ix_sessions_study", "study_id", "updated_at"),
)

ENTRIES = Table(
    "entries",
    METADATA,
    Column("session_id", String(64), ForeignKey("sessions.session_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("session_id", String(64), ForeignKey("sessions.session_id"), primary_key=True),
    Column("event_id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("at_ms", Double, nullable=False),
    Column("detail", Text, nullable=False),
    Column("received_at", Double, nullable=False),
)

KEYS = Table(
    "api_keys",
    METADATA,
    Column("key_id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("revoked_at", Double),
)
