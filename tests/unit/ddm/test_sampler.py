"""The kernel's decisions, one by one: its own Python code on scripted randomness.

Statistical tests see errors of a percent; here the probability with which a proposal is accepted
is found by bisection and compared with the ratio of densities that it must be.
"""

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import bisect

from tacit.ddm import _sampler
from tests.oracle.ddm_series import log_density

CROSSING = 2 / np.pi
LATE_RATE = np.pi**2 / 8


class Exhausted(Exception):
    pass


class Script:
    """A generator that returns what it was told to, and no more."""

    def __init__(self, random, exponential=(), normal=()):
        self.numbers = {"random": [*random], "exponential": [*exponential], "normal": [*normal]}

    def take(self, kind):
        if not self.numbers[kind]:
            raise Exhausted
        return self.numbers[kind].pop(0)

    def random(self):
        return self.take("random")

    def standard_exponential(self):
        return self.take("exponential")

    def standard_normal(self):
        return self.take("normal")


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch):
    for name in ("factor", "inverse_gaussian_proposal", "levy_proposal", "weak", "strong"):
        monkeypatch.setattr(_sampler, name, getattr(_sampler, name).py_func)


def accepted(kernel, z, uniform, **others):
    """Draw of `kernel` if it accepts its first proposal, else None."""
    try:
        return kernel(Script([uniform, 0.5], **others), z)
    except Exhausted:
        return None


def acceptance(kernel, z, to_uniform, **others):
    """Probability of acceptance, over a uniform number that `to_uniform` puts into place."""
    return bisect(
        lambda v: 1.0 if accepted(kernel, z, to_uniform(v), **others) else -1.0,
        1e-9,
        1,
        xtol=1e-14,
    )


def leading_small(s):
    return np.exp(-1 / (2 * s)) / np.sqrt(2 * np.pi * s**3)


def leading_large(s):
    return np.pi / 4 * np.exp(-LATE_RATE * s)


def zero_drift_density(s):
    return float(mp.exp(log_density(1, s, 0.0, 1.0)))


def share_late(z):
    """Share of proposals past the crossing: the two leading terms, tilted on the late side."""
    late, _ = quad(lambda s: leading_large(s) * np.exp(-z * z * s / 2), CROSSING, 60, epsabs=1e-14)
    early, _ = quad(leading_small, 0, CROSSING, epsabs=1e-14)
    return late / (late + early)


@pytest.mark.parametrize("z", [0.0, 0.3, 0.79])
def test_weak_preferences_propose_either_side_in_the_right_shares(z):
    def is_late(u):
        draw = accepted(_sampler.weak, z, u, exponential=[0.1, 5.0])
        return 1.0 if draw is None or draw[0] > CROSSING else -1.0

    # Just above the switch an early proposal is accepted; just below a late one is not.
    assert bisect(is_late, 0, 0.7, xtol=1e-14) == pytest.approx(share_late(z), abs=1e-11)


@pytest.mark.parametrize("s", CROSSING + np.array([1e-6, 0.05, 0.3, 1.0, 4.0]))
@pytest.mark.parametrize("z", [0.0, 0.3, 0.79])
def test_weak_preferences_accept_late_proposals_exactly(z, s):
    exponential = [(s - CROSSING) * (LATE_RATE + z * z / 2)]
    found = acceptance(_sampler.weak, z, lambda v: share_late(z) * v, exponential=exponential)
    exact = zero_drift_density(s) / leading_large(s)
    assert found == pytest.approx(min(exact, 1), abs=1e-10)


@pytest.mark.parametrize("s", CROSSING - np.array([1e-6, 0.05, 0.3, 0.5, 0.6]))
@pytest.mark.parametrize("z", [0.0, 0.3, 0.79])
def test_weak_preferences_accept_early_proposals_exactly(z, s):
    exponential = [(np.sqrt(CROSSING / s) - 1) / CROSSING, 1e9]
    late = share_late(z)
    found = acceptance(_sampler.weak, z, lambda v: late + (1 - late) * v, exponential=exponential)
    exact = np.exp(-z * z * s / 2) * zero_drift_density(s) / leading_small(s)
    assert found == pytest.approx(min(exact, 1), abs=1e-10)


@pytest.mark.parametrize("s", [0.05, 0.3, 0.6, 0.6366, 0.6367, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("z", [0.8, 2.0, 10.0])
def test_strong_preferences_accept_proposals_exactly(z, s):
    # Both roots of (z s - 1)^2 = y s are proposed: the smaller one with probability 1 / (1 + z s).
    normal = [abs(z * s - 1) / np.sqrt(s)]
    smaller = min(s, 1 / (z * z * s))
    odds = z * smaller

    def to_uniform(v):
        return (v if s == smaller else 1 + odds * v) / (1 + odds)

    draw = accepted(_sampler.strong, z, to_uniform(1e-3), normal=normal)
    assert draw is None or draw[0] == pytest.approx(s, rel=1e-9)
    found = acceptance(_sampler.strong, z, to_uniform, normal=normal)
    assert found == pytest.approx(min(zero_drift_density(s) / leading_small(s), 1), abs=1e-9)


@pytest.mark.parametrize("z", [0.0, 0.79, 0.8, 4.0])
def test_the_number_left_over_is_uniform_again(z):
    # It decides the choice: wherever a proposal is accepted at once it is stretched to [0, 1).
    kernel = _sampler.strong if z >= 0.8 else _sampler.weak
    random = np.linspace(0, 1, 2001, endpoint=False) + 1e-6
    left = np.array(
        [
            draw[1]
            for u in random
            if (draw := accepted(kernel, z, u, exponential=[0.2, 9.0], normal=[0.4]))
        ]
    )
    assert left.min() < 0.01
    assert 0.99 < left.max() < 1
    assert np.mean(left) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("strength", [20.5, 1e3, 1e300])
def test_certain_choices_follow_the_sign(strength):
    times, choice = np.empty(2), np.zeros(2, dtype=np.int8)
    rng = np.random.default_rng(0)
    _sampler.fill.py_func(rng, np.array([strength, -strength]), times, choice)
    assert choice.tolist() == [1, -1]
