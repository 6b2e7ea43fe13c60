"""The columns of an export: one list that the tables, their headers and the dictionary share."""

from dataclasses import dataclass
from typing import Any, Literal

Type = Literal["text", "number", "whole", "truth"]


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        Its header.
    type : {"text", "number", "whole", "truth"}
        What its cells hold.
    meaning : str
        For the data dictionary.
    unit : str
        Of numbers.
    levels : tuple of str
        Values of a text that are possible, if they are few.
    """

    name: str
    type: Type
    meaning: str
    unit: str = ""
    levels: tuple[str, ...] = ()


_WHO = Column("person", "text", "Identifier of the session; one session is one person.")

_TRIALS = (
    _WHO,
    Column("sequence", "whole", "Place among all trials of the session, practice included."),
    Column("trial_id", "text", "Identifier of the trial within the session."),
    Column(
        "kind",
        "text",
        "Why it was asked: chosen by the learner, or an earlier trial again.",
        levels=("main", "repeat", "mirror"),
    ),
    Column("of", "whole", "For repeat and mirror: the sequence of the earlier trial."),
    Column("first", "text", "First item of the learner's query."),
    Column("second", "text", "Second item of the learner's query."),
    Column("choice", "whole", "1 if the first item was chosen, -1 if the second was."),
    Column("response_time", "number", "From onset to response; empty where it is void.", "s"),
    Column("left", "text", "Item on the left."),
    Column("right", "text", "Item on the right."),
    Column("chosen_side", "text", "Side that was chosen.", levels=("left", "right")),
    Column("time_valid", "truth", "Whether the response time counts."),
    Column("reasons", "text", "Why it does not, separated by semicolons."),
    Column("onset_ms", "number", "Onset on the clock of the client, as sent.", "ms"),
    Column("response_ms", "number", "Response on the clock of the client, as sent.", "ms"),
    Column("handler_ms", "number", "When the client's program took note of it.", "ms"),
    Column("frame_ms", "number", "Frame in which the trial was drawn.", "ms"),
    Column("input", "text", "Device.", levels=("keyboard", "mouse", "touch", "pen", "other")),
    Column("clock_kind", "text", "What the client's clock is."),
    Column("clock_grain_ms", "number", "In which steps the clock goes.", "ms"),
    Column("asked_at", "number", "When the server stored the question, since 1970.", "s"),
    Column("answered_at", "number", "When the server stored the answer, since 1970.", "s"),
)

_PRACTICE = (
    *(column for column in _TRIALS if column.name not in {"kind", "of", "first", "second"}),
    Column("correct", "text", "The right answer.", levels=("left", "right")),
)
_PRACTICE = tuple(column for column in _PRACTICE if column.name != "choice")

_SESSIONS = (
    _WHO,
    Column("study_id", "text", "Identifier of the study."),
    Column("study_digest", "text", "Fingerprint of the study as this person saw it."),
    Column("stage", "text", "How far the person came."),
    Column("completed", "truth", "Whether the client confirmed that every answer arrived."),
    Column("preview", "truth", "Whether this was only a look at the study."),
    Column("seed", "whole", "From which all that is random in the session follows."),
    Column("opened_at", "number", "When it began, since 1970.", "s"),
    Column("updated_at", "number", "When it last changed, since 1970.", "s"),
    Column("consent_version", "text", "Version of the text that was agreed to."),
    Column("practice_passed", "truth", "Whether the criterion of the practice was met."),
    Column("ended_by", "text", "Why the main part ended."),
    Column("n_trials", "whole", "Answers outside of practice."),
    Column("n_void", "whole", "Of them, with a void time."),
    Column("favourite", "text", "Item that the learner recommends."),
    Column("probability", "number", "Probability that it is the best."),
    Column("refresh_hz", "number", "Refresh rate of the screen, as measured.", "Hz"),
    Column("clock_grain_ms", "number", "Steps of the clock, as measured.", "ms"),
    Column("simple_rt_ms", "text", "Simple reaction times, separated by semicolons.", "ms"),
    Column("parameters", "text", "Parameters of the address that led here, as JSON."),
    Column("client", "text", "What the client told about the device, as JSON."),
)

_EVENTS = (
    _WHO,
    Column("event_id", "text", "Identifier of the event."),
    Column("name", "text", "What happened."),
    Column("at_ms", "number", "When, on the clock of the client.", "ms"),
    Column("received_at", "number", "When the server stored it, since 1970.", "s"),
    Column("detail", "text", "More about it, as JSON."),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "trials": _TRIALS,
    "practice": _PRACTICE,
    "sessions": _SESSIONS,
    "events": _EVENTS,
}
"""The tables of an export, with their columns."""


def data_dictionary() -> dict[str, dict[str, Any]]:
    """Return what each column of each table means.

    Examples
    --------
    >>> data_dictionary()["trials"]["response_time"]["unit"]
    's'
    """
    return {
        table: {column.name: described(column) for column in columns}
        for table, columns in TABLES.items()
    }


def described(column: Column) -> dict[str, Any]:
    """Return the entry of a column in a dictionary."""
    entry: dict[str, Any] = {"type": column.type, "description": column.meaning}
    if column.unit:
        entry["unit"] = column.unit
    if column.levels:
        entry["levels"] = list(column.levels)
    return entry
