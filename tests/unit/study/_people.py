"""A small study, and people who answer it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tacit import ddm
from tacit.study import Session, Study, parse_study
from tacit.study.asking import Step, follow
from tacit.study.deciding import answer

NAMES = ("green", "black", "white", "oolong", "mint", "chai")
HEAD = '[study]\nid = "tea"\ntitle = "Tea"\nquestion = "Which one?"\n'
ITEMS = "".join(f'[[items]]\nid = "{name}"\n' for name in NAMES)
LIKING = dict(zip(NAMES, (0.0, 0.4, -0.3, 1.6, 0.1, 0.6), strict=True))


def study(*parts: str, budget: str = "[budget]\nqueries = 12\n") -> Study:
    """The tea study, with more tables."""
    return parse_study(HEAD + "\n".join(parts) + "\n" + budget + ITEMS)


def response(sequence: int, choice: str = "left", took_ms: float = 700.0, **changed: Any) -> dict:
    """The body of a response."""
    return {
        "sequence": sequence,
        "choice": choice,
        "onset_ms": 1000.125,
        "response_ms": 1000.125 + took_ms,
        "handler_ms": None,
        "frame_ms": None,
        "input": "keyboard",
        "time_valid": True,
        "reasons": [],
        "clock": {"kind": "test", "grain_ms": None},
    } | changed


class Person:
    """Likes some teas more than others, and hesitates as the model says."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def body(self, trial: Any) -> dict:
        """Answer a trial."""
        if trial.kind == "practice":
            return response(trial.sequence, trial.correct)
        drift = LIKING[trial.left] - LIKING[trial.right]
        choice, time = ddm.sample([drift], 1.2, nondecision_time=0.35, rng=self._rng)
        side = "left" if choice[0] > 0 else "right"
        return response(trial.sequence, side, 1000 * float(time[0]))


def steps(study: Study, seed: int = 3) -> Iterator[Step]:
    """Every step of a session that starts with trials, answered by a person."""
    someone = Person(seed)
    step = follow(Session.begin(study, seed))
    yield step
    while (trial := step.session.pending) is not None:
        step = answer(step.session, trial.trial_id, someone.body(trial))
        yield step
