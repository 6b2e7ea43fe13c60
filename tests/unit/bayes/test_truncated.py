import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtr

from tacit.bayes import _truncated

ENDS = [
    (-1.0, 1.0),
    (-3.0, 0.5),
    (-8.0, 12.0),
    (-5.0, -4.2),
    (2.9, 50.0),
    (3.1, 3.2),
    (30.0, 31.0),
    (100.0, 400.0),
    (-1000.0, -990.0),
    (0.0, 1e-5),
    (-1e-9, 1e-9),
    (-0.5, 0.49),
]


def exact(alpha, beta):
    """Return log-mass, mean and variance with 400 digits, which no cancellation uses up."""
    if beta <= 0:
        log_mass, mean, variance = exact(-beta, -alpha)
        return log_mass, -mean, variance
    with mp.workdps(400):
        a, b = mp.mpf(alpha), mp.mpf(beta)
        mass = (mp.erfc(a / mp.sqrt(2)) - mp.erfc(b / mp.sqrt(2))) / 2
        at_a, at_b = (mp.exp(-(z * z) / 2) / mp.sqrt(2 * mp.pi) / mass for z in (a, b))
        mean = at_a - at_b
        return float(mp.log(mass)), float(mean), float(1 + a * at_a - b * at_b - mean * mean)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("sign", [1, -1])
def test_moments_equal_400_digit_arithmetic(ends, sign):
    alpha, beta = ends if sign > 0 else (-ends[1], -ends[0])
    log_mass, mean, variance = exact(alpha, beta)
    centre, sd = np.array([0.0]), np.array([2.0])
    interval = sd * alpha, sd * beta
    found, spread = _truncated.moments(centre, sd, *interval)
    assert _truncated.log_mass(centre, sd, *interval)[0] == pytest.approx(log_mass, abs=1e-9)
    assert found[0] / 2 == pytest.approx(mean, abs=1e-9 * np.sqrt(variance) + 1e-15 * abs(mean))
    assert spread[0] / 4 == pytest.approx(variance, rel=1e-12)


def test_moments_move_with_the_variable():
    at_zero = _truncated.moments(np.zeros(1), np.ones(1), np.array([0.5]), np.array([2.0]))
    moved = _truncated.moments(np.ones(1), 3 * np.ones(1), np.array([2.5]), np.array([7.0]))
    assert moved[0] == pytest.approx(1 + 3 * at_zero[0])
    assert moved[1] == pytest.approx(9 * at_zero[1])


@pytest.mark.parametrize("ends", [*ENDS[:10], (-40.0, 40.0)])
def test_draws_invert_the_distribution_function(ends):
    normal = np.array([-5.0, -1.3, 0.0, 0.4, 2.2, 5.0])
    mean, sd = np.zeros(6), np.ones(6)
    low, high = (np.full(6, end) for end in ends)
    drawn = _truncated.draw(mean, sd, low, high, normal)
    slack = 1e-9 * (ends[1] - ends[0])
    assert ((drawn >= ends[0] - slack) & (drawn <= ends[1] + slack)).all()
    np.testing.assert_allclose(_truncated.cdf(drawn, mean, sd, low, high), ndtr(normal), atol=1e-6)


def test_what_is_far_from_the_ends_is_a_plain_normal():
    mean, sd = np.array([0.3]), np.array([0.5])
    low, high = np.array([-15.0]), np.array([15.0])
    assert _truncated.log_mass(mean, sd, low, high)[0] == 0
    assert [v[0] for v in _truncated.moments(mean, sd, low, high)] == [0.3, 0.25]


def test_a_variable_without_spread_has_a_step():
    x, zero = np.array([-0.1, 0.0, 0.1]), np.zeros(3)
    unbounded = np.full(3, np.inf)
    found = _truncated.cdf(x, zero, zero, -unbounded, unbounded)
    assert found.tolist() == [0.0, 1.0, 1.0]
