import json
from dataclasses import fields
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest

from tacit import ddm
from tacit.ddm import SufficientStatistics
from tacit.errors import DataError

X = np.array([[1.0, -1.0], [0.5, 2.0], [1.0, 0.0]])
CHOICE, TIME = np.array([1, -1, 1]), np.array([0.9, 1.4, 1.1])
NAMES = [field.name for field in fields(SufficientStatistics)]


def person(rng, n=200):
    X = rng.normal(size=(n, 3))
    choice, time = ddm.sample(X @ [1.0, -0.5, 0.2], 1.2, nondecision_time=0.3, rng=rng)
    return X, choice, time, rng.uniform(0.1, 2.0, n)


def assert_same(one, other, rtol=1e-12):
    for name in NAMES:
        np.testing.assert_allclose(
            getattr(one, name), getattr(other, name), rtol=rtol, atol=rtol, err_msg=name
        )


def test_sums_by_hand():
    sums = SufficientStatistics.from_trials(X, CHOICE, TIME, [1.0, 2.0, 0.0])
    assert (sums.n_trials, sums.n_features) == (3, 2)
    assert sums.weight_sum == 3.0
    assert sums.time_sum == pytest.approx(0.9 + 2 * 1.4)
    np.testing.assert_allclose(sums.choice_sum, [1 - 2 * 0.5, -1 - 2 * 2.0])
    np.testing.assert_allclose(sums.choice_time_sum, [0.9 - 2.8 * 0.5, -0.9 - 2.8 * 2.0])
    np.testing.assert_allclose(sums.gram, [[1 + 0.5, -1 + 2.0], [-1 + 2.0, 1 + 8.0]])
    np.testing.assert_allclose(
        sums.time_gram, [[0.9 + 0.7, -0.9 + 2.8], [-0.9 + 2.8, 0.9 + 1.4 * 8]]
    )
    squares = np.array([[1.0, -1.0], [-1.0, 1.0]]) * 0.81 + 2 * 1.96 * np.outer(X[1], X[1])
    np.testing.assert_allclose(sums.squared_time_gram, squares)


def test_weights_are_the_solution_of_the_normal_equations(rng):
    X, choice, time, weight = person(rng)
    sums = SufficientStatistics.from_trials(X, choice, time, weight)
    decision_time = weight * (time - 0.2)
    information = (X.T * decision_time) @ X
    np.testing.assert_allclose(sums.information(0.2), information, rtol=1e-10)
    for ridge in (0.0, 4.0):
        expected = np.linalg.solve(information + ridge * np.eye(3), (weight * choice) @ X)
        found = sums.weights_over_barrier(0.2, ridge=ridge)
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_barrier_is_the_second_wald_identity(rng):
    X, choice, time, weight = person(rng)
    sums = SufficientStatistics.from_trials(X, choice, time, weight)
    beta = np.array([0.7, -0.4, 0.1])
    residual = choice - (time - 0.2) * (X @ beta)
    expected = np.sqrt((weight * (time - 0.2)).sum() / (weight * residual**2).sum())
    assert sums.barrier(beta, 0.2) == pytest.approx(expected, rel=1e-10)


def test_exact_explanations_have_an_infinite_barrier():
    sums = SufficientStatistics.from_trials(np.eye(2), [1, -1], [0.7, 1.3])
    assert sums.barrier(sums.weights_over_barrier(0.1), 0.1) == np.inf


def test_decision_times_that_sum_to_nothing_are_named():
    sums = SufficientStatistics.from_trials(X, CHOICE, TIME)
    with pytest.raises(DataError, match=r"decision times of 3 trials sum to -2\.6 s"):
        sums.barrier([0.0, 0.0], 2.0)


def test_parts_merge_in_any_order(rng):
    columns = person(rng)
    whole = SufficientStatistics.from_trials(*columns)
    for _ in range(5):
        parts = np.array_split(rng.permutation(len(columns[0])), rng.integers(2, 20))
        sums = [SufficientStatistics.from_trials(*(c[part] for c in columns)) for part in parts]
        assert_same(reduce(add, sums), whole)
        assert_same(reduce(add, sums[::-1], SufficientStatistics.zeros(3)), whole)


def test_sums_are_exact_to_rounding(rng):
    X, choice, time, _ = person(rng, n=500)
    streamed = SufficientStatistics.zeros(3)
    for i in range(len(X)):
        streamed = streamed.add(X[i : i + 1], choice[i : i + 1], time[i : i + 1])
    exact = sum(Fraction(t) * Fraction(x) ** 2 for t, x in zip(time, X[:, 0], strict=True))
    # One rounding of a positive term and one of the running sum per trial.
    bound = 3 * len(X) * np.finfo(float).eps
    assert abs(Fraction(streamed.time_gram[0, 0]) / exact - 1) < bound
    assert streamed.n_trials == 500


def test_what_was_added_can_be_subtracted(rng):
    columns = person(rng)
    whole = SufficientStatistics.from_trials(*columns)
    part = SufficientStatistics.from_trials(*(c[:80] for c in columns))
    rest = SufficientStatistics.from_trials(*(c[80:] for c in columns))
    assert_same(whole - part, rest, rtol=1e-10)
    assert_same(whole - whole, SufficientStatistics.zeros(3))


def test_what_was_never_added_cannot_be_subtracted():
    sums = SufficientStatistics.from_trials(X, CHOICE, TIME)
    with pytest.raises(DataError, match="cannot subtract 6 trials from 3"):
        sums - (sums + sums)
    slower = SufficientStatistics.from_trials(X, CHOICE, 10 * TIME)
    with pytest.raises(DataError, match="their `time_sum` is larger than that of all 3"):
        sums - slower
    longer = SufficientStatistics.from_trials(X[:1] * [1.0, 9.0], CHOICE[:1], TIME[:1])
    with pytest.raises(DataError, match="their `gram` is larger"):
        sums - longer


def test_different_features_cannot_be_combined():
    sums = SufficientStatistics.from_trials(X, CHOICE, TIME)
    with pytest.raises(DataError, match="2 and 3 features"):
        sums + SufficientStatistics.zeros(3)
    with pytest.raises(DataError, match="2 and 3 features"):
        sums - SufficientStatistics.zeros(3)


def test_operations_leave_their_operands_alone():
    sums = SufficientStatistics.from_trials(X, CHOICE, TIME)
    before = sums.to_json()
    _ = sums.add(X, CHOICE, TIME) - sums
    assert sums.to_json() == before


def test_json_is_exact(rng):
    sums = SufficientStatistics.from_trials(*person(rng))
    copy = SufficientStatistics.from_json(sums.to_json())
    for name in NAMES:
        np.testing.assert_array_equal(getattr(copy, name), getattr(sums, name))
        assert type(getattr(copy, name)) is type(getattr(sums, name))
    none = SufficientStatistics.from_json(SufficientStatistics.zeros(2).to_json())
    assert none.n_trials == 0
    assert_same(none + none, SufficientStatistics.zeros(2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gram": [[1.0]]}, r"`gram` must have shape \(2, 2\), got \(1, 1\)"),
        ({"choice_time_sum": [1.0]}, r"`choice_time_sum` must have shape \(2,\)"),
        ({"time_sum": [1.0, 2.0]}, r"`time_sum` must have shape \(\), got \(2,\)"),
        ({"time_sum": float("nan")}, "`time_sum` must be finite"),
        ({"time_gram": [[1.0, 2.0], [2.0]]}, "not the JSON"),
        ({"n_trials": None}, "not the JSON"),
    ],
)
def test_broken_json_is_named(change, message):
    stored = json.loads(SufficientStatistics.from_trials(X, CHOICE, TIME).to_json())
    with pytest.raises(DataError, match=message):
        SufficientStatistics.from_json(json.dumps(stored | change))


@pytest.mark.parametrize("text", ["", "[1, 2]", "{}", '{"n_trials": 3}'])
def test_what_is_not_the_json_of_sums_is_named(text):
    with pytest.raises(DataError, match="not the JSON of SufficientStatistics"):
        SufficientStatistics.from_json(text)


def test_the_fainter_of_two_features_keeps_its_weight(rng):
    X, choice, time, _ = person(rng)
    plain = SufficientStatistics.from_trials(X, choice, time).weights_over_barrier(0.3)
    for scale in (1e-10, 1e10):
        factors = np.array([1.0, scale, 1.0])
        sums = SufficientStatistics.from_trials(X * factors, choice, time)
        np.testing.assert_allclose(sums.weights_over_barrier(0.3) * factors, plain, rtol=1e-9)


def test_a_feature_that_is_the_rounding_of_others_gets_no_weight(rng):
    X, choice, time, _ = person(rng)
    wide = np.column_stack([X, (X[:, 0] + 0.1) - X[:, 0] - 0.1])
    assert wide[:, 3].any()
    weights = SufficientStatistics.from_trials(wide, choice, time).weights_over_barrier(0.3)
    plain = SufficientStatistics.from_trials(X, choice, time).weights_over_barrier(0.3)
    np.testing.assert_allclose(weights, [*plain, 0.0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_undetermined_weights_are_of_least_norm(rng, scale):
    X, choice, time, _ = person(rng)
    # The last feature repeats the sum of two others, which differ in scale.
    wide = np.column_stack([X[:, 0], scale * X[:, 1], X[:, 0] + scale * X[:, 1]])
    sums = SufficientStatistics.from_trials(wide, choice, time)
    found = sums.weights_over_barrier(0.3)
    assert found @ [1.0, 1.0, -1.0] == pytest.approx(0, abs=1e-9 * np.abs(found).max())
    both = SufficientStatistics.from_trials(wide[:, :2], choice, time).weights_over_barrier(0.3)
    np.testing.assert_allclose(wide @ found, wide[:, :2] @ both, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((X[0], CHOICE[:1], TIME[:1]), "one query vector per row"),
        ((X, CHOICE[:2], TIME), r"`choice` must have one value per row of X \(3\), got shape"),
        ((X, CHOICE, [0.9, 0.0, 1.1]), "positive number of seconds, got 0 at trial 1"),
        ((X, [1, 0, 1], TIME), "got 0 at position 1"),
        ((X, CHOICE, TIME, [1.0, 1.0, -1.0]), "`sample_weight` must be at least 0, got -1.0 at tr"),
        ((np.where(X == 2, np.nan, X), CHOICE, TIME), "got nan at trial 1, feature 1"),
    ],
)
def test_bad_trials_are_named(columns, message):
    with pytest.raises(DataError, match=message):
        SufficientStatistics.from_trials(*columns)
