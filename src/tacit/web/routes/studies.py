"""Studies: what is served, and how far it is."""

from typing import Any

from fastapi import APIRouter

from tacit.study.dashboard import live_summary, session_row
from tacit.study.views import study_view
from tacit.web.experimenters import ReadOnly
from tacit.web.models import StudyId
from tacit.web.participants import Live

router = APIRouter(prefix="/studies", tags=["experimenters"], dependencies=[ReadOnly])


@router.get("")
def list_studies(live: Live) -> list[dict[str, Any]]:
    """Return the studies that are served."""
    frozen = {stored.study_id: stored.frozen_at for stored in live.store.studies()}
    return [
        {
            "study_id": study.study_id,
            "title": study.title,
            "digest": study.digest,
            "frozen_at": frozen[study.study_id],
            "n_sessions": live.store.version(study.study_id)[0],
        }
        for study in live.studies.values()
    ]


@router.get("/{study_id}")
def see_study(study_id: StudyId, live: Live) -> dict[str, Any]:
    """Return a study as participants see it, the text of its file, and its numbers so far."""
    study = live.study(study_id)
    sessions = live.store.sessions(study_id)
    return study_view(study) | {
        "digest": study.digest,
        "source": study.source,
        "summary": live_summary(sessions),
    }


@router.get("/{study_id}/sessions")
def list_sessions(study_id: StudyId, live: Live) -> list[dict[str, Any]]:
    """Return the sessions of a study, previews too."""
    live.study(study_id)
    return [session_row(stored) for stored in live.store.sessions(study_id)]
