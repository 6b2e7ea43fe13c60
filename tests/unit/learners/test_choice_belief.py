"""Assumed-density filtering against integrals, and against the exact posterior."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from tacit.learners import BeliefPrior
from tacit.learners._choice_belief import ChoiceBelief

PRIOR = BeliefPrior(drift_weight=1e9)
"""The scale of the weights is as good as known."""


def start(n_runs: int, n_features: int) -> ChoiceBelief:
    return ChoiceBelief.start(n_runs, n_features, 2.0, PRIOR)


def moments(mean, sd, choice):
    """Return mean and variance of N(mean, sd^2) times the probability of a choice."""

    def integral(power):
        def density(v):
            return v**power * norm.pdf(v, mean, sd) * expit(choice * v)

        return quad(density, mean - 12 * sd, mean + 12 * sd, epsabs=0, epsrel=1e-10, limit=400)[0]

    total, first, second = (integral(power) for power in range(3))
    return first / total, second / total - (first / total) ** 2


@pytest.mark.parametrize("choice", [1, -1])
@pytest.mark.parametrize("size", [0.05, 0.3, 1.0])
def test_an_answer_moves_the_log_odds_to_the_moments_of_the_posterior(choice, size) -> None:
    belief = start(1, 3)
    for step, sign in enumerate([1, choice, choice]):
        x = size * np.array([[1.0, 0.2 * step, -0.5]])
        mean = float((x @ belief.mean[0])[0])
        sd = float(np.sqrt(x[0] @ belief.covariance[0] @ x[0]))
        after = belief.observe(x, np.array([float(sign)]), np.array([np.nan]), PRIOR)
        expected = moments(mean, sd, sign)
        # A belief as wide as seven log-odds is where 41 nodes are coarsest: half a percent.
        assert (x @ after.mean[0])[0] == pytest.approx(expected[0], rel=5e-3, abs=1e-4)
        assert x[0] @ after.covariance[0] @ x[0] == pytest.approx(expected[1], rel=5e-3)
        belief = after


def test_what_is_not_asked_about_stays_as_it_was() -> None:
    belief = start(2, 3)
    x = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    after = belief.observe(x, np.ones(2), np.full(2, np.nan), PRIOR)
    np.testing.assert_allclose(after.covariance[0, 1:, 1:], belief.covariance[0, 1:, 1:])
    np.testing.assert_allclose(after.covariance[1], belief.covariance[1])
    np.testing.assert_array_equal(after.mean[1], 0.0)


def test_many_answers_come_close_to_the_exact_posterior(rng) -> None:
    prior, x = BeliefPrior(drift_sd=0.5, drift_weight=1e9), rng.normal(size=(60, 2))
    choice = np.where(rng.random(60) < expit(x @ [1.0, -0.5]), 1.0, -1.0)
    belief = ChoiceBelief.start(1, 2, 2.0, prior)
    for vector, one in zip(x, choice, strict=True):
        belief = belief.observe(vector[None], np.array([one]), np.array([np.nan]), prior)
    axis = np.linspace(-6, 6, 400)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    log_density = -0.5 * (grid**2).sum(axis=1) / float(belief.prior_variance[0])
    log_density -= np.logaddexp(0, -choice[:, None] * (x @ grid.T)).sum(axis=0)
    mass = np.exp(log_density - log_density.max())
    mass /= mass.sum()
    mean = mass @ grid
    covariance = (grid - mean).T @ ((grid - mean) * mass[:, None])
    sd = np.sqrt(np.diag(covariance))
    assert (np.abs(belief.mean[0] - mean) < 0.15 * sd).all()
    np.testing.assert_allclose(np.sqrt(np.diag(belief.covariance[0])), sd, rtol=0.1)


def test_the_scale_of_the_weights_is_learned(rng) -> None:
    prior = BeliefPrior(drift_weight=0.1)
    sizes = {}
    for strength in (0.1, 3.0):
        belief = ChoiceBelief.start(50, 4, 2.0, prior)
        weights = strength * rng.normal(size=(50, 4))
        for _ in range(80):
            x = rng.normal(size=(50, 4))
            p = expit(np.einsum("ri,ri->r", x, weights))
            choice = np.where(rng.random(50) < p, 1.0, -1.0)
            belief = belief.observe(x, choice, np.full(50, np.nan), prior)
        sizes[strength] = np.median(belief.prior_variance)
    guess = float(belief.guessed_variance[0])
    assert sizes[0.1] < 0.1 * guess < guess / 4 < sizes[3.0] < guess
