"""Open a store by its address."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from tacit.errors import DataError
from tacit.study.store.store import Store
from tacit.study.store.transactions import Postgres, Sqlite, Transactions

_MIGRATIONS = Path(__file__).parent / "migrations"


def open_store(address: str) -> Store:
    """Open a store, and bring its tables to their newest form.

    Parameters
    ----------
    address : str
        ``postgresql://user@host/database``, or the path of an SQLite file, which is made if it is
        not there.

    Returns
    -------
    Store
        To be closed in the end.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = open_store(folder + "/study.db")
    ...     print(store.studies())
    ...     store.close()
    []
    """
    transactions = _transactions(address)
    transactions.migrate(_upgrade)
    return Store(transactions)


def _transactions(address: str) -> Transactions:
    scheme, sign, _ = address.partition("://")
    if sign and scheme in ("postgresql", "postgres"):
        return Postgres(address)
    if sign:
        raise DataError(
            f"a store is a path or begins with postgresql://, got {scheme}://; is it another "
            "database?"
        )
    path = Path(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    # It holds the secret that links and tokens are signed with: for nobody else on the machine.
    path.touch(mode=0o600)
    return Sqlite(path)


def _upgrade(connection: Connection) -> None:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
