import csv
import io
import json
import uuid

import pytest

from tacit import Trials
from tacit.study.export import FORMATS, TABLES, StudyTables, as_csv, as_tsv, export_files
from tacit.study.live import LiveStudies
from tacit.study.signing import Link
from tacit.study.store import open_store
from tests.unit.study._people import Person, study

HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\ttab", "\rreturn", "=cmd|' /C calc'!A0", "\n=1"]


@pytest.fixture
def tables(tmp_path) -> StudyTables:
    """Two people, of whom one had a void time, and a preview."""
    store = open_store(str(tmp_path / "study.db"))
    live = LiveStudies(store)
    live.add(study("[catch]\nmirror_every = 5"))
    for number, kind in enumerate(["reusable", "reusable", "preview"]):
        opened = live.open(
            live.signer.link(Link("tea", kind)),
            {"PROLIFIC_PID": HOSTILE[number]},
            {"user_agent": 'a, "b"'},
            str(uuid.uuid4()),
        )
        person = Person(number)
        session = live.session(opened.session_id)
        while (trial := session.pending) is not None:
            body = person.body(trial)
            if trial.sequence == 2 and number == 1:
                body |= {"time_valid": False, "reasons": ["hidden", "blur"]}
            live.answer(opened.session_id, trial.trial_id, body)
            session = live.session(opened.session_id)
        event = {"event_id": "e1", "name": "hidden", "at_ms": 1.5, "detail": {"a": "=1"}}
        live.log_events(opened.session_id, [event])
    (stored,) = store.studies()
    yield StudyTables.of(store, stored)
    store.close()


def read(text: bytes, **options) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text.decode(), newline=""), **options))


def test_every_row_has_the_columns_of_its_table(tables):
    for name, columns in TABLES.items():
        names = {column.name for column in columns}
        assert all(set(row) - {"correct", "kind", "of"} <= names for row in tables.rows[name])
    assert len(tables.rows["sessions"]) == 2
    assert len(tables.rows["events"]) == 2
    assert len(tables.rows["trials"]) == 2 * 14


def test_what_people_typed_is_no_formula():
    columns = TABLES["sessions"]
    rows = [{"person": text, "parameters": text} for text in HOSTILE]
    for row in read(as_csv(columns, rows)):
        for cell in (row["person"], row["parameters"]):
            assert cell[0] == "'"
    assert [row["person"][1:] for row in read(as_csv(columns, rows))] == HOSTILE


def test_numbers_come_back_as_they_were(tables):
    rows = read(as_csv(TABLES["trials"], tables.rows["trials"]))
    for row, original in zip(rows, tables.rows["trials"], strict=True):
        assert float(row["onset_ms"]) == original["onset_ms"]
        assert float(row["response_ms"]) == original["response_ms"]
    void = [row for row in rows if row["time_valid"] == "false"]
    assert [(row["response_time"], row["reasons"]) for row in void] == [("", "hidden;blur")]


def test_tacit_reads_its_own_export(tables, tmp_path):
    path = tmp_path / "trials.csv"
    path.write_bytes(export_files(tables, "csv")["trials.csv"])
    trials = Trials.read(path, person="person", allow_void_times=True)
    assert trials.n_trials == 28
    assert len(set(trials.person.tolist())) == 2


def test_json_lines_and_parquet_say_the_same(tables):
    import pyarrow.parquet

    lines = export_files(tables, "jsonl")["trials.jsonl"].decode().splitlines()
    table = pyarrow.parquet.read_table(
        io.BytesIO(export_files(tables, "parquet")["trials.parquet"])
    )
    assert [json.loads(line) for line in lines] == table.to_pylist()
    assert table.schema.field("response_time").metadata[b"unit"] == b"s"


def test_psych_ds_describes_every_column(tables):
    files = export_files(tables, "psych-ds")
    about = json.loads(files["dataset_description.json"])
    assert (about["@type"], about["@context"]) == ("Dataset", "https://schema.org/")
    described = {variable["name"] for variable in about["variableMeasured"]}
    for path, content in files.items():
        if path.endswith("_data.csv"):
            assert set(content.decode().splitlines()[0].split(",")) <= described


def test_bids_has_a_file_of_events_for_each_person(tables):
    files = export_files(tables, "bids")
    people = read(files["participants.tsv"], delimiter="\t")
    assert len(people) == 2
    sidecar = json.loads(files["task-tea_events.json"])
    for person in people:
        subject = person["participant_id"]
        events = read(files[f"{subject}/beh/{subject}_task-tea_events.tsv"], delimiter="\t")
        assert len(events) == 14
        assert list(events[0])[:2] == ["onset", "duration"]
        assert set(events[0]) <= set(sidecar)
        onsets = [float(row["onset"]) for row in events]
        assert all(float(row["duration"]) > 0 for row in events)
        assert max(onsets) < 60
    assert "n/a" in files["participants.tsv"].decode()


@pytest.mark.parametrize("form", FORMATS)
def test_every_export_says_what_its_columns_mean(tables, form):
    words = b"".join(c for name, c in export_files(tables, form).items() if name.endswith("json"))
    assert b"From onset to response" in words


def test_an_absent_value_is_said_to_be_absent():
    columns = TABLES["trials"][4:6]
    assert (
        as_tsv(columns, [{"of": None, "first": "a\tb"}]).decode() == 'of\tfirst\r\nn/a\t"a\tb"\r\n'
    )
