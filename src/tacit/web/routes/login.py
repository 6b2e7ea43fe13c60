"""Login: the experimenter's password for a cookie."""

import threading
import time
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from tacit.study.access import check_password, kept_password
from tacit.web.experimenters import LoggedIn, log_in, log_out
from tacit.web.models import Login
from tacit.web.participants import Live

router = APIRouter(tags=["experimenters"])

_MOST_FAILURES = 10
_WINDOW_SECONDS = 60.0


class Failures:
    """Wrong passwords of late, by address; after some, it may not guess for a while."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Refuse if there were too many."""
        since = time.monotonic() - _WINDOW_SECONDS
        with self._lock:
            recent = {a: [t for t in times if t > since] for a, times in self._times.items()}
            self._times = {a: times for a, times in recent.items() if times}
            if len(self._times.get(address, [])) >= _MOST_FAILURES:
                raise HTTPException(
                    429, "too many wrong passwords; wait a minute", {"Retry-After": "60"}
                )

    def add(self, address: str) -> None:
        """Take note of one more."""
        with self._lock:
            self._times.setdefault(address, []).append(time.monotonic())


def failures_of(request: Request) -> Failures:
    """Return what the application remembers of wrong passwords."""
    failures: Failures = request.app.state.failures
    return failures


@router.post("/login", status_code=204)
def login(
    body: Login,
    live: Live,
    request: Request,
    response: Response,
    failures: Annotated[Failures, Depends(failures_of)],
) -> None:
    """Exchange the password for a cookie that lasts half a day."""
    address = request.client.host if request.client else ""
    failures.check(address)
    kept = kept_password(live.store)
    if not kept or not check_password(body.password, kept):
        failures.add(address)
        raise HTTPException(401, "this is not the password")
    log_in(response, live, secure=request.app.state.settings.secure)


@router.post("/logout", status_code=204, dependencies=[LoggedIn])
def logout(response: Response) -> None:
    """Forget the cookie."""
    log_out(response)
