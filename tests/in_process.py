"""An application called without a network."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI


class InProcess(httpx.BaseTransport):
    """Hands the requests of a client to an application in another thread."""

    def __init__(self, app: FastAPI, portal: BlockingPortal) -> None:
        self.app = app
        self._asgi = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._portal = portal

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def run() -> httpx.Response:
            reply = await self._asgi.handle_async_request(request)
            content = await reply.aread()
            return httpx.Response(reply.status_code, headers=reply.headers, content=content)

        return self._portal.call(run)


@contextmanager
def running(app: FastAPI) -> Iterator[InProcess]:
    """Start an application and stop it in the end."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        yield InProcess(app, portal)
