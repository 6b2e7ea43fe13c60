from dataclasses import replace

import numpy as np
import pytest
from scipy.special import log_expit
from scipy.stats import ttest_1samp

from tacit import datasets, ddm
from tacit.errors import DataError
from tacit.estimators import (
    ChoiceOnly,
    Likelihood,
    TimesWorth,
    information_ratio,
    pool_worth,
    times_worth,
)
from tacit.estimators._time_weights import _STRENGTH_SDS, _WEAK, TIME_WEIGHTS, TimeWeightFits, pick
from tacit.estimators.worth import Gain

BARRIER, NONDECISION_TIME = 1.0, 0.3


def person(rng, n_trials=80, n_features=8, strength=1.0):
    """Queries, choices and times of someone whose typical strength is about 3 `strength`."""
    X = rng.normal(size=(n_trials, n_features))
    drift = strength * X.sum(axis=1)
    choice, times = ddm.sample(drift, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
    return X, choice, times


def report(log_loss_gain=(0.0, -0.1, 0.1), accuracy_gain=(0.0, -0.1, 0.1), **fields):
    defaults = {
        "n_people": 1,
        "n_trials": 100,
        "information_ratio": 3.0,
        "time_weights": (0.0, 0.5, 1.0),
        "log_losses": (0.5, 0.4, 0.45),
        "accuracies": (0.7, 0.8, 0.8),
    }
    gains = {"log_loss_gain": Gain(*log_loss_gain), "accuracy_gain": Gain(*accuracy_gain)}
    return TimesWorth(**(defaults | fields | gains))


def test_information_ratio_is_that_of_the_fisher_informations():
    z = np.array([-4.0, 1e-9, 0.3, 1.0, 3.0, 20.0])
    both = ddm.mean_time(z, 1.0)
    np.testing.assert_allclose(information_ratio(z), both / ddm.var_choice(z, 1.0), rtol=1e-12)


def test_information_ratio_at_the_ends():
    assert information_ratio(0.0) == 1
    assert information_ratio(300.0) == pytest.approx(np.exp(600) / 1200)
    assert information_ratio(-1000.0) == np.inf


def test_information_ratio_of_items_is_their_geometric_mean(rng):
    X = np.tile(np.eye(3), (40, 1))
    choice, times = ddm.sample(X @ [0.3, 1.0, -1.5], BARRIER, rng=rng, nondecision_time=0.2)
    strengths = TimeWeightFits(X, choice.astype(float), times).strengths()[:3]
    expected = np.exp(np.log(information_ratio(strengths)).mean())
    assert times_worth(X, choice, times).information_ratio == pytest.approx(expected)


def test_information_ratio_does_not_depend_on_how_weights_are_written(rng):
    X, choice, times = person(rng, n_features=3)
    rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    found = times_worth(X, choice, times).information_ratio
    assert times_worth(1000 * X @ rotation, choice, times).information_ratio == pytest.approx(found)


def test_information_ratio_is_not_inflated_by_noise(rng):
    strengths = rng.normal(size=(30, 17)) * 1.5
    X = np.tile(np.eye(17), (5, 1))
    log_ratios = []
    for own in strengths:
        choice, times = ddm.sample(X @ own, BARRIER, nondecision_time=0.3, rng=rng)
        found = TimeWeightFits(X, choice.astype(float), times).strengths()
        log_ratios.append(np.log(information_ratio(found)).mean())
    errors = log_ratios - np.log(information_ratio(strengths)).mean(axis=1)
    # The people's errors have a standard deviation of about 0.4.
    assert abs(errors.mean()) < 0.3


def test_fits_are_those_of_the_estimators(rng):
    X, choice, times = person(rng)
    gamma = TimeWeightFits(X, choice.astype(float), times).fit(np.ones(len(X), dtype=bool))
    size = (X**2).sum(axis=1).mean()
    weak = Likelihood(ridge=size / _WEAK**2 * times.mean()).fit(X, choice, response_time=times)
    a, t0 = weak.barrier_, weak.nondecision_time_
    for k, sd in enumerate(_STRENGTH_SDS):
        precision = size / sd**2
        choices = ChoiceOnly("ridge", ridge=precision / 4).fit(X, choice)
        np.testing.assert_allclose(2 * gamma[0, k], choices.coef_, rtol=1e-4)
        exact = Likelihood(t0, barrier=a, ridge=precision * a**2)
        exact.fit(X, choice, response_time=times)
        np.testing.assert_allclose(gamma[-1, k], a**2 * exact.coef_, rtol=1e-8)


def test_cross_validation_is_nested(rng):
    X, choice, times = person(rng, n_trials=31)
    fits = TimeWeightFits(X, choice.astype(float), times)
    n_folds = 4
    fold = rng.permutation(np.arange(31) % n_folds)
    margins, _ = fits.cross_validate(fold, n_folds)
    for left_out in range(n_folds):
        loss = 0.0
        for validated in set(range(n_folds)) - {left_out}:
            used, where = ~np.isin(fold, [left_out, validated]), fold == validated
            loss = loss - log_expit(2 * choice[where] * (fits.fit(used) @ X[where].T)).sum(axis=-1)
        where = fold == left_out
        gamma = pick(fits.fit(~where), loss.argmin(axis=1))
        np.testing.assert_allclose(margins[:, where], choice[where] * (gamma @ X[where].T))


def test_a_trial_does_not_predict_itself(rng):
    X, choice, times = person(rng, n_trials=40)
    fold = rng.permutation(np.arange(40) % 5)
    left_out = fold == 2
    other_choice = np.where(left_out, -choice, choice).astype(float)
    other_times = np.where(left_out, times + 1, times)
    one, _ = TimeWeightFits(X, choice.astype(float), times).cross_validate(fold, 5)
    two, _ = TimeWeightFits(X, other_choice, other_times).cross_validate(fold, 5)
    np.testing.assert_allclose(one[:, left_out], -two[:, left_out])
    assert not np.allclose(one[:, ~left_out], two[:, ~left_out])


def test_the_seed_determines_the_folds(rng):
    data = person(rng)
    assert times_worth(*data) == times_worth(*data, seed=0) != times_worth(*data, seed=1)


def test_times_help_people_with_strong_preferences_and_few_answers(rng):
    # Over seeds, the gain of 20 people is 0.067 with a standard deviation of 0.013.
    pooled = pool_worth([times_worth(*person(rng, 60, 10)) for _ in range(20)])
    assert pooled.verdict == "help"
    assert pooled.log_loss_gain.mean > 0.015
    assert pooled.best_time_weight > 0.25
    assert pooled.information_ratio > 1.8


def test_times_of_other_trials_do_not_help(rng):
    reports = []
    for _ in range(12):
        X, choice, times = person(rng, 60, 10)
        reports.append(times_worth(X, choice, rng.permutation(times)))
    pooled = pool_worth(reports)
    assert pooled.verdict != "help"
    assert pooled.log_loss_gain.mean < 0.01


def test_times_of_close_calls_make_no_difference(rng):
    pooled = pool_worth([times_worth(*person(rng, 100, 3, strength=0.2)) for _ in range(12)])
    assert abs(pooled.log_loss_gain.mean) < 0.01
    assert pooled.information_ratio < 1.5


def test_held_out_choices_are_predicted_from_all_trials(rng):
    X, choice, times = person(rng)
    test_X, test_choice, _ = person(rng, n_trials=500)
    found = times_worth(X, choice, times, held_out=(test_X, test_choice))
    fits = TimeWeightFits(X, choice.astype(float), times)
    _, ridge = fits.cross_validate(np.random.default_rng(0).permutation(np.arange(80) % 5), 5)
    eta = pick(fits.fit(np.ones(80, dtype=bool)), ridge) @ test_X.T
    loss = -log_expit(2 * test_choice * eta)
    np.testing.assert_allclose(found.log_losses, loss.mean(axis=1))
    np.testing.assert_allclose(found.accuracies, (test_choice * eta > 0).mean(axis=1))
    interval = ttest_1samp(loss[0] - loss[-1], 0).confidence_interval(0.95)
    assert found.log_loss_gain == pytest.approx((found.log_loss_gain.mean, *interval))


def test_intervals_of_cross_validation_allow_for_overlap(rng):
    X, choice, times = person(rng)
    found = times_worth(X, choice, times, n_folds=4)
    fold = np.random.default_rng(0).permutation(np.arange(80) % 4)
    margins, _ = TimeWeightFits(X, choice.astype(float), times).cross_validate(fold, 4)
    loss = -log_expit(2 * margins)
    plain = ttest_1samp(loss[0] - loss[-1], 0).confidence_interval(0.95)
    width = found.log_loss_gain.high - found.log_loss_gain.low
    # Nadeau & Bengio: 1/4 of the trials tested, the rest trained on, 1 / (1 / 4) * (1/4 + 1/3).
    assert width == pytest.approx((plain.high - plain.low) * np.sqrt(1 + 4 / 3))


def test_items_that_are_asked_about_once_predict_nothing(rng):
    choice, times = ddm.sample(rng.normal(size=20) * 2, BARRIER, nondecision_time=0.3, rng=rng)
    found = times_worth(np.eye(20), choice, times)
    np.testing.assert_allclose(found.log_losses, np.log(2))
    assert found.verdict == "no clear difference"


def test_ties_count_half(rng):
    X, choice, times = person(rng)
    found = times_worth(X, choice, times, held_out=(np.zeros((4, 8)), [1, 1, 1, -1]))
    assert found.accuracies == (0.5,) * len(TIME_WEIGHTS)
    np.testing.assert_allclose(found.log_losses, np.log(2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_folds": 2}, "`n_folds` must be at least 3, got 2"),
        ({"n_folds": 41}, "41 folds need at least 82 trials, got 80"),
        ({"held_out": (np.zeros((3, 7)), [1, 1, 1])}, r"vectors of 8 features .* \(3, 7\)"),
        ({"held_out": (np.zeros((0, 8)), [])}, r"got shape \(0, 8\)"),
        ({"held_out": (np.zeros((3, 8)), [1, 0, 1])}, r"`choice` must be \+1 .* got 0"),
    ],
)
def test_unusable_arguments_are_refused(rng, arguments, message):
    with pytest.raises(DataError, match=message):
        times_worth(*person(rng), **arguments)


def test_queries_between_identical_options_are_refused():
    with pytest.raises(DataError, match="all query vectors are zero"):
        times_worth(np.zeros((20, 2)), np.ones(20), np.ones(20))


def test_pooled_people_count_the_same():
    gains = [(0.1, 0.0, 0.2), (0.3, 0.2, 0.4), (0.2, 0.1, 0.3)]
    reports = [
        report(gain, n_trials=n, information_ratio=ratio, log_losses=(0.5, 0.4, 0.5 - gain[0]))
        for gain, n, ratio in zip(gains, (50, 100, 150), (1.0, 2.0, 4.0), strict=True)
    ]
    pooled = pool_worth(reports)
    assert (pooled.n_people, pooled.n_trials) == (3, 300)
    assert pooled.information_ratio == pytest.approx(2)
    assert pooled.log_losses == pytest.approx((0.5, 0.4, 0.3))
    interval = ttest_1samp([0.1, 0.3, 0.2], 0).confidence_interval(0.95)
    assert pooled.log_loss_gain == pytest.approx((0.2, *interval))


def test_pooling_one_person_changes_nothing():
    assert pool_worth([report()]) == report()


def test_reports_that_cannot_be_pooled_are_refused():
    with pytest.raises(DataError, match="no people"):
        pool_worth([])
    other = replace(report(), time_weights=(0.0, 0.2, 1.0))
    with pytest.raises(DataError, match="different weights"):
        pool_worth([report(), other])


NONE, UP, DOWN = (0.0, -0.1, 0.1), (0.05, 0.01, 0.09), (-0.05, -0.09, -0.01)
TOO_SMALL = (0.004, 0.001, 0.007)


@pytest.mark.parametrize(
    ("log_loss_gain", "accuracy_gain", "verdict"),
    [
        (UP, NONE, "help"),
        (NONE, UP, "help"),
        (UP, UP, "help"),
        (DOWN, NONE, "mislead"),
        (NONE, DOWN, "mislead"),
        (UP, DOWN, "no clear difference"),
        (NONE, NONE, "no clear difference"),
        (TOO_SMALL, TOO_SMALL, "no clear difference"),
    ],
)
def test_verdict(log_loss_gain, accuracy_gain, verdict):
    found = report(log_loss_gain, accuracy_gain)
    assert found.verdict == verdict
    assert found.answer.endswith(".")
    assert found.answer.count(". ") == 0


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (report(UP), "as 3 untimed ones"),
        (report(UP, information_ratio=374.4), "as 370 untimed ones"),
        (report(DOWN), "count them with weight 0.5"),
        (report(DOWN, log_losses=(0.3, 0.4, 0.5)), "leave them out"),
        (report(), "but if they follow the model one timed answer tells"),
        (report((-0.0001, -0.0002, -0.00005)), "gain 0.000 nats"),
        (report(information_ratio=1.2), "no more than 1.2 untimed ones"),
        (report(information_ratio=1.0), "no more than an untimed one"),
    ],
)
def test_the_answer_says_what_to_do(found, words):
    assert words in found.answer


def test_times_help_predict_what_people_choose_between_snacks(data_dir):
    people = datasets.load("clithero", data_dir).people[::4]
    reports = []
    for one in people:
        trials, pairs = one.trials, one.held_out
        data = trials.vectors, trials.choice, trials.response_time
        reports.append(times_worth(*data, held_out=(pairs.vectors, pairs.choice)))
    pooled = pool_worth(reports)
    assert pooled.verdict == "help"
    assert pooled.accuracy_gain.mean > 0.03
    assert pooled.information_ratio > 5


def test_times_do_no_harm_to_predictions_of_risky_choices(data_dir):
    people = datasets.load("food-risk", data_dir).people[::6]
    reports = [
        times_worth(one.trials.vectors, one.trials.choice, one.trials.response_time)
        for one in people
    ]
    pooled = pool_worth(reports)
    assert pooled.verdict == "no clear difference"
    assert pooled.information_ratio < 1.5
