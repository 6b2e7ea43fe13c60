"""The client for asynchronous programs; as the other one, with `await`."""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from functools import cache
from types import TracebackType
from typing import Any, Self

import httpx

from tacit.client.calls import TIMEOUT, Call, Course, Json, Side, delays, reply_of, unreachable

_CONNECTIONS = httpx.Limits(max_connections=None, max_keepalive_connections=None)


@cache
def _certificates() -> ssl.SSLContext:
    """Return whom to trust; read once, as that takes longer than many calls."""
    return httpx.create_ssl_context()


class AsyncClient:
    """Talks to a server, and tries again what may be tried again.

    Parameters
    ----------
    url : str
        Address of the server, such as ``http://127.0.0.1:8000``.
    patience : float, default 60
        Seconds to keep trying when the network or the server fails.
    transport : httpx.AsyncBaseTransport, optional
        Another way to reach it.
    """

    def __init__(
        self,
        url: str,
        *,
        patience: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=TIMEOUT,
            limits=_CONNECTIONS,
            transport=transport,
            verify=_certificates(),
        )
        self._patience = patience
        self.n_retries = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def demos(self) -> list[Json]:
        """Return the demos that the server offers, each with a link."""
        found: list[Json] = await self.send(Call("GET", "/demos"))
        return found

    async def open(
        self,
        link: str,
        *,
        resume_key: str | None = None,
        parameters: Mapping[str, str] | None = None,
        client: Mapping[str, Any] | None = None,
    ) -> "AsyncSession":
        """Open a session, or find it again; see `Client.open`."""
        course = Course()
        call = course.opening(link, resume_key, parameters or {}, client or {})
        course.opened(await self.send(call))
        return AsyncSession(self, course)

    async def send(self, call: Call) -> Any:
        """Make a call until the server answers it."""
        for delay in (0.0, *delays(self._patience)):
            if delay:
                self.n_retries += 1
                await asyncio.sleep(delay)
            try:
                reply = reply_of(await self._http.request(**call.options))
            except httpx.TransportError:
                continue
            if reply is not None:
                return reply
        raise unreachable(call)


class AsyncSession:
    """One person's session; see `ClientSession`."""

    def __init__(self, client: AsyncClient, course: Course) -> None:
        self._client = client
        self.course = course

    @property
    def stage(self) -> str:
        """Where the person is."""
        return self.course.stage

    @property
    def trial(self) -> Json | None:
        """The trial that waits for its answer."""
        return self.course.trial

    async def finish_stages(self) -> None:
        """Agree, read the instructions, and skip the calibration, if they come next."""
        while (call := self.course.finishing()) is not None:
            self.course.view = await self._client.send(call)

    async def answer(
        self,
        choice: Side,
        *,
        onset_ms: float,
        response_ms: float,
        clock: str,
        reasons: Sequence[str] = (),
    ) -> Json:
        """Answer the pending trial; see `ClientSession.answer`."""
        call = self.course.answering(choice, onset_ms, response_ms, clock=clock, reasons=reasons)
        return self.course.answered(await self._client.send(call))

    async def estimate(self) -> Json:
        """Return what the answers tell about the person."""
        told: Json = await self._client.send(self.course.call("GET", "/estimate"))
        return told

    async def complete(self) -> Json:
        """Confirm that all answers arrived."""
        self.course.view = await self._client.send(self.course.call("GET", ""))
        done: Json = await self._client.send(self.course.completing())
        return done

    async def withdraw(self, *, erase: bool) -> None:
        """Withdraw, and keep or erase what was told so far."""
        await self._client.send(self.course.call("POST", "/withdrawal", {"erase": erase}))
        self.course.view |= {"stage": "withdrawn", "trial": None}
