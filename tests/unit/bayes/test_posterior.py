import pickle

import numpy as np
import pytest

from tacit import bayes, ddm
from tacit.errors import DataError

N_DRAWS = 8_000


def shares(winner, n_items):
    return np.bincount(winner, minlength=n_items) / len(winner)


def test_probability_best_is_the_share_of_draws_won(posterior, rng):
    items = np.array([[1.0, 0, 0], [0, 1, 0], [0.6, 0.6, 0], [0, 0, -1]])
    found = posterior.probability_best(items)
    drawn = posterior.sample(N_DRAWS, rng).weights @ items.T
    # 16,384 quasi-random draws against 8,000 random ones.
    np.testing.assert_allclose(found, shares(drawn.argmax(axis=1), 4), atol=0.03)
    assert found.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("items", [[[1.0, 0, 0], [0, 0, 0]], [[1.0, 0, 0], [0, 1.0, 0]]])
def test_two_items_are_compared_exactly(posterior, rng, items):
    found = posterior.probability_best(items)
    drawn = posterior.sample(N_DRAWS, rng).weights @ np.transpose(items)
    won = shares(drawn.argmax(axis=1), 2)
    assert abs(found[0] - won[0]) < 5 * np.sqrt(won[0] * won[1] / N_DRAWS) + 1e-3


def test_an_item_is_better_than_nothing_with_the_probability_of_a_positive_weight(posterior):
    better = posterior.probability_best([[0, 1.0, 0], [0, 0, 0]])[0]
    assert better == pytest.approx(1 - posterior.weights.cdf(0)[1], abs=1e-12)


def test_equal_items_share(posterior):
    one = posterior.probability_best(np.eye(3))
    twice = posterior.probability_best(np.eye(3)[[0, 1, 1, 2]])
    np.testing.assert_allclose(twice, [one[0], one[1] / 2, one[1] / 2, one[2]])
    assert posterior.probability_best([[1, 0, 0], [1, 0, 0]]).tolist() == [0.5, 0.5]
    assert posterior.probability_best([[1, 2, 3]]).tolist() == [1]


def test_items_without_order_are_permuted_with_their_probabilities(posterior):
    items = np.eye(3)
    found = posterior.probability_best(items[[2, 0, 1]])
    np.testing.assert_allclose(found, posterior.probability_best(items)[[2, 0, 1]])


def test_draws_are_joint(gaussian, rng):
    """Barrier and nondecision time trade off: draws correlate as the nodes do."""
    draws = gaussian.sample(N_DRAWS, rng)
    nodes, p = gaussian.box.points(gaussian.lattice.points), gaussian.lattice.probability
    off = nodes[:, :2] - p @ nodes[:, :2]
    covariance = (p * off.T) @ off
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert abs(expected) > 0.3
    found = np.corrcoef(draws.barrier, draws.nondecision_time)[0, 1]
    assert found == pytest.approx(expected, abs=5 / np.sqrt(N_DRAWS))
    # Given barrier and times, a weight's mean moves with them; pooled over draws it correlates.
    slope = np.corrcoef(draws.barrier, draws.weights[:, 0])[0, 1]
    mean = gaussian.likelihood.mean_weights(*nodes[:, :2].T)[:, 0]
    total = gaussian.weights.sd[0] * gaussian.barrier.sd
    expected = p @ (off[:, 0] * (mean - p @ mean)) / total
    assert slope == pytest.approx(expected, abs=5 / np.sqrt(N_DRAWS))


def test_draws_follow_from_the_generator(biased):
    first, again, other = (biased.sample(7, np.random.default_rng(s)) for s in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert (first.barrier != other.barrier).all()
    assert first.weights.shape == (7, 3)
    assert (np.abs(first.start) < first.barrier).all()
    assert len(biased.sample(0, np.random.default_rng(1)).barrier) == 0


def test_draws_where_everything_but_the_weights_is_known(person, rng):
    prior = bayes.FlatPrior(barrier=1.2, nondecision_time=0.3)
    known = bayes.fit(*person, prior=prior)
    draws = known.sample(N_DRAWS, rng)
    assert set(draws.barrier) == {1.2}
    assert set(draws.nondecision_time) == {0.3}
    off = draws.weights.mean(axis=0) - known.weights.mean
    assert (np.abs(off) < 5 * known.weights.sd / np.sqrt(N_DRAWS)).all()
    X, choice, response_time = person
    t = response_time - 0.3
    exact = np.linalg.solve((X.T * t) @ X, 1.2 * choice @ X)
    np.testing.assert_allclose(known.weights.mean, exact, atol=1e-6)


def test_simulated_answers_are_those_of_the_draws(biased, rng):
    query = np.array([[1.0, 0.0, 0.0]])
    choice, response_time = biased.simulate(np.tile(query, (3, 1)), 10_000, rng)
    assert choice.shape == response_time.shape == (10_000, 3)
    expected = biased.predict_choice(query)[0]
    assert (choice[:, 0] > 0).mean() == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(10_000))
    time = response_time[:, 0]
    error = time.std() / np.sqrt(10_000)
    assert abs(time.mean() - biased.predict_time(query)[0]) < 5 * error
    # Answers to one question share their draw, and so they correlate.
    assert np.corrcoef(response_time[:, 0], response_time[:, 1])[0, 1] > 0.01


def test_summary_has_one_row_for_each_parameter(biased):
    found = biased.summary(level=0.9)
    assert found["parameter"] == [
        "barrier",
        "nondecision_time",
        "start_share",
        "weight 0",
        "weight 1",
        "weight 2",
    ]
    assert found["mean"][2] == biased.start_share.mean
    assert found["sd"][4] == biased.weights.sd[1]
    assert (found["low"][0], found["high"][0]) == biased.barrier.interval(0.9)
    assert found["high"][5] == biased.weights.interval(0.9)[1][2]


def test_outside_prior_is_what_lies_outside(rng):
    X = rng.normal(size=(60, 2))
    choice, response_time = ddm.sample(X @ [1.0, -1.0], 1.2, nondecision_time=0.3, rng=rng)
    prior = bayes.FlatPrior(weights=(-1.05, 9.0))
    with pytest.warns(Warning, match="lies outside"):
        found = bayes.fit(X, choice, response_time, prior=prior)
    share = (found.sample(N_DRAWS, rng).weights < -1.05).mean(axis=0)
    np.testing.assert_allclose(found.outside_prior, share, atol=5 * 0.5 / np.sqrt(N_DRAWS))


def test_a_posterior_can_be_sent_to_another_process(posterior):
    back = pickle.loads(pickle.dumps(posterior))
    assert back.barrier.mean == posterior.barrier.mean
    assert (back.weights.sd == posterior.weights.sd).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.utilities([1.0, 0, 0]), r"rows of 3 features, got shape \(3,\)"),
        (lambda p: p.predict_choice([[1.0, 0]]), r"`X` must hold rows of 3.*\(1, 2\)"),
        (lambda p: p.predict_time([[1, 0, 0], [1, 0, np.nan]]), "got nan at row 1, feature 2"),
        (lambda p: p.probability_best("tea"), "`features` must hold numbers"),
        (lambda p: p.probability_best(np.zeros((0, 3))), "best of no items"),
        (lambda p: p.sample(-1, np.random.default_rng()), "`n_draws` must be at least 0, got -1"),
    ],
)
def test_errors_say_what_is_wrong(gaussian, call, message):
    with pytest.raises(DataError, match=message):
        call(gaussian)
