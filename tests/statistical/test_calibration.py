"""Simulation-based calibration: over people drawn from the prior, posteriors are right on average.

If a person is drawn from the prior and answers by the model, the posterior probability of being at
most the true value is uniform (Cook, Gelman & Rubin 2006; Talts et al. 2018), for every parameter
and every function of the parameters.
"""

import numpy as np
import pytest
from scipy.stats import norm

from tacit import bayes, ddm
from tests.statistical._testing import assert_distribution, n_for_distribution

DISCREPANCY = 0.2
"""Distance of these probabilities from uniform that must not go unnoticed."""

N_TRIALS, N_FEATURES, N_DRAWS = 12, 2, 49
PRIOR = bayes.GaussianPrior(
    mean=[0.5, -0.5],
    covariance=[[1.5, 0.5], [0.5, 1.0]],
    barrier=(0.5, 2.0),
    nondecision_time=(0.1, 0.5),
)
QUERY = np.array([[1.0, 0.7]])


def person_from_prior(rng):
    a, t0 = rng.uniform(*PRIOR.barrier), rng.uniform(*PRIOR.nondecision_time)
    theta = rng.multivariate_normal(PRIOR.mean, PRIOR.covariance)
    X = rng.normal(size=(N_TRIALS, N_FEATURES))
    choice, response_time = ddm.sample(X @ theta, a, nondecision_time=t0, rng=rng)
    return a, t0, theta, bayes.fit(X, choice, response_time, prior=PRIOR)


def probabilities_below_truth(rng):
    """Return them by distribution functions, by ranks among draws, and by broken posteriors."""
    a, t0, theta, posterior = person_from_prior(rng)
    computed = [
        posterior.barrier.cdf(a),
        posterior.nondecision_time.cdf(t0),
        *posterior.weights.cdf(theta),
        *posterior.utilities(QUERY).cdf(QUERY @ theta),
    ]
    draws = posterior.sample(N_DRAWS, rng)
    pairs = [
        (draws.barrier * draws.weights[:, 0], a * theta[0]),
        (draws.nondecision_time + draws.weights[:, 1], t0 + theta[1]),
    ]
    # Spread over its cell, the rank of the truth among draws is uniform as well.
    ranks = [((drawn < true).sum() + rng.random()) / (N_DRAWS + 1) for drawn, true in pairs]
    barrier, weights = posterior.barrier, posterior.weights
    broken = [
        barrier.cdf(2 * a),
        norm.cdf(theta[0], weights.mean[0], weights.sd[0] / 3),
    ]
    return np.array([*computed, *ranks]), np.array(broken)


@pytest.mark.statistical(false_alarm_rate=1e-8)
def test_posteriors_are_calibrated(fresh_rng, false_alarm_rate):
    rate = false_alarm_rate / 7
    n_people = n_for_distribution(DISCREPANCY, false_alarm_rate=rate)
    people = [probabilities_below_truth(fresh_rng) for _ in range(n_people)]
    right, broken = (np.stack(columns, axis=1) for columns in zip(*people, strict=True))
    assert len(right) == 7
    for probability in right:
        assert_distribution(probability, lambda p: p, false_alarm_rate=rate)
    for probability in broken:
        with pytest.raises(AssertionError, match="draws are"):
            assert_distribution(probability, lambda p: p, false_alarm_rate=rate)
