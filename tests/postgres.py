"""A PostgreSQL server of its own for the tests that need one."""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
_USERS = ("postgres", "nobody")


def programs() -> Path | None:
    """Folder of PostgreSQL's programs, None where it is not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    return _DEBIAN[0] if _DEBIAN else None


@contextmanager
def server(folder_of_programs: Path) -> Iterator[str]:
    """Run a server in a temporary folder, reached by a socket in it; yields its address."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-pg-"))
    user = _unprivileged()
    if user is not None:
        shutil.chown(folder, user)

    def run(program: str, *arguments: str) -> None:
        command = [str(folder_of_programs / program), *arguments]
        subprocess.run(
            command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, timeout=60
        )

    data = str(folder / "data")
    options = f"-k {folder} -c listen_addresses='' -c max_connections=200"
    try:
        run("initdb", "-D", data, "-U", "tacit", "-A", "trust", "--no-sync", "-E", "UTF8")
        run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql://tacit@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def fresh_database(address: str) -> str:
    """Make an empty database on a server; returns its address."""
    import psycopg

    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address.replace("/postgres?", f"/{name}?")


def _unprivileged() -> str | None:
    """Return the user who may run it: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in _USERS if user in known)
