import os
import signal
import subprocess
import sys
import time

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import fleet
from tacit.errors import DataError
from tacit.fleet import Engine, Log
from tests.unit.fleet.conftest import by_person


def assert_same(found, expected):
    rows, others = by_person(found.table), by_person(expected.table)
    assert rows.keys() == others.keys()
    for person, row in rows.items():
        np.testing.assert_allclose(row["weights"], others[person]["weights"], rtol=1e-9)


@pytest.fixture
def expected(log):
    return fleet.fit(*log)


def parts(columns):
    """Return the columns in two halves."""
    return [{n: v[s] for n, v in columns.items()} for s in (slice(500), slice(500, None))]


def test_a_folder_of_parquet_files(log, write, tmp_path, expected):
    for i, part in enumerate(parts(log[0])):
        write(part, f"logs/day={i}/part.parquet")
    assert_same(fleet.fit(tmp_path / "logs", log[1]), expected)


def test_a_pattern_of_csv_files(log, tmp_path, expected):
    for i, part in enumerate(parts(log[0])):
        rows = zip(*part.values(), strict=True)
        lines = [",".join(part), *(",".join(map(str, row)) for row in rows), ""]
        (tmp_path / f"day{i}.csv").write_text("\n".join(lines))
    assert_same(fleet.fit(tmp_path / "day*.csv", log[1]), expected)


def test_a_duckdb_database(log, tmp_path, expected):
    path = tmp_path / "logs.duckdb"
    database = ibis.duckdb.connect(path)
    database.raw_sql("create table other (x int)")
    columns = pa.table(log[0])
    database.con.register("columns", columns)
    database.raw_sql("create table answers as select * from columns")
    database.disconnect()
    with pytest.raises(DataError, match=r"holds 2 tables; name one of \['answers', 'other'\]"):
        fleet.fit(path, log[1])
    assert_same(fleet.fit(path, log[1], log=Log(table="answers")), expected)


def test_an_ibis_table_with_times_of_showing_and_of_clicking(log, expected):
    columns, items = log
    shown = np.arange(900.0)
    logged = columns | {"shown": shown, "clicked": shown + columns["response_time"]}
    del logged["response_time"]
    connection = ibis.duckdb.connect()
    connection.con.register("log", pa.table(logged))
    table = connection.table("log")
    table = table.mutate(response_time=table.clicked - table.shown)
    found = by_person(fleet.fit(table, items).table)
    for person, row in by_person(expected.table).items():
        np.testing.assert_allclose(found[person]["weights"], row["weights"], rtol=1e-7)


def test_little_memory_and_one_thread_give_the_same(log, write, expected):
    engine = Engine(memory="200MB", threads=1)
    assert_same(fleet.fit(write(log[0]), log[1], engine=engine), expected)


def test_a_missing_column_is_named_before_any_work(log, write, tmp_path):
    path = write(log[0])
    out = tmp_path / "out.parquet"
    with pytest.raises(DataError, match="has no column 'rt'; known are"):
        fleet.fit(path, log[1], log=Log(response_time="rt"), out=out)
    with pytest.raises(DataError, match="no column 'persona'; did you mean 'person'"):
        fleet.fit(path, log[1], log=Log(person="persona"), out=out)
    assert not out.exists()


def test_files_that_are_cut_off_or_differ_are_named(log, write, tmp_path):
    first, second = parts(log[0])
    write(first, "logs/a.parquet")
    path = write(second, "logs/b.parquet")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"b\.parquet is not readable as Parquet; was it cut off"):
        fleet.fit(tmp_path / "logs", log[1])
    del second["choice"]
    write(second, "logs/b.parquet")
    with pytest.raises(DataError, match=r"b\.parquet has no column 'choice', which a\.parquet has"):
        fleet.fit(tmp_path / "logs", log[1])
    (tmp_path / "logs" / "c.csv").write_text("person\n")
    with pytest.raises(DataError, match="of one kind"):
        fleet.fit(tmp_path / "logs", log[1])
    with pytest.raises(DataError, match="there is no"):
        fleet.fit(tmp_path / "nowhere", log[1])


def test_damage_inside_a_file_leaves_the_old_output(log, write, tmp_path):
    path, out = write(log[0]), tmp_path / "out.parquet"
    fleet.fit(path, log[1], out=out)
    old = out.read_bytes()
    start = pq.ParquetFile(path).metadata.row_group(0).column(3).data_page_offset
    damaged = bytearray(path.read_bytes())
    damaged[start : start + 400] = b"\xff" * 400
    path.write_bytes(bytes(damaged))
    with pytest.raises(DataError, match="could not be read"):
        fleet.fit(path, log[1], out=out)
    assert out.read_bytes() == old
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_outputs_are_parquet(log):
    with pytest.raises(DataError, match=r"expected a \.parquet file to write to, got 'out\.csv'"):
        fleet.fit(*log, out="out.csv")


def test_a_kill_leaves_the_old_output(log, write, tmp_path):
    path, out = write(log[0]), tmp_path / "out.parquet"
    items = tmp_path / "items.csv"
    log[1].write(items)
    out.write_bytes(b"old")
    script = f"""
import time
from tacit import fleet
from tacit.records import Items
def wait(done):
    print("writing", flush=True)
    time.sleep(60)
fleet.fit({str(path)!r}, Items.read({str(items)!r}), out={str(out)!r}, progress=wait)
"""
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "writing\n"
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    run.stdout.close()
    assert out.read_bytes() == b"old"
    began = time.time()
    fleet.fit(path, log[1], out=out)
    assert pq.read_table(out).num_rows == 12
    assert out.stat().st_mtime >= began - 1
