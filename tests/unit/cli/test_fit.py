import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tacit import datasets

KEYS = [
    "person",
    "n_trials",
    "excluded",
    "method",
    "barrier",
    "barrier_sd",
    "nondecision_time",
    "nondecision_time_sd",
    "weights",
    "weights_sd",
    "utility_zero",
    "items",
    "contamination",
]
"""The documented keys; programs rely on them."""


def truths(name: str) -> list[dict]:
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def assert_recovered(fits: list[dict], truth: list[dict]) -> None:
    """Every parameter lies within 5 posterior standard deviations of the truth."""
    for fit, true in zip(fits, truth, strict=True):
        assert fit["person"] == true["person"]
        assert fit["utility_zero"] == true["utility_zero"]
        for name in ("barrier", "nondecision_time"):
            assert abs(fit[name] - true[name]) < 5 * fit[f"{name}_sd"]
        for name, weight in true["weights"].items():
            assert abs(fit["weights"][name] - weight) < 5 * fit["weights_sd"][name]


@pytest.mark.parametrize("design", [[], ["--yes-no"], ["--features", 3]])
def test_simulated_people_are_recovered(tacit, records, design):
    tacit("simulate", "study.csv", "--people", 3, "--trials", 300, *design)
    items = ["--items", "study.items.csv"] if "--features" in design else []
    fits = records("fit", "study.csv", *items)
    assert_recovered(fits, truths("study.truth.jsonl"))
    assert all(list(fit) == KEYS for fit in fits)


def test_parquet_gives_the_same_as_csv(tacit, records):
    for name in ("study.csv", "study.parquet"):
        tacit("simulate", name, "--trials", 60, "--force")
    assert records("fit", "study.csv") == records("fit", "study.parquet")


def test_items_are_ranked_with_probabilities(tacit, records):
    tacit("simulate", "study.csv", "--trials", 80)
    (fit,) = records("fit", "study.csv")
    utilities = [item["utility"] for item in fit["items"]]
    assert utilities == sorted(utilities, reverse=True)
    assert sum(item["probability_best"] for item in fit["items"]) == pytest.approx(1)
    assert {item["item"]: item["utility"] for item in fit["items"]} == fit["weights"]


def test_without_features_only_items_that_were_asked_about_are_listed(write, records):
    write(
        *["ann,tea,milk,1,0.9", "ann,milk,tea,1,1.4", "ann,tea,milk,1,1.1"] * 3,
        *["bob,soup,tea,-1,0.8", "bob,tea,soup,1,0.7", "bob,soup,tea,1,1.9"] * 3,
        header="person,first,second,choice,response_time",
    )
    ann, bob = records("fit", "trials.csv")
    assert set(ann["weights"]) == {"tea", "milk"}
    assert set(bob["weights"]) == {"tea", "soup"}
    assert sum(ann["weights"].values()) == pytest.approx(0)


def test_a_named_reference_has_utility_zero(tacit, records):
    tacit("simulate", "study.csv", "--trials", 80, "--items", 4)
    (free,) = records("fit", "study.csv")
    (tied,) = records("fit", "study.csv", "--reference", "item2")
    assert tied["utility_zero"] == "item2"
    assert tied["weights"]["item2"] == 0
    for name, weight in free["weights"].items():
        # Another coding of the same items under a flat prior: the same posterior.
        expected = weight - free["weights"]["item2"]
        assert tied["weights"][name] == pytest.approx(expected, abs=1e-3)


def test_empty_cells_stand_for_the_named_reference(write, records):
    rows = ["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1", "soup,milk,-1,1.0"] * 3
    write(*rows, name="named.csv")
    write(*[row.replace(",milk,", ",,") for row in rows], name="empty.csv")
    assert records("fit", "named.csv", "--reference", "milk") == records(
        "fit", "empty.csv", "--reference", "milk"
    )


def test_other_names_codings_and_units(records, write):
    rows = [("tea", "milk", 1, 0.9), ("milk", "tea", 1, 1.4), ("tea", "milk", -1, 1.25)] * 3
    write(*(",".join(map(str, row)) for row in rows))
    write(
        *(f"{a};{b};{'Y' if c == 1 else 'N'};{1000 * t:g}" for a, b, c, t in rows),
        header="left;right;answer;ms",
        name="other.csv",
    )
    options = "--first left --second right --choice answer --response-time ms --time-unit ms"
    assert records("fit", "trials.csv") == records(
        "fit", "other.csv", *options.split(), "--choice-coding", "Y/N", "--delimiter", ";"
    )


def test_without_a_second_column_every_question_is_yes_or_no(records, write):
    write(
        *["tea,1,0.9", "milk,-1,1.4", "tea,1,1.1", "milk,1,1.0"],
        header="first,choice,response_time",
    )
    (fit,) = records("fit", "trials.csv", "--second", "")
    assert fit["utility_zero"] == "the reference"


def test_a_person_column_is_found_and_can_be_ignored(tacit, records):
    tacit("simulate", "study.csv", "--people", 2, "--trials", 50, "--items", 3)
    assert [fit["person"] for fit in records("fit", "study.csv")] == [1, 2]
    (fit,) = records("fit", "study.csv", "--person", "")
    assert (fit["person"], fit["n_trials"]) == (None, 100)


def test_what_is_left_out_is_counted(records, write):
    write(
        *["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1"] * 10,
        *["tea,milk,7,1.0", "tea,milk,1,0.1", "tea,milk,1,99"],
    )
    options = "--on-invalid exclude --drop-fast 0.2 --drop-slow 5"
    (fit,) = records("fit", "trials.csv", *options.split())
    assert fit["n_trials"] == 30
    assert fit["excluded"] == {
        "invalid choice": 1,
        "response_time below 0.2 s": 1,
        "response_time above mean + 5 sd": 1,
    }


def test_one_person_who_cannot_be_fitted_stops_nobody(tacit, records, write):
    write(
        *["ann,tea,milk,1,0.9", "ann,milk,tea,1,1.4", "ann,tea,milk,1,1.1"],
        *["bob,tea,milk,1,0.9", "bob,soup,cake,1,1.4"],
        "eve,tea,milk,9,1.0",
        header="person,first,second,choice,response_time",
    )
    ann, bob, eve = records("fit", "trials.csv", "--on-invalid", "exclude", code=1)
    assert list(ann) == KEYS
    assert bob == {
        "person": "bob",
        "n_trials": 2,
        "excluded": {},
        "error": "nothing compares 'cake' with 'milk', not even through other items (2 such "
        "groups); ask more, or give utilities a prior with --prior-sd",
    }
    assert eve["error"] == "none of this person's rows can be used"
    assert eve["excluded"] == {"invalid choice": 1}
    table = tacit("fit", "trials.csv", "--on-invalid", "exclude", "--table", code=1).stdout
    assert "not fitted: nothing compares" in table


def test_a_prior_fits_people_with_few_answers(records, write):
    write("tea,milk,1,0.9", "soup,cake,1,1.4")
    (fit,) = records("fit", "trials.csv", "--prior-sd", 1)
    assert fit["items"][0]["item"] == "tea"


def test_a_known_nondecision_time_has_no_uncertainty(tacit, records):
    tacit("simulate", "study.csv", "--trials", 60, "--items", 3)
    (fit,) = records("fit", "study.csv", "--nondecision-time", 0.35)
    assert fit["nondecision_time"] == pytest.approx(0.35)
    assert fit["nondecision_time_sd"] == pytest.approx(0, abs=1e-9)


def test_the_number_of_processes_does_not_matter(tacit, records):
    tacit("simulate", "study.csv", "--people", 4, "--trials", 50, "--items", 3)
    assert records("fit", "study.csv") == records("fit", "study.csv", "--jobs", 2)


def test_elsewhere_than_on_a_terminal_the_default_is_json(tacit, records):
    tacit("simulate", "study.csv", "--trials", 60, "--items", 3)
    assert [json.loads(tacit("fit", "study.csv").stdout)] == records("fit", "study.csv")


def test_the_table_of_one_person(tacit):
    tacit("simulate", "study.csv", "--items", 3, "--features", 2)
    lines = tacit("fit", "study.csv", "--items", "study.items.csv", "--table").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == (
        ["trials", "barrier", "nondecision", "feature", "x0", "x1", "item"]
        + [line.split()[0] for line in lines[-4:-1]]
        + ["Posterior"]
    )


def test_the_table_of_several_people_has_a_line_for_each(tacit):
    tacit("simulate", "study.csv", "--people", 3, "--items", 3)
    lines = tacit("fit", "study.csv", "--table").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["person", "1", "2", "3", "Posterior"]


def test_names_that_look_like_markup_are_printed_as_they_are(tacit, write):
    write(*["[red]tea,milk,1,0.9", "milk,[red]tea,1,1.4", "[red]tea,milk,1,1.1"] * 3)
    assert "[red]tea" in tacit("fit", "trials.csv", "--table").stdout


def test_robust_fits_survive_lapses(tacit, records):
    tacit("simulate", "study.csv", "--trials", 400, "--items", 4)
    header, *rows = Path("study.csv").read_text().splitlines()
    generator = np.random.default_rng(3)
    for lapse in range(0, 400, 10):
        person, first, second, *_ = rows[lapse].split(",")
        rows[lapse] = f"{person},{first},{second},{generator.choice([-1, 1])},{20 + lapse / 40}"
    rows[5] = rows[5].rsplit(",", 1)[0] + ","
    Path("study.csv").write_text("\n".join([header, *rows, ""]))
    (truth,) = truths("study.truth.jsonl")
    (robust,) = records("fit", "study.csv", "--robust")
    assert list(robust) == KEYS
    assert robust["method"] == "robust likelihood"
    assert robust["contamination"]["n_void"] == 1
    (naive,) = records("fit", "study.csv", "--on-invalid", "exclude")
    error = {
        name: sum((fit["weights"][item] - weight) ** 2 for item, weight in truth["weights"].items())
        for name, fit in {"robust": robust, "naive": naive}.items()
    }
    assert error["robust"] < error["naive"] / 2


def test_a_robust_fit_says_how_many_answers_are_no_decisions(tacit):
    tacit("simulate", "study.csv", "--items", 3)
    lines = tacit("fit", "study.csv", "--robust", "--table").stdout.splitlines()
    shown = [line.split("  ")[0] for line in lines if line.strip()]
    assert shown[:8] == [
        "trials",
        "barrier",
        "nondecision time",
        "contaminant share",
        "fast guess",
        "slow guess",
        "slow lapse",
        "void times",
    ]


def test_a_robust_fit_takes_answers_below_a_known_nondecision_time_for_guesses(tacit, records):
    tacit("simulate", "study.csv", "--items", 3)
    with Path("study.csv").open("a") as file:
        file.write("1,item1,item2,1,0.05\n")
    (fit,) = records("fit", "study.csv", "--robust", "--nondecision-time", 0.4)
    assert fit["n_trials"] == 201
    assert fit["nondecision_time"] == pytest.approx(0.4)
    assert fit["contamination"]["contaminant_share"] > 0


def test_pictures_have_the_names_of_the_people(tacit, write, folder):
    trials = ["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1"] * 3
    write(
        *[f"ann/e,{trial}" for trial in trials],
        *[f"bob,{trial}" for trial in trials],
        *[f"Ann:E,{trial}" for trial in trials],
        "eve,soup,soup,1,1.0",
        header="person,first,second,choice,response_time",
    )
    result = tacit("fit", "trials.csv", "--allow-identical", "--plot", "out/fit.png", code=1)
    names = ("fit-ann_e.png", "fit-bob.png", "fit-Ann_E-2.png")
    said = result.stderr.splitlines()
    assert said[-4:-1] == [f"picture: out/{name}" for name in names]
    assert said[-1].startswith("error: person eve: ")
    for name in names:
        assert (folder / "out" / name).read_bytes().startswith(b"\x89PNG")


def test_the_picture_of_one_person_has_the_name_given(tacit, folder):
    tacit("simulate", "study.csv", "--items", 4, "--features", 2)
    tacit("fit", "study.csv", "--items", "study.items.csv", "--plot", "fit.svg")
    drawn = (folder / "fit.svg").read_text()
    assert drawn.startswith("<?xml")


def test_robust_fits_have_no_posterior_to_draw(tacit, write):
    write("tea,milk,1,0.9")
    result = tacit("fit", "trials.csv", "--robust", "--plot", "fit.png", code=2)
    assert "leave out --plot or --robust" in result.stderr


def test_a_published_person_is_fitted_as_published(data_dir, records):
    with (data_dir / "ClitheroDataset.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if float(row["YesNo"]) == 1]
    with Path("person.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row for row in rows if row["subj"] == rows[0]["subj"])
    columns = "--first Item --choice response --response-time rt --choice-coding zero_one"
    cuts = "--drop-fast 0.2 --drop-slow 5"
    (fit,) = records("fit", "person.csv", "--second", "", *columns.split(), *cuts.split())
    (published, *_) = datasets.published_fits("clithero", data_dir)
    assert fit["n_trials"] == 169
    # The published means have the Monte Carlo error of their chains.
    assert fit["barrier"] == pytest.approx(published.barrier, abs=5e-3)
    assert fit["nondecision_time"] == pytest.approx(published.nondecision_time, abs=2e-3)
    weights = [fit["weights"][f"{item}.0"] for item in range(1, 18)]
    np.testing.assert_allclose(weights, published.weights, atol=0.05)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (
            "fit.xyz",
            "--plot must name a picture such as fit.png, fit.pdf or fit.svg, got 'fit.xyz'",
        ),
        ("fit", "--plot must name a picture such as fit.png, fit.pdf or fit.svg, got 'fit'"),
        ("trials.csv/fit.png", "trials.csv: file exists"),
    ],
)
def test_a_picture_that_cannot_be_saved_is_refused_before_the_fit(
    tacit, write, folder, picture, message
):
    write("tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1")
    result = tacit("fit", "trials.csv", "--plot", picture, code=2)
    assert (result.stdout, result.stderr) == ("", f"error: {message}\n")
    assert [path.name for path in folder.iterdir()] == ["trials.csv"]


def test_people_without_a_result_are_named_beside_the_json(tacit, write):
    good = ["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1"] * 3
    apart = ["tea,milk,1,0.9", "soup,bread,1,1.1"]
    write(
        *[f"ann,{trial}" for trial in good],
        *[f"{name},{trial}" for name in ("bob", "eve") for trial in apart],
        header="person,first,second,choice,response_time",
    )
    said = tacit("fit", "trials.csv", "--json", code=1).stderr.splitlines()
    assert [line.partition(": nothing compares")[0] for line in said] == [
        "error: person bob",
        "error: person eve",
        "error: no result for 2 of 3 people",
    ]


def test_rows_that_name_no_person_are_counted(tacit, write):
    trials = ["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1"]
    header = "person,first,second,choice,response_time"
    write(*[f"ann,{trial}" for trial in trials], ",tea,milk,1,0.8", header=header)
    said = tacit("fit", "trials.csv", "--on-invalid", "exclude").stderr
    assert said == "warning: rows that name no person and were left out: 1\n"


@pytest.mark.parametrize("robust", [False, True])
def test_nobody_with_a_result_is_a_failure(tacit, write, robust):
    if robust:
        write("tea,milk,1,", "milk,tea,1,", "tea,milk,1,")
        result = tacit("fit", "trials.csv", "--json", "--robust", code=2)
        assert result.stderr.startswith("error: no answer has a response time")
    else:
        write("tea,milk,1,0.9", "soup,bread,1,1.1")
        result = tacit("fit", "trials.csv", "--json", code=2)
        assert result.stderr.startswith("error: nothing compares ")


def test_more_processes_than_people_are_not_started(tacit, write):
    write("tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,1.1")
    assert tacit("fit", "trials.csv", "--jobs", 10**6).stderr == ""
    assert "Invalid value" in tacit("fit", "trials.csv", "--jobs", 0, code=2).stderr
    assert "Invalid value" in tacit("fit", "trials.csv", "--prior-sd", "1e300", code=2).stderr


def test_control_characters_of_names_do_not_reach_the_terminal(tacit, write):
    write("te\x1b[31ma,milk,1,0.9", "milk,te\x1b[31ma,1,1.4", "te\x1b[31ma,milk,1,1.1")
    shown = tacit("fit", "trials.csv", "--table").stdout
    assert r"te\x1b[31ma" in shown
    assert "\x1b" not in shown


def test_letters_that_the_picture_lacks_are_one_warning(tacit, write):
    write("果,milk,1,0.9", "milk,果,1,1.4", "果,milk,1,1.1")
    said = tacit("fit", "trials.csv", "--plot", "fit.png").stderr.splitlines()
    lacking = "warning: the picture lacks letters of some names, which its font does not have"
    assert said == [lacking, "picture: fit.png"]


def test_long_names_leave_room_and_dollars_are_no_formulas(tacit, write, folder):
    long, dollars = "a name of a snack that is very long", "$5 or $6 tea"
    pairs = [f"{long},{dollars},1,0.9", f"{dollars},{long},1,1.4", f"{long},{dollars},1,1.1"]
    write(*pairs)
    tacit("fit", "trials.csv", "--plot", "fit.svg")
    drawn = (folder / "fit.svg").read_text()
    assert "<!-- a name of a snack t… -->" in drawn
    assert "<!-- $5 or $6 tea -->" in drawn
    assert long not in drawn


def test_tables_say_what_they_hold(tacit, write):
    write(*["tea,milk,1,0.9", "milk,tea,1,1.4", "tea,milk,1,0.7", "milk,tea,-1,1.1"] * 3)
    exact, robust = (tacit("fit", "trials.csv", "--table", *o).stdout for o in ([], ["--robust"]))
    assert "Posterior means ± standard deviations" in exact
    assert "Estimates ± standard errors" in robust
