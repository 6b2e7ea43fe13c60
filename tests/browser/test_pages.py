"""Every page: accessible, light on the network, in both directions of writing."""

import pytest

from tests.browser._person import check

FIRST_PAGE_BYTES = 150_000
LOOKS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "color_scheme": "dark",
        "has_touch": True,
        "is_mobile": True,
        "reduced_motion": "reduce",
    },
}


@pytest.fixture(params=LOOKS)
def context(request, browser):
    context = browser.new_context(locale="en-GB", **LOOKS[request.param])
    yield context
    context.close()


@pytest.mark.usefixtures("brief")
def test_every_screen_of_a_visit_is_accessible(visit):
    person = visit("full").arrive()
    page = person.page
    person.see("Fruit")
    check(page)
    person.press("Begin")
    assert "tick the box" in page.get_by_role("alert").inner_text()
    check(page)
    person.agree()
    person.see("How it works")
    check(page)
    person.press("Continue")
    person.press("Start")
    page.wait_for_selector(".disc")
    check(page)
    person.react()
    person.press("Start")
    person.ready()
    check(page)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("That was the other one.").or_(page.get_by_text("Right.")).wait_for()
    person.answer(float)
    person.press("Start")
    person.phase("gate")
    check(page)
    person.press("Stop and withdraw")
    check(page)
    person.press("Go on")
    for _ in range(2):
        person.answer()
    person.see("Take a breath")
    check(page)
    person.press("Continue")
    person.answer()
    page.wait_for_selector(".result")
    check(page)


def test_first_pages_are_accessible(server, context):
    page = context.new_page()
    for path, heading in (
        ("/", "What you like"),
        ("/dashboard", "Dashboard"),
        ("/s/x", "This link"),
    ):
        page.goto(server.url + path)
        page.get_by_role("heading", level=1, name=heading).wait_for()
        # What moves is judged where it comes to rest.
        page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
        check(page)


@pytest.mark.parametrize("page_of", ["demos", "participant", "dashboard"])
def test_the_first_page_is_light(server, links, context, page_of):
    paths = {"demos": "/", "participant": f"/s/{links['snacks']}", "dashboard": "/dashboard"}
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    sizes = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(server.url + paths[page_of])
    page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) <= FIRST_PAGE_BYTES


def test_nothing_comes_from_elsewhere(server, links, context):
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/s/{links['snacks']}")
    page.wait_for_load_state("networkidle")
    assert {url.partition("/static")[0].partition("/s/")[0] for url in asked} >= {server.url}
    assert [url for url in asked if not url.startswith(server.url)] == []
    assert page.evaluate("crossOriginIsolated")
