import numpy as np
import pytest

from tacit import Items, Problem, QuerySpace, ddm
from tacit.errors import DataError
from tacit.learners import Belief, BeliefPrior, TopTwo

N_RUNS, N_FEATURES, N_ANSWERS = 3, 4, 41


def answered(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = rng.normal(size=(N_ANSWERS, N_RUNS, N_FEATURES))
    drift = x @ np.array([1.0, -0.5, 0.3, 0.0])
    choice, response_time = ddm.sample(drift, 1.1, nondecision_time=0.3, rng=rng)
    return x, choice.astype(float), response_time


def observed(x, choice, response_time, prior=None) -> Belief:
    prior = prior or BeliefPrior()
    belief = Belief.start(x.shape[1], x.shape[2], 2.0, prior)
    for answer in zip(x, choice, response_time, strict=True):
        belief = belief.observe(*answer, prior)
    return belief


def test_weights_are_the_exact_posterior_at_the_estimates() -> None:
    x, choice, response_time = answered(np.random.default_rng(2))
    belief = observed(x, choice, response_time)
    for run in range(N_RUNS):
        variance = belief.prior_variance[run]
        likelihood = ddm.TimedLikelihood(
            x[:, run],
            choice[:, run],
            response_time[:, run],
            prior=ddm.WeightsPrior(np.zeros(N_FEATURES), np.eye(N_FEATURES) / variance),
        )
        exact = likelihood.mean_weights(belief.barrier[run], belief.nondecision_time[run])[0]
        np.testing.assert_allclose(belief.mean[run], exact, rtol=1e-9, atol=1e-12)


def test_the_barrier_is_the_wald_estimate_less_what_fitted_weights_explain() -> None:
    x, choice, response_time = answered(np.random.default_rng(3))
    prior = BeliefPrior(barrier_weight=1e-6, drift_sd=1e4, drift_weight=1e9)
    belief = observed(x, choice, response_time, prior)
    for run in range(N_RUNS):
        n = belief.revised_at[run]
        sums = ddm.SufficientStatistics.from_trials(
            x[:n, run], choice[:n, run], response_time[:n, run]
        )
        t0 = prior.fastest_share * response_time[:n, run].min()
        wald = sums.barrier(sums.weights_over_barrier(t0), t0)
        t = response_time[:n, run] - t0
        leverage = t * np.einsum(
            "ij,jk,ik->i", x[:n, run], np.linalg.inv(sums.information(t0)), x[:n, run]
        )
        expected = wald * np.sqrt(1 - t @ leverage / t.sum())
        assert belief.barrier[run] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    "wrong",
    [{"barrier": 0.0}, {"drift_sd": -1.0}, {"fastest_share": 1.0}, {"drift_weight": np.nan}],
)
def test_impossible_guesses_are_named(wrong: dict[str, float]) -> None:
    with pytest.raises(DataError, match=f"`{next(iter(wrong))}`"):
        BeliefPrior(**wrong)


def test_a_void_time_moves_the_weights_by_its_expectation_and_nothing_else() -> None:
    prior = BeliefPrior()
    x, choice, response_time = answered(np.random.default_rng(4))
    before = observed(x, choice, response_time)
    after = before.observe(x[0], choice[0], np.full(N_RUNS, np.nan), prior)
    expected = ddm.mean_time(np.einsum("ri,ri->r", x[0], before.mean), before.barrier)
    for run in range(N_RUNS):
        precision = np.linalg.inv(before.covariance[run])
        precision += expected[run] * np.outer(x[0, run], x[0, run])
        np.testing.assert_allclose(after.covariance[run], np.linalg.inv(precision), rtol=1e-8)
    for name in ("barrier", "nondecision_time", "time_sums", "fastest"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))


def test_an_answer_faster_than_the_nondecision_time_lowers_it() -> None:
    prior = BeliefPrior()
    x, choice, response_time = answered(np.random.default_rng(5))
    belief = observed(x, choice, response_time)
    fast = np.array([0.01, 0.02, 5.0])
    after = belief.observe(x[0], choice[0], fast, prior)
    np.testing.assert_allclose(after.nondecision_time[:2], prior.fastest_share * fast[:2])
    assert after.nondecision_time[2] == belief.nondecision_time[2]


def test_top_two_finds_a_clear_favourite_among_many_items() -> None:
    rng = np.random.default_rng(7)
    items = Items(rng.normal(size=(1_000, 5)))
    weights = np.array([2.0, -1.0, 0.5, 0.0, 1.0])
    problem, learner = Problem(items, QuerySpace.all_pairs(items)), TopTwo(n_rivals=64)
    state = learner.start(problem, rng, n_runs=20)
    for _ in range(60):
        drift = problem.queries.vectors(state.query) @ weights
        choice, time = ddm.sample(drift, 1.0, nondecision_time=0.3, rng=rng)
        state = learner.tell(state, learner.ask(state), choice, time)
    utility = items.utilities(weights)
    regret = utility.max() - utility[learner.recommend(state).item]
    assert np.median(regret) < 0.1 * (utility.max() - np.median(utility))
