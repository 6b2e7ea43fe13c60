import csv
import io
import json
import zipfile

import pytest

from tacit.study.access import set_password
from tacit.study.signing import Link
from tests.unit.web.conftest import WORD

READS = [
    "/api/v1/studies",
    "/api/v1/studies/tea",
    "/api/v1/studies/tea/sessions",
    "/api/v1/metrics",
]
EXPORT = "/api/v1/studies/tea/export"


def key_with(experimenter, *scopes) -> dict:
    body = {"name": "robot", "scopes": list(scopes)}
    made = experimenter.post("/api/v1/keys", json=body).json()
    experimenter.cookies.clear()
    return {"Authorization": f"Bearer {made['key']}"}


def test_the_dashboard_sees_studies_and_sessions(visit, experimenter, live):
    someone = visit()
    someone.finish()
    visit(link=live.signer.link(Link("tea", "preview"))).answer()
    (study,) = experimenter.get("/api/v1/studies").json()
    assert (study["study_id"], study["n_sessions"]) == ("tea", 2)
    summary = experimenter.get("/api/v1/studies/tea").json()["summary"]
    assert summary["sessions"] == {"result": 1}
    assert summary["n_answers"] == sum(summary["rt_histogram"]["counts"]) == 14
    assert summary["leaders"][0]["item_id"] == summary["recent"][0]["favourite"]
    rows = experimenter.get("/api/v1/studies/tea/sessions").json()
    assert [row["preview"] for row in rows] == [False, True]


def test_the_live_stream_begins_with_a_summary(visit, live):
    import asyncio

    from tacit.web.routes.live import follow

    visit().answer()

    class Request:
        async def is_disconnected(self) -> bool:
            return False

    async def first() -> str:
        response = await follow("tea", live, Request())
        assert response.media_type == "text/event-stream"
        return await anext(response.body_iterator)

    event, data = asyncio.run(first()).splitlines()[:2]
    assert event == "event: summary"
    assert json.loads(data.removeprefix("data: "))["n_answers"] == 1


def test_links_of_each_kind_open_the_study(visit, experimenter):
    body = {"kind": "single", "n": 3}
    made = experimenter.post("/api/v1/studies/tea/links", json=body).json()
    assert len({one["link"] for one in made}) == 3
    assert all(one["url"].endswith(f"/s/{one['link']}") for one in made)
    assert visit(link=made[0]["link"]).status == 201
    missing = experimenter.post("/api/v1/studies/coffee/links", json=body)
    assert missing.status_code == 404


def test_a_wrong_password_is_refused_and_guessing_is_stopped(web):
    for _ in range(10):
        assert web.post("/api/v1/login", json={"password": "guess"}).status_code == 401
    assert web.post("/api/v1/login", json={"password": WORD}).status_code == 429


def test_logging_out_and_a_new_password_end_the_login(experimenter, live):
    cookie = dict(experimenter.cookies)
    assert experimenter.get("/api/v1/studies").status_code == 200
    assert experimenter.post("/api/v1/logout").status_code == 204
    assert experimenter.get("/api/v1/studies").status_code == 401
    experimenter.cookies.update(cookie)
    assert experimenter.get("/api/v1/studies").status_code == 200
    set_password(live.store, "another one")
    assert experimenter.get("/api/v1/studies").status_code == 401


def test_a_page_of_another_origin_cannot_act_for_who_is_logged_in(experimenter):
    body = {"kind": "single"}
    path = "/api/v1/studies/tea/links"
    foreign = experimenter.post(path, json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 401
    own = experimenter.post(path, json=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert own.status_code == 201


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [(("read",), {"read"}), (("export",), {"export"}), (("links",), {"links"}), ((), set())],
)
def test_the_authorisation_matrix(visit, experimenter, scopes, allowed):
    """Who may do what: nobody, participants with their own and other tokens, keys by scope."""
    one, other = visit(), visit()
    one.answer()
    doors = {
        "read": [("GET", path, None) for path in READS],
        "export": [("GET", EXPORT, None)],
        "links": [("POST", "/api/v1/studies/tea/links", {"kind": "preview"})],
        "keys": [("GET", "/api/v1/keys", None), ("POST", "/api/v1/logout", None)],
    }
    mine = [
        ("GET", "", None),
        ("GET", "/estimate", None),
        ("PUT", "/stages/consent", {}),
        ("PUT", "/responses/t0001", {}),
        ("POST", "/events", {"events": []}),
        ("POST", "/completion", {"n_responses": 0, "last_sequence": 0}),
        ("POST", "/withdrawal", {"erase": False}),
    ]
    web = experimenter
    key = key_with(experimenter, *scopes) if scopes else {}
    web.cookies.clear()
    revoked = {"Authorization": "Bearer tk_000000000000_aaaa"}
    for headers in (key, {}, revoked, one.headers):
        for scope, requests in doors.items():
            for method, path, body in requests:
                status = web.request(method, path, json=body, headers=headers).status_code
                if headers is key and scope in allowed:
                    assert status in (200, 201), (scope, path)
                elif headers is key and scopes:
                    assert status == 403, (scope, path)
                else:
                    assert status == 401, (scope, path)
    for headers in (key, {}, other.headers, {"Authorization": f"Basic {one.opened['token']}"}):
        for method, path, body in mine:
            reply = web.request(method, one.path + path, json=body, headers=headers)
            assert reply.status_code == 401, (method, path)
    assert one.call("GET").status_code == 200
    unknown = web.get("/api/v1/sessions/" + "0" * 24, headers=one.headers)
    assert unknown.status_code == 401


def test_a_revoked_key_opens_nothing(experimenter):
    made = experimenter.post("/api/v1/keys", json={"name": "r", "scopes": ["read"]}).json()
    assert "key" not in experimenter.get("/api/v1/keys").json()[0]
    headers = {"Authorization": f"Bearer {made['key']}"}
    assert experimenter.get("/api/v1/studies", headers=headers).status_code == 200
    assert experimenter.delete(f"/api/v1/keys/{made['key_id']}").status_code == 204
    assert experimenter.get("/api/v1/studies", headers=headers).status_code == 401
    assert experimenter.delete("/api/v1/keys/000000000000").status_code == 404


def test_the_csv_holds_every_answer(visit, experimenter):
    someone = visit()
    someone.finish()
    reply = experimenter.get(EXPORT)
    assert reply.headers["content-disposition"] == 'attachment; filename="tea-trials.csv"'
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert len(rows) == 14
    assert {row["person"] for row in rows} == {someone.opened["session_id"]}
    for row in rows:
        chosen = row[row["chosen_side"]]
        assert chosen == (row["first"] if row["choice"] == "1" else row["second"])
        took = (float(row["response_ms"]) - float(row["onset_ms"])) / 1000
        assert float(row["response_time"]) == took


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "psych-ds", "bids"])
def test_every_format_comes_as_an_archive_with_a_dictionary(visit, experimenter, form):
    visit().finish()
    reply = experimenter.get(EXPORT, params={"format": form, "table": "all"})
    archive = zipfile.ZipFile(io.BytesIO(reply.content))
    assert archive.testzip() is None
    sidecars = [name for name in archive.namelist() if name.endswith(".json")]
    words = "".join(archive.read(name).decode() for name in sidecars)
    assert "From onset to response" in words
    assert any(name.endswith("study.toml") for name in archive.namelist())


def test_metrics_count_requests_by_route(visit, experimenter):
    visit().answer()
    text = experimenter.get("/api/v1/metrics").text
    route = "/sessions/{session_id}/responses/{trial_id}"
    assert f'tacit_requests_total{{method="PUT",route="{route}",status="200"}} 1' in text
    assert f'tacit_request_seconds_count{{route="{route}"}} 1' in text
