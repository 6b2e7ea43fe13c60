"""Demos: the studies that come with tacit, for the page that lets one choose."""

from typing import Any

from fastapi import APIRouter, Request

from tacit.study.signing import Link
from tacit.web.participants import Live

router = APIRouter(prefix="/demos", tags=["participants"])


@router.get("")
def list_demos(request: Request, live: Live) -> list[dict[str, Any]]:
    """Return the demos that this server offers, each with a link; some in several languages."""
    offered: dict[str, str] = request.app.state.settings.demos
    return [
        {
            "study_id": study.study_id,
            "demo": offered[study.study_id],
            "language": study.language,
            "title": study.title,
            "question": study.question,
            "n_items": len(study.items),
            "link": live.signer.link(Link(study.study_id, "reusable")),
        }
        for study in live.studies.values()
        if study.study_id in offered
    ]
