import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad

from tacit import ddm
from tacit.errors import DataError
from tests.oracle.ddm_series import log_tails

STRENGTHS = [0.0, 1e-8, 0.3, 1.0, 3.0, 4.99, 5.01, 10.0, 40.0, 700.0, 5000.0]
TIMES = [1e-4, 1e-3, 0.01, 0.1, 0.2499, 0.25, 0.2501, 0.7, 1.0, 3.0, 10.0, 1e3]
TIMES_OVER_MEAN = [0.3, 0.9, 0.999, 1.0, 1.001, 1.1, 1.5, 3.0]


def points(strength):
    around_the_mean = ddm.mean_time(strength, 1.0) * np.array(TIMES_OVER_MEAN)
    return np.concatenate([TIMES, around_the_mean])


@pytest.mark.parametrize("strength", STRENGTHS)
def test_both_tails_equal_50_digit_series(strength):
    barrier = 1.4
    for scaled_time in points(strength):
        time, drift = scaled_time * barrier**2, -strength / barrier
        tails = log_tails(time, drift, barrier)
        # Rounding s or z changes the logarithm of a small tail in proportion to itself. Near 0 a
        # logarithm is minus the other tail, which must keep its digits as well.
        digits = 1e-15 * (20 + strength - sum(tails))
        for function, exact in zip((ddm.logcdf, ddm.logsf), tails, strict=True):
            found = mp.mpf(float(function(time, drift, barrier)))
            assert abs(found - exact) <= digits * min(1, -exact) + 1e-320


@pytest.mark.parametrize("strength", STRENGTHS)
def test_cdf_and_sf_add_up_to_one(strength):
    time = points(strength)
    total = ddm.cdf(time, strength, 1.0) + ddm.sf(time, strength, 1.0)
    np.testing.assert_allclose(total, 1, rtol=1e-14)


@pytest.mark.parametrize("strength", [0.0, 1.5, 4.9, 5.1, 60.0])
def test_cdf_is_the_integral_of_the_density(strength):
    mean = float(ddm.mean_time(strength, 1.0))

    def density(time):
        return float(sum(ddm.pdf(c, time, strength, 1.0) for c in (1, -1)))

    for time in mean * np.array([0.7, 1.0, 1.6]):
        total, _ = quad(density, 0, time, epsabs=1e-13, epsrel=1e-13, limit=200)
        assert ddm.cdf(time, strength, 1.0) == pytest.approx(total, rel=1e-11)


def test_impossible_and_infinite_times():
    for drift in (0.0, 2.0, 5000.0):
        np.testing.assert_array_equal(
            ddm.logcdf([-1, 0, np.inf], drift, 1.0), [-np.inf, -np.inf, 0]
        )
        np.testing.assert_array_equal(ddm.logsf([-1, 0, np.inf], drift, 1.0), [0, 0, -np.inf])
        np.testing.assert_array_equal(ddm.cdf([-1, 0, np.inf], drift, 1.0), [0, 0, 1])
        np.testing.assert_array_equal(ddm.sf([-1, 0, np.inf], drift, 1.0), [1, 1, 0])
    assert ddm.cdf(0.25, 1.0, 1.0, nondecision_time=0.3) == 0


@pytest.mark.parametrize("strength", STRENGTHS)
def test_quantile_inverts_both_tails(strength):
    barrier, drift = 0.7, strength / 0.7
    lower = np.array([5e-324, 1e-300, 1e-30, 1e-10, 0.01, 0.2, 0.4999])
    time = ddm.quantile(lower, drift, barrier)
    assert (np.diff(time) > 0).all()
    # d log F / d log t, the size of the error of one rounding of t
    slope = 1e-15 * (10 + strength - np.log(lower))
    assert (abs(ddm.logcdf(time, drift, barrier) - np.log(lower)) < slope).all()
    upper = np.array([1.1e-16, 1e-12, 1e-3, 0.2, 0.4999, 0.5])
    time = ddm.quantile(1 - upper, drift, barrier)
    assert (np.diff(time) < 0).all()
    exact = np.log1p(-(1 - upper))
    assert (abs(ddm.logsf(time, drift, barrier) - exact) < 1e-15 * (10 + strength - exact)).all()


def test_quantile_at_the_ends_and_with_nondecision_time():
    np.testing.assert_array_equal(ddm.quantile([0, 1], 1.0, 1.0), [0, np.inf])
    np.testing.assert_array_equal(
        ddm.quantile([0, 1], 1.0, 1.0, nondecision_time=0.3), [0.3, np.inf]
    )
    shift = ddm.quantile(0.5, 1.0, 1.0, nondecision_time=0.3) - ddm.quantile(0.5, 1.0, 1.0)
    assert shift == pytest.approx(0.3, rel=1e-14)


def test_arguments_broadcast_and_empty_arrays_stay_empty():
    drift, barrier = np.array([[0.0], [6.0]]), np.array([0.5, 1.0, 2.0])
    for function in (ddm.cdf, ddm.sf, ddm.logcdf, ddm.logsf, ddm.quantile):
        table = function(0.4, drift, barrier)
        assert table.shape == (2, 3)
        assert table[1, 2] == pytest.approx(function(0.4, 6.0, 2.0), rel=1e-14)
        assert function([], 1.0, 1.0).shape == (0,)
        number = function(0.4, 1.0, 1.0)
        assert isinstance(number, np.ndarray)
        assert number.shape == ()


@pytest.mark.parametrize("n_times", [8192, 8193, 20_000])
def test_large_arrays_give_the_same_as_single_values(n_times, rng):
    p, drift = rng.random(n_times), 10 * rng.normal(size=n_times)
    time = ddm.quantile(p, drift, 1.1)
    np.testing.assert_allclose(ddm.cdf(time, drift, 1.1), p, rtol=1e-12)
    for i in (0, 8191, n_times - 1):
        assert time[i] == pytest.approx(ddm.quantile(p[i], drift[i], 1.1), rel=1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ddm.cdf([1.0, np.nan], 0.0, 1.0),
            "`decision_time` must be a number, got nan at p",
        ),
        (lambda: ddm.logsf(1.0, np.inf, 1.0), "`drift` must be finite"),
        (lambda: ddm.sf(1.0, 0.0, -1.0), "`barrier` must be a positive number"),
        (lambda: ddm.logcdf(1.0, 0.0, 1.0, nondecision_time=-0.1), "`nondecision_time` must be"),
        (lambda: ddm.quantile(1.2, 0.0, 1.0), "`probability` must be between 0 and 1, got 1.2"),
        (
            lambda: ddm.quantile([0.1, np.nan], 0.0, 1.0),
            "`probability` must .* got nan at position 1",
        ),
    ],
)
def test_impossible_arguments_are_named(call, message):
    with pytest.raises(DataError, match=message):
        call()
