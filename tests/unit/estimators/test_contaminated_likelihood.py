import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_expit
from scipy.stats import norm

from tacit import ddm
from tacit.estimators import RobustLikelihood
from tacit.estimators._contaminated import KINDS, MixedAnswers, Point, log_components
from tacit.estimators._contaminated_fit import Known, _climb
from tests.unit.estimators._contaminated_answers import contaminated, fitted

PRIOR_STRENGTH = 20
SLOWEST_MODE = 1 - 8 / np.pi**2


def components_by_hand(coef, a, t0, data):
    """Return log-densities of every answer, by the distributions of tacit.ddm."""
    X, choice, time, censor_above = data
    late, void = time > censor_above, np.isnan(time)
    clock = np.minimum(time, censor_above)
    drift, tail = a * (X @ coef), 0.05 * a**2
    s = 4 * np.quantile(clock[~void], 0.5, method="inverted_cdf")
    after = clock - t0
    log_choice = log_expit(2 * a * choice * drift)
    safe = np.where(void | (after <= 0), 1.0, after)
    genuine = np.where(after > 0, ddm.logpdf(choice, safe, drift, a), -np.inf)
    rest = after - SLOWEST_MODE * a**2
    survival = np.log(4 / np.pi) - np.pi**2 * after / (8 * a**2) - 0.5 * drift**2 * rest
    genuine = np.where(late, survival, genuine)
    fast = (
        -np.log(t0 + tail) - np.maximum(after, 0) / tail + np.where(late, np.log(tail), -np.log(2))
    )
    slow = np.where(late, np.log(s / (s + clock)), np.log(s / (s + clock) ** 2))
    guess = slow + np.where(late, 0, -np.log(2))
    lapse = slow + np.where(late, 0, log_choice)
    by_choice = np.array([log_choice, *2 * [np.full(len(choice), -np.log(2))], log_choice])
    return np.where(void, by_choice, [genuine, fast, guess, lapse])


def shares_of(model):
    contaminants = np.array([model.contaminant_shares_[kind] for kind in KINDS])
    return np.array([1 - contaminants.sum(), *contaminants])


def log_posterior(point, shares, data, ridge):
    coef, a, t0 = point
    density = shares @ np.exp(components_by_hand(coef, a, t0, data))
    prior = PRIOR_STRENGTH * np.log(shares[0]) - 0.5 * ridge * a**2 * coef @ coef
    return np.log(density).sum() + prior


def hessian(function, point, step=1e-4):
    steps = step * np.eye(len(point))

    def mixed(one, two):
        corners = [function(point + s * one + r * two) * s * r for s in (1, -1) for r in (1, -1)]
        return sum(corners) / (4 * step**2)

    return np.array([[mixed(one, two) for two in steps] for one in steps])


# The densities


def one_answer(choice, time, *, n_timed=1, drift_variability=0.0):
    return MixedAnswers(
        vectors=np.ones((1, 1)),
        choice=np.array([choice]),
        time=np.array([time]),
        weight=np.ones(1),
        slow_scale=6.0,
        n_timed=n_timed,
        drift_variability=drift_variability,
        ridge=0.0,
    )


def log_density(answers, rate=0.8, a=1.1, t0=0.3):
    return log_components(answers, np.array([[rate]]), np.array([[a]]), np.array([[t0]]))[:, 0, 0]


@pytest.mark.parametrize("kind", range(4))
def test_densities_integrate_to_one_and_censored_ones_to_the_rest(kind):
    def density(time):
        return sum(np.exp(log_density(one_answer(c, time))[kind]) for c in (-1.0, 1.0))

    def mass(low, high):
        return quad(density, low, high, limit=200)[0]

    before, after = mass(0, 0.3) + mass(0.3, 3), mass(3, 30) + mass(30, np.inf)
    assert before + after == pytest.approx(1, rel=1e-6)
    censored = np.exp(log_density(one_answer(1.0, 3.0, n_timed=0))[kind])
    # Genuine answers have an approximation, of which the next test has the accuracy.
    assert censored == pytest.approx(after, rel=2e-3 if kind == 0 else 1e-6)


@pytest.mark.parametrize(("strength", "accuracy"), [(0.0, 0.003), (1.0, 0.005), (2.0, 0.025)])
def test_genuine_answers_are_censored_accurately(strength, accuracy):
    a, t0 = 1.1, 0.3
    for after in (0.5 * a**2, a**2, 2 * a**2):
        answers = one_answer(1.0, t0 + after, n_timed=0)
        found = log_density(answers, strength / a**2, a, t0)[0]
        assert found == pytest.approx(ddm.logsf(after, strength / a, a), abs=accuracy)


@pytest.mark.parametrize("choice", [-1.0, 1.0])
@pytest.mark.parametrize("time", [0.5, 1.5, 6.0])
def test_drift_variability_averages_over_drifts(choice, time):
    a, t0, drift, eta = 1.1, 0.3, 0.9, 0.7

    def integrand(u):
        return np.exp(ddm.logpdf(choice, time - t0, u, a)) * norm.pdf(u, drift, eta)

    averaged = quad(integrand, drift - 8 * eta, drift + 8 * eta, limit=200)[0]
    answers = one_answer(choice, time, drift_variability=eta)
    assert log_density(answers, drift / a, a, t0)[0] == pytest.approx(np.log(averaged), abs=1e-8)


# The maximum


MIXTURES = {
    "timed": {},
    "censored": {"censor_above": 6.0},
    "void": {"n_void": 25},
    "ridge": {"ridge": 5.0},
}


def mixture(rng, setting):
    """Return a model fitted to contaminated answers, and the log-posterior it should maximise."""
    X, choice, time = contaminated(rng)
    time[len(time) - setting.get("n_void", 0) :] = np.nan
    limit, ridge = setting.get("censor_above"), setting.get("ridge", 0.0)
    model = fitted(RobustLikelihood(censor_above=limit, ridge=ridge), X, choice, time)
    data = X, choice, time, limit or np.inf

    def value(coef, log_barrier, t0, shares):
        return log_posterior((coef, np.exp(log_barrier), t0), shares, data, ridge)

    return model, value, data


@pytest.mark.parametrize("name", MIXTURES)
def test_maximises_the_likelihood_of_the_mixture(rng, name):
    model, value, _ = mixture(rng, MIXTURES[name])
    assert model.converged_
    logit = np.log(shares_of(model)[1:] / shares_of(model)[0])
    found = np.array([*model.coef_, np.log(model.barrier_), model.nondecision_time_, *logit])

    def objective(p):
        odds = np.exp([0.0, *p[4:]])
        return value(p[:2], p[2], p[3], odds / odds.sum())

    gradient = np.array([objective(found + h) - objective(found - h) for h in 1e-5 * np.eye(7)])
    curvature = -hessian(objective, found)
    assert np.linalg.eigvalsh(curvature)[0] > 0
    move = np.linalg.solve(curvature, gradient / 2e-5)
    assert 0.5 * move @ gradient / 2e-5 < 1e-3  # nats that a Newton step would gain
    np.testing.assert_allclose(move[:2], 0, atol=5e-3)


@pytest.mark.parametrize("name", MIXTURES)
def test_probabilities_of_contamination_follow_by_bayes(rng, name):
    model, _, data = mixture(rng, MIXTURES[name])
    components = components_by_hand(model.coef_, model.barrier_, model.nondecision_time_, data)
    joint = shares_of(model)[:, None] * np.exp(components)
    np.testing.assert_allclose(
        model.contaminant_probability_, joint[1:].sum(axis=0) / joint.sum(axis=0), rtol=1e-6
    )
    expected = model.contaminant_probability_.sum() / (len(data[0]) + PRIOR_STRENGTH)
    assert model.contaminant_share_ == pytest.approx(expected, rel=1e-3)
    assert model.contaminant_share_ == pytest.approx(sum(model.contaminant_shares_.values()))


@pytest.mark.parametrize("name", MIXTURES)
def test_covariance_is_the_inverse_of_the_observed_information(rng, name):
    setting = MIXTURES[name]
    model, value, (X, choice, time, _) = mixture(rng, setting)
    a, t0, shares = model.barrier_, model.nondecision_time_, shares_of(model)
    known = RobustLikelihood(
        t0, barrier=a, censor_above=setting.get("censor_above"), ridge=setting.get("ridge", 0.0)
    )
    fitted(known, X, choice, time)
    shares = shares_of(known)
    information = -hessian(lambda b: value(b, np.log(a), t0, shares), known.coef_)
    np.testing.assert_allclose(known.covariance_, np.linalg.inv(information), rtol=2e-3)


@pytest.mark.parametrize("name", MIXTURES)
def test_covariance_counts_a_fitted_barrier_and_nondecision_time(rng, name):
    nearest = 0.0
    while (
        nearest < 0.01
    ):  # the density of guesses has a kink at t0, where nothing is differentiable
        model, value, (_, _, time, _) = mixture(rng, MIXTURES[name])
        nearest = np.nanmin(np.abs(time - model.nondecision_time_))
    shares = shares_of(model)
    point = np.array([*model.coef_, np.log(model.barrier_), model.nondecision_time_])
    whole = np.linalg.inv(-hessian(lambda p: value(p[:2], p[2], p[3], shares), point))
    np.testing.assert_allclose(model.covariance_, whole[:2, :2], rtol=0.01)


@pytest.mark.parametrize("drift_variability", [0.0, 0.6])
def test_every_round_climbs(rng, drift_variability):
    X, choice, time = contaminated(rng)
    order = np.argsort(time > 6, kind="stable")
    answers = MixedAnswers(
        vectors=X[order],
        choice=choice[order].astype(float),
        time=np.minimum(time[order], 6.0)[:-10],
        weight=rng.uniform(0.5, 2.0, len(X)),
        slow_scale=5.0,
        n_timed=int((time[order][:-10] <= 6).sum()),
        drift_variability=drift_variability,
        ridge=1.0,
    )
    start = Point(np.array([-0.5, 0.5]), 0.8, 0.1, np.full(4, 0.25))
    known = Known(None, None, contaminants=True)
    point, values = start, []
    for _ in range(25):
        reached = _climb(answers, known, 1.0, point, 1)
        point = reached.point
        values.append(reached.value)
    assert (np.diff(values) >= -1e-9).all()
    assert values[-1] > values[0] + 1
    assert values[-1] == pytest.approx(_climb(answers, known, 1.0, start, 25).value, abs=1e-4)
