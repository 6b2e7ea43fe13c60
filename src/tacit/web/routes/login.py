"""Login: the experimenter's password for a cookie."""

import threading
import time
from collections import deque
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
    """Wrong passwords of late; after some, nobody may guess for a while."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._lock = threading.Lock()

    def check(self) -> None:
        """Refuse if there were too many."""
        with self._lock:
            while self._times and self._times[0] < time.monotonic() - _WINDOW_SECONDS:
                self._times.popleft()
            if len(self._times) >= _MOST_FAILURES:
                raise HTTPException(
                    429, "too many wrong passwords; wait a minute", {"Retry-After": "60"}
                )

    def add(self) -> None:
        """Take note of one more."""
        with self._lock:
            self._times.append(time.monotonic())


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
    failures.check()
    kept = kept_password(live.store)
    if not kept or not check_password(body.password, kept):
        failures.add()
        raise HTTPException(401, "this is not the password")
    log_in(response, live, secure=request.app.state.settings.secure)


@router.post("/logout", status_code=204, dependencies=[LoggedIn])
def logout(response: Response) -> None:
    """Forget the cookie."""
    log_out(response)
