"""What stands before every route: security headers, and bodies that are sound JSON or refused."""

import json
import logging
import math
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tacit.web.problems import problem

MOST_BYTES = 1 << 20
_LONGEST_NUMBER = 40
_DEEPEST = 32

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Middleware that adds security headers and refuses bodies that are not sound JSON.

    COOP and COEP isolate the pages, which gives them the fine clock. A body must be UTF-8 JSON of
    finite numbers and of texts that every database can keep (no NUL, no half of a surrogate pair).
    What a route fails at is a problem, too.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                # Files are asked about by their fingerprint, so that none is outdated.
                kept = "no-store" if scope["path"].startswith("/api/") else "no-cache"
                headers.setdefault("Cache-Control", kept)
            await send(message)

        try:
            await self._serve(scope, receive, send_guarded)
        except Exception:
            logging.getLogger(__name__).exception("a request failed")
            if not begun:
                detail = "the server failed at this request; nothing of it was acknowledged"
                failed = problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail)
                await failed(scope, receive, send_guarded)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            return
        status, wrong = _checked(scope, body)
        if wrong:
            await problem(status, wrong)(scope, receive, send)
            return
        await self._app(scope, _again(body, receive), send)


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body, one byte too much if it is too long; None if the client has left."""
    chunks, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= MOST_BYTES:
            chunks.append(chunk)
        if not message.get("more_body", False):
            break
    return b"".join(chunks) if size <= MOST_BYTES else b"x" * (MOST_BYTES + 1)


def _checked(scope: Scope, body: bytes) -> tuple[HTTPStatus, str]:
    """Return why a body is refused, an empty text if it is not."""
    if len(body) > MOST_BYTES:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {MOST_BYTES} bytes"
    if not body:
        return HTTPStatus.OK, ""
    kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return (
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"the body must be application/json, got {kind!r:.80}",
        )
    try:
        check_json(body)
    except (ValueError, RecursionError) as error:
        return HTTPStatus.BAD_REQUEST, f"the body is not sound JSON: {error}"
    return HTTPStatus.OK, ""


def check_json(body: bytes) -> Any:
    """Return the value of JSON text, or raise ValueError if it is not sound.

    Parameters
    ----------
    body : bytes
        UTF-8 text.

    Examples
    --------
    >>> check_json(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> check_json(b'{"a": NaN}')
    Traceback (most recent call last):
    ValueError: NaN is not JSON
    """
    value = json.loads(
        body.decode("utf-8"), parse_constant=_no_constant, parse_float=_number, parse_int=_whole
    )
    for text in _texts(value, 0):
        if "\0" in text:
            raise ValueError("a text holds a NUL character")
        if re.search("[\ud800-\udfff]", text):
            raise ValueError("a text holds half of a surrogate pair")
    return value


def _texts(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, depth + 1)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _texts(part, depth + 1)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text:.40} is too large")
    return value


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"the number {text[:20]}... is too long")
    return int(text)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that hands a body on that was read already."""
    handed = False

    async def again() -> Message:
        nonlocal handed
        if handed:
            return await receive()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
