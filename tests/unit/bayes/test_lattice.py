import numpy as np
import pytest
from scipy.special import betaln, log_expit
from scipy.stats import multivariate_normal

from tacit.bayes._lattice import Integrand, integrate


def of(log_density):
    return Integrand(log_density, lambda w: (w, np.zeros_like(w)))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_correlated_normal(n):
    half = np.array([[1.5, 0, 0], [0.9, 0.3, 0], [-0.2, 0.4, 0.05]])[:n, :n]
    mean = np.array([0.7, -1.1, 2.0])[:n]
    normal = multivariate_normal(mean, half @ half.T)
    lattice = integrate(of(lambda w: normal.logpdf(w).reshape(len(w)) + 5), n, 1e-3)
    assert lattice.complete
    assert lattice.log_integral == pytest.approx(5, abs=1e-6)
    np.testing.assert_allclose(lattice.probability @ lattice.points, mean, atol=1e-6)
    offset = lattice.points - mean
    found = (lattice.probability * offset.T) @ offset
    np.testing.assert_allclose(found, half @ half.T, rtol=1e-5, atol=1e-8)


def bent(w):
    """A banana: x ~ N(0, 1), y | x ~ N(x^2 / 2, 0.2^2)."""
    x, y = w.T
    return -0.5 * x * x - 0.5 * ((y - x * x / 2) / 0.2) ** 2


@pytest.mark.parametrize("tolerance", [1e-3, 1e-4, 1e-5])
def test_a_bent_density_as_well_as_claimed(tolerance):
    lattice = integrate(of(bent), 2, tolerance)
    assert lattice.complete
    assert lattice.error <= tolerance
    off = np.expm1(lattice.log_integral - np.log(2 * np.pi * 0.2))
    assert abs(off) <= lattice.error
    mean = lattice.probability @ lattice.points[:, 1]
    assert abs(mean - 0.5) / np.sqrt(0.54) <= lattice.error + 1e-6


def test_two_modes_are_both_found():
    def log_density(w):
        near, far = -0.5 * ((w[:, 0] + 2.5) / 0.4) ** 2, -0.5 * ((w[:, 0] - 4) / 0.4) ** 2
        return np.logaddexp(near, far + np.log(3))

    lattice = integrate(of(log_density), 1, 1e-3)
    assert lattice.log_integral == pytest.approx(np.log(4 * 0.4 * np.sqrt(2 * np.pi)), abs=1e-3)
    assert lattice.probability @ lattice.points[:, 0] == pytest.approx(-2.5 / 4 + 3, abs=1e-2)


@pytest.mark.parametrize("power", [0.2, 1.0, 30.0])
def test_the_error_is_a_bound(power):
    # The integral of each variable is a Beta function.
    lattice = integrate(
        of(lambda w: power * log_expit(w).sum(axis=1) + 2 * log_expit(-w).sum(axis=1)), 2, 1e-3
    )
    assert lattice.error <= 1e-3
    off = abs(np.expm1(lattice.log_integral - 2 * betaln(power, 2)))
    assert off <= lattice.error + 1e-12


def test_an_unreachable_tolerance_is_not_claimed():
    lattice = integrate(of(bent), 2, 1e-15)
    assert lattice.error > 1e-15


def test_nothing_to_integrate():
    lattice = integrate(of(lambda w: np.full(len(w), -3.0)), 0, 1e-3)
    assert lattice.log_integral == -3
    assert lattice.points.shape == (1, 0)
    assert lattice.probability.tolist() == [1.0]
