"""Stages: consent, instructions and calibration are done one after the other."""

from typing import Any

from fastapi import APIRouter

from tacit.web.models import StageDone, StageName
from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}/stages", tags=["participants"])


@router.put("/{stage}")
def finish_stage(
    session_id: OwnSession, stage: StageName, body: StageDone, live: Live
) -> dict[str, Any]:
    """Mark a stage as done; doing so again changes nothing."""
    return live.finish_stage(session_id, stage, body.model_dump())
