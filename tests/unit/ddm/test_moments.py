import mpmath as mp
import numpy as np
import pytest

from tacit import ddm
from tacit.errors import DataError
from tests.oracle.ddm_series import moments

STRENGTHS = [0.0, 1e-8, 1e-3, 0.49, 0.4999999, 0.5, 0.51, 3.0, 40.0, 700.0, 5000.0]
FUNCTIONS = [ddm.prob_first, ddm.mean_choice, ddm.var_choice, ddm.mean_time, ddm.var_time]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("barrier", [0.3, 1.0, 2.5])
def test_moments_equal_200_digit_arithmetic(strength, barrier, sign):
    drift = sign * strength / barrier
    for function, exact in zip(FUNCTIONS, moments(drift, barrier), strict=True):
        found = float(function(drift, barrier))
        # Underflow (a choice that never happens) is 0 on both sides.
        assert found == pytest.approx(float(exact), rel=1e-14, abs=1e-300)


@pytest.mark.parametrize("strength", [-5000.0, -30.0, 0.0, 2.0, 5000.0])
def test_log_probability_keeps_its_accuracy_in_both_tails(strength):
    with mp.workdps(50):
        exact = float(-mp.log1p(mp.exp(-2 * mp.mpf(strength))))
    assert ddm.log_prob(1, strength, 1.0) == pytest.approx(exact, rel=1e-15)
    assert ddm.log_prob(-1, -strength, 1.0) == pytest.approx(exact, rel=1e-15)


def test_moments_broadcast():
    drift, barrier = np.array([[0.0], [1.0], [-2.0]]), np.array([0.5, 2.0])
    for function in FUNCTIONS:
        table = function(drift, barrier)
        assert table.shape == (3, 2)
        assert table[2, 1] == function(-2.0, 2.0)
        assert function(drift[:0], barrier).shape == (0, 2)


def test_results_are_arrays_even_for_numbers():
    for function in FUNCTIONS:
        found = function(1.0, 1.0)
        assert isinstance(found, np.ndarray)
        assert found.shape == ()
        assert found.dtype == np.float64


def test_nondecision_time_is_added_to_the_mean():
    found = ddm.mean_time(1.0, 1.0, nondecision_time=[0.0, 0.3])
    np.testing.assert_allclose(np.diff(found), 0.3, rtol=1e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ddm.mean_choice(np.inf, 1.0), "`drift` must be finite, got inf at position 0"),
        (
            lambda: ddm.mean_time([0.0, np.nan], 1.0),
            "`drift` must be finite, got nan at position 1",
        ),
        (lambda: ddm.var_time(0.0, [1.0, -2.0]), "`barrier` must be a positive number, got -2 at"),
        (lambda: ddm.var_choice(0.0, np.inf), "`barrier` must be a positive number, got inf"),
        (lambda: ddm.prob_first(1e200, 1e200), "`barrier` times `drift` must be finite"),
        (lambda: ddm.mean_time(0.0, 1.0, nondecision_time=-1), "`nondecision_time` must be zero"),
        (lambda: ddm.log_prob([1, 0], 0.0, 1.0), "got 0 at position 1; was it coded 0/1 or 1/2?"),
    ],
)
def test_impossible_arguments_are_named(call, message):
    with pytest.raises(DataError, match=message):
        call()
