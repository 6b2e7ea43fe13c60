"""Learners that race: results, resumption, pictures, and what cannot be raced."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tacit.datasets import look_alike
from tacit.learners import GSE, TopTwo
from tacit.simulate import Cell, make_respondent, run_many

SMALL = ("race", "--people", 2, "--runs", 5, "--budgets", "5,15", "--jobs", 1)
NAMES = [
    "data",
    "learner",
    "time_budget",
    "people",
    "runs",
    "error_mean",
    "error_se",
    "seconds_used_mean",
    "answers_mean",
]


def test_there_is_a_record_for_each_learner_and_budget(records) -> None:
    found = records(*SMALL, "--learners", "RandomPairs,GSE:eta=4")
    assert [(one["learner"], one["time_budget"]) for one in found] == [
        ("RandomPairs", 5.0),
        ("RandomPairs", 15.0),
        ("GSE:eta=4", 5.0),
        ("GSE:eta=4", 15.0),
    ]
    for one in found:
        assert list(one) == NAMES
        assert (one["data"], one["people"], one["runs"]) == ("look-alike", 2, 5)
        assert 0 <= one["error_mean"] <= 1
    assert all(one["seconds_used_mean"] <= one["time_budget"] for one in found[:2])


def test_the_numbers_are_those_of_the_library(records) -> None:
    found = records(*SMALL, "--seed", 3, "--learners", "TopTwo,GSE")
    people = look_alike("clithero", 2, rng=np.random.default_rng(3))
    for learner in ("TopTwo", "GSE"):
        cells = []
        for number, person in enumerate(people, 1):
            told = person.parameters.nondecision_time
            gse = GSE(time_budget=60.0, eta=6.0, phase_buffer=10.0, nondecision_time=told)
            cells.append(
                Cell(
                    problem=person.problem,
                    learner=TopTwo() if learner == "TopTwo" else gse,
                    respondent=make_respondent("diffusion", person.parameters),
                    time_budgets=[5.0, 15.0],
                    n_runs=5,
                    seed=3,
                    labels={
                        "data": "look-alike",
                        "person": str(number),
                        "learner": learner,
                        "respondent": "diffusion",
                    },
                )
            )
        means = [outcomes.by_budget("error").mean(axis=1) for outcomes in run_many(cells).outcomes]
        own = [one for one in found if one["learner"] == learner]
        np.testing.assert_allclose([one["error_mean"] for one in own], np.mean(means, axis=0))
        se = np.std(means, axis=0, ddof=1) / np.sqrt(2)
        np.testing.assert_allclose([one["error_se"] for one in own], se)


def test_who_knows_the_person_errs_less(records) -> None:
    budgets = ("--budgets", "40", "--people", 4, "--runs", 60, "--jobs", 1)
    learners = "RandomPairs,StopWhenSure:max_queries=500,Oracle,TopTwo"
    found = {one["learner"]: one for one in records("race", *budgets, "--learners", learners)}
    errors = {name: one["error_mean"] for name, one in found.items()}
    assert errors["Oracle"] < errors["RandomPairs"]
    assert errors["TopTwo"] < errors["RandomPairs"]


def test_of_one_person_no_spread_over_people_is_told(records) -> None:
    (one,) = records("race", "--people", 1, "--runs", 2, "--budgets", 5, "--learners", "TopTwo")
    assert one["error_se"] is None


def test_a_table_is_for_people(tacit) -> None:
    shown = tacit(*SMALL, "--table", "--learners", "TopTwo,RandomPairs").stdout
    assert shown.split()[:3] == ["seconds", "TopTwo", "RandomPairs"]
    assert "look-alike: 2 people, 5 runs each" in shown


def test_results_and_picture_are_saved_and_not_run_again(records, monkeypatch) -> None:
    command = (*SMALL, "--learners", "TopTwo,RandomPairs", "--out", "results")
    first = records(*command)
    saved = [json.loads(line) for line in Path("results/results.jsonl").read_text().splitlines()]
    assert saved == first
    assert Path("results/race.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(Path("results/cells").glob("*.parquet"))) == 4

    def never(_cell):
        raise AssertionError("this cell was run already")

    monkeypatch.setattr(Cell, "run", never)
    assert records(*command) == first


def test_the_picture_has_the_form_that_its_name_says(tacit) -> None:
    tacit(*SMALL, "--learners", "TopTwo", "--plot", "new/race.svg")
    assert "<svg" in Path("new/race.svg").read_text()


def test_people_who_break_the_model_can_be_raced_for(records) -> None:
    clean, lapsing = (
        records(*SMALL, "--learners", "TopTwo", "--respondent", name)
        for name in ("diffusion", "lapses")
    )
    assert clean != lapsing


@pytest.mark.parametrize("data", ["clithero", "food-risk", "krajbich"])
def test_people_of_the_data_sets(records, data, data_dir) -> None:
    options = ("--data", data, "--folder", data_dir, "--published-fits")
    found = records(*SMALL, *options, "--learners", "TopTwo,GSE")
    assert {one["data"] for one in found} == {data}
    assert {one["people"] for one in found} == {2}


def test_an_interrupted_race_goes_on_where_it_was(folder) -> None:
    command = [sys.executable, "-m", "tacit.cli", *map(str, SMALL), "--json"]
    command += ["--learners", "TopTwo", "--people", "6", "--runs", "100", "--budgets", "20"]
    whole = subprocess.run(command, check=True, capture_output=True, text=True)
    command += ["--out", "results"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as race:
        while race.poll() is None and not list(folder.glob("results/cells/*.parquet")):
            time.sleep(0.02)
        os.killpg(race.pid, signal.SIGINT)
        printed, said = race.communicate()
    assert race.returncode == 130
    assert printed == ""
    n_kept = len(list(folder.glob("results/cells/*.parquet")))
    assert 0 < n_kept < 6
    assert f"{n_kept} of 6 cells" in said
    assert not Path("results/results.jsonl").exists()
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".parquet"}
    again = subprocess.run(command, check=True, capture_output=True, text=True)
    assert again.stdout == whole.stdout


def test_without_a_folder_an_interruption_says_what_is_lost(tacit, monkeypatch) -> None:
    def interrupt(_cell):
        raise KeyboardInterrupt

    monkeypatch.setattr(Cell, "run", interrupt)
    result = tacit(*SMALL, code=130)
    assert result.stdout == ""
    assert "nothing was stored: with --out DIR" in result.stderr


MISTAKES = {
    "learner": (["--learners", "Bogus"], "unknown learner 'Bogus'; there are TopTwo"),
    "nobody": (["--learners", ","], "unknown learner ''"),
    "twice": (["--learners", "TopTwo,TopTwo"], "learners must differ, got TopTwo twice"),
    "option": (["--learners", "GSE:eta=1"], "`eta` must be above 1, got 1.0"),
    "kind": (["--learners", "GSE:eta=fast"], "option 'eta' of GSE must be a number, got 'fast'"),
    "stray": (["--learners", "eta=2"], "expected a learner such as GSE:eta=2"),
    "budget option": (["--learners", "GSE:time_budget=9"], "see --budgets"),
    "truth": (["--learners", "Oracle:weights=1"], "'weights' of Oracle is not to be set here"),
    "no number": (["--budgets", "soon"], "--budgets must be seconds separated by commas"),
    "nan": (["--budgets", "5,nan"], "--budgets must be seconds separated by commas"),
    "infinite": (["--budgets", "inf"], "--budgets must be seconds separated by commas"),
    "zero": (["--budgets", "0,5"], "must be positive numbers of seconds, got 0.0"),
    "falling": (["--budgets", "9,5"], "must increase, got 5 after 9"),
    "respondent": (["--respondent", "zombie"], "no respondent 'zombie'; there are diffusion"),
    "folder": (["--folder", "."], "look-alike needs no files"),
    "sphere": (["--scale", "3"], "use --data sphere"),
    "missing data": (["--data", "clithero", "--folder", "."], "no ClitheroDataset.csv in "),
    "picture": (["--plot", "race.xlsx"], "--plot must name a picture"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_cannot_be_raced_is_named_before_anything_is_run(tacit, name, folder) -> None:
    options, message = MISTAKES[name]
    result = tacit("race", *options, code=2)
    assert message in result.stderr
    assert result.stdout == ""
    assert list(folder.iterdir()) == []


def test_a_budget_below_any_answer_is_answered_by_guessing(records) -> None:
    command = ("race", "--people", 2, "--runs", 200, "--budgets", "1e-6", "--jobs", 1)
    (one,) = records(*command, "--learners", "TopTwo")
    assert one["answers_mean"] == one["seconds_used_mean"] == 0
    # One of 17 items is best: 400 guesses, five standard deviations.
    assert abs(one["error_mean"] - 16 / 17) < 5 * np.sqrt(16 / 17**2 / 400)
