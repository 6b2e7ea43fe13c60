"""Whatever is sent to whatever is described, the server does not fail at it."""

import contextlib
import os

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tacit.study.access import SCOPES, make_key
from tacit.study.live import LiveStudies
from tacit.study.signing import Link
from tacit.study.store import open_store
from tacit.web.app import create_app
from tacit.web.settings import Settings
from tests.unit.study._people import study

N_EXAMPLES = int(os.environ.get("TACIT_FUZZ", "25"))
FUZZING = settings(
    max_examples=N_EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An application, and the headers of one who may do everything there is."""
    store = open_store(str(tmp_path_factory.mktemp("fuzz") / "study.db"))
    live = LiveStudies(store)
    live.add(study())
    opened = live.open(
        live.signer.link(Link("tea", "reusable")), {}, {}, "00000000-0000-4000-8000-000000000000"
    )
    app = create_app(Settings(store="unused"), live)
    app.state.live = live
    key, _ = make_key(store, "fuzz", SCOPES)
    yield app, key, opened
    store.close()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_makes_the_server_fail(served, mode):
    app, key, opened = served
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    n_sent = 0

    def send(case) -> None:
        nonlocal n_sent
        n_sent += 1
        if "{session_id}" in case.operation.path and n_sent % 4:
            case.path_parameters["session_id"] = opened.session_id
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {opened.token}"}
        elif "{session_id}" not in case.operation.path:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {key}"}
        reply = case.call()
        assert reply.status_code < 500, (case.as_curl_command(), reply.text)
        if reply.status_code >= 400:
            assert reply.headers["content-type"] == ["application/problem+json"]

    for found in schema.get_all_operations():
        operation = found.ok()
        # The stream has no end; its first event has a test of its own.
        if not operation.path.endswith("/live"):
            case = operation.as_strategy(generation_mode=mode)
            # Who takes nothing cannot be asked wrongly.
            with contextlib.suppress(Unsatisfiable):
                FUZZING(given(case)(send))()
    assert n_sent > 10 * N_EXAMPLES
