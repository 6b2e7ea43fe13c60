"""One small person, fitted under priors whose box hardly matters, matters a lot, is not there."""

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
