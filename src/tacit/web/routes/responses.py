"""Responses: one answer in, the next trial out, after the commit."""

from typing import Any

from fastapi import APIRouter

from tacit.web.models import Acknowledged, Response, TrialId
from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}/responses", tags=["participants"])


@router.put("/{trial_id}", response_model=Acknowledged)
def answer(session_id: OwnSession, trial_id: TrialId, body: Response, live: Live) -> Any:
    """Take an answer in; the reply is sent when it is on disk, and says what comes next.

    The same body again is acknowledged again; another body for the same trial is a conflict.
    """
    return live.answer(session_id, trial_id, body.model_dump())
