"""A person in front of a browser tab."""

import json
import time
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# A press before the onset, two frames after the change of phase, would be too early.
AFTER_ONSET = "new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))"


def disturbances(body: dict[str, Any]) -> list[str]:
    """Return why a time is void, but for frames that a loaded machine draws late."""
    assert body["time_valid"] == (body["reasons"] == [])
    return [reason for reason in body["reasons"] if reason != "long_frame"]


def check(page: Page) -> None:
    """Find nothing that axe objects to, and nothing that must be scrolled sideways."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


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
        self.page.evaluate(AFTER_ONSET)
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
