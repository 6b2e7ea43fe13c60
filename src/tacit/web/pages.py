"""Pages, their files, and the media of items."""

from pathlib import Path

from fastapi import APIRouter, FastAPI, HTTPException
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles

from tacit.web.models import StudyId
from tacit.web.participants import Live

HERE = Path(__file__).parent

router = APIRouter(include_in_schema=False)


def install(app: FastAPI) -> None:
    """Let an application serve the pages."""
    app.include_router(router)
    for name in ("static", "messages"):
        app.mount(f"/{name}", StaticFiles(directory=HERE / name, check_dir=False))


@router.get("/")
def choose() -> FileResponse:
    """Let a visitor choose a demo."""
    return _page("index.html")


@router.get("/s/{link}")
def take_part(link: str) -> FileResponse:
    """Open the page of a participant; it asks the API for everything else."""
    del link
    return _page("participant.html")


@router.get("/dashboard")
def follow() -> FileResponse:
    """Open the page of an experimenter."""
    return _page("dashboard.html")


@router.get("/media/{study_id}/{name}")
def media(study_id: StudyId, name: str, live: Live) -> FileResponse:
    """Send a file that an item of a study is shown by, and no other."""
    study = live.study(study_id)
    if study.folder is None or name not in study.media:
        raise HTTPException(404, f"study {study_id!r} shows no file {name!r}")
    return FileResponse(study.folder / name)


def _page(name: str) -> FileResponse:
    path = HERE / "static" / name
    if not path.is_file():
        raise HTTPException(404, "this page does not exist")
    return FileResponse(path)
