import pytest

KEYS = [
    "person",
    "n_trials",
    "excluded",
    "n_people",
    "information_ratio",
    "time_weights",
    "log_losses",
    "accuracies",
    "log_loss_gain",
    "accuracy_gain",
    "best_time_weight",
    "verdict",
    "answer",
]
"""The documented keys; programs rely on them."""


def test_one_person_has_one_report(tacit, records):
    tacit("simulate", "study.csv", "--trials", 60, "--items", 4)
    (report,) = records("worth", "study.csv")
    assert list(report) == KEYS
    assert report["n_people"] == 1
    assert list(report["log_loss_gain"]) == ["mean", "low", "high"]


def test_several_people_are_pooled_at_the_end(tacit, records):
    tacit("simulate", "study.csv", "--people", 2, "--trials", 60, "--items", 4)
    one, two, both = records("worth", "study.csv")
    assert (one["person"], two["person"], both["person"]) == (1, 2, None)
    assert (both["n_people"], both["n_trials"], list(both)) == (2, 120, KEYS)
    gains = [report["log_loss_gain"]["mean"] for report in (one, two, both)]
    assert gains[2] == pytest.approx((gains[0] + gains[1]) / 2)


def test_strong_preferences_are_worth_timing_and_weak_ones_are_not(tacit, records):
    ratio = {}
    for name, spread in [("strong", 3), ("weak", 0.1)]:
        tacit("simulate", f"{name}.csv", "--yes-no", "--trials", 150, "--spread", spread)
        (report,) = records("worth", f"{name}.csv")
        ratio[name] = report["information_ratio"]
    assert ratio["strong"] > 3
    assert ratio["weak"] < 1.5


def test_the_seed_decides_what_is_left_out(tacit, records):
    tacit("simulate", "study.csv", "--trials", 60, "--items", 4)
    one, again = (records("worth", "study.csv", "--seed", 1) for _ in range(2))
    assert one == again != records("worth", "study.csv", "--seed", 2)


def test_the_table_ends_with_the_answer(tacit, records):
    tacit("simulate", "study.csv", "--people", 2, "--trials", 60, "--items", 4)
    lines = tacit("worth", "study.csv", "--table").stdout.split("\n")
    assert [line.split()[0] for line in lines[2:5]] == ["1", "2", "all"]
    answer = " ".join(" ".join(lines[5:]).split())
    assert answer == records("worth", "study.csv")[-1]["answer"]


def test_people_with_too_few_answers_stop_nobody(tacit, records, write):
    write(
        *["ann,tea,milk,1,0.9", "ann,milk,tea,1,1.4", "ann,tea,milk,1,1.1"] * 5,
        "bob,tea,milk,1,0.9",
        header="person,first,second,choice,response_time",
    )
    ann, bob, both = records("worth", "trials.csv", code=1)
    assert list(ann) == list(both) == KEYS
    assert bob["error"].startswith("5 folds need at least 10 trials, got 1")
    assert both["n_people"] == 1
    assert "not compared: 5 folds" in tacit("worth", "trials.csv", "--table", code=1).stdout


def test_a_warning_that_comes_again_is_counted(tacit, write):
    write(*["tea,milk,1,0.9", "milk,tea,-1,0.9"] * 15)
    printed = tacit("worth", "trials.csv").stderr
    (line,) = [line for line in printed.splitlines() if "grows without bound" in line]
    assert line.endswith(" times)")
