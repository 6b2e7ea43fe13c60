import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import binom

from tacit import ddm
from tacit.errors import DataError
from tacit.estimators import theory

DRIFT = np.array([-3.0, -0.4, 0.0, 0.1, 1.0, 2.5])
BARRIER = 1.3


def person(rng, n_queries=6, n_features=3):
    shares = rng.uniform(0.1, 1, n_queries)
    X, theta = rng.normal(size=(n_queries, n_features)), rng.normal(size=n_features)
    return rng.normal(size=n_features), X, theta, shares / shares.sum()


def test_weights_by_hand():
    u, a = 0.5, 2.0
    time, variance = a / u * np.tanh(a * u), 1 - np.tanh(a * u) ** 2
    assert theory.asymptotic_weight_timed(u, a) == pytest.approx(time)
    assert theory.asymptotic_weight_choice(u, a) == pytest.approx(a**2 * variance)
    timed = time / ((2 + 2 * np.sqrt(2)) * a)
    assert theory.concentration_weight_timed(u, a) == pytest.approx(timed)
    choice = a * np.sqrt(variance) / 2.4
    assert theory.concentration_weight_choice(u, a) == pytest.approx(choice)


def test_one_timed_answer_is_worth_sinh_of_the_log_odds_over_them():
    timed = theory.asymptotic_weight_timed(DRIFT, BARRIER)
    untimed = theory.asymptotic_weight_choice(DRIFT, BARRIER)
    log_odds = np.where(DRIFT == 0, 1.0, 2 * BARRIER * DRIFT)
    expected = np.where(DRIFT == 0, 1.0, np.sinh(log_odds) / log_odds)
    np.testing.assert_allclose(timed / untimed, expected, rtol=1e-12)
    assert (timed >= untimed).all()


def test_variances_are_the_formulas(rng):
    y, X, theta, shares = person(rng)
    found = theory.asymptotic_variances(y, X, theta, BARRIER, shares=shares)
    drift = X @ theta
    time = BARRIER / drift * np.tanh(BARRIER * drift)
    var_choice = 1 - np.tanh(BARRIER * drift) ** 2

    def total(weight):
        return sum(w * np.outer(x, x) for w, x in zip(weight, X, strict=True))

    bread = np.linalg.inv(total(shares))
    exact = y @ bread @ total(shares / time) @ bread @ y
    assert found.choice_decision_time == pytest.approx(exact)
    assert found.choice_decision_time_bound == pytest.approx(y @ bread @ y / time.min())
    choice_only = y @ np.linalg.inv(total(shares * BARRIER**2 * var_choice)) @ y
    assert found.choice_only == pytest.approx(choice_only)
    assert found.likelihood == pytest.approx(y @ np.linalg.inv(total(shares * time)) @ y)


@pytest.mark.parametrize("repeat", range(20))
def test_variances_are_ordered(rng, repeat):
    y, X, theta, shares = person(rng, n_queries=4 + repeat)
    found = theory.asymptotic_variances(y, X, theta, BARRIER, shares=shares)
    assert found.likelihood < found.choice_decision_time < found.choice_decision_time_bound
    assert found.likelihood < found.choice_only


def test_without_preferences_all_variances_are_the_same(rng):
    y, X, _, shares = person(rng)
    found = theory.asymptotic_variances(y, X, np.zeros(3), BARRIER, shares=shares)
    np.testing.assert_allclose(found, found[0], rtol=1e-12)


def test_for_one_hot_queries_averaging_loses_nothing(rng):
    y, _, theta, _ = person(rng)
    X = np.diag([1.0, 2.0, 0.5])
    found = theory.asymptotic_variances(y, X, theta, BARRIER, shares=[0.2, 0.5, 0.3])
    assert found.choice_decision_time == pytest.approx(found.likelihood)


def test_shares_are_even_by_default_and_zero_shares_do_not_count(rng):
    y, X, theta, _ = person(rng)
    even = theory.asymptotic_variances(y, X, theta, BARRIER)
    given = theory.asymptotic_variances(
        y, np.vstack([X, [100.0, 0.0, 0.0]]), theta, BARRIER, shares=[1 / 6] * 6 + [0]
    )
    np.testing.assert_allclose(given, even, rtol=1e-12)


@pytest.mark.parametrize("strength", [5.0, 30.0, 100.0, 300.0])
def test_strong_preferences_keep_their_digits(rng, strength):
    # What choices tell about these queries differs by a factor of up to e^600.
    y, X, theta, shares = person(rng)
    theta *= strength / np.abs(X @ theta).max()
    found = theory.asymptotic_variances(y, X, theta, 1.0, shares=shares)
    with mp.workdps(400):
        information = mp.zeros(3)
        for share, row, drift in zip(shares, X, X @ theta, strict=True):
            x = mp.matrix(row.tolist())
            information += mp.mpf(share) * mp.sech(mp.mpf(drift)) ** 2 * (x * x.T)
        direction = mp.matrix(y.tolist())
        exact = float((direction.T * mp.lu_solve(information, direction))[0])
    assert found.choice_only == pytest.approx(exact, rel=1e-10)


def test_what_no_float_can_hold_is_infinite():
    found = theory.asymptotic_variances([1.0], [[1.0]], [5000.0], 1.0)
    assert found.choice_only == np.inf
    assert found.choice_decision_time == pytest.approx(5000.0)


def test_times_scaled_by_their_drift_are_sub_gaussian_in_the_range_that_is_used():
    # The claim behind the timed bound, log E exp(s (t - E t) u / a) <= s^2 / 2, with
    # E exp(l t) = cosh(a u) / cosh(a sqrt(u^2 - 2 l)).
    strength = np.concatenate([np.geomspace(1e-3, 20, 400), [100.0, 700.0]])[:, None]
    s = np.linspace(-1, 1, 401) * (np.sqrt(2) - 1) * np.tanh(strength)

    def log_cosh(z):
        return z + np.log1p(np.exp(-2 * z)) - np.log(2)

    after = np.sqrt(strength**2 - 2 * s * strength)
    log_mean = log_cosh(strength) - log_cosh(after) - s * np.tanh(strength)
    assert (log_mean <= s**2 / 2 + 1e-12).all()
    # It does not hold for every s: at strength 1 the mean diverges at s = (1 + pi^2 / 4) / 2.
    far = 0.999 * (1 + np.pi**2 / 4) / 2
    log_mean_far = np.log(np.cosh(1) / np.cos(np.sqrt(2 * far - 1))) - far * np.tanh(1)
    assert log_mean_far > far**2 / 2


def test_divergence_of_choices_is_as_large_as_the_bound_needs():
    # The claim behind the other bound, 1 - (1 + e) exp(-e) >= e^2 / 2.4^2 up to e = 1.7.
    e = np.linspace(1e-3, 1.7, 1000)
    assert (1 - (1 + e) * np.exp(-e) >= e**2 / 2.4**2).all()
    assert 1 - 2.75 * np.exp(-1.75) < 1.75**2 / 2.4**2
    # And its integral is the Kullback-Leibler divergence of the shares.
    eta, moved = 0.7, 1.2
    p, q = expit(eta + moved), expit(eta)
    divergence = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    integral = quad(lambda s: s * expit(eta + s) * expit(-eta - s), 0, moved)[0]
    assert divergence == pytest.approx(integral)


def miss_probability(error, n, drift, barrier):
    """P(|logit(p) / 2a - u| > error) exactly, shares of 0 and 1 being infinite log-odds."""
    n_first = np.arange(n + 1)
    with np.errstate(divide="ignore"):
        estimate = np.log(n_first / (n - n_first)) / (2 * barrier)
    missed = abs(estimate - drift) > error
    return binom.pmf(n_first, n, float(ddm.prob_first(drift, barrier)))[missed].sum()


@pytest.mark.parametrize("drift", [0.0, 0.5, -1.2])
@pytest.mark.parametrize("barrier", [0.7, 1.5])
def test_choices_are_never_further_off_than_the_bound(drift, barrier):
    tightest = np.inf
    for error in np.array([0.2, 0.5, 0.9, 1.0]) * 1.7 / (2 * barrier):
        for n in (1, 2, 5, 20, 100, 1000):
            bound = float(theory.concentration_bound_choice(error, n, drift, barrier))
            exact = miss_probability(error, n, drift, barrier)
            assert exact <= bound * (1 + 1e-12)
            tightest = min(tightest, bound / max(exact, 1e-300))
    assert tightest < 3  # and somewhere the bound is not far above


def test_bounds_by_hand():
    timed = 4 * np.exp(-400 * (np.tanh(1.0) / (2 + 2 * np.sqrt(2)) * 0.5) ** 2)
    assert theory.concentration_bound_timed(0.5, 400, 1.0, 1.0) == pytest.approx(timed)
    choice = 2 * np.exp(-100 * (1 - np.tanh(1.0) ** 2) / 2.4**2 * 0.5**2)
    assert theory.concentration_bound_choice(0.5, 100, 1.0, 1.0) == pytest.approx(choice)


def test_outside_of_their_range_bounds_say_nothing():
    n, drift, barrier = 10**6, 0.5, 2.0
    inside, outside = np.nextafter(np.sqrt(2) * drift, [0, 9])
    assert theory.concentration_bound_timed(inside, n, drift, barrier) < 1e-10
    assert theory.concentration_bound_timed(outside, n, drift, barrier) == 1
    assert theory.concentration_bound_timed(0.1, n, 0.0, barrier) == 1
    inside, outside = np.nextafter(1.7 / (2 * barrier), [0, 9])
    assert theory.concentration_bound_choice(inside, n, drift, barrier) < 1e-10
    assert theory.concentration_bound_choice(outside, n, drift, barrier) == 1


def test_bounds_broadcast_and_stay_below_one():
    error, n = np.array([[0.1], [0.5]]), np.array([1, 100, 10_000])
    for bound in (theory.concentration_bound_timed, theory.concentration_bound_choice):
        table = bound(error, n, 0.8, 1.0)
        assert table.shape == (2, 3)
        assert ((table > 0) & (table <= 1)).all()
        assert (np.diff(table, axis=1) <= 0).all()
        assert (np.diff(table, axis=0) <= 0).all()


@pytest.mark.parametrize(
    ("arguments", "shares", "message"),
    [
        (([1.0], np.eye(2), [1.0, 1.0], 1.0), None, r"shapes \(1,\) and|\(2, 2\) and \(1,\)"),
        (([1.0, 0.0], np.eye(2), [1.0], 1.0), None, r"one value per feature \(2\), got shape"),
        (([1.0, 0.0], np.eye(2), [1.0, 1.0], 1.0), [0.5, 0.6], "sum to 1, got .* sum 1.1"),
        (([1.0, 0.0], np.eye(2), [1.0, 1.0], 1.0), [1.5, -0.5], "at least 0"),
        (([1.0, 0.0], np.eye(2), [1.0, 1.0], 1.0), [1.0, 0.0], "must span the space"),
        (([1.0, 0.0], np.eye(2), [1.0, 1.0], -1.0), None, "`barrier` must be a positive number"),
        (([1.0, 0.0], np.eye(2), [np.nan, 1.0], 1.0), None, "`drift` must be finite"),
    ],
)
def test_impossible_designs_are_named(arguments, shares, message):
    with pytest.raises(DataError, match=message):
        theory.asymptotic_variances(*arguments, shares=shares)


def test_impossible_arguments_of_bounds_are_named():
    with pytest.raises(DataError, match="`n_answers` must be at least 1, got 0"):
        theory.concentration_bound_choice(0.1, 0, 1.0, 1.0)
    with pytest.raises(DataError, match="`error` must be a positive number, got 0"):
        theory.concentration_bound_timed(0.0, 10, 1.0, 1.0)
