"""Estimates: what the answers tell about the person."""

from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request

from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}/estimate", tags=["participants"])


@router.get("")
async def see_estimate(session_id: OwnSession, live: Live, request: Request) -> dict[str, Any]:
    """Return favourite and ranking with their uncertainty, and what the times added."""
    # It takes as long as several answers: one at a time, so that those do not wait for many.
    one_at_a_time: CapacityLimiter = request.app.state.estimating
    return await to_thread.run_sync(live.estimate, session_id, limiter=one_at_a_time)
