import json
from pathlib import Path

import numpy as np
import pytest

from tacit.records import Items, Trials


def truths(name: str) -> list[dict]:
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def test_writes_trials_and_what_is_true(tacit):
    result = tacit("simulate", "study.csv", "--people", 3, "--trials", 40, "--items", 5)
    assert result.stdout.splitlines() == [
        "answers: study.csv",
        "truth: study.truth.jsonl",
        "next: tacit fit study.csv",
    ]
    trials = Trials.read("study.csv", person="person")
    assert [own.n_trials for _, own in trials.by_person()] == [40, 40, 40]
    assert trials.items.names == ("item1", "item2", "item3", "item4", "item5")
    assert list(truths("study.truth.jsonl")[2]) == [
        "person",
        "barrier",
        "nondecision_time",
        "weights",
        "utility_zero",
        "items",
    ]


def test_the_same_seed_gives_the_same_files(tacit):
    for name, seed in [("a", 5), ("b", 5), ("c", 6)]:
        tacit("simulate", f"{name}.csv", "--seed", seed)
    a, b, c = (Path(f"{name}.csv").read_text() for name in "abc")
    assert a == b != c


def test_sides_are_balanced(tacit):
    tacit("simulate", "study.csv", "--trials", 4000)
    first = Trials.read("study.csv", person="person").first
    share = np.bincount(first, minlength=10) / len(first)
    # 4000 draws: 4.5 standard deviations around a tenth, a false alarm in 15,000 runs.
    assert np.abs(share - 0.1).max() < 4.5 * np.sqrt(0.1 * 0.9 / 4000)


def test_features_come_with_a_file_of_items(tacit):
    tacit("simulate", "study.csv", "--features", 2, "--items", 7)
    items = Items.read("study.items.csv")
    assert (items.n_items, items.n_features) == (7, 2)
    (truth,) = truths("study.truth.jsonl")
    utilities = {entry["item"]: entry["utility"] for entry in truth["items"]}
    expected = items.utilities([truth["weights"][name] for name in items.feature_names])
    np.testing.assert_allclose([utilities[name] for name in items.names], expected)


def test_yes_no_questions_leave_the_second_column_empty(tacit):
    tacit("simulate", "study.csv", "--yes-no", "--items", 1, "--trials", 5)
    trials = Trials.read("study.csv", person="person")
    assert (trials.second == -1).all()
    assert truths("study.truth.jsonl")[0]["utility_zero"] == "the reference"


@pytest.mark.parametrize("name", ["clithero", "food-risk", "krajbich"])
def test_look_alikes_can_be_fitted(tacit, records, name):
    tacit("simulate", "study.csv", "--look-alike", name, "--people", 2, "--trials", 400)
    items = ["--items", "study.items.csv"] if Path("study.items.csv").exists() else []
    fits = records("fit", "study.csv", *items)
    for fit, truth in zip(fits, truths("study.truth.jsonl"), strict=True):
        assert abs(fit["barrier"] - truth["barrier"]) < 5 * fit["barrier_sd"]


def test_truth_of_pairs_is_relative_to_the_mean_item(tacit):
    tacit("simulate", "study.csv")
    (truth,) = truths("study.truth.jsonl")
    assert truth["utility_zero"] == "the mean item"
    assert abs(sum(truth["weights"].values())) < 1e-12


@pytest.mark.parametrize("written", ["study.csv", "study.truth.jsonl", "study.items.csv"])
def test_no_file_is_overwritten_without_force(tacit, folder, written):
    (folder / written).write_text("precious")
    result = tacit("simulate", "study.csv", "--features", 2, code=2)
    assert result.stderr == f"error: {written} exists already; --force overwrites it\n"
    assert [path.name for path in folder.iterdir()] == [written]
    assert (folder / written).read_text() == "precious"
    tacit("simulate", "study.csv", "--features", 2, "--force")
    assert (folder / written).read_text() != "precious"


def test_nothing_is_left_behind_by_a_failure(tacit, folder):
    tacit("simulate", "study.xlsx", code=2)
    assert list(folder.iterdir()) == []


def test_folders_are_made(tacit):
    tacit("simulate", "new/folder/study.csv")
    assert Path("new/folder/study.truth.jsonl").exists()


def test_one_item_has_no_pairs(tacit):
    assert tacit("simulate", "study.csv", "--items", 1, code=2).stderr == (
        "error: pairs need at least two items; ask about a single one with --yes-no\n"
    )


def test_look_alikes_cannot_be_designed(tacit):
    result = tacit("simulate", "x.csv", "--look-alike", "clithero", "--items", 4, code=2)
    assert "come with their own items" in result.stderr


def test_a_file_of_another_kind_is_named_as_it_was_given(tacit, folder):
    assert tacit("simulate", "study.xls", code=2).stderr == (
        "error: expected a .csv, .tsv or .parquet file, got 'study.xls'; save the sheet as CSV "
        "(UTF-8)\n"
    )
    (folder / "file").touch()
    said = tacit("simulate", "file/study.csv", code=2).stderr
    assert said == "error: file: file exists\n"


def test_a_full_disk_leaves_nothing_behind(tacit, folder, monkeypatch):
    def full(_columns, path):
        path.write_text("half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tacit.records.tables.write_columns", full)
    said = tacit("simulate", "study.csv", code=2).stderr
    assert said == "error: the output: no space left on device\n"
    assert list(folder.iterdir()) == []
