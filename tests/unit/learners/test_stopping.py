"""When to stop: by certainty, by time, by number of queries."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from tacit import Items, Problem, QuerySpace, simulate
from tacit.datasets import PersonParameters, look_alike
from tacit.errors import DataError
from tacit.learners import ChoiceTopTwo, FixedDesign, RandomPairs, StopWhenSure, TopTwo
from tacit.learners._person_grid import person_grid
from tests.unit.learners._people import BARRIER, TIME, answer, featured

WEIGHTS = np.array([1.0, -0.6, 0.3])
SET = {
    "rule": "confidence set",
    "barrier": BARRIER,
    "nondecision_time": TIME,
    "weights_norm": 1.5,
}


def states(learner, problem, rng, n_runs=30, n_answers=400):
    """Return all states until all runs are done."""
    found = [learner.start(problem, rng, n_runs=n_runs)]
    while not found[-1].done.all() and len(found) < n_answers:
        now = found[-1]
        found.append(learner.tell(now, now.query, *answer(now, WEIGHTS, rng)))
    return found


def spent(state):
    """Return the seconds that each run took."""
    return np.nansum(state.response_time, axis=1)


def doubt(state, run, top_k=1) -> float:
    """Sum the probabilities that an item outside of the top k is better than one in it."""
    features = state.problem.items.features
    belief = state.inner.belief
    mean, covariance = belief.mean[run], belief.covariance[run]
    order = np.argsort(-(features @ mean))
    total = 0.0
    for inside in order[:top_k]:
        for outside in order[top_k:]:
            y = features[inside] - features[outside]
            total += norm.sf(y @ mean / np.sqrt(y @ covariance @ y))
    return total


@pytest.mark.parametrize("top_k", [1, 2])
def test_by_choices_a_run_stops_as_soon_as_the_doubt_is_small_enough(top_k, rng) -> None:
    learner = StopWhenSure(learner=ChoiceTopTwo(), confidence=0.9, top_k=top_k)
    found = states(learner, featured(4), rng, n_runs=5)
    assert found[-1].done.any()
    for before, after in pairwise(found):
        for run in np.flatnonzero(~before.done):
            sure = doubt(after, run, top_k) <= 1 - 0.9
            assert after.sure[run] == sure
            assert after.done[run] == sure


@pytest.mark.parametrize("top_k", [1, 2])
@pytest.mark.parametrize("inner", [TopTwo(), RandomPairs(), FixedDesign()])
def test_with_times_nothing_stops_before_the_doubt_is_small_enough(inner, top_k, rng) -> None:
    learner = StopWhenSure(learner=inner, confidence=0.9, top_k=top_k)
    found = states(learner, featured(4), rng, n_runs=5)
    assert found[-1].sure.all()
    for before, after in pairwise(found):
        for run in np.flatnonzero(after.sure & ~before.done):
            assert after.done[run]
            assert doubt(after, run, top_k) <= 1 - 0.9
            # What is open about the person makes it no surer.
            one = after.inner.take(np.array([run]))
            grid = person_grid(one.belief, inner.prior, after.response_time[[run]])
            order = np.argsort(-(one.belief.mean[0] @ one.problem.items.features.T))
            features = one.problem.items.features[order]
            pairs = features[:top_k, None] - features[None, top_k:]
            open_doubt = grid.probability_negative(pairs.reshape(1, -1, 3)).sum()
            assert open_doubt <= 1 - 0.9 + 1e-9


def test_runs_that_are_done_stay_as_they_are(rng) -> None:
    learner, problem = StopWhenSure(confidence=0.99), featured(6)
    found = states(learner, problem, rng)
    stopped = [int(np.argmax([state.done[run] for state in found])) for run in range(30)]
    assert len(set(stopped)) > 5
    last = found[-1]
    for run, when in enumerate(stopped):
        then = found[when]
        assert spent(last)[run] == pytest.approx(spent(then)[run], rel=1e-12)
        np.testing.assert_array_equal(last.inner.belief.mean[run], then.inner.belief.mean[run])
        assert last.inner.belief.time_sums[run, 0] == when


def test_seconds_and_queries_end_the_patience(rng) -> None:
    problem = featured(6)
    timed = states(StopWhenSure(confidence=0.999999, max_time=12.0), problem, rng)[-1]
    assert timed.done.all()
    assert (timed.sure | (spent(timed) >= 12.0)).all()
    assert (spent(timed) < 12.0 + 5.0).all()
    counted = states(StopWhenSure(confidence=0.999999, max_queries=7), problem, rng)
    assert len(counted) == 8
    assert counted[-1].done.all()
    assert not counted[-1].sure.all()


def test_void_times_count_as_no_seconds_and_do_not_stop_a_run(rng) -> None:
    learner = StopWhenSure(confidence=0.999999, max_time=2.0)
    state = learner.start(featured(6), rng)
    for _ in range(5):
        state = learner.tell(state, state.query, rng.choice([-1, 1]), np.nan)
    assert spent(state) == [0.0]
    assert not state.done.any()


def test_the_best_ones_are_in_order_of_utility(rng) -> None:
    learner, problem = StopWhenSure(top_k=3), featured(6)
    state = states(learner, problem, rng)[-1]
    utility = state.inner.belief.mean @ problem.items.features.T
    best = learner.best(state)
    np.testing.assert_array_equal(best, np.argsort(-utility, axis=1)[:, :3])
    np.testing.assert_array_equal(best[:, 0], learner.recommend(state).item)


def test_the_confidence_set_stops_when_no_weights_in_it_prefer_another_item(rng) -> None:
    learner, problem = StopWhenSure(**SET), featured(4)
    state = states(learner, problem, rng, n_runs=6)[-1]
    assert state.sure.all()
    features, belief = problem.items.features, state.inner.belief
    for run in range(6):
        # The set by its definition: centre, shape, radius.
        shape = belief.grams[run, 1] - TIME * belief.grams[run, 0]
        ridge = 1 / SET["weights_norm"] ** 2
        shape = shape + ridge * np.eye(3)
        centre = BARRIER * np.linalg.solve(shape, belief.choice_sums[run, 0])
        volume = np.linalg.det(shape) / ridge**3
        radius = np.sqrt(ridge) * SET["weights_norm"]
        radius += np.sqrt(2 * np.log(1 / 0.05) + np.log(volume))
        best = int(np.argmax(features @ centre))
        root = np.linalg.cholesky(np.linalg.inv(shape))
        for item in range(4):
            y = features[best] - features[item]
            worst = centre - radius * root @ (root.T @ y) / max(np.linalg.norm(root.T @ y), 1e-9)
            assert item == best or y @ worst > 0


def test_the_confidence_set_is_more_careful_than_the_posterior(rng) -> None:
    problem = featured(4)
    n_answers = [
        states(learner, problem, rng)[-1].inner.belief.time_sums[:, 0].mean()
        for learner in (StopWhenSure(), StopWhenSure(**SET))
    ]
    assert n_answers[1] > n_answers[0]


def test_the_items_left_out_cannot_be_all_of_them(rng) -> None:
    with pytest.raises(DataError, match=r"`top_k` must be below the number of items \(4\), got 4"):
        StopWhenSure(top_k=4).start(featured(4), rng)


def test_answers_that_are_left_out_do_not_count_for_sureness(rng) -> None:
    problem = featured(8)
    lapsing = simulate.make_respondent("lapses", PersonParameters(1.1, 0.35, WEIGHTS))
    learner = StopWhenSure(learner=TopTwo(lapse_share=0.1), confidence=np.nextafter(1, 0))
    state, seconds = learner.start(problem, rng, n_runs=40), np.zeros(40)
    for _ in range(60):
        choice, time = lapsing.answer(problem.queries.vectors(state.query), rng)
        # To hundredths of a second some answers take as long as others.
        time = time.round(2)
        state = learner.tell(state, state.query, choice, time)
        seconds += time
        belief = state.inner.belief
        used = state.response_time
        np.testing.assert_allclose(np.nansum(used, axis=1), belief.time_sums[:, 1])
        np.testing.assert_array_equal((~np.isnan(used)).sum(axis=1), belief.time_sums[:, 0])
        np.testing.assert_array_equal(np.nanmin(used, axis=1, initial=np.inf), belief.fastest)
    assert np.isnan(state.response_time).any()
    np.testing.assert_allclose(state.seconds, seconds)


def test_with_people_who_lapse_stops_are_righter_when_lapses_are_left_out(rng) -> None:
    wrong = {0.0: [], 0.1: []}
    for person in look_alike("clithero", 8, rng=rng):
        lapsing = simulate.make_respondent("lapses", person.parameters)
        for share, found in wrong.items():
            learner = StopWhenSure(learner=TopTwo(lapse_share=share))
            outcomes = simulate.run(person.problem, learner, lapsing, 200.0, n_runs=40, rng=rng)
            found.extend(outcomes.error[outcomes.stopped])
    # Seen with other people and seeds: .23 against .09, each from hundreds of stops.
    assert np.mean(wrong[0.1]) < 0.75 * np.mean(wrong[0.0])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"confidence": 1.0}, "`confidence` must be above 0 and below 1"),
        ({"rule": "gut"}, "`rule` must be one of 'posterior', 'confidence set'"),
        (SET | {"weights_norm": None}, "`weights_norm` is needed for the rule"),
        (SET | {"learner": ChoiceTopTwo()}, "needs a learner that uses response times"),
        ({"barrier": 1.0}, "`barrier` is used with the rule"),
        (SET | {"barrier": 0.0}, "`barrier` must be a positive number"),
        (SET | {"nondecision_time": -1.0}, "`nondecision_time` must be at least 0"),
        (SET | {"learner": TopTwo(lapse_share=0.05)}, "holds for people without lapses only"),
        ({"max_time": 0.0}, "`max_time` must be a positive number"),
        ({"max_queries": 0}, "`max_queries` must be a positive number"),
        ({"top_k": 0}, "`top_k` must be a positive number"),
    ],
)
def test_configurations_that_make_no_sense_are_named(wrong, message) -> None:
    with pytest.raises(DataError, match=message):
        StopWhenSure(**wrong)


def test_one_of_two_identical_items_is_never_sure_to_be_best(rng) -> None:
    items = Items([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    problem = Problem(items, QuerySpace.all_pairs(items))
    learner = StopWhenSure(max_queries=60)
    state = states(learner, problem, rng)[-1]
    twin = learner.recommend(state).item < 2
    assert twin.sum() > 20
    assert not state.sure[twin].any()
