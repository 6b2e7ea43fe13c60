import numpy as np
import pytest

from tacit import ddm
from tacit.ddm import PeopleStatistics, SufficientStatistics
from tacit.ddm.people_statistics import ARRAYS
from tacit.errors import DataError
from tacit.estimators import Likelihood, RobustLikelihood


def answers(rng, n_people=40, most=60, d=4):
    """Return trials of people who answered 0 to `most` times, in no order."""
    person = np.repeat(np.arange(n_people), rng.integers(0, most, n_people))
    rng.shuffle(person)
    X = rng.normal(size=(len(person), d)) * [1.0, 10.0, 0.1, 1.0][:d]
    weights = rng.normal(size=(n_people, d)) / [1.0, 10.0, 0.1, 1.0][:d]
    drift = np.einsum("ij,ij->i", X, weights[person])
    choice, time = ddm.sample(drift, 1.2, nondecision_time=0.3, rng=rng)
    return X, choice, time, person


def test_sums_are_those_of_each_person(rng):
    X, choice, time, person = answers(rng)
    many = PeopleStatistics.from_trials(X, choice, time, person, n_people=41)
    assert many.n_people == 41
    for j in range(41):
        own = person == j
        alone = SufficientStatistics.from_trials(X[own], choice[own], time[own])
        one = many.person(j)
        assert one.n_trials == alone.n_trials
        for name in ("time_sum", "choice_sum", "choice_time_sum", "gram", "squared_time_gram"):
            np.testing.assert_allclose(
                getattr(one, name), getattr(alone, name), rtol=1e-11, atol=1e-9
            )
        assert many.fastest[j] == time[own].min(initial=np.inf)
        np.testing.assert_allclose(many.vector_sum[j], X[own].sum(axis=0), atol=1e-9)
        np.testing.assert_allclose(many.choice_total[j], choice[own].sum())


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_estimates_equal_likelihood(rng, ridge):
    X, choice, time, person = answers(rng, d=4)
    many = PeopleStatistics.from_trials(X, choice, time, person, n_people=40)
    t0 = np.where(many.n_trials > 0, 0.85 * many.fastest, 0.0)
    found = many.estimate(t0, ridge=ridge)
    compared = 0
    for j in range(40):
        own = person == j
        if own.sum() <= 6:
            continue
        alone = Likelihood(t0[j], ridge=ridge).fit(X[own], choice[own], response_time=time[own])
        np.testing.assert_allclose(found.weights_over_barrier[j], alone.coef_, rtol=1e-9)
        np.testing.assert_allclose(found.barrier[j], alone.barrier_, rtol=1e-9)
        scale = np.sqrt(np.diag(alone.covariance_))
        np.testing.assert_allclose(
            found.inverse_information[j] / found.barrier[j] ** 2 / np.outer(scale, scale),
            alone.covariance_ / np.outer(scale, scale),
            atol=1e-9,
        )
        compared += 1
    assert compared > 25


def test_undetermined_directions_stay_zero_as_in_likelihood(rng):
    X = rng.normal(size=(30, 3))
    X[:, 2] = X[:, 0] + X[:, 1]
    choice, time = ddm.sample(X @ [1.0, 0.5, 0.0], 1.0, nondecision_time=0.2, rng=rng)
    many = PeopleStatistics.from_trials(X, choice, time, np.zeros(30, dtype=int))
    found = many.estimate([0.1])
    alone = Likelihood(0.1).fit(X, choice, response_time=time)
    np.testing.assert_allclose(found.weights_over_barrier[0], alone.coef_, rtol=1e-9)
    assert found.rank[0] == 2
    assert found.condition[0] == np.inf


def test_nobody_and_an_exactly_explained_person_are_told_apart():
    X, choice, time = [[1.0, 0.0], [0.0, 1.0]], [1, -1], [0.9, 1.1]
    found = PeopleStatistics.from_trials(X, choice, time, [1, 1], n_people=2).estimate([0.0, 0.3])
    assert np.isnan(found.barrier[0])
    assert found.barrier[1] == np.inf
    assert np.isnan(found.weights).all()


def test_parts_add_up(rng):
    X, choice, time, person = answers(rng)
    half = len(time) // 2
    whole = PeopleStatistics.from_trials(X, choice, time, person, n_people=40, censor_above=2.0)
    parts = [
        PeopleStatistics.from_trials(
            X[rows], choice[rows], time[rows], person[rows], n_people=40, censor_above=2.0
        )
        for rows in (slice(half), slice(half, None))
    ]
    both = PeopleStatistics.concatenate(parts).grouped(np.tile(np.arange(40), 2), 40)
    assert (whole.n_censored > 0).any()
    for name in ARRAYS:
        np.testing.assert_allclose(getattr(both, name), getattr(whole, name), atol=1e-9)


def test_censored_weights_equal_the_robust_estimator_at_the_same_barrier(rng):
    X = rng.normal(size=(300, 2))
    choice, time = ddm.sample(X @ [0.8, -0.4], 1.3, nondecision_time=0.3, rng=rng)
    many = PeopleStatistics.from_trials(X, choice, time, np.zeros(300, dtype=int), censor_above=1.5)
    assert 10 < many.n_censored[0] < 150
    alone = RobustLikelihood(0.2, barrier=1.3, contaminants=False, censor_above=1.5)
    alone.fit(X, choice, response_time=time)
    found = many.estimate([0.2], barrier=[1.3])
    np.testing.assert_allclose(found.weights_over_barrier[0], alone.coef_, rtol=1e-7)


def test_censoring_takes_slow_lapses_out_of_the_barrier(rng):
    X = rng.normal(size=(4000, 2))
    choice, time = ddm.sample(X @ [0.8, -0.4], 1.2, nondecision_time=0.3, rng=rng)
    slow = time > 2.5
    time[slow] = 60.0
    nobody = np.zeros(4000, dtype=int)
    plain = PeopleStatistics.from_trials(X, choice, time, nobody).estimate([0.3])
    censored = PeopleStatistics.from_trials(X, choice, time, nobody, censor_above=2.5)
    found = censored.estimate([0.3])
    assert censored.n_censored[0] == slow.sum() > 100
    assert found.converged[0]
    assert abs(found.barrier[0] - 1.2) < 0.06
    np.testing.assert_allclose(found.weights[0], [0.8, -0.4], atol=0.12)
    assert np.abs(plain.weights[0] - [0.8, -0.4]).max() > 0.3


def test_a_nondecision_time_that_is_not_below_the_fastest_answer_is_refused():
    many = PeopleStatistics.from_trials([[1.0]], [1], [0.5], [0])
    with pytest.raises(
        DataError, match=r"below the fastest answer \(0.5 s\), got 0.6 s for person"
    ):
        many.estimate([0.6])


def test_people_are_numbered_from_zero():
    with pytest.raises(DataError, match="from 0 to 0"):
        PeopleStatistics.from_trials([[1.0]], [1], [0.5], [1], n_people=1)
