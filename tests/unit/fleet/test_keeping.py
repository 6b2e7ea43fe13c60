import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from tacit import fleet
from tacit.errors import DataError
from tacit.fleet import Log, Model
from tests.unit.fleet.conftest import by_person


@pytest.fixture
def days(log, tmp_path):
    """Sums of two halves of a log, in files."""
    columns, items = log
    paths = []
    for i, rows in enumerate((slice(400), slice(400, None))):
        paths.append(tmp_path / f"day{i}.parquet")
        fleet.fit({n: v[rows] for n, v in columns.items()}, items, statistics=paths[-1])
    return paths


def assert_same(table, other):
    rows, others = by_person(table), by_person(other)
    assert rows.keys() == others.keys()
    for person, row in rows.items():
        for name in ("n_trials", "best_items", "flags", "excluded_short_time"):
            assert row[name] == others[person][name]
        for name in ("weights", "covariance", "barrier", "nondecision_time"):
            np.testing.assert_allclose(row[name], others[person][name], rtol=1e-9, atol=1e-12)


def test_yesterday_merged_with_today_equals_a_fit_of_all(log, days, tmp_path):
    whole = fleet.fit(*log).table
    n_people = fleet.merge(days, tmp_path / "both.parquet")
    assert n_people == 12
    assert_same(fleet.fit_statistics(tmp_path / "both.parquet", log[1]).table, whole)


def test_todays_log_is_added_to_yesterdays_sums(log, days, tmp_path):
    columns, items = log
    today = {name: values[400:] for name, values in columns.items()}
    kept, out = tmp_path / "kept.parquet", tmp_path / "out.parquet"
    found = fleet.fit(today, items, add=days[0], statistics=kept, out=out)
    assert found.n_trials == 900
    assert found.table is None
    whole = fleet.fit(columns, items).table
    assert_same(pq.read_table(out), whole)
    assert_same(fleet.fit_statistics(kept, items).table, whole)


def test_a_file_of_sums_can_be_replaced_by_what_is_added_to_it(log, days):
    columns, items = log
    today = {name: values[400:] for name, values in columns.items()}
    fleet.fit(today, items, add=days[0], statistics=days[0])
    assert_same(fleet.fit_statistics(days[0], items).table, fleet.fit(columns, items).table)


def test_one_person_is_exported_and_deleted(days):
    exported = json.loads(fleet.export_person(days[0], "p03"))
    assert exported["features"] == ["x0", "x1", "x2"]
    assert exported["sums"]["n_trials"] > 0
    before = by_person(pq.read_table(days[0]))
    assert exported["sums"] == before.pop("p03")
    fleet.delete_person(days[0], "p03")
    assert by_person(pq.read_table(days[0])) == before
    assert fleet.fit_statistics(days[0]).n_people == 11
    for forget in (fleet.delete_person, fleet.export_person):
        with pytest.raises(DataError, match="holds nobody named 'p03'"):
            forget(days[0], "p03")
    with pytest.raises(DataError, match="names people as string, got 3"):
        fleet.export_person(days[0], 3)


def test_everybody_can_be_deleted(log, tmp_path):
    columns, items = log
    path = tmp_path / "sums.parquet"
    fleet.fit(columns | {"person": ["ann"] * 900}, items, statistics=path)
    fleet.delete_person(path, "ann")
    assert pq.read_table(path).num_rows == 0
    with pytest.raises(DataError, match="there is nobody"):
        fleet.fit_statistics(path)


def test_sums_by_other_rules_are_not_added(log, days, tmp_path):
    columns, items = log
    other = tmp_path / "other.parquet"
    fleet.fit(columns, items, log=Log(drop_fast=0.3), statistics=other)
    with pytest.raises(DataError, match=r"`drop_fast` is None in .*day0\.parquet and 0\.3 in"):
        fleet.merge([days[0], other], tmp_path / "both.parquet")
    with pytest.raises(DataError, match=r"`nondecision_time` is 0\.2 in the trials and 0\.0"):
        fleet.fit(columns, items, add=days[0], model=Model(nondecision_time=0.2))
    slow = [tmp_path / f"slow{i}.parquet" for i in range(2)]
    for path in slow:
        fleet.fit(columns, items, log=Log(drop_slow=5.0), statistics=path)
    with pytest.raises(DataError, match="drop_slow compares with a person's other trials"):
        fleet.merge(slow, tmp_path / "both.parquet")
    assert not (tmp_path / "both.parquet").exists()


def test_people_named_in_another_way_are_not_added(log, days):
    columns, items = log
    with pytest.raises(DataError, match="people are named in different ways"):
        fleet.fit(columns | {"person": [1] * 900}, items, add=days[0])


def test_other_files_are_not_taken_for_sums(log, write, days, tmp_path):
    with pytest.raises(DataError, match="does not hold statistics of tacit fleet fit"):
        fleet.fit_statistics(write(log[0]))
    out = tmp_path / "out.parquet"
    fleet.fit(*log, out=out)
    with pytest.raises(DataError, match="does not hold statistics"):
        fleet.merge([days[0], out], tmp_path / "both.parquet")
    with pytest.raises(DataError, match="there is no file"):
        fleet.fit_statistics(tmp_path / "nowhere.parquet")


def test_censored_sums_come_back_from_files(log, tmp_path):
    rules, path = Log(censor_above=1.0), tmp_path / "sums.parquet"
    direct = fleet.fit(*log, log=rules).table
    fleet.fit(*log, log=rules, statistics=path)
    assert_same(fleet.fit_statistics(path, log[1]).table, direct)
