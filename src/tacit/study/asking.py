"""What a session asks next, and when its parts are over.

All of it follows from the seed and the answers, so that any process, at any time, asks the same.
"""

from typing import NamedTuple

import numpy as np

from tacit.study.definition import Practice
from tacit.study.log import Entry
from tacit.study.session import Session, Trial, TrialKind, as_body

_PRACTICE, _SIDES, _CATCH = 1, 2, 3
_BLOCK = 4
_APART = 3
"""An earlier trial comes again after this many others at least."""


class Step(NamedTuple):
    """What a command adds to the log, and the session after it.

    Attributes
    ----------
    entries : list of Entry
        New entries; empty if there is nothing to do.
    session : Session
        As it is then.
    """

    entries: list[Entry]
    session: Session


def follow(session: Session, *entries: Entry) -> Step:
    """Return entries with what follows without the person: a trial, or the end of a part."""
    added = list(entries)
    session = session.after(entries)
    while session.pending is None:
        entry = _move(session)
        if entry is None:
            break
        added.append(entry)
        session = session.after([entry])
    return Step(added, session)


def _move(session: Session) -> Entry | None:
    practice = session.study.practice
    if session.stage == "practice" and practice is not None:
        return _practice_move(session, practice)
    if session.stage == "main":
        over = _why_over(session)
        if over:
            return Entry("stage", {"stage": "main", "why": over})
        return Entry("asked", as_body(_next_trial(session)))
    return None


def _practice_move(session: Session, practice: Practice) -> Entry:
    pairs = zip(session.trials, session.answers, strict=True)
    right = [trial.correct == answer.choice for trial, answer in pairs]
    rounds, rest = divmod(len(right), practice.n_trials)
    if rounds and not rest:
        n_correct = sum(right[-practice.n_trials :])
        passed = n_correct >= practice.n_correct_needed
        if passed or rounds >= practice.max_rounds:
            body = {"stage": "practice", "passed": passed, "n_rounds": rounds}
            return Entry("stage", body)
    rng = _rng(session, _PRACTICE, session.next_sequence)
    values = np.array(practice.values)
    first = int(rng.integers(len(values)))
    second = int(rng.choice(np.flatnonzero(values != values[first])))
    left, right_item = practice.items[first], practice.items[second]
    return Entry(
        "asked",
        as_body(
            Trial(
                sequence=session.next_sequence,
                kind="practice",
                left=left.item_id,
                right=right_item.item_id,
                correct="left" if values[first] > values[second] else "right",
            )
        ),
    )


def _why_over(session: Session) -> str | None:
    limits = session.study.limits
    if bool(session.learner_state.done[0]):
        return "sure" if limits.confidence else "nothing_to_ask"
    if limits.time_budget and session.seconds_used >= limits.time_budget:
        return "time_budget"
    if limits.query_budget and len(session.main) >= limits.query_budget:
        return "query_budget"
    return None


def _next_trial(session: Session) -> Trial:
    return _catch_trial(session) or _main_trial(session)


def _main_trial(session: Session) -> Trial:
    query = int(session.study.learner.ask(session.learner_state)[0])
    first, second = session.study.problem.queries.pairs(query)
    names = session.study.problem.items.names
    # In each block of four, the first item is twice on either side.
    block, place = divmod(len(session.main), _BLOCK)
    swapped = bool(_rng(session, _SIDES, block).permutation(_BLOCK)[place] % 2)
    left, right = (second, first) if swapped else (first, second)
    return Trial(
        sequence=session.next_sequence,
        kind="main",
        left=names[int(left)],
        right=names[int(right)],
        query=query,
        swapped=swapped,
    )


def _catch_trial(session: Session) -> Trial | None:
    """Return an earlier trial once more, where one is due."""
    n_main, limits = len(session.main), session.study.limits
    due: list[TrialKind] = []
    if limits.repeat_every and n_main and n_main % limits.repeat_every == 0:
        due.append("repeat")
    if limits.mirror_every and n_main and n_main % limits.mirror_every == 0:
        due.append("mirror")
    asked: list[TrialKind] = []
    for trial, _ in reversed(session.counted):
        if trial.kind == "main":
            break
        asked.append(trial.kind)
    due = [kind for kind in due if kind not in asked]
    again = {trial.of for trial, _ in session.counted}
    earlier = [trial for trial, _ in session.main[:-_APART] if trial.sequence not in again]
    if not due or not earlier:
        return None
    rng = _rng(session, _CATCH, session.next_sequence)
    trial = earlier[int(rng.integers(len(earlier)))]
    mirrored = due[0] == "mirror"
    return Trial(
        sequence=session.next_sequence,
        kind=due[0],
        left=trial.right if mirrored else trial.left,
        right=trial.left if mirrored else trial.right,
        query=trial.query,
        swapped=trial.swapped != mirrored,
        of=trial.sequence,
    )


def _rng(session: Session, purpose: int, number: int) -> np.random.Generator:
    return np.random.default_rng([session.seed, purpose, number])
