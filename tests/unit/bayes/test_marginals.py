import numpy as np
import pytest
from scipy.integrate import quad

from tacit import bayes
from tacit.errors import DataError

NAMES = ["barrier", "nondecision_time", "start_share"]
N_DRAWS = 5_000


def assert_distribution_of(drawn, cdf):
    """Compare draws with a distribution; by chance this fails once in 10^9 seeds (Massart)."""
    grid = np.linspace(drawn.min(), drawn.max(), 120)
    probability = np.interp(np.sort(drawn), grid, cdf(grid))
    rank = np.arange(len(drawn) + 1) / len(drawn)
    distance = max((rank[1:] - probability).max(), (probability - rank[:-1]).max())
    assert distance < np.sqrt(np.log(2e9) / (2 * len(drawn)))


@pytest.mark.parametrize("name", NAMES)
def test_density_distribution_and_moments_agree(biased, name):
    marginal = getattr(biased, name)
    low, high = marginal.quantile([1e-5, 1 - 1e-5])
    values = [quad(lambda v, k=k: v**k * marginal.density(v), low, high)[0] for k in (0, 1, 2)]
    assert values[0] == pytest.approx(1, abs=1e-4)
    assert values[1] == pytest.approx(marginal.mean, abs=1e-3 * marginal.sd)
    assert values[2] - values[1] ** 2 == pytest.approx(marginal.sd**2, rel=5e-3)
    middle = marginal.mean
    below = quad(marginal.density, low, middle)[0]
    assert float(marginal.cdf(middle)) == pytest.approx(below, abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_quantiles_invert_the_distribution_function(biased, name):
    marginal = getattr(biased, name)
    p = np.array([[0.001, 0.1], [0.5, 0.999]])
    found = marginal.quantile(p)
    assert found.shape == p.shape
    np.testing.assert_allclose(marginal.cdf(found), p, atol=1e-9)
    assert marginal.interval(0.8) == tuple(marginal.quantile([0.1, 0.9]))


def test_nothing_lies_outside_the_box(biased):
    box = {"barrier": (5e-6, 7.5), "start_share": (-1.0, 1.0)}
    for name, (low, high) in box.items():
        marginal = getattr(biased, name)
        assert marginal.cdf([-100.0, low, high, 100.0]).tolist() == [0, 0, 1, 1]
        assert marginal.density([low - 1, low, high, high + 1]).tolist() == [0, 0, 0, 0]


def test_a_known_value_has_a_step(person):
    known = bayes.fit(*person, prior=bayes.FlatPrior(barrier=1.2)).barrier
    assert (known.known, known.mean, known.sd) == (True, 1.2, 0)
    assert known.cdf([1.19, 1.2, 1.21]).tolist() == [0, 1, 1]
    assert known.interval() == (1.2, 1.2)
    with pytest.raises(DataError, match="has no density"):
        known.density(1.2)


def test_draws_of_barrier_and_times_follow_the_marginals(posterior, rng):
    draws = posterior.sample(N_DRAWS, rng)
    assert_distribution_of(draws.barrier, posterior.barrier.cdf)
    assert_distribution_of(draws.nondecision_time, posterior.nondecision_time.cdf)


def test_draws_of_weights_follow_the_marginals(posterior, rng):
    draws = posterior.sample(N_DRAWS, rng).weights
    for k in range(3):
        marginal = posterior.utilities(np.eye(3)[[k]])
        assert_distribution_of(draws[:, k], lambda v, m=marginal: m.cdf(v[:, None])[:, 0])


def test_marginals_tell_a_wrong_distribution(posterior, rng):
    draws = posterior.sample(N_DRAWS, rng)
    with pytest.raises(AssertionError):
        assert_distribution_of(1.05 * draws.barrier, posterior.barrier.cdf)


def test_moments_of_utilities_are_those_of_draws(posterior, rng):
    features = np.array([[1.0, -1.0, 0.0], [0.5, 0.5, 2.0], [0.0, 0.0, 0.0]])
    utilities = posterior.utilities(features)
    drawn = posterior.sample(N_DRAWS, rng).weights @ features.T
    error = utilities.sd / np.sqrt(N_DRAWS)
    assert (np.abs(drawn.mean(axis=0) - utilities.mean) <= 5 * error).all()
    scale = np.outer(utilities.sd, utilities.sd)
    off = np.abs(np.cov(drawn.T) - utilities.covariance)
    assert (off <= 8 * scale / np.sqrt(N_DRAWS)).all()
    np.testing.assert_allclose(np.diag(utilities.covariance), utilities.sd**2)


def test_intervals_of_utilities_hold_their_share_of_draws(posterior, rng):
    features = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -2.0], [1.0, -1.0, 0.0]])
    low, high = posterior.utilities(features).interval(0.8)
    drawn = posterior.sample(N_DRAWS, rng).weights @ features.T
    # Sums of weights that are cut are taken for normal: the last may miss a little.
    slack = 5 * np.sqrt(0.1 * 0.9 / N_DRAWS) + np.array([0, 0, 0.01])
    assert (np.abs((drawn < low).mean(axis=0) - 0.1) < slack).all()
    assert (np.abs((drawn > high).mean(axis=0) - 0.1) < slack).all()


def test_an_item_without_features_has_no_utility_for_sure(posterior):
    utilities = posterior.utilities([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert utilities.mean[0] == 0
    assert utilities.sd[0] == 0
    assert utilities.cdf([[-0.1, 0], [0.0, 0]])[:, 0] == pytest.approx([0, 1], abs=1e-12)
    low, high = utilities.interval()
    assert low[0] == pytest.approx(0)
    assert high[0] == pytest.approx(0)
    assert low[1] == pytest.approx(posterior.weights.interval()[0][0], rel=1e-9)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, np.nan, [0.5, 1.0]])
def test_probabilities_are_checked(posterior, p):
    for marginal in (posterior.barrier, posterior.weights):
        with pytest.raises(DataError, match="strictly between 0 and 1"):
            marginal.quantile(p)


def test_marginals_print_in_a_line(posterior):
    for marginal in (posterior.barrier, posterior.weights):
        text = repr(marginal)
        assert "mean=" in text
        assert len(text) < 100
