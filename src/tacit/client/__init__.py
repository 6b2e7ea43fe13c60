"""Take part in a live study from Python: a robot, an experiment program, a rehearsal.

Needs the extra "web", or just HTTPX.

A robot that always chooses the left::

    with Client("http://127.0.0.1:8000") as server:
        session = server.open(server.demos()[0]["link"])
        session.finish_stages()
        while session.trial is not None:
            session.answer("left", onset_ms=0.0, response_ms=812.5, clock="robot")
        print(session.estimate()["favourite"])
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tacit.client.asynchronous import AsyncClient, AsyncSession
    from tacit.client.calls import ServerProblem, Unreachable
    from tacit.client.sync import Client, ClientSession

__all__ = [
    "AsyncClient",
    "AsyncSession",
    "Client",
    "ClientSession",
    "ServerProblem",
    "Unreachable",
]

_HOMES = {
    "AsyncClient": "asynchronous",
    "AsyncSession": "asynchronous",
    "Client": "sync",
    "ClientSession": "sync",
    "ServerProblem": "calls",
    "Unreachable": "calls",
}


def __getattr__(name: str) -> object:
    """Load what is used, and HTTPX with it, on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit.client' has no attribute {name!r}")
    from tacit._extras import require

    require("httpx", extra="web")
    return getattr(importlib.import_module(f"tacit.client.{_HOMES[name]}"), name)
