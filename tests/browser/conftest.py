"""A real server, a real browser, and people who visit."""

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from tests.browser._person import Person
from tests.browser._server import PATIENCE_S, STUDIES, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of this test process."""
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def links(server: Server) -> dict[str, str]:
    """The reusable link of every study."""
    demos = {demo["study_id"]: demo["link"] for demo in server.get("/demos")}
    return demos | {study: _printed_link(server, study) for study in STUDIES}


def _printed_link(server: Server, study: str) -> str:
    log = (server.folder / "server.log").read_text()
    line = next(line for line in log.splitlines() if line.startswith(f"{study}, reusable"))
    return line.rpartition("/")[2]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    path = shutil.which("chromium")
    assert path, "the browser tests need Debian's chromium: apt install chromium"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor's browser: own storage, English, a desktop."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(1000 * PATIENCE_S)
    yield context
    context.close()


@pytest.fixture
def brief(context: BrowserContext) -> None:
    """Measure one reaction of a visitor; the demo's measures all of them."""

    def shorten(route: Route) -> None:
        reply = route.fetch()
        whole = reply.text()
        assert "N_REACTIONS = 5;" in whole
        route.fulfill(response=reply, body=whole.replace("N_REACTIONS = 5;", "N_REACTIONS = 1;"))

    context.route("**/static/calibration.js", shorten)


@pytest.fixture
def visit(
    server: Server, links: dict[str, str], context: BrowserContext
) -> Iterator[Callable[..., Person]]:
    """Open tabs on studies; afterwards no page may have reported an error."""
    people: list[Person] = []

    def visit(study: str, page: Page | None = None) -> Person:
        url = f"{server.url}/s/{links[study]}"
        people.append(Person(page or context.new_page(), url))
        return people[-1]

    yield visit
    assert [person.errors for person in people] == [[] for _ in people]
