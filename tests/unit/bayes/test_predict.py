from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from tacit import bayes, ddm
from tacit.bayes import _predict, _truncated

N_DRAWS = 8_000


def answer_from(drift, share, barrier=1.3):
    return (np.array([v]) for v in (drift, barrier, 0.0, share))


@pytest.mark.parametrize("share", [-0.7, 0.0, 0.999])
@pytest.mark.parametrize("drift", [-3.0, 0.0, 1e-9, 5e-5, 20.0])
def test_answers_from_any_start_against_integrals_of_the_density(drift, share):
    a = 1.3

    def density(t, choice):
        return float(ddm.pdf(choice, t, drift, a, start=share * a))

    ends = (0, 0.05, 1, 10, 60)
    pieces = list(pairwise(ends))
    first = sum(quad(density, *ends, args=(1,), limit=200)[0] for ends in pieces)
    mean = sum(
        quad(lambda t: t * (density(t, 1) + density(t, -1)), *ends, limit=200)[0] for ends in pieces
    )
    assert _predict.prob_first(*answer_from(drift, share))[0] == pytest.approx(first, abs=1e-7)
    found = _predict.mean_response_time(*answer_from(drift, share))[0]
    assert found == pytest.approx(mean, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("drift", [-800.0, 800.0])
def test_certain_answers_do_not_overflow(drift):
    assert _predict.prob_first(*answer_from(drift, 0.5))[0] == (drift > 0)
    time = _predict.mean_response_time(*answer_from(drift, 0.5))[0]
    assert time == pytest.approx(1.3 * (1 - np.sign(drift) * 0.5) / 800)


def expected_from_draws(posterior, X, rng):
    draws = posterior.sample(N_DRAWS, rng)
    u = draws.weights @ X.T
    a, t0 = draws.barrier[:, None], draws.nondecision_time[:, None]
    return ddm.prob_first(u, a), t0 + ddm.mean_time(u, a)


@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0, 1e4])
def test_predictions_are_means_over_draws(posterior, rng, scale):
    """At scale 30 choices are next to certain, and drifts spread far beyond the poles of tanh."""
    X = scale * np.array([[1.0, 0, 0], [0, -1, 0], [1, -1, 0], [0.4, 0.1, 0.7], [0, 0, 0]])
    found = posterior.predict_choice(X), posterior.predict_time(X)
    for values, drawn in zip(found, expected_from_draws(posterior, X, rng), strict=True):
        error = drawn.std(axis=0) / np.sqrt(N_DRAWS)
        # Sums of weights that the box cuts are drawn, quasi-randomly.
        assert (np.abs(values - drawn.mean(axis=0)) <= 5 * error + 1e-3 * values).all()


@pytest.mark.parametrize("barrier", [0.01, 1.0, 1e5])
@pytest.mark.parametrize("mean", [-60.0, -3.0, 0.2, 9.0])
def test_drifts_of_a_cut_weight_have_its_moments(mean, barrier):
    """Inside (-0.5, 1), 120 sds away from it, at its edge, or in the middle."""
    sd, low, high = np.array([[0.5]]), np.array([-0.5]), np.array([1.0])
    centre = np.array([[mean]])
    u, share = _predict.drift_nodes(centre, sd, low, high, np.array([[barrier]]))
    expected, variance = _truncated.moments(centre, sd, low, high)
    assert ((u >= low) & (u <= high)).all()
    assert (share * u).sum() == pytest.approx(expected[0, 0], abs=1e-9)
    assert (share * (u - expected) ** 2).sum() == pytest.approx(variance[0, 0], rel=1e-7)


def test_predictions_do_not_depend_on_what_else_is_predicted(posterior):
    X = np.array([[1.0, 0, 0], [1e6, 0, 0], [0.2, 0.2, 0]])
    together = posterior.predict_time(X)
    alone = [posterior.predict_time(row[None])[0] for row in X]
    np.testing.assert_allclose(together, alone, rtol=1e-7)


def test_swapping_the_options_swaps_the_choice(gaussian):
    X = np.array([[1.0, 0, 0], [0.3, -0.4, 0.2], [50.0, 0, 0]])
    np.testing.assert_allclose(gaussian.predict_choice(-X), 1 - gaussian.predict_choice(X))
    np.testing.assert_allclose(gaussian.predict_time(-X), gaussian.predict_time(X))


def test_no_query_no_prediction(gaussian):
    assert gaussian.predict_choice(np.zeros((0, 3))).shape == (0,)


def test_a_hopelessly_vague_prior_predicts_in_little_memory(person):
    X, choice, response_time = (v[:2] for v in person)
    vague = bayes.fit(X, choice, response_time, prior=bayes.GaussianPrior(covariance=1e12))
    unseen = np.array([[0.0, 0, 1]])
    assert vague.predict_choice(unseen)[0] == pytest.approx(0.5, abs=1e-6)
