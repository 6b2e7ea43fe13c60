import numpy as np
import pytest
from scipy.stats import norm

from tacit import bayes, ddm
from tacit.bayes.private import noise_of
from tacit.ddm import PeopleStatistics
from tacit.errors import DataError

OPTIONS = {
    "epsilon": 1.0,
    "delta": 1e-6,
    "clip": 3.0,
    "prior_sd": 2.0,
    "nondecision_time": 0.3,
    "barrier": 1.2,
    "public_nondecision_time": 0.35,
}


def sums_of(rng, weights, n_trials=20):
    person = np.repeat(np.arange(len(weights)), n_trials)
    X = rng.normal(size=(len(person), weights.shape[1]))
    drift = np.einsum("ij,ij->i", X, weights[person])
    choice, time = ddm.sample(drift, 1.2, nondecision_time=0.3, rng=rng)
    return PeopleStatistics.from_trials(X, choice, time, person)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_noise_is_the_least_that_keeps_the_promise(epsilon):
    delta = 1e-5

    def broken(sd):
        """Return how much of the promise is broken, by integrating the two densities."""
        x = np.linspace(-40 * sd, 40 * sd, 2_000_001)
        gap = norm.pdf(x, 1, sd) - np.exp(epsilon) * norm.pdf(x, 0, sd)
        return np.clip(gap, 0, None).sum() * (x[1] - x[0])

    sd = noise_of(epsilon, delta)
    assert broken(sd) == pytest.approx(delta, rel=1e-3)
    assert broken(0.99 * sd) > delta


def test_nobody_moves_the_released_numbers_by_more_than_is_accounted_for(rng):
    largest = 0.0
    for _ in range(20_000):
        v, w = rng.normal(size=(2, 2))
        v, w = (x / np.linalg.norm(x) * rng.choice([1.0, rng.random()]) for x in (v, w))
        moved = ((v - w) ** 2).sum() + ((np.outer(v, v) - np.outer(w, w)) ** 2).sum()
        largest = max(largest, moved)
    assert 4.45 < largest <= 4.5


def test_noise_has_the_stated_size(rng):
    sums = sums_of(rng, np.zeros((50, 2)))
    quiet = OPTIONS | {"epsilon": 1e6, "delta": 0.5}
    without = bayes.release_population(sums, **quiet, rng=rng)
    drawn = np.array(
        [bayes.release_population(sums, **OPTIONS, rng=rng).mean() for _ in range(2000)]
    )
    expected = 3.0 * np.sqrt(4.5) / 50 * noise_of(1.0, 1e-6)
    assert (drawn - without.mean()).std() == pytest.approx(expected, rel=0.06)


def test_a_large_crowd_is_told_almost_exactly(rng):
    weights = rng.normal(size=(20_000, 2)) * [0.7, 0.3] + [1.0, 0.0]
    found = bayes.release_population(sums_of(rng, weights), **OPTIONS, rng=rng)
    np.testing.assert_allclose(found.mean(), [1.0, 0.0], atol=0.1)
    assert 0.6**2 < found.covariance[0, 0] < 1.0**2
    assert found.log_evidence == ()
    assert found.nondecision_time == 0.35


def test_a_small_crowd_gives_a_wide_prior_and_never_an_impossible_one(rng):
    sums = sums_of(rng, np.zeros((10, 3)))
    for _ in range(50):
        found = bayes.release_population(sums, **OPTIONS | {"epsilon": 0.1}, rng=rng)
        assert np.linalg.eigvalsh(found.covariance)[0] > 0.5


@pytest.mark.parametrize(
    "wrong", [{"epsilon": 0.0}, {"delta": 1.0}, {"clip": -1.0}, {"barrier": np.inf}]
)
def test_impossible_budgets_are_refused(rng, wrong):
    sums = sums_of(rng, np.zeros((10, 2)))
    with pytest.raises(DataError, match=next(iter(wrong))):
        bayes.release_population(sums, **OPTIONS | wrong, rng=rng)
