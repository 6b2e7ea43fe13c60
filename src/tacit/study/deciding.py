"""What may happen to a session: each command returns what it adds to the log."""

from collections.abc import Mapping
from typing import Any, get_args

from tacit.errors import Conflict, DataError, NotFound
from tacit.study.asking import Step, follow
from tacit.study.definition import Stage
from tacit.study.log import Entry
from tacit.study.session import Session

_BY_THE_PERSON = ("consent", "instructions", "calibration")


def finish_stage(session: Session, stage: str, body: Mapping[str, Any]) -> Step:
    """Return the step by which a stage is done, an empty one if it was done before.

    Parameters
    ----------
    session : Session
        As it is.
    stage : str
        Which stage.
    body : mapping
        For consent: `agreed` and `consent_version`; for calibration: `calibration`.

    Returns
    -------
    Step
        The stage, and the trial that follows.
    """
    if stage not in get_args(Stage) or stage == "withdrawn":
        raise NotFound(f"there is no stage {stage!r}; this study has {_stages(session)}")
    if stage in session.done or (stage == "result" and session.stage == "result"):
        return Step([], session)
    if stage not in session.study.stages:
        raise NotFound(f"this study has no stage {stage!r}; it has {_stages(session)}")
    if session.stage != stage:
        raise Conflict(f"the session is at stage {session.stage!r}, {stage!r} cannot be done now")
    if stage not in _BY_THE_PERSON:
        raise Conflict(f"the stage {stage!r} is done when its last trial is answered")
    kept = {key: value for key, value in body.items() if value is not None}
    consent = session.study.consent
    if stage == "consent" and consent is not None:
        if body.get("agreed") is not True:
            raise DataError("`agreed` must be true: without consent, a session does not begin")
        if body.get("consent_version") != consent.version:
            raise Conflict(
                f"`consent_version` must be {consent.version!r}, the text shown, got "
                f"{body.get('consent_version')!r}"
            )
    if stage == "calibration" and body.get("calibration") is None:
        raise DataError("`calibration` is missing: this stage is what it measures")
    return follow(session, Entry("stage", {"stage": stage} | kept))


def answer(session: Session, trial_id: str, body: Mapping[str, Any]) -> Step:
    """Return the step that an answer is, an empty one if it is the same as before.

    Parameters
    ----------
    session : Session
        As it is.
    trial_id : str
        Which trial is answered.
    body : mapping
        The response, complete.

    Returns
    -------
    Step
        The answer, and the trial or the end that follows.
    """
    known = {trial.trial_id: place for place, trial in enumerate(session.trials)}
    if trial_id not in known:
        raise NotFound(f"trial {trial_id!r} was never asked in this session")
    place = known[trial_id]
    sequence = session.trials[place].sequence
    if body["sequence"] != sequence:
        raise Conflict(f"trial {trial_id!r} has sequence {sequence}, got {body['sequence']}")
    if place < len(session.answers):
        if dict(session.answers[place].body) == dict(body):
            return Step([], session)
        raise Conflict(f"trial {trial_id!r} was answered before, and the answer was another one")
    if session.withdrawn:
        raise Conflict("the person withdrew: no more answers are taken")
    return follow(session, Entry("answered", body))


def complete(session: Session, n_responses: int, last_sequence: int) -> Step:
    """Return the step by which a session is complete, an empty one if it is already.

    Parameters
    ----------
    session : Session
        As it is.
    n_responses, last_sequence : int
        How many answers the page has sent, and the place of the last one.
    """
    if session.withdrawn:
        raise Conflict("the person withdrew: the session cannot be completed")
    here = len(session.answers)
    if last_sequence > here:
        missing = range(here + 1, last_sequence + 1)[:1000]
        raise Conflict(f"answers {here + 1} to {last_sequence} have not arrived", missing=missing)
    if n_responses != here or last_sequence != here:
        raise Conflict(
            f"the server holds {here} answers, the page counts {n_responses} up to number "
            f"{last_sequence}"
        )
    if session.stage != "result":
        pending = [session.pending.sequence] if session.pending else []
        raise Conflict(f"the session is at stage {session.stage!r}", missing=pending)
    if session.completed:
        return Step([], session)
    return follow(session, Entry("completed", {"n_responses": here}))


def withdraw(session: Session, *, erase: bool) -> Step:
    """Return the step by which a person withdraws, an empty one if that was done before."""
    if session.withdrawn:
        return Step([], session)
    return follow(session, Entry("withdrawn", {"erase": erase}))


def erased() -> Entry:
    """Return the one entry that stays of a session whose data are erased."""
    return Entry("withdrawn", {"erase": True})


def _stages(session: Session) -> str:
    return ", ".join(session.study.stages)
