"""The live study and the library are one: same seed and answers, same recommendation."""

import asyncio
import json

import numpy as np

from tacit.client import Client
from tacit.client.rehearsal import Rehearsal
from tacit.learners import StopWhenSure, TopTwo
from tacit.study.store import open_store
from tests.live.servers import ServerProcess
from tests.unit.study._people import NAMES, study


def test_people_with_known_favourites_end_with_the_librarys_recommendation(tmp_path, store_address):
    tea = study("[learner]\nconfidence = 0.9", budget="[budget]\nqueries = 40\n")
    path = tmp_path / "study.toml"
    path.write_text(tea.source)
    # On PostgreSQL, two processes share the sessions.
    options = ("--processes", "2") if "://" in store_address else ()
    with ServerProcess(path, store_address, *options) as server:
        plan = Rehearsal(f"{server.url}/s/{server.link()}", 10, seed=4)
        told = asyncio.run(plan.run_async())
    assert told["sessions_completed"] == 10
    assert told["answers_sent"] == told["answers_acknowledged"]
    assert (told["answers_lost"], told["answers_conflicting"]) == (0, 0)
    assert told["favourites_found"] >= 6
    assert told["latency_p50_ms"] <= told["latency_p95_ms"] <= told["latency_p99_ms"]
    store = open_store(store_address)
    for stored in store.sessions("tea"):
        favourite, probability, n_told = by_the_library(stored, store.log(stored.session_id))
        assert (stored.summary["favourite"], stored.summary["probability"]) == (
            favourite,
            probability,
        )
        assert stored.summary["n_answered"] == n_told
    store.close()


def by_the_library(stored, log) -> tuple[str, float, int]:
    """Ask and tell as a program without a server would, with the seed and answers of a session."""
    from tacit import Items, Problem, QuerySpace

    items = Items.one_hot(NAMES)
    problem = Problem(items, QuerySpace.all_pairs(items))
    learner = StopWhenSure(learner=TopTwo(), confidence=0.9)
    state = learner.start(problem, np.random.default_rng(stored.seed))
    shown = [line.entry.body for line in log if line.entry.kind == "asked"]
    answered = [line.entry.body for line in log if line.entry.kind == "answered"]
    for trial, answer in zip(shown, answered, strict=True):
        query = learner.ask(state)
        first, second = (items.names[int(item)] for item in problem.queries.pairs(int(query[0])))
        assert {first, second} == {trial["left"], trial["right"]}
        choice = 1 if trial[answer["choice"]] == first else -1
        seconds = (answer["response_ms"] - answer["onset_ms"]) / 1000
        state = learner.tell(state, query, [choice], [seconds])
    item, probability = learner.recommend(state)
    return items.names[item[0]], float(probability[0]), state.n_told


def test_the_python_client_goes_from_link_to_result(tmp_path):
    tea = study('[consent]\nversion = "1"\ntext = "Yes?"')
    path = tmp_path / "study.toml"
    path.write_text(tea.source)
    with (
        ServerProcess(path, str(tmp_path / "study.db")) as server,
        Client(server.url, patience=5) as client,
    ):
        assert client.demos() == []
        session = client.open(server.link(), parameters={"PROLIFIC_PID": "p1"})
        session.finish_stages()
        while session.trial is not None:
            reply = session.answer("left", onset_ms=0.0, response_ms=640.5, clock="robot")
            assert reply["acknowledged"]
        assert session.stage == "result"
        assert len(session.estimate()["ranking"]) == len(NAMES)
        assert session.complete()["complete"]
        session.withdraw(erase=True)
        assert session.stage == "withdrawn"


def test_simulate_ends_with_one_json_object(tmp_path, tacit_command):
    path = tmp_path / "study.toml"
    path.write_text(study().source)
    with ServerProcess(path, str(tmp_path / "study.db")) as server:
        url = f"{server.url}/s/{server.link('preview')}"
        lines = tacit_command("study", "simulate", "--url", url, "--participants", "3", "--json")
    told = json.loads(lines.splitlines()[-1])
    assert told["sessions_completed"] == 3
    assert told["answers_acknowledged"] == told["answers_sent"] == 36
