import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad

from tacit import ddm
from tacit.errors import DataError
from tests.oracle.ddm_series import log_density

TIMES = np.concatenate([np.geomspace(0.002, 20, 30), 2 / np.pi + np.array([-1e-9, 1e-9])])
EXTREME_TIMES = [1e-4, 1e-3, 0.1, 2 / np.pi, 1.0, 100.0, 1e3]


def size_of_terms(time, drift, barrier):
    """Size of the numbers that a log-density is a sum of, which bounds what rounding can do."""
    scaled = time / barrier**2
    return 1 + abs(barrier * drift) + drift**2 * time / 2 + 1 / scaled + 2 * scaled


def error(choice, time, drift, barrier, start=0.0, **reference):
    exact = log_density(choice, time, drift, barrier, start, **reference)
    return abs(float(exact - mp.mpf(float(ddm.logpdf(choice, time, drift, barrier, start=start)))))


@pytest.mark.parametrize("small_time", [True, False])
@pytest.mark.parametrize(("choice", "strength"), [(1, 0.0), (1, 0.3), (-1, 2.0), (-1, -5.0)])
@pytest.mark.parametrize("barrier", [0.6, 2.5])
def test_log_density_equals_both_50_digit_series(choice, strength, barrier, small_time):
    for time in TIMES * barrier**2:
        drift = strength / barrier
        assert error(choice, time, drift, barrier, small_time=small_time) < 1e-13


@pytest.mark.parametrize("choice", [1, -1])
@pytest.mark.parametrize("strength", [0.0, 1e-8, 1.0, 40.0, -700.0, 5000.0])
def test_log_density_is_exact_to_rounding_at_extremes(choice, strength):
    for time in EXTREME_TIMES:
        allowed = 4e-16 * size_of_terms(time, strength, 1.0)
        assert error(choice, time, strength, 1.0) < allowed


@pytest.mark.parametrize("start", [-0.999, -0.9, -0.5, 0.1, 0.7, 0.99])
@pytest.mark.parametrize(("choice", "strength"), [(1, 0.0), (-1, 2.0), (1, -5.0)])
def test_log_density_from_a_biased_start(choice, strength, start):
    for time in TIMES[::3]:
        assert error(choice, time, strength, 1.0, start) < 1e-12
    for time in EXTREME_TIMES:
        # The density of the far barrier is a difference, smaller by the distance to the near one.
        allowed = 1e-15 * size_of_terms(time, strength, 1.0) / (1 - abs(start))
        assert error(choice, time, strength, 1.0, start) < allowed


def test_a_start_in_the_middle_is_no_bias():
    time = np.geomspace(1e-3, 50, 200)
    biased = ddm.logpdf(1, time, 1.3, 0.8, start=np.zeros(1))
    np.testing.assert_allclose(biased, ddm.logpdf(1, time, 1.3, 0.8), rtol=1e-13, atol=1e-13)


def test_the_smallest_times_have_a_log_density():
    # -1 / (2 s) alone remains
    for time in (1e-10, 1e-150, 1e-220, 1e-300):
        for start in (0.0, np.zeros(1)):
            found = ddm.logpdf(1, time, 1.0, 1.0, start=start)
            assert found == pytest.approx(-0.5 / time, rel=1e-6)
    assert ddm.logpdf(1, 5e-324, 1.0, 1.0) == -np.inf


@pytest.mark.parametrize("start", [0.0, 0.6])
def test_impossible_times_have_density_zero_and_raise_no_warning(start):
    found = ddm.logpdf(1, [0.0, -1.0, 0.3, 0.2], 1.0, 1.0, nondecision_time=0.3, start=start)
    np.testing.assert_array_equal(found, -np.inf)
    assert ddm.pdf(1, -1.0, 1.0, 1.0, start=start) == 0


@pytest.mark.parametrize("start", [0.0, -0.7])
@pytest.mark.parametrize(("drift", "barrier"), [(0.0, 1.0), (1.5, 0.8), (-40.0, 1.0)])
def test_density_integrates_to_one(drift, barrier, start):
    start = start * barrier
    scale = float(ddm.mean_time(drift, barrier))

    def density(x):
        time = scale * np.exp(x)
        return time * sum(ddm.pdf(c, time, drift, barrier, start=start) for c in (1, -1))

    total, _ = quad(density, -12, 6, epsabs=1e-12, epsrel=1e-12, limit=200)
    assert total == pytest.approx(1, abs=1e-10)


def test_zero_drift_density_is_half_of_the_whole():
    time = np.geomspace(1e-2, 10, 50)
    expected = ddm.logpdf(1, time, 0.0, 1.7)
    np.testing.assert_array_equal(ddm.log_zero_drift_density(time, 1.7), expected)
    biased = ddm.log_zero_drift_density(time, 1.7, distance=1.2)
    np.testing.assert_allclose(biased, ddm.logpdf(1, time, 0.0, 1.7, start=0.5), rtol=1e-14)


def test_nondecision_time_shifts_the_density():
    shifted = ddm.logpdf(1, 1.1, 1.0, 1.2, nondecision_time=[0.1, 0.6])
    np.testing.assert_allclose(shifted, ddm.logpdf(1, [1.0, 0.5], 1.0, 1.2), rtol=1e-14)


@pytest.mark.parametrize("n_trials", [0, 1, 8191, 8192, 8193, 20_000])
def test_large_arrays_give_the_same_as_single_values(n_trials, rng):
    time, drift = rng.exponential(size=n_trials), rng.normal(size=n_trials)
    choice = rng.choice([-1, 1], n_trials)
    for start in (0.0, 0.4):
        found = ddm.logpdf(choice, time, drift, [1.1], start=start)
        assert found.shape == (n_trials,)
        for i in {0, n_trials // 2, 8191, 8192, n_trials - 1} & set(range(n_trials)):
            single = ddm.logpdf(choice[i], time[i], drift[i], 1.1, start=start)
            assert found[i] == pytest.approx(single, rel=1e-14)


def test_arguments_broadcast():
    table = ddm.logpdf(
        np.array([1, -1])[:, None, None], [0.5, 1.0, 2.0], np.ones((5, 1)), 1.0, start=0.1
    )
    assert table.shape == (2, 5, 3)
    assert table[1, 4, 2] == pytest.approx(ddm.logpdf(-1, 2.0, 1.0, 1.0, start=0.1), rel=1e-14)
    large = ddm.logpdf(1, np.linspace(0.1, 1, 300)[:, None], np.linspace(-1, 1, 200), 1.0)
    assert large.shape == (300, 200)
    assert large[299, 0] == ddm.logpdf(1, 1.0, -1.0, 1.0)


def test_results_are_arrays_even_for_numbers():
    for found in (
        ddm.logpdf(1, 1.0, 1.0, 1.0),
        ddm.logpdf(1, 1.0, 1.0, 1.0, start=0.1),
        ddm.pdf(1, 1.0, 1.0, 1.0),
        ddm.log_zero_drift_density(1.0, 1.0),
    ):
        assert isinstance(found, np.ndarray)
        assert found.shape == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"choice": [1, 2]}, r"`choice` must be \+1 .* got 2 at position 1; was it coded 0/1"),
        ({"choice": np.nan}, r"`choice` must be \+1 .* got nan"),
        ({"decision_time": [1.0, np.nan]}, "`decision_time` must be finite, got nan at position 1"),
        ({"decision_time": np.inf}, "`decision_time` must be finite, got inf"),
        ({"drift": [[0.0, np.inf]]}, "`drift` must be finite, got inf at position 1"),
        ({"barrier": 0.0}, "`barrier` must be a positive number, got 0 at position 0"),
        ({"nondecision_time": np.nan}, "`nondecision_time` must be zero or a positive number"),
        ({"start": 1.5}, "`start` must lie strictly between .* got 1.5 at position 0; is it a fr"),
        ({"start": -1.5}, "`start` must lie strictly between"),
        ({"start": np.nan}, "`start` must lie strictly between"),
    ],
)
def test_impossible_arguments_are_named(arguments, message):
    valid = {"choice": 1, "decision_time": 1.0, "drift": 0.5, "barrier": 1.5}
    for function in (ddm.logpdf, ddm.pdf):
        with pytest.raises(DataError, match=message):
            function(**(valid | arguments))


def test_impossible_distance_is_named():
    with pytest.raises(DataError, match="`distance` must lie strictly between 0 and 2 barrier"):
        ddm.log_zero_drift_density(1.0, 1.0, distance=[0.5, 2.0])
