"""Errors as application/problem+json (RFC 9457), whatever went wrong."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from tacit.errors import Conflict, DataError, NotFound, Refused, StorageError, TacitError

MEDIA_TYPE = "application/problem+json"

_STATUS: dict[type[TacitError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    Refused: HTTPStatus.FORBIDDEN,
    Conflict: HTTPStatus.CONFLICT,
    DataError: HTTPStatus.UNPROCESSABLE_ENTITY,
    StorageError: HTTPStatus.INSUFFICIENT_STORAGE,
}
_RETRY_SECONDS = "5"


class FieldError(BaseModel):
    """What is wrong with one part of a request."""

    location: str
    message: str


class ProblemBody(BaseModel):
    """An error, as every part of the API reports it."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None
    missing: list[int] | None = None


RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ProblemBody, "description": "Refused, and it would be again."},
    "5XX": {"model": ProblemBody, "description": "Nothing was acknowledged; try again."},
}
"""The errors of every route, for the description of the API."""


def described(api: dict[str, Any]) -> dict[str, Any]:
    """Return a description of the API in which errors have the media type that they are sent by.

    Parameters
    ----------
    api : dict
        OpenAPI, in which they have that of the route's other replies.
    """
    for operation in (one for path in api["paths"].values() for one in path.values()):
        for status in RESPONSES:
            response = operation["responses"][status]
            (schema,) = response["content"].values()
            response["content"] = {MEDIA_TYPE: schema}
    return api


def problem(
    status: int,
    detail: str,
    *,
    errors: Sequence[Mapping[str, str]] = (),
    missing: Sequence[int] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return an error as a response.

    Parameters
    ----------
    status : int
        HTTP status.
    detail : str
        What happened, for people.
    errors : sequence of mapping
        With location and message, one for each part of the request that is wrong.
    missing : sequence of int
        Numbers of answers that have not arrived.
    headers : mapping, optional
        To be sent along.
    """
    title = HTTPStatus(status).phrase
    body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status}
    body["detail"] = detail
    if errors:
        body["errors"] = list(errors)
    if missing:
        body["missing"] = list(missing)
    return JSONResponse(body, status, dict(headers or {}), MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Let an application report every error this way."""
    app.add_exception_handler(TacitError, _tacit)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)


def _tacit(_request: Request, error: Exception) -> JSONResponse:
    status = next((s for kind, s in _STATUS.items() if isinstance(error, kind)), None)
    if status is None:
        status = HTTPStatus.INTERNAL_SERVER_ERROR
    headers = {"Retry-After": _RETRY_SECONDS} if isinstance(error, StorageError) else {}
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logging.getLogger(__name__).error("%s", error)
    missing = error.missing if isinstance(error, Conflict) else ()
    return problem(status, str(error), missing=missing, headers=headers)


def _validation(_request: Request, error: Exception) -> JSONResponse:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    errors = [
        {"location": ".".join(map(str, one["loc"])), "message": str(one["msg"])} for one in found
    ]
    detail = "; ".join(f"{one['location']}: {one['message']}" for one in errors[:3])
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=errors)


def _http(_request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    return problem(error.status_code, str(error.detail), headers=error.headers)
