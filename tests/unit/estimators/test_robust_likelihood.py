import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_expit
from scipy.stats import norm

from tacit import ddm
from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators import ChoiceOnly, Likelihood, RobustLikelihood
from tacit.estimators._contaminated import KINDS, MixedAnswers, Point, log_components
from tacit.estimators._contaminated_fit import Known, _climb

WEIGHTS, BARRIER, NONDECISION_TIME = np.array([1.2, -0.7]), 1.3, 0.35
PRIOR_STRENGTH = 20
SLOWEST_MODE = 1 - 8 / np.pi**2


def clean(rng, n=200):
    X = rng.normal(size=(n, 2))
    choice, time = ddm.sample(X @ WEIGHTS, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
    return X, choice, time


def contaminated(rng, n=200):
    """Return answers with 10% fast guesses, slow guesses and slow lapses each, in this order."""
    X, choice, time = clean(rng, n)
    k = n // 10
    coins = rng.choice([-1, 1], size=2 * k)
    choice[: 2 * k] = coins
    time[:k] = rng.uniform(0.05, NONDECISION_TIME, k)
    time[k : 3 * k] += rng.exponential(8.0, 2 * k)
    return X, choice, time


def fitted(model, X, choice, time, **columns):
    return model.fit(X, choice, response_time=time, **columns)


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


# Limits in which the estimate is known


@pytest.mark.parametrize("ridge", [0.0, 4.0])
def test_without_contaminants_it_is_the_likelihood(rng, ridge):
    data = clean(rng)
    robust = fitted(RobustLikelihood(contaminants=False, ridge=ridge), *data)
    exact = fitted(Likelihood(ridge=ridge), *data)
    np.testing.assert_allclose(robust.coef_, exact.coef_, rtol=1e-3)
    assert robust.barrier_ == pytest.approx(exact.barrier_, rel=1e-3)
    assert robust.nondecision_time_ == pytest.approx(exact.nondecision_time_, abs=1e-3)
    np.testing.assert_allclose(robust.covariance_, exact.covariance_, rtol=1e-2)
    assert (robust.contaminant_share_, robust.n_censored_, robust.n_void_) == (0, 0, 0)
    assert not robust.contaminant_probability_.any()


def test_contaminants_that_gain_little_are_not_believed_in(rng):
    data = clean(rng)
    robust = fitted(RobustLikelihood(), *data)
    without = fitted(RobustLikelihood(contaminants=False), *data)
    assert robust.contaminant_share_ == 0
    np.testing.assert_array_equal(robust.coef_, without.coef_)
    np.testing.assert_array_equal(robust.covariance_, without.covariance_)


def test_with_all_times_void_it_is_ridge_logistic_regression(rng):
    X, choice, _ = clean(rng)
    a, ridge = 1.4, 3.0
    model = fitted(RobustLikelihood(barrier=a, ridge=ridge), X, choice, np.full(len(X), np.nan))
    # Log-odds 2 a u have coefficients 2 a^2 times those of u / a, so that ridge a^2 becomes this.
    logistic = ChoiceOnly("ridge", ridge=ridge / (4 * a**2)).fit(X, choice)
    np.testing.assert_allclose(2 * a**2 * model.coef_, logistic.coef_, rtol=2e-3)
    np.testing.assert_allclose(4 * a**4 * model.covariance_, logistic.covariance_, rtol=5e-3)
    assert model.n_void_ == len(X)
    assert np.isnan(model.nondecision_time_)
    assert model.contaminant_share_ == 0
    np.testing.assert_array_equal(
        model.coef_, RobustLikelihood(barrier=a, ridge=ridge).fit(X, choice).coef_
    )


# By hand


def test_three_trials_of_which_one_is_censored_by_hand():
    # It counts as c = 0 for 3 s less (1 - 8 / pi^2) of a^2 = 1.
    model = RobustLikelihood(0.0, barrier=1.0, contaminants=False, censor_above=3.0)
    fitted(model, [[1.0], [2.0], [1.0]], [1, 1, -1], [1.0, 2.0, 9.0])
    information = 1 * 1 + 2 * 4 + (3 - SLOWEST_MODE) * 1
    assert model.coef_ == pytest.approx([(1 + 2) / information])
    assert model.covariance_[0, 0] == pytest.approx(1 / information)
    assert model.n_censored_ == 1


def test_drift_variability_takes_weight_from_slow_trials_by_hand():
    model = RobustLikelihood(0.0, barrier=1.0, contaminants=False, drift_variability=0.5)
    fitted(model, [[1.0], [2.0], [1.0]], [1, 1, -1], [1.0, 2.0, 6.0])
    weight = 1 / (1 + 0.25 * np.array([1.0, 2.0, 6.0]))
    expected = weight @ [1, 2, -1] / (weight @ [1 * 1, 2 * 4, 6 * 1])
    assert model.coef_ == pytest.approx([expected])


def test_a_void_trial_counts_with_its_choice_by_hand():
    model = RobustLikelihood(0.0, barrier=1.2, contaminants=False)
    fitted(model, [[1.0], [2.0], [1.0]], [1, -1, 1], [1.0, 2.0, np.nan])
    beta, a2 = model.coef_[0], 1.2**2
    timed = a2 * ((1 - 2) - (1 * 1 + 2 * 4) * beta)
    void = 2 * a2 * np.exp(log_expit(-2 * a2 * beta))
    assert timed + void == pytest.approx(0, abs=0.02)
    assert model.n_void_ == 1


def test_a_censored_choice_does_not_count(rng):
    X, choice, time = clean(rng)
    model = RobustLikelihood(contaminants=False, censor_above=2.0)
    coef = fitted(model, X, choice, time).coef_
    assert model.n_censored_ == (time > 2).sum() > 0
    later = np.where(time > 2, 10 * time, time)
    other = np.where(time > 2, -choice, choice)
    np.testing.assert_array_equal(fitted(model, X, other, later).coef_, coef)


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


def test_covariance_counts_a_fitted_nondecision_time(rng):
    model, value, _ = mixture(rng, {})
    shares = shares_of(model)
    point = np.array([*model.coef_, np.log(model.barrier_), model.nondecision_time_])
    whole = np.linalg.inv(-hessian(lambda p: value(p[:2], p[2], p[3], shares), point))
    np.testing.assert_allclose(model.covariance_, whole[:2, :2], rtol=0.05)


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


# What it is for


def test_finds_the_contaminants(rng):
    X, choice, time = contaminated(rng, n=500)
    model = fitted(RobustLikelihood(), X, choice, time)
    error = np.linalg.norm(model.coef_ * model.barrier_ - WEIGHTS)
    exact = fitted(Likelihood(), X, choice, time)
    assert error < np.linalg.norm(exact.coef_ * exact.barrier_ - WEIGHTS) / 3
    assert model.nondecision_time_ == pytest.approx(NONDECISION_TIME, abs=0.1)
    fast, slow, rest = np.split(model.contaminant_probability_, [50, 150])
    assert min(np.median(fast), np.median(slow)) > 0.9
    assert np.median(rest) < 0.1


def test_one_absurd_time_changes_nothing_about_the_others(rng):
    X, choice, time = contaminated(rng)
    coefs = []
    for seconds in (60.0, 60_000.0):
        time[-1] = seconds
        coefs.append(fitted(RobustLikelihood(), X, choice, time).coef_)
    np.testing.assert_allclose(*coefs, rtol=1e-3)


def test_answers_before_a_known_nondecision_time_are_guesses(rng):
    X, choice, time = clean(rng)
    time[:8] = 0.1
    model = fitted(RobustLikelihood(NONDECISION_TIME), X, choice, time)
    assert model.nondecision_time_ == NONDECISION_TIME
    np.testing.assert_allclose(model.contaminant_probability_[:8], 1.0)
    assert model.contaminant_shares_["fast guess"] > 0.02
    with pytest.raises(DataError, match=r"nondecision_time \(0.35 s\), got 0.1 s at trial 0"):
        fitted(RobustLikelihood(NONDECISION_TIME, contaminants=False), X, choice, time)


def test_trials_of_weight_zero_have_no_probability(rng):
    X, choice, time = contaminated(rng)
    weight = np.ones(len(X))
    weight[::3] = 0
    model = fitted(RobustLikelihood(), X, choice, time, sample_weight=weight)
    without = fitted(RobustLikelihood(), *(column[weight > 0] for column in (X, choice, time)))
    np.testing.assert_array_equal(np.isnan(model.contaminant_probability_), weight == 0)
    np.testing.assert_array_equal(
        model.contaminant_probability_[weight > 0], without.contaminant_probability_
    )
    np.testing.assert_array_equal(model.coef_, without.coef_)


def test_weights_count_as_repetitions(rng):
    X, choice, time = contaminated(rng)
    weight = rng.integers(1, 4, len(X))
    weighted = fitted(RobustLikelihood(), X, choice, time, sample_weight=weight)
    repeated = fitted(
        RobustLikelihood(), *(np.repeat(c, weight, axis=0) for c in (X, choice, time))
    )
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-3)
    assert weighted.contaminant_share_ == pytest.approx(repeated.contaminant_share_, rel=1e-2)


# Errors


def test_without_times_the_barrier_must_be_given():
    with pytest.raises(DataError, match="or give the barrier"):
        fitted(RobustLikelihood(), [[1.0], [2.0]], [1, -1], [np.nan, np.nan])


def test_answers_all_before_the_nondecision_time_are_reported():
    model = RobustLikelihood(nondecision_time=300.0)
    with pytest.raises(DataError, match=r"exceeds nondecision_time \(300 s\), the slowest is 2 s"):
        fitted(model, [[1.0], [2.0], [1.0]], [1, -1, 1], [1.0, 2.0, 1.5])


def test_weights_that_explain_everything_determine_no_barrier():
    with pytest.raises(DataError, match="2 trials determine no barrier"):
        fitted(RobustLikelihood(0.1), np.eye(2), [1, -1], [0.6, 1.1])


def test_a_search_that_stops_early_says_so(rng, monkeypatch):
    monkeypatch.setattr("tacit.estimators._contaminated_fit._MAX_ITERATIONS", 1)
    with pytest.warns(ConvergenceWarning, match="after 1 rounds"):
        model = fitted(RobustLikelihood(), *contaminated(rng))
    assert not model.converged_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ridge": -1.0}, "`ridge` must be a number at least 0, got -1.0"),
        ({"barrier": 0.0}, "`barrier` must be a number above 0, got 0.0"),
        ({"nondecision_time": -0.1}, "`nondecision_time`"),
        ({"censor_above": 0.0}, "`censor_above` must be a number above 0, got 0.0"),
        ({"drift_variability": -0.5}, "`drift_variability` must be a number at least 0, got -0.5"),
    ],
)
def test_impossible_parameters_are_named(parameters, message):
    model = RobustLikelihood(**parameters)
    with pytest.raises(DataError, match=message):
        fitted(model, [[1.0], [1.0], [1.0]], [1, -1, 1], [1.0, 2.0, 1.5])
