import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import ddm
from tacit.ddm import parameters

barriers = st.floats(0.05, 20)
strengths = st.floats(-200, 200)
scaled_times = st.floats(math.log(1e-3), math.log(1e3)).map(math.exp)
choices = st.sampled_from([1, -1])
fractions = st.floats(-0.95, 0.95)
probabilities = st.floats(1e-12, 1 - 1e-12)
nondecision_times = st.floats(0, 5)


def rounding(time, drift, barrier):
    """What a few roundings of the arguments change in a log-density or a log-probability."""
    strength = abs(barrier * drift)
    return 1e-14 * (1 + strength * (1 + strength * time) + 1 / time + time)


@given(choices, scaled_times, strengths, barriers, fractions)
def test_swapping_the_options_flips_choice_and_drift(choice, time, strength, barrier, fraction):
    drift, start, seconds = strength / barrier, fraction * barrier, time * barrier**2
    assert ddm.logpdf(choice, seconds, drift, barrier) == ddm.logpdf(
        -choice, seconds, -drift, barrier
    )
    assert ddm.logpdf(choice, seconds, drift, barrier, start=start) == ddm.logpdf(
        -choice, seconds, -drift, barrier, start=-start
    )
    assert ddm.log_prob(choice, drift, barrier) == ddm.log_prob(-choice, -drift, barrier)
    assert ddm.mean_choice(drift, barrier) == -ddm.mean_choice(-drift, barrier)


@given(scaled_times, strengths, barriers, probabilities)
def test_swapping_the_options_keeps_the_law_of_time(time, strength, barrier, probability):
    drift, seconds = strength / barrier, time * barrier**2
    for function in (ddm.logcdf, ddm.logsf):
        assert function(seconds, drift, barrier) == function(seconds, -drift, barrier)
    for function in (ddm.mean_time, ddm.var_time, ddm.var_choice):
        assert function(drift, barrier) == function(-drift, barrier)
    quantile = ddm.quantile(probability, drift, barrier)
    assert quantile == ddm.quantile(probability, -drift, barrier)


@given(choices, scaled_times, strengths, barriers, fractions)
def test_time_scales_with_the_square_of_the_barrier(choice, time, strength, barrier, fraction):
    drift, seconds, start = strength / barrier, time * barrier**2, fraction * barrier
    allowed = rounding(time, strength, 1.0) / (1 - abs(fraction))
    assert ddm.logpdf(choice, seconds, drift, barrier, start=start) + 2 * np.log(
        barrier
    ) == pytest.approx(float(ddm.logpdf(choice, time, strength, 1.0, start=fraction)), abs=allowed)
    assert ddm.mean_time(drift, barrier) == pytest.approx(
        float(barrier**2 * ddm.mean_time(strength, 1.0)), rel=1e-14
    )
    assert ddm.var_time(drift, barrier) == pytest.approx(
        float(barrier**4 * ddm.var_time(strength, 1.0)), rel=1e-13
    )


@given(strengths, st.integers(-6, 6), st.integers(0, 2**32))
def test_draws_scale_with_the_square_of_the_barrier(strength, power, seed):
    barrier = 2.0**power
    unit = ddm.sample(strength, 1.0, rng=np.random.default_rng(seed), size=20)
    scaled = ddm.sample(strength / barrier, barrier, rng=np.random.default_rng(seed), size=20)
    np.testing.assert_array_equal(unit[0], scaled[0])
    np.testing.assert_array_equal(barrier**2 * unit[1], scaled[1])


@given(choices, scaled_times, strengths, barriers)
def test_choice_and_time_are_independent(choice, time, strength, barrier):
    drift, seconds = strength / barrier, time * barrier**2
    both = np.logaddexp(*ddm.logpdf([1, -1], seconds, drift, barrier))
    product = ddm.log_prob(choice, drift, barrier) + both
    joint = ddm.logpdf(choice, seconds, drift, barrier)
    assert product == pytest.approx(float(joint), abs=rounding(time, strength, 1.0))


@given(strengths, barriers, st.lists(scaled_times, min_size=2, max_size=30))
def test_cdf_increases_and_complements_the_survival_function(strength, barrier, times):
    seconds = np.sort(times) * barrier**2
    drift = strength / barrier
    slack = rounding(np.sort(times), strength, 1.0)[1:]
    assert (np.diff(ddm.logcdf(seconds, drift, barrier)) >= -slack).all()
    assert (np.diff(ddm.logsf(seconds, drift, barrier)) <= slack).all()
    total = ddm.cdf(seconds, drift, barrier) + ddm.sf(seconds, drift, barrier)
    np.testing.assert_allclose(total, 1, rtol=1e-13)


@given(probabilities, strengths, barriers, nondecision_times)
def test_quantile_undoes_cdf(probability, strength, barrier, nondecision_time):
    drift = strength / barrier
    seconds = ddm.quantile(probability, drift, barrier)
    log_tails = ddm.logcdf(seconds, drift, barrier), ddm.logsf(seconds, drift, barrier)
    assert log_tails == pytest.approx(
        (math.log(probability), math.log1p(-probability)), rel=1e-12, abs=1e-12
    )
    shifted = ddm.quantile(probability, drift, barrier, nondecision_time=nondecision_time)
    assert shifted == pytest.approx(float(seconds) + nondecision_time, rel=1e-15)


@given(strengths, barriers)
def test_stronger_preferences_are_clearer_and_faster(strength, barrier):
    weaker, stronger = 0.9 * strength / barrier, strength / barrier
    assert abs(ddm.mean_choice(weaker, barrier)) <= abs(ddm.mean_choice(stronger, barrier))
    assert ddm.mean_time(weaker, barrier) >= ddm.mean_time(stronger, barrier)


@given(strengths, barriers, nondecision_times, fractions, st.floats(0.05, 10))
def test_other_tools_give_back_what_they_were_given(strength, barrier, time, fraction, noise):
    own = parameters.DiffusionParameters(strength / barrier, barrier, time, fraction * barrier)
    for back in (
        parameters.from_hddm(**parameters.to_hddm(own)),
        parameters.from_hssm(**parameters.to_hssm(own)),
        parameters.from_pyddm(**parameters.to_pyddm(own, noise=noise)),
        parameters.from_rtdists(**parameters.to_rtdists(own, s=noise)),
    ):
        np.testing.assert_allclose(back, own, rtol=1e-14, atol=1e-14 * barrier)
