import pytest

import tacit

EVERYWHERE = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


@pytest.mark.parametrize(
    "path", ["/", "/dashboard", "/s/x", "/nothing", "/api/v1/health", "/static/../app.py"]
)
def test_every_reply_is_isolated_and_strict(web, path):
    headers = web.get(path).headers
    assert {name: headers[name] for name in EVERYWHERE} == EVERYWHERE
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/v1/health", 405),
        ("GET", "/media/tea/x.png", 404),
        ("GET", "/media/coffee/x.png", 404),
        ("GET", "/media/tea/..%2Fstudy.db", 404),
        ("GET", "/static/..%2fapp.py", 404),
        ("POST", "/api/v1/sessions", 422),
    ],
)
def test_every_error_is_a_problem(web, method, path, status):
    reply = web.request(method, path)
    assert (reply.status_code, reply.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    assert reply.json()["status"] == status
    assert set(reply.json()) >= {"type", "title", "status", "detail"}


def test_errors_are_described_as_they_are_sent(web):
    api = web.get("/api/v1/openapi.json").json()
    operations = [operation for path in api["paths"].values() for operation in path.values()]
    assert len(operations) > 20
    for operation in operations:
        for status in ("4XX", "5XX"):
            content = operation["responses"][status]["content"]
            schema = {"$ref": "#/components/schemas/ProblemBody"}
            assert content == {"application/problem+json": {"schema": schema}}
        assert "422" not in operation["responses"]


def test_health_says_the_version(web):
    assert web.get("/api/v1/health").json() == {"status": "ok", "version": tacit.__version__}


def test_a_bug_is_a_problem_and_tells_nothing(web, live, monkeypatch, caplog):
    def broken(_name, _default=None):
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(live.store, "setting", broken)
    reply = web.get("/api/v1/health")
    assert reply.status_code == 500
    assert "secret detail" not in reply.text
    assert reply.headers["cross-origin-opener-policy"] == "same-origin"
    assert "a request failed" in caplog.text
