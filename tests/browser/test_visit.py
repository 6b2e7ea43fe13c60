"""From the link to the result, as a person goes."""

import pytest

from tests.browser._person import AFTER_ONSET, check, disturbances

LIKING = {"Cookie": 9, "Chocolate": 7, "Croissant": 5.5, "Popcorn": 4.5, "Strawberry": 4}


def test_a_visitor_of_the_demo_learns_the_favourite(server, context, visit):
    page = context.new_page()
    page.goto(server.url)
    page.get_by_role("link", name="The snack you really want").click()
    person = visit("snacks", page)
    person.agree()
    person.press("Continue")
    person.press("Start")
    person.react()
    person.press("Start")
    number = {str(n): n for n in range(10)}
    while person.stage() == "practice":
        person.answer(number.get)
        page.wait_for_selector("[data-phase=gate], .page")
    person.press("Start")
    while not page.locator(".result").count():
        # Between things that are far apart, people are quick.
        person.answer(lambda name: LIKING.get(name, 2.0), after=0.15)
        page.wait_for_selector("[data-phase=gate], .result")
    person.see("Cookie")
    assert page.get_by_role("heading", name="What your times changed").is_visible()
    assert page.locator(".ranking li").count() == 10
    person.press("Start again")
    person.see("The snack you really want")


@pytest.mark.parametrize("how", ["mouse", "touch"])
def test_one_can_point_at_what_one_chooses(browser, server, links, how):
    context = browser.new_context(has_touch=how == "touch", viewport={"width": 390, "height": 844})
    page = context.new_page()
    act = "tap" if how == "touch" else "click"
    page.goto(f"{server.url}/s/{links['short']}")
    getattr(page.get_by_role("checkbox"), act)()
    for button in ("Begin", "Continue", "Start", "Ready"):
        getattr(page.get_by_role("button", name=button, exact=True), act)()
    page.wait_for_selector("[data-phase=choice]")
    page.evaluate(AFTER_ONSET)
    with page.expect_request("**/responses/**") as sent:
        getattr(page.locator(".option.right"), act)()
    body = sent.value.post_data_json
    assert (body["choice"], body["input"], disturbances(body)) == ("right", how, [])
    context.close()


def test_the_keyboard_alone_is_enough(visit):
    person = visit("short").arrive()
    person.see("Fruit")
    keyboard = person.page.keyboard
    for key in ("Tab", "Space", "Tab", "Enter"):
        keyboard.press(key)
    for heading in ("How it works", "Ready when you are"):
        person.see(heading)
        keyboard.press("Tab")
        keyboard.press("Enter")
    for _ in range(4):
        person.answer()
    person.page.wait_for_selector(".result")


@pytest.mark.parametrize(
    ("button", "heading", "n_kept"),
    [
        ("Stop, but keep my answers", "You have left the study", 1),
        ("Stop and erase all my answers", "It is gone", 0),
    ],
)
def test_one_can_withdraw(visit, button, heading, n_kept):
    person = visit("short")
    person.to_questions()
    person.ready()
    stop = person.page.get_by_role("button", name="Stop and withdraw")
    assert stop.is_hidden()
    person.page.keyboard.press("ArrowLeft")
    person.phase("gate")
    stop.click()
    person.press("Go on")
    person.press("Stop and withdraw")
    person.press(button)
    person.see(heading)
    check(person.page)
    assert len(person.kept()) == n_kept


def test_a_broken_link_says_so(server, context):
    page = context.new_page()
    page.goto(f"{server.url}/s/full.r0.nonsense")
    page.get_by_role("heading", name="This link").wait_for()


def test_the_page_speaks_the_language_of_the_visitor(browser, server, links):
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(f"{server.url}/s/{links['short']}x")
    page.get_by_role("heading", name="Dieser Link").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    page.goto(server.url)
    page.get_by_role("link", name="Was Sie wirklich naschen wollen").click()
    page.get_by_text("Dies ist eine Vorführung.").wait_for()
    context.close()
