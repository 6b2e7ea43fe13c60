import warnings

import numpy as np
import pytest

from tacit import fleet
from tacit.errors import DataError, DataWarning
from tacit.estimators import Likelihood
from tacit.fleet import Log, Model
from tacit.records import Items, Trials
from tests.unit.fleet.conftest import answers, by_person, spoil


def usable(columns, items, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Trials.from_table(columns, items, person="person", on_invalid="exclude", **options)


def assert_equals_likelihood(table, trials, t0=None, share=0.85, ridge=0.0):
    """Compare everybody with an estimator that sees the same rows."""
    rows = by_person(table)
    compared = 0
    for person, own in trials.by_person():
        row = rows.pop(person)
        assert row["n_trials"] == own.n_trials
        left_out = sum(row[name] for name in row if name.startswith("excluded_"))
        assert left_out == sum(own.excluded.values())
        if own.n_trials < 10:
            continue
        time = share * own.response_time.min() if t0 is None else t0
        alone = Likelihood(time, ridge=ridge).fit(
            own.vectors, own.choice, response_time=own.response_time
        )
        scale = np.abs(alone.coef_ * alone.barrier_).max()
        np.testing.assert_allclose(row["nondecision_time"], time, rtol=1e-12)
        np.testing.assert_allclose(row["barrier"], alone.barrier_, rtol=1e-9)
        np.testing.assert_allclose(
            row["weights"], alone.coef_ * alone.barrier_, rtol=1e-9, atol=1e-9 * scale
        )
        covariance = alone.covariance_ * alone.barrier_**2
        np.testing.assert_allclose(
            row["covariance"],
            covariance[np.triu_indices(len(scale * alone.coef_))],
            atol=1e-9 * covariance.max(),
        )
        compared += 1
    assert not rows
    assert compared > 5


@pytest.mark.parametrize("how", ["stream", "query"])
def test_estimates_equal_likelihood_on_the_same_rows(log, write, how):
    columns, items = log
    found = fleet.fit(write(columns), items, how=how)
    assert found.n_people == 12
    assert found.n_trials == 900
    assert_equals_likelihood(found.table, usable(columns, items))


@pytest.mark.parametrize("how", ["stream", "query"])
def test_odd_rows_are_left_out_as_trials_leave_them_out(log, write, how):
    columns, items = log
    spoilt = spoil(columns)
    trials = usable(spoilt, items, nondecision_time=0.1)
    trials = trials.drop_fast(0.5).drop_slow(2.0)
    rules = Log(drop_fast=0.5, drop_slow=2.0)
    with pytest.warns(DataWarning, match="rows that name no person and were left out: 30"):
        found = fleet.fit(
            write(spoilt), items, log=rules, model=Model(nondecision_time=0.1), how=how
        )
    same = {
        "response_time below 0.5 s": "response_time below the limit",
        "response_time above mean + 2 sd": "response_time far above the person's mean",
    }
    expected = {same.get(reason, reason): n for reason, n in trials.excluded.items()}
    assert len(expected) == 10
    assert found.excluded == expected
    assert_equals_likelihood(found.table, trials, t0=0.1)


def test_a_prior_is_a_ridge(log):
    columns, items = log
    found = fleet.fit(columns, items, model=Model(prior_sd=0.5))
    assert_equals_likelihood(found.table, usable(columns, items), ridge=4.0)


def test_numbered_items_and_people_stay_numbers(rng, write):
    columns, items = answers(rng, names="number")
    columns["person"] = [int(name[1:]) for name in columns["person"]]
    found = fleet.fit(write(columns), items)
    assert found.table["person"].to_pylist() == list(range(12))
    assert_equals_likelihood(found.table, usable(columns, items))


def test_the_best_items_have_the_highest_utilities(log):
    columns, items = log
    found = fleet.fit(columns, items, model=Model(n_best=2))
    for row in found.table.to_pylist():
        utility = items.utilities(row["weights"])
        order = np.argsort(-utility)[:2]
        assert row["best_items"] == [items.names[i] for i in order]
        np.testing.assert_allclose(row["best_utilities"], utility[order])
        assert 0 < row["best_probabilities"][0] <= 1


def test_a_log_of_single_items_with_other_names_and_units(rng):
    items = Items(rng.normal(size=(30, 2)), [f"product{i}" for i in range(30)])
    shown = rng.integers(30, size=400)
    choice = np.where(rng.random(400) < 0.5, 1, -1)
    dwell = rng.gamma(2.0, 0.5, size=400) + 0.3
    logged = {
        "product": [items.names[i] for i in shown],
        "action": np.where(choice > 0, "bought", "skipped").tolist(),
        "dwell": (1000 * dwell).tolist(),
        "user": ["ann"] * 200 + ["bob"] * 200,
    }
    rules = Log(
        first="product",
        second=None,
        choice="action",
        choice_coding="bought/skipped",
        response_time="dwell",
        time_unit="ms",
        person="user",
    )
    found = by_person(fleet.fit(logged, items, log=rules).table)
    own = slice(200, None)
    alone = Likelihood(0.85 * dwell[own].min()).fit(
        items.features[shown[own]], choice[own], response_time=dwell[own]
    )
    np.testing.assert_allclose(found["bob"]["weights"], alone.coef_ * alone.barrier_, rtol=1e-9)


def test_inline_query_vectors_need_no_items(log):
    columns, items = log
    trials = usable(columns, items)
    inline = {name: columns[name] for name in ("choice", "response_time", "person")}
    inline |= {f"f{k}": trials.vectors[:, k].tolist() for k in range(3)}
    rules = Log(features=("f0", "f1", "f2"))
    direct = fleet.fit(columns, items).table.drop(
        ["best_items", "best_utilities", "best_probabilities"]
    )
    for how in ("stream", "query"):
        found = by_person(fleet.fit(inline, log=rules, how=how).table)
        for person, row in by_person(direct).items():
            np.testing.assert_allclose(found[person]["weights"], row["weights"], rtol=1e-9)


@pytest.mark.parametrize("how", ["stream", "query"])
def test_items_without_features_have_a_utility_each(rng, how):
    columns, _ = answers(rng, n_items=4, n_people=2)
    alike = fleet.fit(columns, how=how)
    found = by_person(alike.table)["p01"]
    assert abs(sum(found["weights"])) < 1e-9
    assert not alike.flags
    assert alike.notes[0].startswith("the items leave 1 of 4 directions of the weights open")
    counted = fleet.fit(columns, how=how, log=Log(reference="item2"))
    assert not counted.notes
    against = by_person(counted.table)["p01"]
    full = np.array(found["weights"])
    np.testing.assert_allclose(
        against["weights"], np.delete(full - full[2], 2), rtol=1e-6, atol=1e-9
    )
    assert not against["flags"]


@pytest.mark.parametrize("ridge", [0.0, 4.0])
def test_utilities_without_a_common_level_equal_likelihood(rng, ridge):
    columns, _ = answers(rng, n_items=5, n_people=9, n_trials=600)
    model = Model(prior_sd=ridge**-0.5 if ridge else None)
    found = fleet.fit(columns, model=model)
    one_hot = Items.one_hot(sorted(set(columns["first"]) | set(columns["second"])))
    assert_equals_likelihood(found.table, usable(columns, one_hot), ridge=ridge)


def test_who_was_asked_about_some_items_only_is_flagged_without_a_common_level(rng):
    columns, _ = answers(rng, n_items=4, n_people=2)
    few = [item in {"item0", "item1"} for item in columns["first"]]
    few = [f and item in {"item0", "item1"} for f, item in zip(few, columns["second"], strict=True)]
    kept = [f or person == "p00" for f, person in zip(few, columns["person"], strict=True)]
    some = {n: [v for v, k in zip(values, kept, strict=True) if k] for n, values in columns.items()}
    rows = by_person(fleet.fit(some).table)
    assert not rows["p00"]["flags"]
    assert "undetermined weights" in rows["p01"]["flags"]


def test_the_note_stays_with_the_sums(rng, tmp_path):
    columns, _ = answers(rng, n_items=4, n_people=2)
    sums = tmp_path / "sums.parquet"
    found = fleet.fit(columns, statistics=sums)
    again = fleet.fit_statistics(sums)
    assert again.notes == found.notes != ()
    assert again.flags == found.flags == {}


def test_odd_people_get_flags_and_fail_nobody(rng):
    columns, items = answers(rng, n_people=1, n_trials=100)
    columns["person"] = ["fine"] * 100
    odd = {
        "one trial": (["item0"], ["item1"], [1], [0.9]),
        "always first": (["item0", "item1"] * 9, ["item2", "item3"] * 9, [1] * 18, [0.9, 1.1] * 9),
        "nonsense": (["item0"] * 3, ["item1"] * 3, [1, -1, 1], [-1.0, None, float("inf")]),
        "hours": (["item0"] * 9, ["item1"] * 9, [1, -1, 1] * 3, [400.0, 500.0, 700.0] * 3),
    }
    for person, (first, second, choice, time) in odd.items():
        for name, values in zip(columns, (first, second, choice, time), strict=False):
            columns[name] = [*columns[name], *values]
        columns["person"] = [*columns["person"], *[person] * len(first)]
    found = fleet.fit(columns, items)
    flags = {row["person"]: set(row["flags"]) for row in found.table.to_pylist()}
    assert flags["fine"] == set()
    assert flags["one trial"] == {"undetermined weights", "undetermined barrier"}
    assert {"constant choices", "undetermined weights"} <= flags["always first"]
    assert flags["nonsense"] == {"no usable trial", "mostly excluded"}
    assert {"implausible times", "undetermined weights"} <= flags["hours"]
    rows = by_person(found.table)
    assert rows["one trial"]["weights"] is None
    assert rows["one trial"]["barrier"] is None
    assert found.flags["undetermined weights"] == 3


@pytest.mark.parametrize("how", ["stream", "query"])
def test_numbers_that_no_sum_can_hold_are_left_out(how):
    log = {
        "x": [1.0, 2.0, 1e49, float("inf"), 1e200, 1.0] * 2,
        "choice": [1, -1, 1, 1, -1, 1] * 2,
        "response_time": [0.9, 1.1, 1e49, 0.8, 0.9, 1e308] * 2,
        "person": ["ann"] * 6 + ["bob"] * 6,
    }
    found = fleet.fit(log, log=Log(features=("x",)), how=how)
    assert found.excluded == {"missing or infinite feature": 4, "infinite response_time": 2}
    assert found.n_trials == 6


def test_identical_items_get_a_flag_where_they_are_allowed(log):
    columns, items = log
    columns["second"] = list(columns["first"])
    kept = fleet.fit(columns, items, log=Log(allow_identical=True))
    assert kept.flags["identical items"] == 12
    left_out = fleet.fit(columns, items)
    assert left_out.excluded == {"identical items": 900}
    assert left_out.flags["no usable trial"] == 12


def test_a_side_bias_is_found(rng):
    columns, items = answers(rng, n_people=2, n_trials=2000)
    biased = [
        1 if person == "p00" and rng.random() < 0.3 else choice
        for person, choice in zip(columns["person"], columns["choice"], strict=True)
    ]
    found = by_person(fleet.fit(columns | {"choice": biased}, items).table)
    assert found["p00"]["flags"] == ["side bias"]
    assert found["p01"]["flags"] == []


@pytest.mark.parametrize("how", ["stream", "query"])
def test_censored_answers_are_counted_apart(log, how):
    columns, items = log
    rules = Log(censor_above=1.2)
    found = fleet.fit(columns, items, log=rules, how=how)
    late = sum(time > 1.2 for time in columns["response_time"])
    assert sum(found.table["n_censored"].to_pylist()) == late > 50
    assert found.n_trials == 900
    other = by_person(fleet.fit(columns, items, log=rules).table)
    for row in found.table.to_pylist():
        np.testing.assert_allclose(row["weights"], other[row["person"]]["weights"], rtol=1e-9)


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ({"choice": [0, 1] * 450}, "use choice_coding='zero_one'"),
        ({"first": ["tea"] * 900, "second": [None] * 900}, "excluded"),
    ],
)
def test_whole_columns_in_another_coding_are_refused(log, spoilt, message):
    columns, items = log
    if message == "excluded":
        found = fleet.fit(columns | spoilt, items)
        assert found.excluded == {"unknown item": 900}
    else:
        with pytest.raises(DataError, match=message):
            fleet.fit(columns | spoilt, items)


def test_milliseconds_taken_for_seconds_are_doubted(log):
    columns, items = log
    columns["response_time"] = [1000 * time for time in columns["response_time"]]
    with pytest.warns(DataWarning, match="were milliseconds taken for seconds"):
        fleet.fit(columns, items)


def test_too_many_items_without_features_are_refused(rng):
    columns, _ = answers(rng, n_items=80)
    with pytest.raises(DataError, match="more than 64 items"):
        fleet.fit(columns)


def test_trials_in_memory_bring_their_items(log):
    columns, items = log
    trials = usable(columns, items)
    assert_equals_likelihood(fleet.fit(trials).table, trials)


def test_weights_come_back_with_their_covariances(rng):
    columns, items = answers(rng, n_people=2)
    columns["person"][0] = "one trial"
    found = fleet.fit(columns, items)
    weights, covariance = fleet.weights_of(found.table)
    rows = found.table.to_pylist()
    for row, mean, spread in zip(rows, weights, covariance, strict=True):
        if row["person"] == "one trial":
            assert np.isnan(mean).all()
            assert np.isnan(spread).all()
            continue
        np.testing.assert_array_equal(mean, row["weights"])
        np.testing.assert_array_equal(spread[np.triu_indices(3)], row["covariance"])
        np.testing.assert_array_equal(spread, spread.T)
