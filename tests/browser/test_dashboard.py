"""The experimenter's page: log in, watch a session arrive, make a link, take the data away."""

import pytest
from axe_playwright_python.sync_playwright import Axe


@pytest.fixture
def dashboard(server, context):
    page = context.new_page()
    page.goto(f"{server.url}/dashboard")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").get_by_text("not the password").wait_for()
    page.get_by_label("Password").fill(server.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("live", exact=True).wait_for()
    return page


def tile(page, name):
    return page.locator(".tile", has_text=name).locator("dd").inner_text()


def test_a_session_is_seen_as_it_happens(dashboard, visit):
    dashboard.goto(dashboard.url.partition("#")[0] + "#short")
    dashboard.get_by_role("heading", level=1, name="Fruit").wait_for()
    dashboard.locator(".tile").first.wait_for()
    before = int(tile(dashboard, "Answers"))
    person = visit("short")
    person.to_questions()
    for _ in range(4):
        person.answer(after=0.2)
    person.page.locator(".result").wait_for()
    after = str(before + 4)
    dashboard.locator(".tile dd", has_text=after).wait_for()
    assert tile(dashboard, "Answers") == after
    assert dashboard.get_by_role("img", name="Histogram of").count() == 1
    favourite = person.page.locator(".result h1").inner_text()
    assert dashboard.locator("tbody tr").first.get_by_text(favourite).count() == 1
    found = Axe().run(dashboard)
    assert found.violations_count == 0, found.generate_report()


def test_links_and_exports_work(dashboard, context):
    dashboard.get_by_label("How many").fill("2")
    dashboard.get_by_role("button", name="Make links").click()
    links = dashboard.locator(".made a")
    links.nth(1).wait_for()
    visitor = context.new_page()
    visitor.goto(links.nth(0).get_attribute("href"))
    visitor.get_by_role("checkbox").wait_for()
    with dashboard.expect_download() as taken:
        dashboard.get_by_role("link", name="CSV").click()
    assert taken.value.path().stat().st_size > 0
