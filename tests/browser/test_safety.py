"""No answer is lost, and nobody gets lost: networks fail, pages are reloaded, servers die."""

import pytest

from tests.browser._person import disturbances


def sequences(person):
    return [row["body"]["sequence"] for row in person.kept()]


def test_an_answer_given_offline_arrives_later(visit, context):
    person = visit("short")
    person.to_questions()
    person.answer()
    person.ready()
    context.set_offline(True)
    person.page.keyboard.press("ArrowLeft")
    person.page.get_by_text("No connection.").wait_for()
    assert [row["confirmed"] for row in person.kept()] == [True, False]
    context.set_offline(False)
    person.phase("gate")
    assert person.page.get_by_text("No connection.").count() == 0
    assert [row["confirmed"] for row in person.kept()] == [True, True]
    assert person.session()["progress"]["n_answered"] == 2


def test_a_page_that_is_closed_offline_delivers_when_it_is_opened_again(visit, context):
    person = visit("short")
    person.to_questions()
    person.ready()
    # Only the API is away: an offline browser could not load the page again.
    context.route("**/api/**", lambda route: route.abort())
    person.page.keyboard.press("ArrowLeft")
    person.page.get_by_text("No connection.").wait_for()
    person.page.close()
    context.unroute("**/api/**")
    later = visit("short").arrive()
    later.see("Welcome back")
    assert later.session()["progress"]["n_answered"] == 1


# What a browser does whose user lets no site store anything.
NOTHING_IS_STORED = """
  const refuse = () => { throw new DOMException("not allowed", "SecurityError"); };
  Object.defineProperty(window, "localStorage", { get: refuse });
  IDBFactory.prototype.open = refuse;
"""
WOULD_ASK = """() => {
  const leaving = new Event("beforeunload", { cancelable: true });
  dispatchEvent(leaving);
  return leaving.defaultPrevented;
}"""


def test_a_browser_that_stores_nothing_is_enough(visit, context):
    context.add_init_script(NOTHING_IS_STORED)
    person = visit("short")
    person.to_questions()
    person.answer()
    person.ready()
    assert not person.page.evaluate(WOULD_ASK)
    context.set_offline(True)
    person.page.keyboard.press("ArrowLeft")
    person.page.get_by_text("Leave this page open").wait_for()
    assert person.page.evaluate(WOULD_ASK)
    context.set_offline(False)
    person.phase("gate")
    assert not person.page.evaluate(WOULD_ASK)
    person.page.reload()
    person.see("Welcome back")
    person.press("Start")
    for _ in range(2):
        person.answer()
    person.page.wait_for_selector(".result")


def test_a_disk_that_fails_on_the_way_loses_nothing(visit, context):
    person = visit("short")
    person.to_questions()
    person.answer()
    person.phase("gate")
    person.page.evaluate("() => { IDBObjectStore.prototype.put = () => { throw Error(); }; }")
    context.set_offline(True)
    person.answer()
    person.page.get_by_text("Leave this page open").wait_for()
    context.set_offline(False)
    for _ in range(2):
        person.answer()
    person.page.wait_for_selector(".result")


def test_one_can_withdraw_while_an_answer_is_on_its_way(visit, context):
    person = visit("short")
    person.to_questions()
    context.route("**/responses/**", lambda route: route.abort())
    person.answer()
    person.page.get_by_text("No connection.").wait_for()
    person.press("Stop and withdraw")
    person.press("Stop, but keep my answers")
    person.see("You have left the study")


@pytest.mark.parametrize("status", [500, 503, 507])
def test_a_server_in_trouble_is_asked_again(visit, context, status):
    person = visit("short")
    person.to_questions()
    troubles = iter([status, 200])

    def answer(route):
        if next(troubles) == 200:
            route.continue_()
        else:
            route.fulfill(status=status, body="no JSON at all")

    context.route("**/responses/**", answer)
    person.answer()
    person.phase("gate")
    assert [row["confirmed"] for row in person.kept()] == [True]


def test_an_acknowledgement_that_is_lost_does_no_harm(visit, context):
    person = visit("short")
    person.to_questions()
    lost = []

    def answer(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    context.route("**/responses/**", answer)
    person.answer()
    person.phase("gate")
    assert len(lost) == 1
    assert person.session()["progress"]["n_answered"] == 1


@pytest.mark.usefixtures("brief")
def test_every_screen_survives_a_reload(visit):
    person = visit("full").arrive()

    def reload(heading):
        person.see(heading)
        person.page.reload()
        person.see(heading)

    reload("Fruit")
    person.agree()
    reload("How it works")
    person.press("Continue")
    reload("How fast is this device?")
    person.press("Start")
    person.react()
    reload("First, some practice")
    person.press("Start")
    person.answer(float)
    person.answer(float)
    reload("Ready when you are")
    person.press("Start")
    person.ready()
    shown = person.session()["trial"]
    person.page.reload()
    person.see("Ready when you are")
    person.press("Start")
    with person.page.expect_request("**/responses/**") as sent:
        person.answer()
    body = sent.value.post_data_json
    assert (body["sequence"], disturbances(body)) == (shown["sequence"], ["resumed"])
    person.answer()
    person.see("Take a breath")
    person.page.reload()
    person.see("Welcome back")
    person.press("Start")
    person.answer()
    favourite = person.page.locator(".result h1")
    favourite.wait_for()
    name = favourite.inner_text()
    person.page.reload()
    person.see(name)
    assert sequences(person) == list(range(1, 6))


def test_only_one_tab_holds_a_session(visit):
    first = visit("short")
    first.to_questions()
    first.answer()
    first.phase("gate")
    second = visit("short").arrive()
    second.see("This study is open in another tab")
    second.press("Continue here")
    first.see("Open elsewhere")
    second.see("Welcome back")
    second.press("Start")
    second.answer()
    second.phase("gate")
    assert sequences(second) == [1, 2]
    first.press("Continue here")
    first.see("This study is open in another tab")


def test_a_server_that_dies_is_waited_for(visit, server):
    person = visit("short")
    person.to_questions()
    person.answer()
    person.ready()
    server.kill()
    person.page.keyboard.press("ArrowLeft")
    person.page.get_by_text("No connection.").wait_for()
    server.start()
    person.phase("gate")
    for _ in range(2):
        person.answer()
    person.page.wait_for_selector(".result")
    assert person.session()["progress"]["n_answered"] == 4


def test_an_answer_that_the_server_has_lost_is_sent_again(visit, context):
    person = visit("short")
    person.to_questions()
    for _ in range(3):
        person.answer()
        person.phase("gate")

    def forget(route):
        reply = route.fetch()
        opened = reply.json()
        opened["view"]["next_sequence"] = 3
        route.fulfill(response=reply, json=opened)

    context.route("**/api/v1/sessions", forget, times=1)
    with person.page.expect_request("**/responses/**") as sent:
        person.page.reload()
    assert sent.value.post_data_json["sequence"] == 3
    person.see("Welcome back")
