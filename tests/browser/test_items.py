"""What is chosen among: texts in any script, type, colours, sounds."""

import time

from tests.browser._person import check, disturbances
from tests.browser._server import TONE_S

NOTE_CHOICE = """() => {
  const trial = document.querySelector(".trial");
  const note = () => {
    if (trial.dataset.phase === "choice") window.shown ??= performance.now();
  };
  new MutationObserver(note).observe(trial, { attributes: true });
}"""


def test_a_study_is_read_from_right_to_left_and_left_stays_left(visit):
    person = visit("arabic").arrive()
    page = person.page
    person.see("ألوان")
    assert page.locator("html").get_attribute("dir") == "rtl"
    check(page)
    page.get_by_role("checkbox").check()
    person.press("ابدأ")
    person.see("كيف يسير الأمر")
    check(page)
    person.press("متابعة")
    person.see("حين تكون مستعدا")
    check(page)
    person.press("ابدأ")
    kinds = set()
    for number in range(3):
        left, right = person.ready()
        boxes = [page.locator(f".option.{side}").bounding_box()["x"] for side in ("left", "right")]
        assert boxes[0] < boxes[1]
        kinds |= {left, right}
        check(page)
        with page.expect_request("**/responses/**") as sent:
            page.keyboard.press("ArrowLeft")
        assert sent.value.post_data_json["choice"] == "left"
        if number == 1:
            person.see("خذ نفسا")
            check(page)
            person.press("متابعة")
    # What looks like markup is a name.
    assert kinds == {"كلمة", "خط", "<b>ألوان</b>"}
    page.locator(".result").wait_for()
    assert page.locator(".result b").count() == 0
    check(page)


def test_words_that_are_not_the_studys_are_read_in_their_own_direction(visit):
    person = visit("hebrew").arrive()
    person.see("Fruit")
    assert person.page.locator("html").get_attribute("dir") == "ltr"


def test_sounds_are_timed_from_the_start_of_the_second(visit):
    person = visit("sounds").arrive()
    page = person.page
    person.press("Start")
    person.phase("gate")
    page.evaluate(NOTE_CHOICE)
    page.keyboard.press("Space")
    person.phase("choice")
    time.sleep(2.0)
    with page.expect_request("**/responses/**") as sent:
        page.keyboard.press("ArrowLeft")
    body = sent.value.post_data_json
    assert disturbances(body) == []
    # The first tone and the gap come before the onset.
    shown = page.evaluate("window.shown")
    assert 1000 * TONE_S < body["onset_ms"] - shown < 2000
    assert body["response_ms"] > body["onset_ms"]
