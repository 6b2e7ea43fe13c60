"""Alembic runs this file to bring a store to the newest form of its tables."""

from alembic import context

from tacit.study.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
context.run_migrations()
