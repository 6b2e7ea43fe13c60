"""What is written down of a session: entries that are only ever added."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["stage", "asked", "answered", "completed", "withdrawn"]


@dataclass(frozen=True)
class Entry:
    """One line of a session's log.

    A session is what its log says, and nothing else: `Session.after` rebuilds it, the learner's
    state to the last bit.

    Attributes
    ----------
    kind : {"stage", "asked", "answered", "completed", "withdrawn"}
        What happened.
    body : mapping
        Its details, as JSON values.

    Examples
    --------
    >>> Entry("stage", {"stage": "consent", "agreed": True}).kind
    'stage'
    """

    kind: Kind
    body: Mapping[str, Any]
