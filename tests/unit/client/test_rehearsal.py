"""What a rehearsal tells of the people who took part."""

import pytest

from tacit.client import AsyncClient
from tacit.client.rehearsal import Rehearsal, Tally, Wait
from tacit.errors import DataError
from tests.live.servers import free_port


def test_waits_are_told_apart_by_who_was_there():
    tally = Tally(ended=[True, False], last_arrival=10.0, first_end=20.0)
    tally.waits = [Wait(5.0, 100.0), Wait(10.0, 1.0), Wait(19.0, 3.0), Wait(20.0, 40.0)]
    told = tally.summary(participants=2, seconds=30.0)
    assert told["sessions_completed"] == 1
    assert told["latency_p50_ms"] == pytest.approx(21.5)
    parts = told["latency_p99_ms_while"]
    assert (parts["arriving"], parts["leaving"]) == (100.0, 40.0)
    assert parts["together"] == pytest.approx(2.98)


def test_where_nobody_waited_nothing_is_told():
    told = Tally(ended=[False]).summary(participants=1, seconds=1.0)
    assert told["latency_p99_ms"] is None
    assert set(told["latency_p99_ms_while"].values()) == {None}


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "study.toml", ""])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(DataError, match="must be an address such as"):
        Rehearsal(url, 1)


def test_a_link_names_its_study_itself():
    with pytest.raises(DataError, match="leave out the demo, or the link"):
        Rehearsal("http://127.0.0.1:8000/s/x", 1, demo="snacks")


def served(monkeypatch, *demos):
    async def offered(_client):
        return [{"study_id": demo, "link": f"{demo}.r0.signed"} for demo in demos]

    monkeypatch.setattr(AsyncClient, "demos", offered)


def test_a_server_without_demos_wants_a_link(monkeypatch):
    served(monkeypatch)
    with pytest.raises(DataError, match=r"serves no demos; give the preview link .*/s/\.\.\."):
        Rehearsal("http://127.0.0.1:8000", 1).run()


def test_a_demo_that_is_not_there_is_named(monkeypatch):
    served(monkeypatch, "palettes", "snacks")
    with pytest.raises(DataError, match="no demo 'tea'; there are palettes, snacks"):
        Rehearsal("http://127.0.0.1:8000", 1, demo="tea").run()


def test_nobody_there_is_said_at_once():
    with pytest.raises(DataError, match="does not answer as a server of studies does: no answer"):
        Rehearsal(f"http://127.0.0.1:{free_port()}", 1, patience=0.0).run()
