"""A server that is killed loses nothing that it has acknowledged, and stores nothing twice."""

import asyncio
import contextlib
import os

import httpx
import numpy as np
import pytest

from tacit.study.live import LiveStudies
from tacit.study.signing import Link
from tacit.study.store import open_store
from tests.live.servers import MortalServer, ServerProcess
from tests.unit.study._people import response, study

N_KILLS = int(os.environ.get("TACIT_KILLS", "20"))
N_PEOPLE = 8
BETWEEN_KILLS_SECONDS = (0.05, 0.5)


class Participant:
    """Answers as fast as it can, sends again what was not acknowledged, and remembers."""

    def __init__(
        self, http: httpx.AsyncClient, link: str, number: int, rng: np.random.Generator
    ) -> None:
        self._http, self._link, self._number, self._rng = http, link, number, rng
        self.acknowledged: dict[int, dict] = {}
        self.n_sent = 0

    async def take_part(self, until: asyncio.Event) -> None:
        opening = {"link": self._link, "resume_key": f"00000000-0000-4000-8000-{self._number:012}"}
        opened = await self._insist("POST", "/sessions", opening, {})
        self.session_id = opened["session_id"]
        headers = {"Authorization": f"Bearer {opened['token']}"}
        trial = opened["view"]["trial"]
        while trial is not None and not until.is_set():
            choice = ("left", "right")[self._rng.integers(2)]
            body = response(trial["sequence"], choice, self._rng.uniform(300, 2000))
            path = f"/sessions/{self.session_id}/responses/{trial['trial_id']}"
            reply = await self._insist("PUT", path, body, headers)
            assert reply["acknowledged"] is True
            self.acknowledged[trial["sequence"]] = body
            trial = reply["trial"]

    async def _insist(self, method: str, path: str, body: dict, headers: dict) -> dict:
        while True:
            self.n_sent += 1
            with contextlib.suppress(httpx.TransportError):
                reply = await self._http.request(method, path, json=body, headers=headers)
                if reply.status_code < 500:
                    assert reply.is_success, reply.text
                    return reply.json()
            await asyncio.sleep(0.02)


async def under_load(
    server: MortalServer, link: str, rng: np.random.Generator
) -> list[Participant]:
    until = asyncio.Event()
    limits = httpx.Limits(max_connections=None)
    base = f"{server.url}/api/v1"
    async with httpx.AsyncClient(base_url=base, limits=limits, timeout=20) as http:
        crowd = rng.spawn(N_PEOPLE)
        people = [Participant(http, link, n, crowd[n]) for n in range(N_PEOPLE)]
        tasks = [asyncio.create_task(person.take_part(until)) for person in people]
        for _ in range(N_KILLS):
            await asyncio.sleep(rng.uniform(*BETWEEN_KILLS_SECONDS))
            server.kill()
            await asyncio.to_thread(server.start)
        until.set()
        await asyncio.gather(*tasks)
    return people


def test_killed_again_and_again_under_load(tmp_path, store_address, rng):
    """Kill -9 at random moments: between commit and acknowledgement, too."""
    tea = study(budget="[budget]\nqueries = 10000\n")
    path = tmp_path / "study.toml"
    path.write_text(tea.source)
    store = open_store(store_address)
    live = LiveStudies(store)
    live.add(tea)
    link = live.signer.link(Link("tea", "reusable"))
    with MortalServer(path, store_address) as server:
        people = asyncio.run(under_load(server, link, rng))
    n_acknowledged = 0
    for person in people:
        session = live.replay(store.session(person.session_id))
        pairs = zip(session.trials, session.answers, strict=False)
        stored = {trial.sequence: dict(answer.body) for trial, answer in pairs}
        lost = [n for n, body in person.acknowledged.items() if stored.get(n) != body]
        assert lost == []
        assert list(stored) == list(range(1, len(session.answers) + 1))
        assert len(session.answers) - len(person.acknowledged) in (0, 1)
        n_acknowledged += len(person.acknowledged)
    store.close()
    assert n_acknowledged > N_PEOPLE * N_KILLS
    assert sum(person.n_sent for person in people) > n_acknowledged + N_PEOPLE


@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
def test_killed_at_the_worst_moment(tmp_path, moment):
    """The process dies right before, or right after, an answer is on disk: nobody was told."""
    path = tmp_path / "study.toml"
    path.write_text(study().source)
    store_address = str(tmp_path / "study.db")
    (tmp_path / "sitecustomize.py").write_text(DYING)
    dying = {"PYTHONPATH": str(tmp_path), "TACIT_TEST_DIES": moment}
    with ServerProcess(path, store_address, environment=dying) as server:
        api = f"{server.url}/api/v1"
        link = server.link()
        opening = {"link": link, "resume_key": "00000000-0000-4000-8000-000000000001"}
        opened = httpx.post(f"{api}/sessions", json=opening).json()
        headers = {"Authorization": f"Bearer {opened['token']}"}
        call = {
            "url": f"{api}/sessions/{opened['session_id']}/responses/t0001",
            "json": response(1),
            "headers": headers,
        }
        with pytest.raises(httpx.TransportError):
            httpx.put(**call)
    with ServerProcess(path, store_address, port=server.port):
        view = httpx.get(f"{api}/sessions/{opened['session_id']}", headers=headers).json()
        assert view["progress"]["n_answered"] == (1 if moment == "after the commit" else 0)
        assert httpx.put(**call).json()["acknowledged"] is True
        assert httpx.put(**call).json()["trial"]["sequence"] == 2
        assert httpx.put(**call | {"json": response(1, "right")}).status_code == 409


DYING = """
import os

def die_at(moment):
    from tacit.study.store.store import Store

    append = Store.append

    def dying(self, *arguments):
        if moment == "after the commit":
            append(self, *arguments)
        os.kill(os.getpid(), 9)

    Store.append = dying

if "TACIT_TEST_DIES" in os.environ:
    die_at(os.environ["TACIT_TEST_DIES"])
"""
