"""Answers that are left out, by their density as an integral, and what is left without them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from tacit import ddm
from tacit.datasets import PersonParameters, look_alike
from tacit.errors import DataError
from tacit.learners import Belief, BeliefPrior, ChoiceTopTwo, TopTwo
from tacit.learners._lapses import DoubtingBelief, _with_smallest
from tacit.simulate import make_respondent, run
from tests.unit.learners._people import featured

PRIOR = BeliefPrior()
SHARE = 0.05
WEIGHTS = np.array([1.0, -0.6, 0.3])


def start(n_runs=1):
    return DoubtingBelief.doubting(Belief.start(n_runs, 3, 2.0, PRIOR), SHARE)


def observed(rng, belief, n_answers=30):
    """Return the belief after answers without lapses."""
    n_runs = len(belief.fastest)
    for x in rng.normal(size=(n_answers, n_runs, 3)):
        choice, time = ddm.sample(x @ WEIGHTS, 1.1, nondecision_time=0.35, rng=rng)
        belief = belief.observe(x, choice.astype(float), time, PRIOR)
    return belief


@pytest.mark.parametrize(("choice", "seconds"), [(1.0, 1.2), (-1.0, 1.2), (1.0, 0.6), (-1.0, 6.0)])
def test_credibility_is_bayes_rule_with_the_preference_integrated_out(choice, seconds, rng) -> None:
    belief = observed(rng, start())
    x = np.array([[0.8, -0.5, 0.1]])
    mean, sd = float(x[0] @ belief.mean[0]), float(np.sqrt(x[0] @ belief.covariance[0] @ x[0]))
    decision_time = seconds - float(belief.nondecision_time[0])

    def density(barrier, mean, sd):
        def at(u):
            return norm.pdf(u, mean, sd) * np.exp(ddm.logpdf(choice, decision_time, u, barrier))

        return quad(at, mean - 10 * sd, mean + 10 * sd, epsabs=1e-14)[0]

    slack = 1 + 2 * np.sqrt(2 / (belief.time_sums[0, 0] + 6))
    earnest = (1 - SHARE) * max(
        density(barrier, mean, sd)
        for barrier in (belief.barrier[0], belief.barrier[0] * np.sqrt(slack))
    )
    lapse = SHARE / (2 * seconds * np.log(30 / 0.05))
    credible = belief.credibility(x, np.array([choice]), np.array([seconds]))
    assert seconds > belief.fastest[0]
    assert credible[0] == pytest.approx(earnest / (earnest + lapse), rel=1e-6)


def test_an_answer_that_is_not_believed_changes_nothing(rng) -> None:
    belief = observed(rng, start(2))
    x, choice = np.tile([2.0, -1.2, 0.6], (2, 1)), np.ones(2)
    after = belief.observe(x, choice, np.array([25.0, 0.9]), PRIOR)
    for name in ("grams", "choice_sums", "time_sums", "barrier", "covariance", "smallest"):
        before, now = getattr(belief, name), getattr(after, name)
        np.testing.assert_array_equal(now[0], before[0])
    assert (after.time_sums[1] > belief.time_sums[1]).all()


def test_answers_that_are_taken_back_leave_nothing_behind(rng) -> None:
    x = rng.normal(size=(18, 1, 3))
    choice, time = np.ones((18, 1)), rng.uniform(0.8, 1.2, size=(18, 1))
    time[0], time[3] = 0.14, 0.19
    belief, other = start(), start()
    for number in range(18):
        told = x[number], choice[number], time[number], PRIOR
        # Whatever is probable, all of them are told.
        belief = _with_smallest(Belief.observe(belief, *told), *told[:-1])
        belief = replace(belief, n_judged=belief.n_judged + 1)
        if number not in (0, 3):
            other = _with_smallest(Belief.observe(other, *told), *told[:-1])
    cleared = belief.without_guesses()
    assert belief.fastest < 0.2
    for name in ("grams", "choice_sums", "time_sums", "fastest"):
        np.testing.assert_allclose(getattr(cleared, name), getattr(other, name), atol=1e-12)
    np.testing.assert_array_equal(cleared.smallest[:, :2], other.smallest[:, :2])
    again = cleared.without_guesses()
    np.testing.assert_array_equal(again.time_sums, cleared.time_sums)
    assert sorted(cleared.withdrawn_at[0]) == [-1, -1, 0, 3]
    assert (again.withdrawn_at == -1).all()


def test_the_belief_fits_its_sums_when_answers_are_taken_back_and_the_new_one_is_left_out() -> None:
    belief = start()
    x = np.eye(3)[:, None]
    for number, seconds in enumerate([1.1, 1.0, 0.12, 1.2, 0.9, 1.05, 1.3, 0.95]):
        told = x[number % 3], np.ones(1), np.array([seconds]), PRIOR
        belief = _with_smallest(Belief.observe(belief, *told), *told[:-1])
        belief = replace(belief, n_judged=belief.n_judged + 1)
    after = belief.observe(x[0], np.ones(1), np.array([29.0]), PRIOR)
    assert not after.believed[0]
    assert after.withdrawn_at.max() == 2
    information = after.grams[:, 1] - after.nondecision_time[:, None, None] * after.grams[:, 0]
    exact = np.linalg.inv(information + np.eye(3) / after.prior_variance[:, None, None])
    np.testing.assert_allclose(after.covariance, exact, rtol=1e-9)


def test_people_without_lapses_are_believed(rng) -> None:
    problem = featured(8)
    for barrier, strength in ((1.2, 1.0), (2.2, 0.3)):
        person = make_respondent("diffusion", PersonParameters(barrier, 0.4, strength * WEIGHTS))
        state = TopTwo(lapse_share=0.1).start(problem, rng, n_runs=200)
        for _ in range(80):
            told = person.answer(problem.queries.vectors(state.query), rng)
            state = TopTwo(lapse_share=0.1).tell(state, state.query, *told)
        counted = state.belief.time_sums[:, 0]
        assert np.median(counted) > 72
        # Seen: nobody of 600. One in four while every fast answer was soon taken for a guess.
        assert np.mean(counted < 40) < 0.05


def test_two_guesses_at_the_start_are_got_over(rng) -> None:
    n_runs = 50
    belief = start(n_runs)
    for number in range(60):
        x = rng.normal(size=(n_runs, 3))
        choice, time = ddm.sample(x @ WEIGHTS, 1.1, nondecision_time=0.5, rng=rng)
        time = np.full(n_runs, 0.14 + 0.05 * number) if number < 2 else time
        belief = belief.observe(x, choice.astype(float), time, PRIOR)
    assert (belief.fastest > 0.5).mean() > 0.9
    assert np.median(belief.time_sums[:, 0]) > 45


def test_void_times_are_believed(rng) -> None:
    belief, x = observed(rng, start()), np.ones((1, 3))
    assert belief.credibility(x, np.ones(1), np.array([np.nan])) == [1.0]
    after = belief.observe(x, np.ones(1), np.array([np.nan]), PRIOR)
    assert (after.void_choice_sum != belief.void_choice_sum).all()
    np.testing.assert_array_equal(after.time_sums, belief.time_sums)


def test_most_lapses_are_left_out_and_little_else(rng) -> None:
    shares = {}
    for name in ("diffusion", "lapses"):
        person = make_respondent(name, PersonParameters(1.1, 0.35, WEIGHTS))
        learner, problem = TopTwo(lapse_share=SHARE), featured(8)
        state = learner.start(problem, rng, n_runs=60)
        for _ in range(150):
            told = person.answer(problem.queries.vectors(state.query), rng)
            state = learner.tell(state, state.query, *told)
        shares[name] = 1 - np.median(state.belief.time_sums[:, 0]) / 150
    # A tenth of the answers are lapses.
    assert shares["diffusion"] < 0.03
    assert 0.06 < shares["lapses"] < 0.13


def test_slow_people_are_not_taken_for_absent(rng) -> None:
    slow, problem = PersonParameters(2.4, 0.8, 0.5 * WEIGHTS), featured(8)
    person, barrier = make_respondent("diffusion", slow), {}
    for share in (0.0, SHARE):
        learner = TopTwo(lapse_share=share)
        state = learner.start(problem, rng, n_runs=100)
        for _ in range(80):
            told = person.answer(problem.queries.vectors(state.query), rng)
            state = learner.tell(state, state.query, *told)
        barrier[share] = np.median(state.belief.barrier)
    assert np.median(state.belief.time_sums[:, 0]) > 76
    assert barrier[SHARE] > 0.95 * barrier[0.0] > PRIOR.barrier


def test_it_helps_with_people_who_lapse(rng) -> None:
    error = {0.0: [], SHARE: []}
    for person in look_alike("clithero", 6, rng=rng):
        lapsing = make_respondent("lapses", person.parameters)
        for share, errors in error.items():
            learner = TopTwo(lapse_share=share)
            outcomes = run(person.problem, learner, lapsing, 100.0, n_runs=100, rng=rng)
            errors.append(outcomes.error.mean())
    assert np.mean(error[SHARE]) < np.mean(error[0.0]) - 0.05


@pytest.mark.parametrize("share", [-0.1, 1.0, np.nan])
def test_shares_that_are_none_are_refused(share) -> None:
    with pytest.raises(DataError, match="`lapse_share` must be at least 0 and below 1"):
        TopTwo(lapse_share=share)


def test_choices_alone_do_not_tell_lapses() -> None:
    with pytest.raises(DataError, match="needs a learner that uses response times"):
        ChoiceTopTwo(lapse_share=SHARE)
