"""A real server, a real browser, and a person who walks through the pages."""

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

PATIENCE_S = 30.0

STUDY = """
[study]
id = "fruit"
title = "Fruit"
question = "Which fruit?"
instructions = ["Choose one of two."]
calibration = true
break_every = 4

[consent]
version = "2"
text = "First paragraph.\\n\\nSecond paragraph."

[practice]
question = "Which number is larger?"
n_trials = 2
n_correct_needed = 1

[[practice.items]]
id = "two"
name = "2"
value = 2

[[practice.items]]
id = "nine"
name = "9"
value = 9

[budget]
queries = 6

[[items]]
id = "apple"
name = "Apple"

[[items]]
id = "pear"
name = "Pear"

[[items]]
id = "plum"
name = "Plum"
"""

SHORT = STUDY.split("[practice]")[0].replace("calibration = true\nbreak_every = 4\n", "").replace(
    '"fruit"', '"short"'
) + STUDY.split("value = 9\n")[1].replace("queries = 6", "queries = 4")


class Server:
    """`tacit serve`, which can be killed and started again on the same store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        for name, text in (("fruit", STUDY), ("short", SHORT)):
            (folder / f"{name}.toml").write_text(text)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [sys.executable, "-m", "tacit.cli", "serve", "fruit.toml", "short.toml"]
        command += ["--demos", "--store", "study.db", "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            try:
                self.get("/health")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
            else:
                return
        raise AssertionError((self.folder / "server.log").read_text())

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def get(self, path: str) -> Any:
        """Read from the API."""
        with urllib.request.urlopen(f"{self.url}/api/v1{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)


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
    return demos | {study: _printed_link(server, study) for study in ("fruit", "short")}


def _printed_link(server: Server, study: str) -> str:
    log = (server.folder / "server.log").read_text()
    line = next(line for line in log.splitlines() if line.startswith(f"{study}, reusable"))
    return line.rpartition("/")[2]


@pytest.fixture(scope="session")
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


class Person:
    """Somebody in front of one tab."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._listen)

    def _listen(self, message: Any) -> None:
        # A browser's own note on a failed request is no error of the page.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def arrive(self) -> "Person":
        self.page.goto(self.url)
        return self

    def stage(self) -> str | None:
        return self.page.evaluate("document.body.dataset.stage")

    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    def see(self, text: str) -> None:
        """Wait until the heading says something."""
        self.page.get_by_role("heading", level=1, name=text).wait_for()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def agree(self) -> None:
        self.page.get_by_role("checkbox").check()
        self.press("Begin")

    def react(self) -> None:
        """Press whenever the circle lights up, until the device is measured."""
        while self.stage() == "calibration":
            self.page.wait_for_selector(".disc.lit, .page", state="attached")
            if self.page.locator(".disc.lit").count():
                self.page.keyboard.press("Space")
                self.page.wait_for_selector(".disc:not(.lit), .page", state="attached")

    def phase(self, phase: str) -> None:
        self.page.wait_for_selector(f"[data-phase={phase}]")

    def ready(self) -> tuple[str, str]:
        """Ask for the next pair; returns what is left and right."""
        self.phase("gate")
        self.page.keyboard.press("Space")
        self.phase("choice")
        options = self.page.locator(".option")
        left, right = (options.nth(side).get_attribute("aria-label") or "" for side in (0, 1))
        return left, right

    def answer(self, prefers: Callable[[str], float] = len, *, after: float = 0.0) -> None:
        """Answer one question, `after` seconds after it was seen."""
        left, right = self.ready()
        time.sleep(after)
        self.page.keyboard.press("ArrowLeft" if prefers(left) > prefers(right) else "ArrowRight")
        self.page.wait_for_selector("[data-phase=choice]", state="detached")

    def to_questions(self) -> None:
        """Go through the short study up to its first question."""
        self.arrive()
        self.agree()
        self.press("Continue")
        self.press("Start")
        self.phase("gate")

    def session(self) -> dict[str, Any]:
        """Read the session from the API as the page does."""
        key = json.dumps(self.url.rpartition("/")[2])
        script = f"""async () => {{
          const link = {key};
          const resume_key = localStorage.getItem(`tacit session ${{link}}`);
          const body = JSON.stringify({{ link, resume_key }});
          const headers = {{ "Content-Type": "application/json" }};
          const opened = await fetch("/api/v1/sessions", {{ method: "POST", headers, body }});
          return (await opened.json()).view;
        }}"""
        return self.page.evaluate(script)

    def kept(self) -> list[dict[str, Any]]:
        """Return the answers that the page keeps on this device."""
        return self.page.evaluate(
            """() => new Promise((resolve) => {
              indexedDB.open("tacit").onsuccess = ({ target: { result: database } }) => {
                const store = database.transaction("responses").objectStore("responses");
                store.getAll().onsuccess = ({ target: { result: rows } }) => {
                  database.close();
                  resolve(rows);
                };
              };
            })"""
        )


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
