"""The client that waits for each reply."""

import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from tacit.client.calls import TIMEOUT, Call, Course, Json, Side, delays, reply_of, unreachable


class Client:
    """Talks to a server, and tries again what may be tried again.

    Parameters
    ----------
    url : str
        Address of the server, such as ``http://127.0.0.1:8000``.
    patience : float, default 60
        Seconds to keep trying when the network or the server fails.
    transport : httpx.BaseTransport, optional
        Another way to reach it.
    """

    def __init__(
        self,
        url: str,
        *,
        patience: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(base_url=url, timeout=TIMEOUT, transport=transport)
        self._patience = patience

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def demos(self) -> list[Json]:
        """Return the demos that the server offers, each with a link."""
        found: list[Json] = self.send(Call("GET", "/demos"))
        return found

    def open(
        self,
        link: str,
        *,
        resume_key: str | None = None,
        parameters: Mapping[str, str] | None = None,
        client: Mapping[str, Any] | None = None,
    ) -> "ClientSession":
        """Open a session, or find it again.

        Parameters
        ----------
        link : str
            A participant's link, whole or what follows ``/s/``.
        resume_key : str, optional
            A UUID under which the session is found again.
        parameters, client : mapping, optional
            Stored with the session.
        """
        course = Course()
        course.opened(self.send(course.opening(link, resume_key, parameters or {}, client or {})))
        return ClientSession(self, course)

    def send(self, call: Call) -> Any:
        """Make a call until the server answers it."""
        for delay in (0.0, *delays(self._patience)):
            time.sleep(delay)
            try:
                reply = reply_of(self._http.request(**call.options))
            except httpx.TransportError:
                continue
            if reply is not None:
                return reply
        raise unreachable(call)


class ClientSession:
    """One person's session.

    Made by `Client.open`; `stage`, `trial` and `view` say where it is.
    """

    def __init__(self, client: Client, course: Course) -> None:
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

    def finish_stages(self) -> None:
        """Agree, read the instructions, and skip the calibration, if they come next."""
        while (call := self.course.finishing()) is not None:
            self.course.view = self._client.send(call)

    def answer(
        self,
        choice: Side,
        *,
        onset_ms: float,
        response_ms: float,
        clock: str,
        reasons: Sequence[str] = (),
    ) -> Json:
        """Answer the pending trial.

        Parameters
        ----------
        choice : {"left", "right"}
            The side chosen.
        onset_ms, response_ms : float
            When the trial was shown and answered, milliseconds of one clock.
        clock : str
            What kind of clock that is.
        reasons : sequence of str
            Why the time is void, if it is.
        """
        call = self.course.answering(choice, onset_ms, response_ms, clock=clock, reasons=reasons)
        return self.course.answered(self._client.send(call))

    def estimate(self) -> Json:
        """Return what the answers tell about the person."""
        told: Json = self._client.send(self.course.call("GET", "/estimate"))
        return told

    def complete(self) -> Json:
        """Confirm that all answers arrived."""
        self.course.view = self._client.send(self.course.call("GET", ""))
        done: Json = self._client.send(self.course.completing())
        return done

    def withdraw(self, *, erase: bool) -> None:
        """Withdraw, and keep or erase what was told so far."""
        self._client.send(self.course.call("POST", "/withdrawal", {"erase": erase}))
        self.course.view |= {"stage": "withdrawn", "trial": None}
