"""Events: what a page notes beside the answers."""

from fastapi import APIRouter

from tacit.web.models import Events
from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}/events", tags=["participants"])


@router.post("")
def note_events(session_id: OwnSession, body: Events, live: Live) -> dict[str, int]:
    """Keep a batch of events; those that were sent before count once."""
    return {"accepted": live.log_events(session_id, [e.model_dump() for e in body.events])}
