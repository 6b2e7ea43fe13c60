"""Who may look at a study: the one who is logged in, or has an API key with the right scope."""

import hashlib
import time
from collections.abc import Awaitable, Callable

from fastapi import Depends, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool

from tacit.study.access import SCOPES, kept_password, scopes_of_key
from tacit.study.live import LiveStudies
from tacit.web.participants import live_studies

COOKIE = "tacit_login"
_EVERYTHING = frozenset({*SCOPES, "keys"})
_SECONDS = 12 * 3600
_SAFE = ("GET", "HEAD", "OPTIONS")


def log_in(response: Response, live: LiveStudies, *, secure: bool) -> None:
    """Let a browser in for half a day; a new password ends that."""
    expires = str(int(time.time()) + _SECONDS)
    response.set_cookie(
        COOKIE,
        f"{expires}.{live.signer.sign('login', _claim(live, expires))}",
        max_age=_SECONDS,
        httponly=True,
        samesite="strict",
        secure=secure,
    )


def log_out(response: Response) -> None:
    """Let a browser in no longer."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


def needs(scope: str) -> Callable[[Request], Awaitable[None]]:
    """Return a dependency that lets in who may do what a scope names.

    Parameters
    ----------
    scope : str
        "read", "export" or "links"; "keys" is for those who are logged in.
    """

    async def check(request: Request) -> None:
        live = live_studies(request)
        open_to = await run_in_threadpool(_scopes, request, live)
        if not open_to:
            detail = "log in, or send an API key: Authorization: Bearer tk_..."
            raise HTTPException(401, detail, {"WWW-Authenticate": "Bearer"})
        if scope not in open_to:
            raise HTTPException(403, f"this API key does not have the scope {scope!r}")

    return check


ReadOnly = Depends(needs("read"))
Exporting = Depends(needs("export"))
GivingLinks = Depends(needs("links"))
LoggedIn = Depends(needs("keys"))


def _scopes(request: Request, live: LiveStudies) -> frozenset[str]:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return scopes_of_key(live.store, key)
    expires, _, signature = request.cookies.get(COOKIE, "").partition(".")
    if not expires.isascii() or not expires.isdigit() or len(expires) > 12:
        return frozenset()
    # A page of another origin must not act for who is logged in, whatever the browser makes of it.
    foreign = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if foreign and request.method not in _SAFE:
        return frozenset()
    if int(expires) < time.time():
        return frozenset()
    known = live.signer.agrees("login", _claim(live, expires), signature)
    return _EVERYTHING if known else frozenset()


def _claim(live: LiveStudies, expires: str) -> str:
    password = hashlib.sha256(kept_password(live.store).encode()).hexdigest()
    return f"{expires}.{password}"
