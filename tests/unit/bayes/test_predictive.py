import numpy as np
import pytest

from tacit import bayes, ddm
from tacit.bayes import _predict
from tacit.bayes.predictive import simulate
from tacit.errors import DataError

N_DRAWS = 20_000


@pytest.mark.parametrize("share", [-0.6, 0.0, 0.8])
@pytest.mark.parametrize("drift", [-1.5, 0.0, 2.0])
def test_answers_from_any_start_have_the_right_moments(drift, share, rng):
    a, t0 = 1.2, 0.3
    u = np.full(N_DRAWS, drift)
    choice, time = simulate(u, np.array(a), np.array(t0), np.array(share * a), rng)
    person = [np.array([v]) for v in (drift, a, t0, share)]
    first = _predict.prob_first(*person)[0]
    error = np.sqrt(first * (1 - first) / N_DRAWS)
    assert abs((choice > 0).mean() - first) < 5 * error
    mean = _predict.mean_response_time(*person)[0]
    assert abs(time.mean() - mean) < 5 * time.std() / np.sqrt(N_DRAWS)
    assert set(choice) == {-1, 1}


def test_times_from_off_the_middle_follow_their_density(rng):
    """Times to the near barrier are much faster than to the far one; compare with the density."""
    a, b, u = 1.0, 0.7, 0.4
    choice, time = simulate(np.full(N_DRAWS, u), np.array(a), np.array(0.0), np.array(b), rng)
    grid = np.linspace(1e-4, 12, 20_001)
    for side in (1, -1):
        density = ddm.pdf(side, grid, u, a, start=b)
        below = np.cumsum(density) * (grid[1] - grid[0])
        drawn = np.sort(time[choice == side])
        rank = np.arange(1, len(drawn) + 1) / len(drawn)
        distance = np.abs(np.interp(drawn, grid, below / below[-1]) - rank).max()
        assert distance < np.sqrt(np.log(2e9) / (2 * len(drawn))) + 2e-3


@pytest.fixture(scope="module")
def strong():
    """Return trials whose strengths are known to come in two sizes, and their fit."""
    rng = np.random.default_rng(4)
    X = np.tile([[0.2], [2.0], [-2.0], [-0.2]], (40, 1))
    choice, response_time = ddm.sample(X[:, 0], 1.1, nondecision_time=0.3, rng=rng)
    return X, choice, response_time, bayes.fit(X, choice, response_time)


def test_groups_hold_what_was_observed(strong, rng):
    X, choice, response_time, posterior = strong
    check = posterior.predictive_check(rng, n_groups=2, n_draws=50)
    assert check.n_trials.tolist() == [80, 80]
    weak = np.abs(X[:, 0]) < 1
    for k, rows in enumerate((weak, ~weak)):
        assert check.share_observed[k] == pytest.approx(
            (choice * np.sign(X[:, 0]) > 0)[rows].mean()
        )
        quantiles = np.quantile(response_time[rows], [0.1, 0.5, 0.9])
        np.testing.assert_allclose(check.time_observed[:, k], quantiles)
        expected = np.abs(X[rows, 0]).mean() * abs(posterior.weights.mean[0])
        assert check.strength[k] == pytest.approx(expected)


def test_predictions_are_those_of_the_posterior(strong, rng):
    posterior = strong[-1]
    check = posterior.predictive_check(rng, n_groups=2, n_draws=2000, level=0.9)
    low, median, high = check.share_predicted
    assert (low <= median).all()
    assert (median <= high).all()
    expected = posterior.predict_choice([[0.2], [2.0]])
    np.testing.assert_allclose(median, expected, atol=0.02)
    assert check.time_predicted.shape == (3, 3, 2)
    assert (np.diff(check.time_predicted, axis=0) >= 0).all()
    assert (np.diff(check.time_predicted, axis=1) > 0).all()
    narrow = posterior.predictive_check(rng, n_groups=2, n_draws=2000, level=0.3)
    assert (np.ptp(narrow.share_predicted, axis=0) < np.ptp(check.share_predicted, axis=0)).all()
    assert (check.level, narrow.level) == (0.9, 0.3)


def test_slow_lapses_show(strong, rng):
    X, choice, response_time, _ = strong
    slow = np.where(np.arange(len(X)) % 9 == 0, 12 * response_time, response_time)
    check = bayes.fit(X, choice, slow).predictive_check(rng, n_draws=300)
    outside = (check.time_observed < check.time_predicted[0]) | (
        check.time_observed > check.time_predicted[2]
    )
    assert outside.sum() >= 3


def test_more_groups_than_trials(person, rng):
    few = bayes.fit(*(v[:2] for v in person), prior=bayes.GaussianPrior())
    assert few.predictive_check(rng, n_groups=9, n_draws=20).n_trials.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_groups": 0}, "`n_groups` must be at least 1, got 0"),
        ({"n_draws": 0}, "`n_draws` must be at least 1, got 0"),
        ({"level": 95}, "strictly between 0 and 1, got 95"),
    ],
)
def test_settings_are_checked(gaussian, rng, settings, message):
    with pytest.raises(DataError, match=message):
        gaussian.predictive_check(rng, **settings)


def test_trials_must_count_once(person, rng):
    weighted = bayes.fit(*person, sample_weight=np.full(24, 2.0))
    with pytest.raises(DataError, match="fit without weights"):
        weighted.predictive_check(rng)
