import json

import pyarrow.parquet as pq
import pytest


@pytest.fixture
def meals(tacit):
    """Simulated people with items that have features."""
    tacit("simulate", "meals.csv", "--people", 4, "--trials", 120, "--features", 3, "--seed", 1)
    return ["meals.csv", "--items", "meals.items.csv"]


@pytest.mark.parametrize("command", ["fit", "merge", "export", "delete"])
def test_help_teaches(tacit, command):
    text = tacit("fleet", command, "--help").stdout
    assert f"Example: tacit fleet {command}" in text
    assert "Exit codes: 0 if" in text


def test_estimates_are_near_the_truth(tacit, folder, meals):
    record = json.loads(tacit("fleet", "fit", *meals, "--out", "est.parquet", "--json").stdout)
    assert (record["n_people"], record["n_trials"]) == (4, 480)
    truths = map(json.loads, (folder / "meals.truth.jsonl").read_text().splitlines())
    for row, truth in zip(pq.read_table("est.parquet").to_pylist(), truths, strict=True):
        assert row["person"] == str(truth["person"])
        for found, true in zip(row["weights"], truth["weights"].values(), strict=True):
            assert abs(found - true) < 0.6


def test_a_table_says_what_was_done(tacit, meals):
    shown = tacit("fleet", "fit", *meals, "--out", "est.parquet", "--drop-fast", 0.6, "--table")
    assert "people" in shown.stdout
    assert "left out: response_time below the limit" in shown.stdout
    assert "est.parquet" in shown.stdout


def test_sums_are_kept_added_to_exported_and_deleted(tacit, meals):
    tacit("fleet", "fit", *meals, "--out", "a.parquet", "--statistics", "sums.parquet")
    tacit("fleet", "fit", *meals, "--out", "b.parquet", "--add", "sums.parquet")
    assert pq.read_table("b.parquet")["n_trials"].to_pylist() == [240] * 4
    assert "people: 4" in tacit("fleet", "merge", "sums.parquet", "--out", "all.parquet").stdout
    sums = json.loads(tacit("fleet", "export", "all.parquet", "3").stdout)
    assert sums["sums"]["n_trials"] == 120
    tacit("fleet", "delete", "all.parquet", "3")
    assert "holds nobody named '3'" in tacit("fleet", "export", "all.parquet", "3", code=2).stderr


def test_yes_no_logs_and_query_vectors_are_options(tacit, write):
    write("1,0.5,-1,0.9,ann", "0,1,1,1.2,ann", "1,1,1,0.7,ann", header="f,g,choice,rt,who")
    tacit(
        *("fleet", "fit", "trials.csv", "--features", "f,g", "--response-time", "rt"),
        *("--person", "who", "--out", "est.parquet"),
    )
    assert pq.read_table("est.parquet")["n_trials"].to_pylist() == [3]
    write("tea,yes,0.9", "milk,no,1.2", "tea,yes,0.7", header="item,choice,response_time")
    tacit(
        *("fleet", "fit", "trials.csv", "--first", "item", "--second", "", "--person", ""),
        *("--choice-coding", "yes/no", "--out", "est.parquet"),
    )
    (row,) = pq.read_table("est.parquet").to_pylist()
    assert (row["person"], row["best_items"]) == ("everybody", ["tea", "milk"])


def test_errors_are_one_line(tacit, folder, meals):
    failed = tacit("fleet", "fit", *meals, "--out", "est.parquet", "--choice", "chosen", code=2)
    assert failed.stderr.startswith("error: meals.csv has no column 'chosen'; ")
    assert not (folder / "est.parquet").exists()
