"""The bodies of requests, checked to the last field."""

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, JsonValue

_LATEST = 1e12

Milliseconds = Annotated[float, Field(ge=-_LATEST, le=_LATEST, allow_inf_nan=False)]
Duration = Annotated[float, Field(ge=0, le=_LATEST, allow_inf_nan=False)]
Word = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
SessionId = Annotated[str, Path(pattern=r"^[0-9a-f]{24}$")]
StudyId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
TrialId = Annotated[str, Path(pattern=r"^t[0-9]{4,8}$")]
StageName = Annotated[str, Path(pattern=r"^[a-z]{1,20}$")]


class Body(BaseModel):
    """What all bodies share: unknown fields are an error, and types are not guessed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OpenSession(Body):
    """Open a session by a link, or come back to it."""

    link: Annotated[str, Field(max_length=200)]
    parameters: Annotated[
        dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=2000)]],
        Field(max_length=50, default_factory=dict),
    ]
    client: Annotated[dict[Word, JsonValue], Field(max_length=30, default_factory=dict)]
    resume_key: Annotated[
        str,
        Field(
            pattern=r"^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
            description="A UUID made by the page and kept by it.",
            examples=["7d9f1c50-6a4e-4f0e-9a54-0e6f2f1f6a11"],
        ),
    ]


class Calibration(Body):
    """What the device can tell, and how fast the person just reacts."""

    refresh_hz: Annotated[float, Field(gt=0, le=10_000)] | None = None
    clock_grain_ms: Duration | None = None
    simple_rt_ms: Annotated[list[Duration], Field(max_length=200, default_factory=list)]


class StageDone(Body):
    """A stage is done."""

    consent_version: Word | None = None
    agreed: bool | None = None
    calibration: Calibration | None = None


class Clock(Body):
    """What the times were measured by, and in which steps."""

    kind: Word
    grain_ms: Duration | None = None


class Response(Body):
    """An answer, with the raw stamps of the clock that it was measured by."""

    sequence: Annotated[int, Field(ge=1, le=1_000_000)]
    choice: Literal["left", "right"]
    onset_ms: Milliseconds
    response_ms: Milliseconds
    handler_ms: Milliseconds | None = None
    frame_ms: Milliseconds | None = None
    input: Literal["keyboard", "mouse", "touch", "pen", "other"]
    time_valid: bool
    reasons: Annotated[list[Word], Field(max_length=20, default_factory=list)]
    clock: Clock


class Event(Body):
    """Something that a page notes beside the answers."""

    event_id: Name
    name: Word
    at_ms: Milliseconds
    detail: Annotated[dict[Word, JsonValue], Field(max_length=50, default_factory=dict)]


class Events(Body):
    """A batch of events."""

    events: Annotated[list[Event], Field(max_length=500)]


class Completion(Body):
    """What the page believes to have sent."""

    n_responses: Annotated[int, Field(ge=0, le=1_000_000)]
    last_sequence: Annotated[int, Field(ge=0, le=1_000_000)]


class Withdrawal(Body):
    """The person withdraws."""

    erase: bool


class Login(Body):
    """The experimenter's password."""

    password: Annotated[str, Field(max_length=1000)]


class NewLinks(Body):
    """Links that are wanted."""

    kind: Literal["single", "reusable", "preview"]
    n: Annotated[int, Field(ge=1, le=1000)] = 1


class NewKey(Body):
    """An API key that is wanted."""

    name: Word
    scopes: Annotated[list[Literal["read", "export", "links"]], Field(min_length=1, max_length=3)]


class Acknowledged(BaseModel):
    """An answer is on disk; this is what comes next."""

    acknowledged: bool
    trial: dict[str, Any] | None
    stage: str
    progress: dict[str, Any]
