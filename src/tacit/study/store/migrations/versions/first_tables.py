"""The first tables: settings, studies, sessions with their log and events, API keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "settings",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "studies",
        sa.Column("study_id", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("saved_at", sa.Double, nullable=False),
        sa.Column("frozen_at", sa.Double),
    )
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.String(64), primary_key=True),
        sa.Column("study_id", sa.String(64), sa.ForeignKey("studies.study_id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("resume_key", sa.String(64), nullable=False),
        sa.Column("single_link", sa.String(64), unique=True),
        sa.Column("preview", sa.Boolean, nullable=False),
        sa.Column("parameters", sa.Text, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
        sa.Column("opened_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("n_entries", sa.Integer, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.UniqueConstraint("study_id", "digest", "resume_key", name="uq_sessions_resume"),
    )
    op.create_index("ix_sessions_study", "sessions", ["study_id", "updated_at"])
    session = sa.ForeignKey("sessions.session_id")
    op.create_table(
        "entries",
        sa.Column("session_id", sa.String(64), session, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column(
            "session_id", sa.String(64), sa.ForeignKey("sessions.session_id"), primary_key=True
        ),
        sa.Column("event_id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("at_ms", sa.Double, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("received_at", sa.Double, nullable=False),
    )
    op.create_table(
        "api_keys",
        sa.Column("key_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("revoked_at", sa.Double),
    )
