import numpy as np
import pytest

from tacit import bayes, ddm

ONE_HOT = np.tile(np.eye(3), (8, 1))


@pytest.fixture(scope="session")
def person():
    """Queries, choices and times of someone with three items against a reference."""
    rng = np.random.default_rng(20)
    choice, response_time = ddm.sample(
        ONE_HOT @ [1.2, 0.3, -0.8], 1.1, nondecision_time=0.3, rng=rng
    )
    return ONE_HOT, choice, response_time


PRIORS = {
    "flat": bayes.FlatPrior(),
    "cut": bayes.FlatPrior(weights=(-0.5, 1.0)),
    "gaussian": bayes.GaussianPrior(mean=0.2, covariance=0.7),
}


@pytest.fixture(scope="session", params=PRIORS)
def posterior(request, person):
    """Return posteriors whose box hardly matters, matters a lot, and does not exist."""
    return bayes.fit(*person, prior=PRIORS[request.param])


@pytest.fixture(scope="session")
def gaussian(person):
    return bayes.fit(*person, prior=PRIORS["gaussian"])


@pytest.fixture(scope="session")
def biased(person):
    """Return the fit of someone who may start off the middle."""
    return bayes.fit(*person, prior=PRIORS["gaussian"], start_bias=True)


@pytest.fixture(scope="session")
def own_draws():
    """Return draws by rejection from prior and likelihood, nothing integrated: see `reject`."""
    return reject


def reject(X, choice, response_time, prior, rng, *, start_bias=False, n_tries=400_000):
    """Return parameters drawn from a prior and their weights by the likelihood, with log-evidence.

    Self-normalised importance sampling from the prior: good for a few trials.
    """
    a = rng.uniform(*prior.barrier, n_tries)
    fastest = np.min(response_time)
    t0 = rng.uniform(prior.nondecision_time[0], min(prior.nondecision_time[1], fastest), n_tries)
    share = rng.uniform(-1, 1, n_tries) if start_bias else np.zeros(n_tries)
    d = np.shape(X)[1]
    if isinstance(prior, bayes.FlatPrior):
        theta = rng.uniform(*prior.weights, (n_tries, d))
    else:
        mean, precision = prior.weights_prior(d)
        theta = rng.multivariate_normal(mean, np.linalg.inv(precision), n_tries)
    log_weight = np.zeros(n_tries)
    for x, c, rt in zip(np.asarray(X, float), choice, response_time, strict=True):
        log_weight += ddm.logpdf(c, rt, theta @ x, a, nondecision_time=t0, start=share * a)
    weight = np.exp(log_weight)
    columns = {"barrier": a, "nondecision_time": t0, "start_share": share, "weights": theta}
    return columns, weight


def weighted_mean(value, weight):
    """Return a self-normalised mean and its standard error."""
    share = weight / weight.sum()
    mean = share @ value
    return mean, np.sqrt(share**2 @ (value - mean) ** 2)
