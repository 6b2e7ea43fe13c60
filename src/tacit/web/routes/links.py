"""Links: ways into a study, which prove by themselves that this server gave them out."""

import secrets

from fastapi import APIRouter, Request

from tacit.study.signing import Link
from tacit.web.experimenters import GivingLinks
from tacit.web.models import NewLinks, StudyId
from tacit.web.participants import Live

router = APIRouter(prefix="/studies/{study_id}/links", tags=["experimenters"])


@router.post("", status_code=201, dependencies=[GivingLinks])
def make_links(
    study_id: StudyId, body: NewLinks, live: Live, request: Request
) -> list[dict[str, str]]:
    """Make links: for one person each, for any number, or to look at the study without data."""
    live.study(study_id)
    links = [
        live.signer.link(Link(study_id, body.kind, secrets.token_hex(8))) for _ in range(body.n)
    ]
    base = str(request.base_url)
    return [{"link": link, "kind": body.kind, "url": f"{base}s/{link}"} for link in links]
