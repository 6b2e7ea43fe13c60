"""Which times are valid, and what is said of those that are not."""

import time

import pytest

from tests.browser._person import AFTER_ONSET, disturbances


def answer(person, act=None, key="ArrowLeft"):
    """Answer a question, something happening before; returns the body that is sent."""
    person.ready()
    if act is not None:
        act()
        time.sleep(0.1)
    with person.page.expect_request("**/responses/**") as sent:
        person.page.keyboard.press(key)
    return sent.value.post_data_json


@pytest.fixture
def asked(visit):
    """A person who is about to be asked."""
    person = visit("short")
    person.to_questions()
    return person


def test_an_undisturbed_time_is_valid_and_unrounded(asked):
    body = answer(asked, lambda: time.sleep(0.3))
    assert disturbances(body) == []
    assert 0.3 < (body["response_ms"] - body["onset_ms"]) / 1000 < 5
    assert body["handler_ms"] >= body["response_ms"]
    assert body["clock"]["kind"] == "event.timeStamp"
    assert body["clock"]["grain_ms"] < 0.1


HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
BUSY = "() => { const end = performance.now() + 300; while (performance.now() < end); }"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (HIDE, "hidden"),
        ("() => window.dispatchEvent(new Event('blur'))", "blur"),
        (BUSY, "long_frame"),
    ],
)
def test_what_disturbs_is_named_and_the_choice_is_kept(asked, script, reason):
    body = answer(asked, lambda: asked.page.evaluate(script))
    assert not body["time_valid"]
    assert reason in body["reasons"]
    assert body["choice"] == "left"


def test_a_window_that_changes_its_size_is_named(asked):
    body = answer(asked, lambda: asked.page.set_viewport_size({"width": 900, "height": 700}))
    assert "resize" in body["reasons"]


def test_the_wall_clock_does_not_matter(asked):
    jump = "() => { const real = Date.now; Date.now = () => real() - 3_600_000; }"
    body = answer(asked, lambda: asked.page.evaluate(jump))
    assert disturbances(body) == []
    assert 0 < body["response_ms"] - body["onset_ms"] < 5000


def test_a_clock_that_jumps_makes_the_time_void(asked):
    jump = """() => {
      const real = performance.now.bind(performance);
      performance.now = () => real() - 3_600_000;
    }"""
    body = answer(asked, lambda: asked.page.evaluate(jump))
    assert "clock_jump" in body["reasons"]


def test_a_key_that_is_held_down_is_no_answer(asked):
    page = asked.page
    page.keyboard.down("ArrowLeft")
    page.keyboard.press("Space")
    asked.phase("choice")
    page.keyboard.down("ArrowLeft")  # as a key does that is held
    time.sleep(0.2)
    assert page.locator("[data-phase=choice]").count() == 1
    page.keyboard.up("ArrowLeft")
    with page.expect_request("**/responses/**") as sent:
        page.keyboard.press("ArrowRight")
    body = sent.value.post_data_json
    assert (body["choice"], disturbances(body)) == ("right", ["held_key"])


def test_a_press_that_comes_too_early_starts_the_blank_anew(asked):
    page = asked.page
    page.keyboard.press("Space")
    for _ in range(3):
        time.sleep(0.25)
        page.keyboard.press("ArrowLeft")
        assert asked.page.locator("[data-phase=blank]").count() == 1
    asked.phase("choice")
    page.evaluate(AFTER_ONSET)
    with page.expect_request("**/responses/**") as sent:
        page.keyboard.press("ArrowLeft")
    assert disturbances(sent.value.post_data_json) == []


def test_keys_with_modifiers_belong_to_the_browser(asked):
    asked.ready()
    asked.page.keyboard.press("Control+f")
    assert asked.page.locator("[data-phase=choice]").count() == 1
