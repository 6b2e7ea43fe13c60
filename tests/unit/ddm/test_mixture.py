import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from tacit.ddm import MIXTURE_SCALES, WeightsMixture

MEAN = np.array([1.0, -0.5, 0.2])
SPREAD = np.array([[1.0, 0.3, 0.0], [0.3, 0.5, 0.1], [0.0, 0.1, 0.8]])


@pytest.fixture
def crowd(rng):
    shares = rng.random((2, len(MIXTURE_SCALES)))
    return WeightsMixture(MEAN, SPREAD, shares / shares.sum())


def told(rng, n_people):
    X = rng.normal(size=(n_people, 12, 3)) * rng.random((n_people, 12, 1))
    return np.einsum("nki,nkj->nij", X, X), X.sum(axis=1)


def test_the_evidence_is_the_integral_over_the_weights(rng, crowd):
    information, linear = told(rng, 4)
    found = crowd.log_evidence(information, linear)
    assert found.shape == (4, 2, len(MIXTURE_SCALES))
    size = (np.trace(SPREAD) + MEAN @ MEAN) / 3
    for person in range(4):
        for kind, (mean, spread) in enumerate([(MEAN, SPREAD), (0 * MEAN, size * np.eye(3))]):
            for number, scale in enumerate(MIXTURE_SCALES):
                prior = np.linalg.inv(scale * spread)
                after = np.linalg.inv(information[person] + prior)
                mode = after @ (linear[person] + prior @ mean)
                # Bayes' rule at the mode: evidence = likelihood * prior / posterior.
                exact = linear[person] @ mode - 0.5 * mode @ information[person] @ mode
                exact += multivariate_normal(mean, scale * spread).logpdf(mode)
                exact -= multivariate_normal(mode, after).logpdf(mode)
                np.testing.assert_allclose(found[person, kind, number], exact, rtol=1e-9)


def test_the_gaussian_has_the_moments_of_the_mixture(rng, crowd):
    n = 400_000
    kind = rng.choice(crowd.shares.size, p=crowd.shares.ravel(), size=n)
    like, scale = kind < len(MIXTURE_SCALES), np.tile(MIXTURE_SCALES, 2)[kind]
    noise = rng.standard_normal((n, 3))
    spread = np.where(
        like[:, None], noise @ np.linalg.cholesky(SPREAD).T, noise * np.sqrt(crowd.mean_square)
    )
    weights = like[:, None] * MEAN + np.sqrt(scale)[:, None] * spread
    mean, covariance = crowd.matched()
    # 6 standard errors of the largest entry: about 1 in 10^8 runs fail.
    np.testing.assert_allclose(mean[0], weights.mean(axis=0), atol=6 * weights.std() / np.sqrt(n))
    fourth = np.sqrt((weights**4).mean(axis=0).max() / n)
    np.testing.assert_allclose(covariance[0], np.cov(weights.T), atol=6 * fourth)


def test_answers_tell_of_which_kind_somebody_is(crowd):
    information = 50.0 * np.eye(3)[None]
    like = crowd.matched(crowd.log_evidence(information, 50.0 * MEAN[None]))
    np.testing.assert_allclose(like[0][0], MEAN, atol=0.2)
    far = crowd.matched(crowd.log_evidence(information, 50.0 * np.array([[-6.0, 6.0, 6.0]])))
    np.testing.assert_allclose(far[0][0], 0.0, atol=0.05)
    assert np.linalg.eigvalsh(far[1][0])[0] > 4


def test_people_may_have_means_of_their_own(rng, crowd):
    information, linear = told(rng, 2)
    means = np.array([MEAN, 2 * MEAN])
    both = WeightsMixture(means, SPREAD, crowd.shares).log_evidence(information, linear)
    second = WeightsMixture(means[1], SPREAD, crowd.shares).log_evidence(information, linear)
    np.testing.assert_allclose(both[1], second[1])


def test_nobody_loses_more_than_the_share_of_a_kind(rng, crowd):
    evidence = crowd.log_evidence(*told(rng, 50))
    mixed = logsumexp(evidence + np.log(crowd.shares), axis=(1, 2))
    assert (mixed[:, None, None] >= evidence + np.log(crowd.shares) - 1e-12).all()


def test_no_answers_leave_everything_as_it_was(crowd):
    nothing = crowd.log_evidence(np.zeros((1, 3, 3)), np.zeros((1, 3)))
    np.testing.assert_array_equal(nothing, 0.0)
    for one, other in zip(crowd.matched(nothing), crowd.matched(), strict=True):
        np.testing.assert_allclose(one, other)
