"""What is said to a server and what its replies mean; both clients share this."""

import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx

from tacit.errors import TacitError

Json = dict[str, Any]
Side = Literal["left", "right"]

TIMEOUT = httpx.Timeout(20.0)
_FIRST_DELAY = 0.2
_LONGEST_DELAY = 5.0
_SPREAD = secrets.SystemRandom()
_SERVER_ERROR = 500
_LATER = (408, 425, 429)
_HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}


class ServerProblem(TacitError, RuntimeError):
    """The server refused a call, and would refuse it again.

    Parameters
    ----------
    problem : mapping
        The problem as the server describes it: title, status, detail, and perhaps missing.
    """

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{problem.get('status')}: {problem.get('detail')}")
        self.problem = dict(problem)

    @property
    def status(self) -> int:
        """HTTP status."""
        return int(self.problem.get("status", 0))

    @property
    def missing(self) -> list[int]:
        """Sequence numbers of answers that have not arrived."""
        return list(self.problem.get("missing", []))


class Unreachable(TacitError, ConnectionError):
    """The server did not answer, or is in trouble, however often it was asked."""


@dataclass(frozen=True)
class Call:
    """One request."""

    method: str
    path: str
    body: Json | None = None
    token: str | None = None

    @property
    def options(self) -> Json:
        """Arguments of HTTPX's `request`."""
        headers = dict(_HEADERS)
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return {
            "method": self.method,
            "url": f"/api/v1{self.path}",
            "headers": headers,
            "json": self.body,
        }


def delays(seconds: float) -> Iterator[float]:
    """Yield how long to wait before each further attempt, until so many seconds are waited."""
    delay, waited = _FIRST_DELAY, 0.0
    while waited < seconds:
        # Spread, so that those who lost the server together do not come back together.
        wait = delay * _SPREAD.uniform(0.5, 1.5)
        yield wait
        waited += wait
        delay = min(2 * delay, _LONGEST_DELAY)


def reply_of(response: httpx.Response) -> Any:
    """Return what a reply holds; None if the call is worth another attempt."""
    if response.status_code >= _SERVER_ERROR or response.status_code in _LATER:
        return None
    try:
        value = response.json()
    except ValueError:
        # A proxy answered in the place of the server.
        return None
    if response.is_success:
        return value
    raise ServerProblem(value | {"status": response.status_code})


def unreachable(call: Call) -> Unreachable:
    """Return the error of a call that never got through."""
    return Unreachable(f"no answer to {call.method} {call.path}; is the server running?")


@dataclass
class Course:
    """Where a session is, and the calls that it makes.

    Attributes
    ----------
    session_id, token : str
        Which session, and what opens it.
    view : dict
        As the server last described it.
    """

    session_id: str = ""
    token: str = ""
    view: Json = field(default_factory=dict)

    def opening(
        self,
        link: str,
        resume_key: str | None,
        parameters: Mapping[str, str],
        client: Mapping[str, Any],
    ) -> Call:
        """Return the call that opens a session, or finds it again."""
        body = {
            "link": link.rpartition("/s/")[2],
            "resume_key": resume_key or str(uuid.uuid4()),
            "parameters": dict(parameters),
            "client": dict(client),
        }
        return Call("POST", "/sessions", body)

    def opened(self, reply: Json) -> None:
        """Take up what the server says about the session."""
        self.session_id, self.token = reply["session_id"], reply["token"]
        self.view = reply["view"]

    @property
    def stage(self) -> str:
        """Where the person is."""
        return str(self.view["stage"])

    @property
    def trial(self) -> Json | None:
        """The trial that waits for its answer."""
        trial: Json | None = self.view["trial"]
        return trial

    def call(self, method: str, path: str, body: Json | None = None) -> Call:
        """Return a call about this session."""
        return Call(method, f"/sessions/{self.session_id}{path}", body, self.token)

    def finishing(self) -> Call | None:
        """Return the call that ends the present stage, None if only answers do."""
        bodies: dict[str, Json] = {"instructions": {}, "calibration": {"calibration": {}}}
        consent = self.view["study"]["consent"]
        if consent is not None:
            bodies["consent"] = {"agreed": True, "consent_version": consent["version"]}
        if self.stage not in bodies:
            return None
        return self.call("PUT", f"/stages/{self.stage}", bodies[self.stage])

    def answering(
        self,
        choice: Side,
        onset_ms: float,
        response_ms: float,
        *,
        clock: str,
        reasons: Sequence[str] = (),
    ) -> Call:
        """Return the call that answers the pending trial."""
        if self.trial is None:
            raise TacitError(f"nothing is asked at stage {self.stage!r}")
        why = list(reasons)
        if self.trial["shown_before"] and "resumed" not in why:
            why.append("resumed")
        body = {
            "sequence": self.trial["sequence"],
            "choice": choice,
            "onset_ms": onset_ms,
            "response_ms": response_ms,
            "input": "other",
            "time_valid": not why,
            "reasons": why,
            "clock": {"kind": clock},
        }
        return self.call("PUT", f"/responses/{self.trial['trial_id']}", body)

    def answered(self, reply: Json) -> Json:
        """Take up what comes next."""
        for name in ("stage", "progress", "trial"):
            self.view[name] = reply[name]
        return reply

    def completing(self) -> Call:
        """Return the call that confirms that all answers arrived."""
        n = self.view["next_sequence"] - 1
        return self.call("POST", "/completion", {"n_responses": n, "last_sequence": n})
