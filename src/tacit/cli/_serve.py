"""Start server processes, and say where they can be reached."""

import ipaddress
import os
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import typer

from tacit._extras import require
from tacit.errors import DataError

_DEFAULT_STORE = "tacit.db"
_BACKLOG = 2048


@dataclass(frozen=True, kw_only=True)
class Server:
    """What is served, from where, to whom; see ``tacit serve``."""

    files: tuple[str, ...]
    store: str
    host: str
    port: int
    with_demos: bool
    processes: int
    origins: tuple[str, ...]
    secure: bool

    def run(self) -> None:
        """Serve until interrupted."""
        for module in ("fastapi", "uvicorn", "sqlalchemy", "alembic"):
            require(module, extra="web")
        if self.processes > 1 and not self.store.startswith("postgres"):
            raise DataError(
                f"{self.processes} processes need a store that they can share, got "
                f"{self.store or _DEFAULT_STORE!r}; use --store postgresql://..."
            )
        from tacit.web.running import run

        with ExitStack() as until_stopped:
            store = self.store or (_DEFAULT_STORE if self.files else "")
            if not store:
                folder = until_stopped.enter_context(TemporaryDirectory(prefix="tacit-"))
                store = f"{folder}/{_DEFAULT_STORE}"
            listening = until_stopped.enter_context(_listening(self.host, self.port))
            self._announce(store, listening.getsockname()[1])
            run(listening, processes=self.processes, behind_proxy=self.secure)

    def _announce(self, store: str, port: int) -> None:
        """Open the store once, to find what is wrong before the first visitor does."""
        from tacit.study.access import set_password
        from tacit.study.signing import Link
        from tacit.web.app import open_live
        from tacit.web.settings import Settings

        settings = Settings(
            store=store,
            study_files=self.files,
            with_demos=self.with_demos,
            origins=self.origins,
            secure=self.secure,
        )
        settings.to_environment()
        live = open_live(settings)
        here = f"http://{_reachable(self.host)}:{port}"
        if self.with_demos:
            typer.echo(f"demos: {here}/")
        for study in live.studies.values():
            if study.study_id not in settings.demos:
                for kind in ("reusable", "preview"):
                    link = live.signer.link(Link(study.study_id, kind))
                    typer.echo(f"{study.study_id}, {kind} link: {here}/s/{link}")
        typer.echo(f"dashboard: {here}/dashboard")
        made = set_password(live.store, os.environ.get("TACIT_PASSWORD"))
        if made is not None:
            typer.echo(f"password of the dashboard, shown this once: {made}")
        kept = store if self.store or self.files else "kept until the server stops"
        typer.echo(f"answers: {kept}")
        live.store.close()


def _reachable(host: str) -> str:
    """Return a name under which this machine reaches what listens at `host`."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "localhost"
    return f"[{host}]" if address.version == 6 else host


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; an address in use is an error here and not a log line."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only of sockets that say that they are TCP does asyncio switch the delay of small packets off.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise DataError(
            f"cannot listen at {host}:{port}: {error.strerror}; is another server running? "
            "--port 0 takes any port that is free"
        ) from None
    listening.listen(_BACKLOG)
    return listening
