import numpy as np
import pytest
from scipy.special import log_expit

from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators import ChoiceOnly, Likelihood, RobustLikelihood
from tests.unit.estimators._contaminated_answers import (
    NONDECISION_TIME,
    WEIGHTS,
    clean,
    contaminated,
    fitted,
)

SLOWEST_MODE = 1 - 8 / np.pi**2


# Limits in which the estimate is known


@pytest.mark.parametrize("ridge", [0.0, 4.0])
def test_without_contaminants_it_is_the_likelihood(rng, ridge):
    data = clean(rng)
    robust = fitted(RobustLikelihood(contaminants=False, ridge=ridge), *data)
    exact = fitted(Likelihood(ridge=ridge), *data)
    np.testing.assert_allclose(robust.coef_, exact.coef_, rtol=1e-3)
    assert robust.barrier_ == pytest.approx(exact.barrier_, rel=1e-3)
    assert robust.nondecision_time_ == pytest.approx(exact.nondecision_time_, abs=1e-3)
    np.testing.assert_allclose(robust.covariance_, exact.covariance_, rtol=1e-2)
    assert (robust.contaminant_share_, robust.n_censored_, robust.n_void_) == (0, 0, 0)
    assert not robust.contaminant_probability_.any()


def test_contaminants_that_gain_little_are_not_believed_in(rng):
    data = clean(rng)
    robust = fitted(RobustLikelihood(), *data)
    without = fitted(RobustLikelihood(contaminants=False), *data)
    assert robust.contaminant_share_ == 0
    np.testing.assert_array_equal(robust.coef_, without.coef_)
    np.testing.assert_array_equal(robust.covariance_, without.covariance_)


def test_with_all_times_void_it_is_ridge_logistic_regression(rng):
    X, choice, _ = clean(rng)
    a, ridge = 1.4, 3.0
    model = fitted(RobustLikelihood(barrier=a, ridge=ridge), X, choice, np.full(len(X), np.nan))
    # Log-odds 2 a u have coefficients 2 a^2 times those of u / a, so that ridge a^2 becomes this.
    logistic = ChoiceOnly("ridge", ridge=ridge / (4 * a**2)).fit(X, choice)
    np.testing.assert_allclose(2 * a**2 * model.coef_, logistic.coef_, rtol=2e-3)
    np.testing.assert_allclose(4 * a**4 * model.covariance_, logistic.covariance_, rtol=5e-3)
    assert model.n_void_ == len(X)
    assert np.isnan(model.nondecision_time_)
    assert model.contaminant_share_ == 0
    np.testing.assert_array_equal(
        model.coef_, RobustLikelihood(barrier=a, ridge=ridge).fit(X, choice).coef_
    )


# By hand


def test_three_trials_of_which_one_is_censored_by_hand():
    # It counts as c = 0 for 3 s less (1 - 8 / pi^2) of a^2 = 1.
    model = RobustLikelihood(0.0, barrier=1.0, contaminants=False, censor_above=3.0)
    fitted(model, [[1.0], [2.0], [1.0]], [1, 1, -1], [1.0, 2.0, 9.0])
    information = 1 * 1 + 2 * 4 + (3 - SLOWEST_MODE) * 1
    assert model.coef_ == pytest.approx([(1 + 2) / information])
    assert model.covariance_[0, 0] == pytest.approx(1 / information)
    assert model.n_censored_ == 1


def test_drift_variability_takes_weight_from_slow_trials_by_hand():
    model = RobustLikelihood(0.0, barrier=1.0, contaminants=False, drift_variability=0.5)
    fitted(model, [[1.0], [2.0], [1.0]], [1, 1, -1], [1.0, 2.0, 6.0])
    weight = 1 / (1 + 0.25 * np.array([1.0, 2.0, 6.0]))
    expected = weight @ [1, 2, -1] / (weight @ [1 * 1, 2 * 4, 6 * 1])
    assert model.coef_ == pytest.approx([expected])


def test_a_void_trial_counts_with_its_choice_by_hand():
    model = RobustLikelihood(0.0, barrier=1.2, contaminants=False)
    fitted(model, [[1.0], [2.0], [1.0]], [1, -1, 1], [1.0, 2.0, np.nan])
    beta, a2 = model.coef_[0], 1.2**2
    timed = a2 * ((1 - 2) - (1 * 1 + 2 * 4) * beta)
    void = 2 * a2 * np.exp(log_expit(-2 * a2 * beta))
    assert timed + void == pytest.approx(0, abs=0.02)
    assert model.n_void_ == 1


def test_a_censored_choice_does_not_count(rng):
    X, choice, time = clean(rng)
    model = RobustLikelihood(contaminants=False, censor_above=2.0)
    coef = fitted(model, X, choice, time).coef_
    assert model.n_censored_ == (time > 2).sum() > 0
    later = np.where(time > 2, 10 * time, time)
    other = np.where(time > 2, -choice, choice)
    np.testing.assert_array_equal(fitted(model, X, other, later).coef_, coef)


# What it is for


def test_finds_the_contaminants(rng):
    X, choice, time = contaminated(rng, n=500)
    model = fitted(RobustLikelihood(), X, choice, time)
    error = np.linalg.norm(model.coef_ * model.barrier_ - WEIGHTS)
    exact = fitted(Likelihood(), X, choice, time)
    assert error < np.linalg.norm(exact.coef_ * exact.barrier_ - WEIGHTS) / 3
    assert model.nondecision_time_ == pytest.approx(NONDECISION_TIME, abs=0.1)
    fast, slow, rest = np.split(model.contaminant_probability_, [50, 150])
    assert min(np.median(fast), np.median(slow)) > 0.9
    assert np.median(rest) < 0.1


def test_one_absurd_time_changes_nothing_about_the_others(rng):
    X, choice, time = contaminated(rng)
    coefs = []
    for seconds in (60.0, 60_000.0):
        time[-1] = seconds
        coefs.append(fitted(RobustLikelihood(), X, choice, time).coef_)
    np.testing.assert_allclose(*coefs, rtol=1e-3)


def test_answers_before_a_known_nondecision_time_are_guesses(rng):
    X, choice, time = clean(rng)
    time[:8] = 0.1
    model = fitted(RobustLikelihood(NONDECISION_TIME), X, choice, time)
    assert model.nondecision_time_ == NONDECISION_TIME
    np.testing.assert_allclose(model.contaminant_probability_[:8], 1.0)
    assert model.contaminant_shares_["fast guess"] > 0.02
    with pytest.raises(DataError, match=r"nondecision_time \(0.35 s\), got 0.1 s at trial 0"):
        fitted(RobustLikelihood(NONDECISION_TIME, contaminants=False), X, choice, time)


def test_trials_of_weight_zero_have_no_probability(rng):
    X, choice, time = contaminated(rng)
    weight = np.ones(len(X))
    weight[::3] = 0
    model = fitted(RobustLikelihood(), X, choice, time, sample_weight=weight)
    without = fitted(RobustLikelihood(), *(column[weight > 0] for column in (X, choice, time)))
    np.testing.assert_array_equal(np.isnan(model.contaminant_probability_), weight == 0)
    np.testing.assert_array_equal(
        model.contaminant_probability_[weight > 0], without.contaminant_probability_
    )
    np.testing.assert_array_equal(model.coef_, without.coef_)


def test_weights_count_as_repetitions(rng):
    X, choice, time = contaminated(rng)
    weight = rng.integers(1, 4, len(X))
    weighted = fitted(RobustLikelihood(), X, choice, time, sample_weight=weight)
    repeated = fitted(
        RobustLikelihood(), *(np.repeat(c, weight, axis=0) for c in (X, choice, time))
    )
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-3)
    assert weighted.contaminant_share_ == pytest.approx(repeated.contaminant_share_, rel=1e-2)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_features_of_very_different_scales_keep_their_weights(rng, scale):
    X, choice, time = contaminated(rng)
    plain = fitted(RobustLikelihood(), X, choice, time)
    scaled = fitted(RobustLikelihood(), X * [1.0, scale], choice, time)
    np.testing.assert_allclose(scaled.coef_ * [1.0, scale], plain.coef_, rtol=1e-6)
    back = scaled.covariance_ * np.outer([1.0, scale], [1.0, scale])
    np.testing.assert_allclose(back, plain.covariance_, rtol=1e-6)
    assert scaled.contaminant_share_ == pytest.approx(plain.contaminant_share_, rel=1e-6)


# Errors


def test_without_times_the_barrier_must_be_given():
    with pytest.raises(DataError, match="or give the barrier"):
        fitted(RobustLikelihood(), [[1.0], [2.0]], [1, -1], [np.nan, np.nan])


def test_answers_all_before_the_nondecision_time_are_reported():
    model = RobustLikelihood(nondecision_time=300.0)
    with pytest.raises(DataError, match=r"exceeds nondecision_time \(300 s\), the slowest is 2 s"):
        fitted(model, [[1.0], [2.0], [1.0]], [1, -1, 1], [1.0, 2.0, 1.5])


def test_weights_that_explain_everything_determine_no_barrier():
    with pytest.raises(DataError, match="2 trials determine no barrier"):
        fitted(RobustLikelihood(0.1), np.eye(2), [1, -1], [0.6, 1.1])


def test_a_search_that_stops_early_says_so(rng, monkeypatch):
    monkeypatch.setattr("tacit.estimators._contaminated_fit._MAX_ITERATIONS", 1)
    with pytest.warns(ConvergenceWarning, match="after 1 rounds"):
        model = fitted(RobustLikelihood(), *contaminated(rng))
    assert not model.converged_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ridge": -1.0}, "`ridge` must be a number at least 0, got -1.0"),
        ({"barrier": 0.0}, "`barrier` must be a number above 0, got 0.0"),
        ({"nondecision_time": -0.1}, "`nondecision_time`"),
        ({"censor_above": 0.0}, "`censor_above` must be a number above 0, got 0.0"),
        ({"drift_variability": -0.5}, "`drift_variability` must be a number at least 0, got -0.5"),
    ],
)
def test_impossible_parameters_are_named(parameters, message):
    model = RobustLikelihood(**parameters)
    with pytest.raises(DataError, match=message):
        fitted(model, [[1.0], [1.0], [1.0]], [1, -1, 1], [1.0, 2.0, 1.5])
