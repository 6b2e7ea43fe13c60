import numpy as np
import pytest
from scipy.stats import norm

from tacit import bayes, ddm
from tests.oracle.brute_force import integrate

X = np.array([1.0, 0.5, 2.0, 1.0, 1.5, 0.5, 1.0, 2.0])
CHOICE = np.array([1, -1, 1, 1, 1, 1, -1, 1])
RESPONSE_TIME = np.array([0.9, 1.6, 0.62, 1.1, 0.75, 1.9, 1.3, 0.7])
N_NODES = 56
TRIALS = (X, CHOICE, RESPONSE_TIME)
BARRIER, NONDECISION_TIME, WEIGHTS = (0.4, 3.0), (0.05, RESPONSE_TIME.min()), (-1.5, 2.0)
SOLID = {"barrier": BARRIER, "nondecision_time": NONDECISION_TIME}
LOG_VOLUME = np.log(BARRIER[1] - BARRIER[0]) + np.log(NONDECISION_TIME[1] - NONDECISION_TIME[0])

PRIORS = {
    "flat": (
        bayes.FlatPrior(**SOLID, weights=WEIGHTS),
        WEIGHTS,
        lambda theta: -LOG_VOLUME - np.log(WEIGHTS[1] - WEIGHTS[0]) + 0 * theta,
    ),
    "gaussian": (
        bayes.GaussianPrior(**SOLID, mean=0.3, covariance=0.8),
        (-4.0, 5.0),
        lambda theta: norm.logpdf(theta, 0.3, np.sqrt(0.8)) - LOG_VOLUME,
    ),
}


@pytest.fixture(scope="module", params=PRIORS)
def both(request):
    prior, weights, log_prior = PRIORS[request.param]
    box = SOLID | {"weight": weights, "start_share": 0.0}
    posterior = bayes.fit(X[:, None], CHOICE, RESPONSE_TIME, prior=prior)
    return posterior, integrate(TRIALS, box, log_prior, N_NODES), box, log_prior


def test_evidence(both):
    posterior, exact, *_ = both
    assert posterior.log_evidence == pytest.approx(exact.log_evidence, abs=1e-6)


@pytest.mark.parametrize("name", ["barrier", "nondecision_time"])
def test_barrier_and_nondecision_time(both, name):
    posterior, exact, *_ = both
    value = exact.values[name]
    marginal = getattr(posterior, name)
    assert marginal.mean == pytest.approx(exact.mean(value), abs=1e-6)
    assert marginal.sd == pytest.approx(exact.sd(value), abs=1e-6)
    for cut in marginal.quantile([0.03, 0.5, 0.9]):
        box = dict(both[2])
        box[name] = (box[name][0], float(cut))
        below = integrate(TRIALS, box, both[3], N_NODES)
        share = np.exp(below.log_evidence - exact.log_evidence)
        assert float(marginal.cdf(cut)) == pytest.approx(share, abs=1e-4)


def test_weight(both):
    posterior, exact, *_ = both
    theta = exact.values["weight"]
    assert posterior.weights.mean[0] == pytest.approx(exact.mean(theta), abs=1e-6)
    assert posterior.weights.sd[0] == pytest.approx(exact.sd(theta), abs=1e-6)
    low, high = posterior.weights.interval(0.9)
    for cut, share in ((low, 0.05), (high, 0.95)):
        box = dict(both[2])
        box["weight"] = (box["weight"][0], float(cut[0]))
        below = integrate(TRIALS, box, both[3], N_NODES)
        assert np.exp(below.log_evidence - exact.log_evidence) == pytest.approx(share, abs=1e-6)


def test_predictions(both):
    posterior, exact, *_ = both
    a, t0, theta = (exact.values[k] for k in ("barrier", "nondecision_time", "weight"))
    first = exact.mean(ddm.prob_first(1.3 * theta, a))
    assert posterior.predict_choice([[1.3]])[0] == pytest.approx(first, abs=1e-6)
    time = exact.mean(t0 + ddm.mean_time(1.3 * theta, a))
    assert posterior.predict_time([[1.3]])[0] == pytest.approx(time, abs=1e-6)


def test_leaving_out_one_trial(both):
    posterior, exact, box, log_prior = both
    score = posterior.loo()
    for trial in (0, int(np.argmin(RESPONSE_TIME))):
        others = np.arange(len(X)) != trial
        rest = integrate([column[others] for column in TRIALS], box, log_prior, N_NODES)
        expected = exact.log_evidence - rest.log_evidence
        assert score.pointwise[trial] == pytest.approx(expected, abs=2e-5)


def test_draws_have_the_moments_of_the_posterior(both, rng):
    posterior, exact, *_ = both
    n = 20_000
    draws = posterior.sample(n, rng)
    joint = {
        "barrier": draws.barrier,
        "nondecision_time": draws.nondecision_time,
        "weight": draws.weights[:, 0],
    }
    for name, drawn in joint.items():
        value = exact.values[name]
        assert abs(drawn.mean() - exact.mean(value)) < 5 * exact.sd(value) / np.sqrt(n)
    a, theta = exact.values["barrier"], exact.values["weight"]
    product = draws.barrier * draws.weights[:, 0]
    assert abs(product.mean() - exact.mean(a * theta)) < 5 * exact.sd(a * theta) / np.sqrt(n)


def test_start_bias():
    prior, _, log_prior = PRIORS["gaussian"]
    box = SOLID | {"weight": (-4.0, 5.0), "start_share": (-1.0, 1.0)}
    few = [column[:5] for column in TRIALS]
    exact = integrate(few, box, lambda w: log_prior(w) - np.log(2), 36)
    posterior = bayes.fit(few[0][:, None], *few[1:], prior=prior, start_bias=True)
    assert posterior.log_evidence == pytest.approx(exact.log_evidence, abs=1e-4)
    share = exact.values["start_share"]
    assert posterior.start_share.mean == pytest.approx(exact.mean(share), abs=1e-4)
    assert posterior.start_share.sd == pytest.approx(exact.sd(share), abs=1e-4)
    theta = exact.values["weight"]
    assert posterior.weights.mean[0] == pytest.approx(exact.mean(theta), abs=1e-4)
    assert posterior.weights.sd[0] == pytest.approx(exact.sd(theta), abs=1e-4)
