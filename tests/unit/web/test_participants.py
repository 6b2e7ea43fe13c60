import json

import pytest

from tacit.study import recommendation
from tacit.study.signing import Link
from tests.unit.study._people import response, study


def test_from_link_to_result(visit):
    someone = visit()
    assert someone.status == 201
    assert someone.opened["view"]["stage"] == "main"
    assert someone.trial["shown_before"] is False
    someone.finish()
    view = someone.call("GET").json()
    assert (view["stage"], view["trial"], view["progress"]["share_done"]) == ("result", None, 1.0)
    estimate = someone.call("GET", "/estimate").json()
    assert estimate["favourite"] == estimate["ranking"][0]["item_id"]
    n = view["next_sequence"] - 1
    early = someone.call("POST", "/completion", json={"n_responses": n + 2, "last_sequence": n + 2})
    assert (early.status_code, early.json()["missing"]) == (409, [n + 1, n + 2])
    done = someone.call("POST", "/completion", json={"n_responses": n, "last_sequence": n})
    assert done.json() == {"complete": True, "completion_url": None, "completion_code": None}


def test_the_same_answer_is_acknowledged_again_and_another_one_is_a_conflict(visit):
    someone = visit()
    body = response(1, "left")
    replies = [someone.call("PUT", "/responses/t0001", json=body) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [200, 200, 200]
    assert replies[0].json()["trial"]["shown_before"] is False
    assert replies[1].json()["trial"] == replies[2].json()["trial"]
    assert replies[1].json()["trial"]["shown_before"] is True
    for other in (body | {"choice": "right"}, body | {"response_ms": 1e6}):
        reply = someone.call("PUT", "/responses/t0001", json=other)
        assert reply.status_code == 409
        assert reply.headers["content-type"] == "application/problem+json"
    assert someone.call("GET").json()["progress"]["n_answered"] == 1


def test_coming_back_finds_the_same_trial_flagged(visit):
    someone = visit()
    someone.answer()
    pending = someone.trial
    again = visit(resume_key=someone.key)
    assert again.status == 200
    assert again.opened["session_id"] == someone.opened["session_id"]
    assert again.trial == pending | {"shown_before": True}
    assert visit().opened["session_id"] != someone.opened["session_id"]


def test_two_tabs_answer_a_trial_once(visit):
    one = visit()
    other = visit(resume_key=one.key)
    assert one.answer("left").status_code == 200
    assert other.answer("right").status_code == 409
    assert other.call("GET").json()["trial"]["sequence"] == 2


def test_a_single_link_is_for_one_browser(visit, live):
    single = live.signer.link(Link("tea", "single", "ab12"))
    someone = visit(link=single)
    assert visit(link=single, resume_key=someone.key).status == 200
    body = {"link": single, "resume_key": "00000000-0000-4000-8000-000000000000"}
    refused = someone.web.post("/api/v1/sessions", json=body)
    assert refused.status_code == 409
    assert "used already" in refused.json()["detail"]


def test_a_preview_leaves_the_study_open_to_change(visit, live):
    visit(link=live.signer.link(Link("tea", "preview"))).finish()
    assert live.store.studies()[0].frozen_at is None
    visit()
    assert live.store.studies()[0].frozen_at is not None


def test_a_preview_of_a_changed_study_begins_anew(visit, live):
    preview = live.signer.link(Link("tea", "preview"))
    someone = visit(link=preview)
    live.add(study("[timing]\nslowest = 20"))
    again = visit(link=preview, resume_key=someone.key)
    assert again.status == 201
    assert again.opened["session_id"] != someone.opened["session_id"]


@pytest.mark.parametrize("erase", [False, True])
def test_withdrawal_ends_a_session_and_can_erase_it(visit, live, erase):
    someone = visit()
    someone.answer()
    event = {"event_id": "e", "name": "blur", "at_ms": 1.0, "detail": {}}
    assert someone.call("POST", "/events", json={"events": [event]}).json() == {"accepted": 1}
    for _ in range(2):
        reply = someone.call("POST", "/withdrawal", json={"erase": erase})
        assert reply.json() == {"stage": "withdrawn"}
    view = someone.call("GET").json()
    assert (view["stage"], view["trial"]) == ("withdrawn", None)
    assert someone.answer().status_code == (404 if erase else 409)
    assert someone.call("POST", "/events", json={"events": [event]}).status_code == 409
    kept = [line.entry.kind for line in live.store.log(someone.opened["session_id"])]
    assert ("answered" in kept) is not erase
    assert len(live.store.events(someone.opened["session_id"])) == (0 if erase else 1)


def test_events_count_once(visit, live):
    someone = visit()
    event = {"event_id": "e1", "name": "hidden", "at_ms": 12.5, "detail": {"left": 1}}
    batch = {"events": [event, event | {"event_id": "e2"}]}
    for _ in range(2):
        assert someone.call("POST", "/events", json=batch).json() == {"accepted": 2}
    assert len(live.store.events(someone.opened["session_id"])) == 2


def test_what_a_restarted_server_replays_is_the_same_to_the_last_bit(visit, live):
    someone = visit()
    for _ in range(7):
        someone.answer(took_ms=812.3)
    stored = live.store.session(someone.opened["session_id"])
    before = live.replay(stored)
    forgetful = type(live)(live.store)
    forgetful.add(live.study("tea"))
    after = forgetful.replay(stored)
    assert after.learner_state.to_json() == before.learner_state.to_json()
    assert recommendation(after) == recommendation(before)


BODIES = [
    (b"{", 400, "not sound JSON"),
    (b"\xff\xfe{}", 400, "not sound JSON"),
    (b'{"sequence": NaN}', 400, "NaN is not JSON"),
    (b'{"sequence": 1e999}', 400, "too large"),
    (b'{"sequence": ' + b"9" * 5000 + b"}", 400, "too long"),
    (b"[" * 100_000, 400, "not sound JSON"),
    (b'{"input": "\\ud800"}', 400, "half of a surrogate pair"),
    (b'{"input": "\\u0000"}', 400, "NUL"),
    (b'"' + b"x" * 1_100_000 + b'"', 413, "at most"),
    (b"{}", 422, "sequence: Field required"),
    (b"[]", 422, "valid dictionary"),
    (b"", 422, "Field required"),
]


@pytest.mark.parametrize(("body", "status", "detail"), BODIES, ids=range(len(BODIES)))
def test_a_corrupted_body_is_refused_and_changes_nothing(visit, body, status, detail):
    someone = visit()
    reply = someone.web.put(
        f"{someone.path}/responses/t0001",
        headers=someone.headers | {"Content-Type": "application/json"},
        content=body,
    )
    assert (reply.status_code, reply.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    assert detail in reply.json()["detail"]
    assert someone.call("GET").json()["progress"]["n_answered"] == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"sequence": 0},
        {"sequence": "1"},
        {"choice": "up"},
        {"onset_ms": "now"},
        {"response_ms": 1e300},
        {"time_valid": 1},
        {"reasons": ["x" * 65]},
        {"reasons": "hidden"},
        {"clock": {}},
        {"extra": 1},
    ],
    ids=json.dumps,
)
def test_a_response_is_checked_to_the_last_field(visit, changed):
    someone = visit()
    reply = someone.call("PUT", "/responses/t0001", json=response(1) | changed)
    assert reply.status_code == 422
    (error,) = reply.json()["errors"][:1]
    assert error["location"].startswith("body." + next(iter(changed)))


def test_a_body_of_another_type_is_refused(visit):
    someone = visit()
    reply = someone.call("PUT", "/responses/t0001", data={"sequence": 1})
    assert (reply.status_code, reply.json()["title"]) == (415, "Unsupported Media Type")


def test_hostile_texts_are_kept_as_they_are(web, live, link):
    hostile = "'; DROP TABLE sessions; -- <script>alert(1)</script> =cmd|' /C calc'!A0"
    body = {
        "link": link,
        "resume_key": "7d9f1c50-6a4e-4f0e-9a54-0e6f2f1f6a11",
        "parameters": {"PROLIFIC_PID": hostile},
        "client": {"user_agent": hostile},
    }
    opened = web.post("/api/v1/sessions", json=body)
    assert opened.status_code == 201
    assert web.post("/api/v1/sessions", json=body).status_code == 200
    stored = live.store.session(opened.json()["session_id"])
    assert stored.parameters == {"PROLIFIC_PID": hostile}
    assert stored.client == {"user_agent": hostile}


@pytest.mark.parametrize(
    "link",
    ["", "tea", "tea.r0", "tea.r0.aaaa", "tea.x0.aaaa", "coffee.r0." + "a" * 32, "ü.r0.x"],
)
def test_a_link_that_is_not_ours_is_refused(web, link):
    body = {"link": link, "resume_key": "7d9f1c50-6a4e-4f0e-9a54-0e6f2f1f6a11"}
    reply = web.post("/api/v1/sessions", json=body)
    assert (reply.status_code, reply.json()["title"]) == (403, "Forbidden")
