"""A live study: its definition, the log of each session, and what follows from the log."""

from tacit.study.definition import (
    Completion,
    Consent,
    Limits,
    Practice,
    Study,
    StudyItem,
)
from tacit.study.estimate import estimate, recommendation
from tacit.study.log import Entry
from tacit.study.population import PopulationPrior
from tacit.study.reading import parse_study, read_study
from tacit.study.session import Answer, Session, Trial

__all__ = [
    "Answer",
    "Completion",
    "Consent",
    "Entry",
    "Limits",
    "PopulationPrior",
    "Practice",
    "Session",
    "Study",
    "StudyItem",
    "Trial",
    "estimate",
    "parse_study",
    "read_study",
    "recommendation",
]
