"""What experimenters see of a study while it runs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tacit.study.store import StoredSession
from tacit.study.views import RT_EDGES

Json = dict[str, Any]

_RECENT = 20


def live_summary(sessions: Sequence[StoredSession]) -> Json:
    """Return the numbers of a dashboard; previews are left out.

    Parameters
    ----------
    sessions : sequence of StoredSession
        All of the study.

    Returns
    -------
    dict
        Sessions by stage, answers, share of void times, histogram of response times, leading
        items and the sessions that changed last.
    """
    real = [stored for stored in sessions if not stored.preview]
    told = [stored.summary for stored in real]
    n_answers = sum(one["n_answered"] for one in told)
    counts = [0] * (len(RT_EDGES) - 1)
    for one in told:
        counts = [total + more for total, more in zip(counts, one["rt_counts"], strict=True)]
    latest = sorted(real, key=lambda stored: -stored.updated_at)[:_RECENT]
    return {
        "sessions": dict(Counter(one["stage"] for one in told)),
        "n_answers": n_answers,
        "invalid_share": sum(one["n_invalid"] for one in told) / n_answers if n_answers else 0.0,
        "rt_histogram": {"edges": list(RT_EDGES), "counts": counts},
        "leaders": _leaders(told),
        "recent": [_recent(stored) for stored in latest],
    }


def session_row(stored: StoredSession) -> Json:
    """Return a session as lists of sessions show it."""
    told = {name: value for name, value in stored.summary.items() if name != "rt_counts"}
    return {
        "session_id": stored.session_id,
        "preview": stored.preview,
        "opened_at": stored.opened_at,
        "updated_at": stored.updated_at,
        "parameters": stored.parameters,
        **told,
    }


def _leaders(told: Sequence[Any]) -> list[Json]:
    led: dict[str, list[float]] = {}
    for one in told:
        if one["favourite"] is not None:
            led.setdefault(one["favourite"], []).append(one["probability"] or 0.0)
    rows = [
        {"item_id": item, "n_leading": len(p), "mean_probability": sum(p) / len(p)}
        for item, p in led.items()
    ]
    return sorted(rows, key=lambda row: (-len(led[str(row["item_id"])]), str(row["item_id"])))


def _recent(stored: StoredSession) -> Json:
    told = stored.summary
    names = ("stage", "n_answered", "share_done", "favourite", "probability")
    return {"session_id": stored.session_id} | {name: told[name] for name in names}
