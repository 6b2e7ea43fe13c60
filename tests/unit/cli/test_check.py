from pathlib import Path

import numpy as np
import pytest

KEYS = ["person", "n_trials", "excluded", "ok", "level", "reasons", "checks"]
"""The documented keys; programs rely on them."""


@pytest.fixture
def lapsing(tacit):
    """Two people, of whom the second lapses now and then."""
    tacit("simulate", "study.csv", "--people", 2, "--trials", 150, "--items", 4)
    header, *rows = Path("study.csv").read_text().splitlines()
    for row in range(150, 300, 15):
        *rest, seconds = rows[row].split(",")
        rows[row] = ",".join([*rest, f"{6 * float(seconds)}"])
    Path("study.csv").write_text("\n".join([header, *rows, ""]))


def test_people_who_fit_the_model_are_fine(tacit, records):
    tacit("simulate", "study.csv", "--people", 2, "--trials", 150, "--items", 4)
    reports = records("check", "study.csv")
    assert [report["ok"] for report in reports] == [True, True]
    assert all(list(report) == KEYS for report in reports)
    assert all(report["level"] == 0.005 for report in reports)


@pytest.mark.usefixtures("lapsing")
def test_a_misfit_is_found_and_has_its_own_exit_code(records):
    one, two = records("check", "study.csv", code=1)
    assert (one["ok"], two["ok"]) == (True, False)
    failed = [check for check in two["checks"] if check["failed"]]
    assert len(failed) == len(two["reasons"]) > 0
    assert "slow outliers" in {check["name"] for check in failed}


def test_what_the_questions_cannot_tell_is_null(tacit, records):
    tacit("simulate", "study.csv", "--yes-no", "--trials", 100, "--items", 2)
    (report,) = records("check", "study.csv")
    scores = [check["z"] for check in report["checks"]]
    assert None in scores
    assert all(np.isfinite([score for score in scores if score is not None]))


@pytest.mark.usefixtures("lapsing")
def test_the_table_has_a_verdict_for_everybody(tacit):
    lines = tacit("check", "study.csv", "--table", code=1).stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:3]] == [["1", "150", "yes"], ["2", "150", "no:"]]


def test_one_person_gets_the_report_in_full(tacit):
    tacit("simulate", "study.csv", "--trials", 150, "--items", 4)
    text = tacit("check", "study.csv", "--table").stdout
    assert text.startswith("The answers fit the model")
    assert "slow outliers" in text


def test_too_few_answers_to_check_have_the_exit_code_of_unusable_data(write, records):
    write(*["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1"])
    (report,) = records("check", "trials.csv", code=2)
    assert report["error"].startswith("checking 1 weights needs at least 11 trials, got 3")
