"""Live: the numbers of a study, sent whenever they change."""

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from tacit.study.dashboard import live_summary
from tacit.study.live import LiveStudies
from tacit.web.experimenters import ReadOnly
from tacit.web.models import StudyId
from tacit.web.participants import Live

router = APIRouter(prefix="/studies/{study_id}/live", tags=["experimenters"])

_LOOK_EVERY_SECONDS = 1.0
_QUIET_LOOKS = 15


@router.get(
    "",
    dependencies=[ReadOnly],
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def follow(study_id: StudyId, live: Live, request: Request) -> StreamingResponse:
    """Send an event "summary" at once and after every change, at most one a second."""
    live.study(study_id)
    events = _summaries(live, study_id, request)
    return StreamingResponse(events, media_type="text/event-stream")


async def _summaries(live: LiveStudies, study_id: str, request: Request) -> AsyncIterator[str]:
    seen: tuple[int, float] | None = None
    quiet = 0
    while not await request.is_disconnected():
        version = await run_in_threadpool(live.store.version, study_id)
        if version != seen:
            sessions = await run_in_threadpool(live.store.sessions, study_id)
            yield f"event: summary\ndata: {json.dumps(live_summary(sessions))}\n\n"
            seen, quiet = version, 0
        elif (quiet := quiet + 1) >= _QUIET_LOOKS:
            # Something must come now and then, or proxies close the connection.
            yield ": still here\n\n"
            quiet = 0
        await asyncio.sleep(_LOOK_EVERY_SECONDS)
