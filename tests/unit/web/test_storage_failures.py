"""When the disk is full or the database away, nothing is acknowledged and nothing is damaged."""

import pytest

from tacit.errors import StorageError
from tests.unit.study._people import response


def fill(live, *, spare_pages: int) -> None:
    """Let the database grow by no more than a few pages, as on a full disk."""

    def limit(connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + spare_pages}")

    live.store.transactions.write(limit)


def free(live) -> None:
    live.store.transactions.write(
        lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    )


def test_a_full_disk_acknowledges_nothing_and_heals(visit, live):
    someone = visit()
    someone.answer()
    fill(live, spare_pages=0)
    body = response(someone.trial["sequence"])
    path = f"/responses/{someone.trial['trial_id']}"
    refused = None
    for _ in range(200):
        reply = someone.call("PUT", path, json=body)
        if reply.status_code != 200:
            refused = reply
            break
        someone.trial = reply.json()["trial"]
        if someone.trial is None:
            someone = visit()
        body = response(someone.trial["sequence"])
        path = f"/responses/{someone.trial['trial_id']}"
    assert refused is not None
    assert refused.status_code == 507
    assert refused.headers["retry-after"] == "5"
    assert "full" in refused.json()["detail"]
    n_answered = someone.call("GET").json()["next_sequence"] - 1
    assert n_answered == body["sequence"] - 1
    free(live)
    healed = someone.call("PUT", path, json=body)
    assert healed.json()["acknowledged"] is True
    assert someone.call("GET").json()["next_sequence"] == body["sequence"] + 1


def test_a_server_out_of_space_says_so_when_a_session_is_opened(web, link, live):
    fill(live, spare_pages=0)
    seen = set()
    for number in range(100):
        key = f"00000000-0000-4000-8000-{number:012}"
        opening = {"link": link, "resume_key": key, "client": {"about": "x" * 4000}}
        seen.add(web.post("/api/v1/sessions", json=opening).status_code)
        if 507 in seen:
            break
    assert 507 in seen


def test_a_store_that_is_away_is_a_problem(visit, live, monkeypatch):
    someone = visit()

    def away(_work):
        raise StorageError("the data could not be read or written: the database is away")

    monkeypatch.setattr(live.store.transactions, "read", away)
    assert someone.call("GET").status_code == 507
    monkeypatch.undo()
    assert someone.call("GET").status_code == 200


@pytest.mark.parametrize("_again", range(3))
def test_a_full_disk_takes_no_committed_answer_with_it(visit, live, _again):
    someone = visit()
    for _ in range(4):
        someone.answer()
    fill(live, spare_pages=0)
    for _ in range(30):
        if someone.trial is None or someone.answer().status_code != 200:
            break
    session = live.session(someone.opened["session_id"])
    forgetful = type(live)(live.store)
    forgetful.add(live.study("tea"))
    again = forgetful.session(someone.opened["session_id"])
    assert again.learner_state.to_json() == session.learner_state.to_json()
