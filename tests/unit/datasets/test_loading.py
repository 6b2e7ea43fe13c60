import json
from pathlib import Path

import numpy as np
import pytest

from tacit.datasets import load, published_fits
from tacit.errors import DataError, DataWarning
from tacit.records import AgainstReference, AllPairs

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "datasets.json").read_text())
NAMES = ["food-risk", "clithero", "krajbich"]


def counts(people):
    return {
        "people": [person.name for person in people],
        "trials": [person.trials.n_trials for person in people],
        "chose_first": [int((person.trials.choice == 1).sum()) for person in people],
        "seconds": [float(person.trials.response_time.sum().round(6)) for person in people],
    }


@pytest.mark.parametrize("name", NAMES)
def test_people_and_trials_are_those_counted_independently(data_dir, name):
    found = counts(load(name, data_dir).people)
    assert found == {key: GOLDEN[name][key] for key in found}


def test_food_risk_options_are_the_distinct_ones_a_person_saw(data_dir):
    people = load("food-risk", data_dir).people
    golden = GOLDEN["food-risk"]
    assert [person.trials.items.n_items for person in people] == golden["options"]
    assert (min(golden["options"]), max(golden["options"])) == (31, 95)
    identical = [(person.trials.first == person.trials.second).sum() for person in people]
    assert identical == golden["identical"]


def test_food_risk_vectors_are_left_minus_right(data_dir):
    # The first trial of the file: 4 over 2 on the left, 6 over 6 on the right, right chosen.
    trials = load("food-risk", data_dir).people[0].trials
    left = np.array([0.4, 0.2, 0.16, 0.04, 0.08])
    right = np.array([0.6, 0.6, 0.36, 0.36, 0.36])
    np.testing.assert_allclose(trials.vectors[0], left - right, atol=1e-15)
    assert (trials.choice[0], trials.response_time[0]) == (-1, 6.8517)
    assert trials.items.names[trials.first[0]] == "4 up, 2 down"


def test_clithero_keeps_the_papers_rows_and_says_what_it_left_out(data_dir):
    people = load("clithero", data_dir).people
    n_trials = [person.trials.n_trials for person in people]
    assert (min(n_trials), max(n_trials)) == (167, 170)
    for person in people:
        assert set(person.trials.excluded) <= {"response_time above mean + 5 sd"}
        assert sum(person.trials.excluded.values()) == 170 - person.trials.n_trials
        assert (person.trials.second == -1).all()


def test_clithero_holds_out_every_pair_of_snacks_once(data_dir):
    people = load("clithero", data_dir).people
    golden = GOLDEN["clithero"]
    held_out = [person.held_out for person in people]
    assert [trials.n_trials for trials in held_out] == golden["held_out"]
    assert [(trials.choice == 1).sum() for trials in held_out] == golden["held_out_chose_first"]
    for trials in held_out:
        pairs = np.sort(np.stack([trials.first, trials.second]), axis=0)
        np.testing.assert_array_equal(np.unique(pairs, axis=1), np.stack(np.triu_indices(17, k=1)))


def test_clithero_choice_one_is_the_left_snack(data_dir):
    agree, differ = 0, 0
    for person in load("clithero", data_dir).people:
        single, pair = person.trials, person.held_out
        yes = np.bincount(single.first, single.choice == 1, 17) / np.bincount(single.first)
        lead = yes[pair.first] - yes[pair.second]
        agree += (np.sign(lead[lead != 0]) == pair.choice[lead != 0]).sum()
        differ += (lead != 0).sum()
    assert agree / differ > 0.9


def test_krajbich_is_known_by_ratings(data_dir):
    people = load("krajbich", data_dir).people
    golden = GOLDEN["krajbich"]
    identical = [(person.trials.first == person.trials.second).sum() for person in people]
    assert identical == golden["identical"]
    statistic = [person.trials.choice @ person.trials.vectors[:, 0] for person in people]
    assert statistic == golden["sum_choice_times_difference"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("food-risk", AllPairs), ("clithero", AgainstReference), ("krajbich", AllPairs)],
)
def test_problem_has_the_same_utilities_as_the_trials(data_dir, name, kind):
    for person, fit in zip(
        load(name, data_dir).people, published_fits(name, data_dir), strict=True
    ):
        assert isinstance(person.problem.queries, kind)
        weights = person.problem_weights(fit.weights)
        np.testing.assert_array_equal(
            person.problem.items.utilities(weights), person.trials.items.utilities(fit.weights)
        )
        assert person.problem.items.names == person.trials.items.names


def test_krajbich_problem_has_one_weight_for_each_rating(data_dir):
    person = load("krajbich", data_dir).people[0]
    np.testing.assert_array_equal(person.problem_weights([0.5]), 0.5 * np.arange(-10, 11))
    assert person.problem.queries.n_queries == 210


@pytest.mark.parametrize(
    ("name", "shape", "barriers", "nondecision_times"),
    [
        ("food-risk", (42, 5), (0.715, 2.467), (0.206, 1.917)),
        ("clithero", (31, 17), (0.759, 1.399), (0.139, 0.485)),
        ("krajbich", (39, 1), (0.750, 2.192), (0.387, 1.220)),
    ],
)
def test_published_fits_have_the_papers_ranges(data_dir, name, shape, barriers, nondecision_times):
    fits = published_fits(name, data_dir)
    assert np.stack([fit.weights for fit in fits]).shape == shape
    barrier = [fit.barrier for fit in fits]
    nondecision_time = [fit.nondecision_time for fit in fits]
    assert (round(min(barrier), 3), round(max(barrier), 3)) == barriers
    assert (round(min(nondecision_time), 3), round(max(nondecision_time), 3)) == nondecision_times


@pytest.mark.parametrize("name", NAMES)
def test_published_fits_are_in_the_order_of_the_people(data_dir, name):
    """Each person's times are above the published non-decision time; shifted, some are not."""
    people, fits = load(name, data_dir).people, published_fits(name, data_dir)
    fastest = [person.trials.response_time.min() for person in people]
    slack = np.subtract(fastest, [fit.nondecision_time for fit in fits])
    shifted = np.subtract(fastest, [fit.nondecision_time for fit in fits[1:] + fits[:1]])
    assert slack.min() > 0 > shifted.min()


def test_a_changed_file_is_used_with_a_warning(data_dir, tmp_path):
    text = (data_dir / "KrajbichDataset.csv").read_text()
    (tmp_path / "KrajbichDataset.csv").write_text(text + "\n")
    with pytest.warns(DataWarning, match="differs from the published KrajbichDataset.csv") as seen:
        people = load("krajbich", tmp_path).people
    assert seen[0].filename == __file__
    assert len(people) == 39


def test_the_folder_may_be_named_by_the_environment(data_dir, monkeypatch):
    monkeypatch.setenv("TACIT_DATA", str(data_dir))
    assert "Nature Neuroscience" in load("krajbich").citation


def test_a_folder_without_the_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"no foodrisk.csv in .*; the files come from https://"):
        load("food-risk", tmp_path)


@pytest.mark.parametrize("loader", [load, published_fits])
def test_unknown_data_sets_are_named(loader):
    with pytest.raises(DataError, match="the data sets are 'food-risk', 'clithero', 'krajbich'"):
        loader("foodrisk")
