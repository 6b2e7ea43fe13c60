"""Endings: a session is complete, or the person withdraws."""

from typing import Any

from fastapi import APIRouter

from tacit.web.models import Completion, Withdrawal
from tacit.web.participants import Live, OwnSession

router = APIRouter(prefix="/sessions/{session_id}", tags=["participants"])


@router.post("/completion")
def complete(session_id: OwnSession, body: Completion, live: Live) -> dict[str, Any]:
    """Confirm that everything has arrived; 409 lists the answers that have not."""
    return live.complete(session_id, body.n_responses, body.last_sequence)


@router.post("/withdrawal")
def withdraw(session_id: OwnSession, body: Withdrawal, live: Live) -> dict[str, Any]:
    """Withdraw, and keep or erase what was told so far."""
    return live.withdraw(session_id, erase=body.erase)
