"""Who may speak for a session: the one who has its token."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from tacit.errors import Refused
from tacit.study.live import LiveStudies
from tacit.web.models import SessionId


def live_studies(request: Request) -> LiveStudies:
    """Return the studies that this application serves."""
    live: LiveStudies = request.app.state.live
    return live


async def live_of(request: Request) -> LiveStudies:
    """Return the studies that this application serves, as a dependency."""
    return live_studies(request)


async def own_session(request: Request, session_id: SessionId) -> str:
    """Return the session of the path, if the request carries its token."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        if scheme.lower() != "bearer":
            raise Refused("this needs the session's token: Authorization: Bearer ...")
        live_studies(request).check_token(session_id, token)
    except Refused as error:
        raise HTTPException(401, str(error), {"WWW-Authenticate": "Bearer"}) from None
    return session_id


Live = Annotated[LiveStudies, Depends(live_of)]
OwnSession = Annotated[str, Depends(own_session)]
