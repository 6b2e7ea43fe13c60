"""A session with one person, as its log tells it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from tacit.learners import State
from tacit.records import seconds_from_milliseconds
from tacit.study.definition import Stage, Study
from tacit.study.log import Entry

Side = Literal["left", "right"]
TrialKind = Literal["practice", "main", "repeat", "mirror"]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One question, as it was or will be shown.

    Attributes
    ----------
    sequence : int
        Its place among all trials of the session, from 1.
    kind : {"practice", "main", "repeat", "mirror"}
        Practice has a right answer; a repeat and a mirror are an earlier main trial once more,
        the latter with its sides swapped.
    left, right : str
        Identifiers of the items.
    correct : {"left", "right"} or None
        The right answer in practice.
    query : int or None
        Number of the learner's query, whose first item is on the left unless `swapped`.
    swapped : bool
        Whether the first item of the query is on the right.
    of : int or None
        The trial that a repeat or mirror shows once more.
    """

    sequence: int
    kind: TrialKind
    left: str
    right: str
    correct: Side | None = None
    query: int | None = None
    swapped: bool = False
    of: int | None = None

    @property
    def trial_id(self) -> str:
        """Identifier within the session."""
        return f"t{self.sequence:04d}"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to one trial.

    Attributes
    ----------
    choice : {"left", "right"}
        The side chosen.
    seconds : float or None
        Response time; None where it is void and only the choice counts.
    took : float
        Seconds that count towards the time budget, void or not.
    reasons : tuple of str
        Why the time is void, as the page and the server say.
    body : mapping
        What was sent, unchanged.
    """

    choice: Side
    seconds: float | None
    took: float
    reasons: tuple[str, ...]
    body: Mapping[str, Any]

    @classmethod
    def of(cls, body: Mapping[str, Any], study: Study) -> Self:
        """Return the answer that a response says, its time in seconds."""
        limits = study.limits
        stamps = np.array([body["onset_ms"], body["response_ms"]], dtype=np.float64)
        seconds = float(seconds_from_milliseconds(stamps[1] - stamps[0]))
        reasons = [*body["reasons"]]
        if not body["time_valid"] and not reasons:
            reasons.append("declared_void")
        if seconds < limits.fastest:
            reasons.append("too_fast")
        if seconds > limits.slowest:
            reasons.append("too_slow")
        void = len(reasons) > 0
        return cls(
            choice=body["choice"],
            seconds=None if void else seconds,
            took=min(max(seconds, 0.0), limits.slowest),
            reasons=tuple(reasons),
            body=body,
        )


@dataclass(frozen=True, kw_only=True)
class Session:
    """What is known of one session.

    Attributes
    ----------
    study : Study
        What it is about.
    seed : int
        From which all that is random in it follows.
    learner_state : State
        What the learner knows.
    n_entries : int
        Length of the log so far.
    done : tuple of str
        Stages that are over.
    trials : tuple of Trial
        All that was asked; the last one may be pending.
    answers : tuple of Answer
        One for each trial that was answered.
    completed : bool
        Whether the page has confirmed that everything arrived.
    withdrawn : bool
        Whether the person withdrew.
    """

    study: Study
    seed: int
    learner_state: State
    n_entries: int = 0
    done: tuple[Stage, ...] = ()
    trials: tuple[Trial, ...] = ()
    answers: tuple[Answer, ...] = ()
    completed: bool = False
    withdrawn: bool = False

    @classmethod
    def begin(cls, study: Study, seed: int) -> Self:
        """Return the session before anything happened.

        The learner starts from `numpy.random.default_rng(seed)`.
        """
        state = study.learner.start(study.problem, np.random.default_rng(seed))
        return cls(study=study, seed=seed, learner_state=state)

    def after(self, entries: Iterable[Entry]) -> Self:
        """Return the session after more entries of its log."""
        session = self
        for entry in entries:
            session = session._after(entry)
        return session

    def _after(self, entry: Entry) -> Self:
        now = replace(self, n_entries=self.n_entries + 1)
        match entry.kind:
            case "stage":
                return replace(now, done=(*self.done, entry.body["stage"]))
            case "asked":
                return replace(now, trials=(*self.trials, Trial(**entry.body)))
            case "answered":
                return replace(now, **self._taken_in(entry.body))
            case "completed":
                return replace(now, completed=True)
            case "withdrawn":
                return replace(now, withdrawn=True)

    def _taken_in(self, body: Mapping[str, Any]) -> dict[str, Any]:
        answer, trial = Answer.of(body, self.study), self.trials[-1]
        state = self.learner_state
        if trial.kind == "main":
            time = np.nan if answer.seconds is None else answer.seconds
            choice = choice_of(trial, answer)
            query = np.array([trial.query])
            state = self.study.learner.tell(state, query, [choice], [time])
        return {"answers": (*self.answers, answer), "learner_state": state}

    @property
    def stage(self) -> Stage:
        """Where the person is."""
        if self.withdrawn:
            return "withdrawn"
        return next((s for s in self.study.stages if s not in self.done), "result")

    @property
    def pending(self) -> Trial | None:
        """The trial that waits for its answer."""
        waiting = len(self.trials) > len(self.answers) and not self.withdrawn
        return self.trials[-1] if waiting else None

    @property
    def next_sequence(self) -> int:
        """Place of the pending trial, or of the one that may come."""
        return len(self.answers) + 1

    @cached_property
    def counted(self) -> tuple[tuple[Trial, Answer], ...]:
        """Trials with their answers, practice left out."""
        pairs = zip(self.trials, self.answers, strict=False)
        return tuple((t, a) for t, a in pairs if t.kind != "practice")

    @cached_property
    def main(self) -> tuple[tuple[Trial, Answer], ...]:
        """Trials that the learner asked for, with their answers."""
        return tuple((t, a) for t, a in self.counted if t.kind == "main")

    @property
    def seconds_used(self) -> float:
        """Seconds of answering so far, practice left out."""
        return sum(answer.took for _, answer in self.counted)

    @property
    def share_done(self) -> float:
        """How much of the budget is used, from 0 to 1."""
        if "main" in self.done:
            return 1.0
        limits = self.study.limits
        shares = [0.0]
        if limits.time_budget:
            shares.append(self.seconds_used / limits.time_budget)
        if limits.query_budget:
            shares.append(len(self.main) / limits.query_budget)
        return min(max(shares), 1.0)


def choice_of(trial: Trial, answer: Answer) -> int:
    """Return +1 if the first item of the query was chosen, -1 if the second was."""
    return 1 if (answer.choice == "left") != trial.swapped else -1


def as_body(trial: Trial) -> dict[str, Any]:
    """Return a trial as the body of its entry."""
    return asdict(trial)
