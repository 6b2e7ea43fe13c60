"""The application: routes, guards and the studies that it serves."""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter
from fastapi import APIRouter, FastAPI
from starlette.middleware.cors import CORSMiddleware
from threadpoolctl import threadpool_limits

import tacit
from tacit.study.live import LiveStudies
from tacit.study.reading import read_study
from tacit.study.store import open_store
from tacit.web import pages, problems
from tacit.web.guard import Guard
from tacit.web.metrics import Measured, Metrics
from tacit.web.routes import (
    demos,
    endings,
    estimates,
    events,
    exports,
    health,
    keys,
    links,
    login,
    metrics,
    responses,
    sessions,
    stages,
    studies,
)
from tacit.web.routes import live as live_route
from tacit.web.settings import Settings

_SWITCH_SECONDS = 0.001
_ROUTERS = (
    *(sessions, stages, responses, events, estimates, endings, demos),
    *(login, studies, links, live_route, exports, keys),
    *(health, metrics),
)


class _Application(FastAPI):
    """An application that describes its errors as it sends them."""

    def openapi(self) -> dict[str, Any]:
        """Return the description of the API."""
        if self.openapi_schema is None:
            self.openapi_schema = problems.described(super().openapi())
        return self.openapi_schema


def create_app(settings: Settings, live: LiveStudies | None = None) -> FastAPI:
    """Return the application.

    Parameters
    ----------
    settings : Settings
        How it is set up.
    live : LiveStudies, optional
        Studies that are open already; without them, the store of the settings is opened when the
        application starts and closed when it ends.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.live = live or open_live(settings)
        # Matrices are small: more threads would only be in each other's way.
        with threadpool_limits(1):
            yield
        if live is None:
            app.state.live.store.close()

    app = _Application(
        title="tacit",
        version=tacit.__version__,
        description="Live studies that learn preferences from choices and response times.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.metrics = Metrics()
    app.state.failures = login.Failures()
    app.state.estimating = CapacityLimiter(1)
    problems.install(app)
    api = APIRouter(prefix="/api/v1", responses=problems.RESPONSES)
    for module in _ROUTERS:
        api.include_router(module.router)
    app.include_router(api)
    pages.install(app)
    app.add_middleware(Guard)
    app.add_middleware(Measured, metrics=app.state.metrics)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST", "PUT"],
            allow_headers=["Authorization", "Content-Type"],
        )
    return app


def open_live(settings: Settings) -> LiveStudies:
    """Open the store of the settings, with their studies."""
    live = LiveStudies(open_store(settings.store))
    for path in settings.demo_files + tuple(map(Path, settings.study_files)):
        live.add(read_study(path))
    return live


def from_environment() -> FastAPI:
    """Return the application of a server process."""
    # Threads that learn must not keep the one that answers waiting.
    sys.setswitchinterval(_SWITCH_SECONDS)
    app = create_app(Settings.from_environment())
    # What is loaded now stays: looking through it for garbage would only stop everything.
    gc.freeze()
    return app
