"""Health: whether the server can do its work."""

from fastapi import APIRouter

import tacit
from tacit.web.participants import Live

router = APIRouter(prefix="/health", tags=["operation"])


@router.get("")
def see_health(live: Live) -> dict[str, str]:
    """Read from the store; a server whose store is away answers with an error."""
    live.store.setting("secret")
    return {"status": "ok", "version": tacit.__version__}
