"""Sessions: open, come back, see where one is."""

from typing import Any

from fastapi import APIRouter, Response

from tacit.web.models import OpenSession
from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions", tags=["participants"])


@router.post("", status_code=201, responses={200: {"description": "It was there already."}})
def open_session(body: OpenSession, live: Live, response: Response) -> dict[str, Any]:
    """Open a session by a link; the same resume key finds the same session again."""
    opened = live.open(body.link, body.parameters, body.client, body.resume_key)
    response.status_code = 201 if opened.is_new else 200
    return {"session_id": opened.session_id, "token": opened.token, "view": opened.view}


@router.get("/{session_id}")
def see_session(session_id: OwnSession, live: Live) -> dict[str, Any]:
    """Return where a session is, with all that a page needs to go on."""
    return live.view(session_id)
