"""How a store reads and writes: SQLite with one writer, PostgreSQL with row locks."""

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from tacit._extras import require
from tacit.errors import StorageError, TacitError

T = TypeVar("T")
Work = Callable[[Connection], T]

_AT_ONCE = 128
"""Writes that share a commit at most."""

_ADVISORY_LOCK = 0x7AC17
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA busy_timeout = 10000",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
)


class Transactions(Protocol):
    """What a store needs of a database.

    Both methods call `work` with a connection and return what it returns; what `work` raises is
    raised here, and nothing of it is stored then. `write` returns after the commit.
    """

    def read(self, work: Work[T]) -> T:
        """Do some reading."""
        ...

    def write(self, work: Work[T]) -> T:
        """Do some writing, all or nothing."""
        ...

    def migrate(self, work: Work[None]) -> None:
        """Change the tables while nobody else does."""
        ...

    def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        ...


class Sqlite:
    """Transactions in an SQLite file: readers beside one writer.

    All writes go through one thread, which commits those that wait together by a single
    synchronisation of the disk. A write that fails takes no other with it.

    Parameters
    ----------
    path : Path
        The file; it is made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._readers = _sqlite_engine(path, "BEGIN")
        self._writers = _sqlite_engine(path, "BEGIN IMMEDIATE")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="tacit-writer", daemon=True)
        self._thread.start()

    def read(self, work: Work[T]) -> T:
        """Do some reading."""
        with _reported(), self._readers.begin() as connection:
            return work(connection)

    def write(self, work: Work[T]) -> T:
        """Do some writing, all or nothing."""
        job = _Job(work)
        self._jobs.put(job)
        result: T = job.future.result()
        return result

    def migrate(self, work: Work[None]) -> None:
        """Change the tables while nobody else does."""
        with _reported(), self._writers.begin() as connection:
            work(connection)

    def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        self._jobs.put(None)
        self._thread.join()
        self._readers.dispose()
        self._writers.dispose()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs, over = [job], False
            while len(jobs) < _AT_ONCE and not self._jobs.empty():
                following = self._jobs.get()
                if following is None:
                    over = True
                    break
                jobs.append(following)
            self._commit(jobs)
            if over:
                return

    def _commit(self, jobs: list["_Job"]) -> None:
        try:
            with _reported(), self._writers.begin() as connection:
                for job in jobs:
                    job.run(connection)
        except StorageError as error:
            if len(jobs) == 1:
                jobs[0].future.set_exception(error)
                return
            # One of them may be at fault, and the others not.
            for job in jobs:
                self._commit([job])
        else:
            for job in jobs:
                job.tell()


class Postgres:
    """Transactions in a PostgreSQL database, of as many server processes as one likes.

    Parameters
    ----------
    url : str
        Such as ``postgresql://user@host/database``.
    """

    def __init__(self, url: str) -> None:
        require("psycopg", extra="postgres")
        driver = "postgresql+psycopg://" + url.partition("://")[2]
        self._engine = create_engine(driver, pool_size=20, max_overflow=20, pool_pre_ping=True)

    def read(self, work: Work[T]) -> T:
        """Do some reading."""
        with _reported(), self._engine.begin() as connection:
            return work(connection)

    def write(self, work: Work[T]) -> T:
        """Do some writing, all or nothing."""
        with _reported(), self._engine.begin() as connection:
            return work(connection)

    def migrate(self, work: Work[None]) -> None:
        """Change the tables while nobody else does."""
        with _reported(), self._engine.begin() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
            work(connection)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()


class _Job:
    """A write that waits for the commit."""

    def __init__(self, work: Work[Any]) -> None:
        self.future: Future[Any] = Future()
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None

    def run(self, connection: Connection) -> None:
        """Do the work; if it cannot be done, undo it and keep the reason."""
        self._result, self._error = None, None
        try:
            with connection.begin_nested():
                self._result = self._work(connection)
        except TacitError as error:
            self._error = error
        except DBAPIError:
            # The transaction as a whole may be lost: a full disk, a damaged file.
            raise
        except Exception as error:
            logging.getLogger(__name__).exception("a write failed, others go on")
            self._error = error

    def tell(self) -> None:
        """Tell the one who waits, after the commit."""
        if self._error is None:
            self.future.set_result(self._result)
        else:
            self.future.set_exception(self._error)


def _sqlite_engine(path: Path, begin: str) -> Engine:
    engine = create_engine(f"sqlite:///{path}", pool_size=8, max_overflow=32)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: object) -> None:
        # The driver would begin transactions on its own, and too late.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


@contextmanager
def _reported() -> Iterator[None]:
    """Turn a failure of the database into an error that says what it means."""
    try:
        yield
    except DBAPIError as error:
        raise StorageError(
            f"the data could not be read or written: {error.orig}; nothing was acknowledged, "
            "so it will be sent again; is the disk full, or the database away?"
        ) from error
