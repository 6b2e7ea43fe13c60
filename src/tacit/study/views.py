"""What participants' pages and dashboards are told about a session, as JSON values."""

from typing import Any

import numpy as np

from tacit.study.definition import Study, StudyItem
from tacit.study.estimate import recommendation
from tacit.study.session import Session, Trial

Json = dict[str, Any]

RT_EDGES = tuple(round(0.25 * step, 2) for step in range(33))
"""Edges of the histogram of response times, seconds; the last bin is open."""


def study_view(study: Study) -> Json:
    """Return what pages need to know of a study."""
    practice, consent = study.practice, study.consent
    items = [item_view(study, item) for item in study.items]
    if practice is not None:
        items += [item_view(study, item) | {"practice": True} for item in practice.items]
    return {
        "study_id": study.study_id,
        "title": study.title,
        "language": study.language,
        "direction": study.direction,
        "consent": consent and {"version": consent.version, "text": consent.text},
        "instructions": list(study.instructions),
        "question": study.question,
        "keys": {"left": list(study.left_keys), "right": list(study.right_keys)},
        "practice": practice
        and {
            "n_trials": practice.n_trials,
            "n_correct_needed": practice.n_correct_needed,
            "question": practice.question,
        },
        "calibration": study.calibration,
        "break_every": study.break_every,
        "items": items,
    }


def item_view(study: Study, item: StudyItem) -> Json:
    """Return an item with the address of its file."""
    view: Json = {"item_id": item.item_id, "name": item.name, "kind": item.kind}
    if item.src is not None:
        view["src"] = f"/media/{study.study_id}/{item.src}"
    if item.colours:
        view["colours"] = list(item.colours)
    for name in ("text", "alt", "font"):
        if (value := getattr(item, name)) is not None:
            view[name] = value
    return view


def session_view(session_id: str, session: Session, *, shown_before: bool) -> Json:
    """Return where a session is, with all that a page needs to go on."""
    return {
        "session_id": session_id,
        "study": study_view(session.study),
        "next_sequence": session.next_sequence,
        **standing(session, shown_before=shown_before),
    }


def standing(session: Session, *, shown_before: bool) -> Json:
    """Return stage, progress and the pending trial."""
    limits = session.study.limits
    return {
        "stage": session.stage,
        "progress": {
            "n_answered": len(session.counted),
            "seconds_used": session.seconds_used,
            "time_budget": limits.time_budget,
            "n_queries_budget": limits.query_budget,
            "share_done": session.share_done,
        },
        "trial": session.pending and trial_view(session.pending, shown_before=shown_before),
    }


def trial_view(trial: Trial, *, shown_before: bool) -> Json:
    """Return a trial as pages show it."""
    return {
        "trial_id": trial.trial_id,
        "sequence": trial.sequence,
        "kind": trial.kind,
        "left": trial.left,
        "right": trial.right,
        "correct": trial.correct,
        "shown_before": shown_before,
    }


def summary(session: Session) -> Json:
    """Return the few numbers by which dashboards follow a session."""
    favourite, probability = recommendation(session) if session.main else (None, None)
    times = [a.seconds for _, a in session.counted if a.seconds is not None]
    bins = np.searchsorted(RT_EDGES, times, side="right") - 1
    n_bins = len(RT_EDGES) - 1
    counts = np.bincount(np.minimum(bins, n_bins - 1), minlength=n_bins)
    return {
        "stage": session.stage,
        "n_answered": len(session.counted),
        "n_invalid": sum(answer.seconds is None for _, answer in session.counted),
        "share_done": session.share_done,
        "completed": session.completed,
        "favourite": favourite,
        "probability": probability,
        "rt_counts": counts.tolist(),
    }
