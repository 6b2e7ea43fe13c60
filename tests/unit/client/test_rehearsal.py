"""What a rehearsal tells of the people who took part."""

import pytest

from tacit.client.rehearsal import Tally, Wait


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
