"""API keys: made and revoked by who is logged in."""

from typing import Annotated, Any

from fastapi import APIRouter, Path

from tacit.study.access import make_key
from tacit.study.store import StoredKey
from tacit.web.experimenters import LoggedIn
from tacit.web.models import NewKey
from tacit.web.participants import Live

router = APIRouter(prefix="/keys", tags=["experimenters"], dependencies=[LoggedIn])

KeyId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


@router.get("")
def list_keys(live: Live) -> list[dict[str, Any]]:
    """Return all keys, without what opens anything."""
    return [_shown(key) for key in live.store.api_keys()]


@router.post("", status_code=201)
def add_key(body: NewKey, live: Live) -> dict[str, Any]:
    """Make a key; it is shown this once."""
    key, stored = make_key(live.store, body.name, body.scopes)
    return _shown(stored) | {"key": key}


@router.delete("/{key_id}", status_code=204)
def revoke_key(key_id: KeyId, live: Live) -> None:
    """Let a key open nothing any more."""
    live.store.revoke_key(key_id)


def _shown(key: StoredKey) -> dict[str, Any]:
    return {
        "key_id": key.key_id,
        "name": key.name,
        "scopes": list(key.scopes),
        "created_at": key.created_at,
        "revoked_at": key.revoked_at,
    }
