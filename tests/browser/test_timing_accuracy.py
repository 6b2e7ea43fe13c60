"""Times of known presses: where the truth is known, measured times must agree with it.

The truth is outside of the page. The compositor stamps the frame in which the stimulus is on the
screen; a key press is sent at a moment of this process's clock.
"""

import base64
import io
import logging
import statistics
import time

import numpy as np
import pytest
from PIL import Image

FRAME_MS = 1000 / 60
N_TRIALS = 25
BLANK_S = 0.3

PREPARE = """async () => {
  const { timeChoice } = await import("/static/timing.js");
  const box = document.createElement("div");
  document.body.replaceChildren(box);
  Object.assign(box.style, { position: "fixed", inset: 0, background: "#000" });
  window.ask = async () => {
    window.answer = null;
    box.style.visibility = "hidden";
    const show = () => { box.style.visibility = "visible"; };
    const keys = { left: ["f"], right: ["j"] };
    window.answer = await timeChoice({ show, keys, areas: {}, foreperiodMs: 300 });
  };
}"""


class Screen:
    """What the compositor draws, with its stamps in seconds since 1970."""

    def __init__(self, page):
        self.page = page
        self.frames = []
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.on("Page.screencastFrame", self._take)
        self.cdp.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})

    def _take(self, frame):
        picture = Image.open(io.BytesIO(base64.b64decode(frame["data"]))).convert("L")
        middle = (picture.width // 2, picture.height // 2)
        self.frames.append((frame["metadata"]["timestamp"], picture.getpixel(middle)))
        self.cdp.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def onset(self, earliest):
        """Wait for the stimulus, which is black; returns the stamp of its first frame."""
        while True:
            for stamp, brightness in self.frames:
                if brightness < 10 and stamp > earliest:
                    return stamp
            self.page.wait_for_timeout(5)

    def press_at(self, when):
        """Press a key at a time, as well as a process can; returns the time at which it was."""
        while time.time() < when:
            pass
        now = time.time()
        self.cdp.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "f", "code": "KeyF"})
        self.cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": "f", "code": "KeyF"})
        return now


@pytest.fixture(scope="module")
def measured(server, browser):
    """Errors of all valid times, in ms."""
    page = browser.new_page(viewport={"width": 320, "height": 240})
    page.goto(server.url)
    page.evaluate(PREPARE)
    screen = Screen(page)
    delays = np.random.default_rng(7)
    errors, n_void = [], 0
    for _ in range(N_TRIALS):
        asked = time.time()
        page.evaluate("void window.ask()")
        onset = screen.onset(asked + BLANK_S / 2)
        pressed = screen.press_at(onset + delays.uniform(0.25, 0.5))
        page.wait_for_function("window.answer !== null")
        answer = page.evaluate("window.answer")
        if answer["time_valid"]:
            time_ms = answer["response_ms"] - answer["onset_ms"]
            errors.append(time_ms - 1000 * (pressed - onset))
        n_void += not answer["time_valid"]
    page.close()
    logging.getLogger(__name__).info(
        "n %d, void %d, bias %.2f ms, median %.2f ms, sd %.2f ms; a frame takes %.2f ms",
        *(N_TRIALS, n_void, statistics.mean(errors), statistics.median(errors)),
        *(statistics.stdev(errors), FRAME_MS),
    )
    return errors


def test_times_are_right_on_average(measured):
    assert len(measured) >= N_TRIALS // 2
    assert abs(statistics.mean(measured)) <= FRAME_MS


def test_times_scatter_by_less_than_half_a_frame(measured):
    assert statistics.stdev(measured) <= FRAME_MS / 2
