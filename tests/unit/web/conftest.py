"""A server in this process, with a study that people can take part in."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tacit.study.access import set_password
from tacit.study.live import LiveStudies
from tacit.study.signing import Link
from tacit.study.store import open_store
from tacit.web.app import create_app
from tacit.web.settings import Settings
from tests.in_process import running
from tests.unit.study._people import response, study

WORD = "correct horse"


@pytest.fixture
def live(tmp_path) -> Iterator[LiveStudies]:
    store = open_store(str(tmp_path / "study.db"))
    live = LiveStudies(store)
    live.add(study("[catch]\nrepeat_every = 5"))
    set_password(store, WORD)
    yield live
    store.close()


@pytest.fixture
def web(live) -> Iterator[httpx.Client]:
    app = create_app(Settings(store="unused"), live)
    with running(app) as transport:
        yield httpx.Client(base_url="http://testserver", transport=transport)


@pytest.fixture
def link(live) -> str:
    return live.signer.link(Link("tea", "reusable"))


class Visitor:
    """Somebody with a session."""

    def __init__(self, web: httpx.Client, link: str, resume_key: str | None = None) -> None:
        self.web = web
        self.key = resume_key or str(uuid.uuid4())
        reply = web.post("/api/v1/sessions", json={"link": link, "resume_key": self.key})
        assert reply.status_code in (200, 201), reply.text
        self.opened = reply.json()
        self.status = reply.status_code
        self.headers = {"Authorization": f"Bearer {self.opened['token']}"}
        self.path = f"/api/v1/sessions/{self.opened['session_id']}"
        self.trial = self.opened["view"]["trial"]

    def call(self, method: str, path: str = "", **options: Any) -> Any:
        return self.web.request(method, self.path + path, headers=self.headers, **options)

    def answer(self, choice: str = "left", **changed: Any) -> Any:
        """Answer the pending trial; returns the reply."""
        body = response(self.trial["sequence"], choice, **changed)
        reply = self.call("PUT", f"/responses/{self.trial['trial_id']}", json=body)
        if reply.status_code == 200:
            self.trial = reply.json()["trial"]
        return reply

    def finish(self) -> None:
        """Answer to the end."""
        while self.trial is not None:
            took = 400.0 + 37.5 * self.trial["sequence"]
            reply = self.answer("left" if self.trial["left"] == "oolong" else "right", took_ms=took)
            assert reply.status_code == 200, reply.text


@pytest.fixture
def visit(web, link) -> Callable[..., Visitor]:
    return lambda **options: Visitor(web, options.pop("link", link), **options)


@pytest.fixture
def experimenter(web) -> httpx.Client:
    """The same server, with the cookie of who is logged in."""
    reply = web.post("/api/v1/login", json={"password": WORD})
    assert reply.status_code == 204
    return web
