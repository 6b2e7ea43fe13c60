"""Metrics: what this server process has done, for Prometheus."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse

from tacit.web.experimenters import ReadOnly
from tacit.web.metrics import Metrics

router = APIRouter(prefix="/metrics", tags=["operation"], dependencies=[ReadOnly])


@router.get("", response_class=PlainTextResponse)
async def see_metrics(request: Request) -> str:
    """Return counts and durations of requests by route."""
    metrics: Metrics = request.app.state.metrics
    return metrics.text()
