"""What a store gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.study.log import Entry


@dataclass(frozen=True, kw_only=True)
class StoredStudy:
    """A study as it was saved.

    Attributes
    ----------
    study_id, digest, source : str
        Identifier; fingerprint; text of the TOML file.
    frozen_at : float or None
        When its first participant began, seconds since 1970; from then on it cannot change.
    """

    study_id: str
    digest: str
    source: str
    frozen_at: float | None


@dataclass(frozen=True, kw_only=True)
class NewSession:
    """A session that is to be opened.

    Attributes
    ----------
    session_id, study_id, digest : str
        Its identifier, and its study.
    seed : int
        From which all that is random in it follows.
    resume_key : str
        By which the same page finds it again.
    single_link : str or None
        The single-use link that it uses up.
    preview : bool
        Whether it is only a look at the study, and no data.
    parameters, client : mapping
        Of the address that led here; of the device.
    """

    session_id: str
    study_id: str
    digest: str
    seed: int
    resume_key: str
    single_link: str | None
    preview: bool
    parameters: Mapping[str, Any]
    client: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class StoredSession(NewSession):
    """A session as it is stored, without its log.

    Attributes
    ----------
    opened_at, updated_at : float
        Seconds since 1970.
    n_entries : int
        Length of the log.
    summary : mapping
        The few numbers by which dashboards follow it.
    """

    opened_at: float
    updated_at: float
    n_entries: int
    summary: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class StoredEntry:
    """An entry of a log, with its place and the time when the server wrote it."""

    number: int
    entry: Entry
    at: float


@dataclass(frozen=True, kw_only=True)
class StoredEvent:
    """Something that a page noted beside the answers."""

    event_id: str
    name: str
    at_ms: float
    detail: Mapping[str, Any]
    received_at: float


@dataclass(frozen=True, kw_only=True)
class StoredKey:
    """An API key; the key itself is not kept.

    Attributes
    ----------
    key_id, name : str
        Which key it is, and what it is for.
    digest : str
        Fingerprint of the key.
    scopes : tuple of str
        What it opens.
    created_at : float
        Seconds since 1970.
    revoked_at : float or None
        When it was revoked.
    """

    key_id: str
    name: str
    digest: str
    scopes: tuple[str, ...]
    created_at: float
    revoked_at: float | None
