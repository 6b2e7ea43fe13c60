"""Estimates: what the answers tell about the person."""

from typing import Any

from fastapi import APIRouter

from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}/estimate", tags=["participants"])


@router.get("")
def see_estimate(session_id: OwnSession, live: Live) -> dict[str, Any]:
    """Return favourite and ranking with their uncertainty, and what the times added."""
    return live.estimate(session_id)
