import numpy as np
import pytest

from tacit import ddm
from tacit.designs import solve
from tacit.estimators import ChoiceDecisionTime, ChoiceOnly, QuerySums
from tacit.estimators._validation import Answers
from tacit.paper.figure_3 import BARRIERS, ITEM_SCALES, Grid, SphereFigure, bend
from tacit.paper.sphere import METHODS, N_ANSWERS, SphereProblem

REPEATS = 400


def test_the_grid_is_the_papers():
    assert (len(ITEM_SCALES), len(BARRIERS)) == (39, 25)
    assert ITEM_SCALES[8:11] == (0.9, 1.0, 6.0)
    assert ITEM_SCALES[-10:-8] == (101.0, 200.0)
    assert (BARRIERS[0], BARRIERS[-1]) == (0.1, 2.5)


def problem(**changed):
    settings = {"instance": 3, "scales": (1.0, 8.0), "barriers": (1.2,), "n_repeats": REPEATS}
    return SphereProblem(**settings | changed)


def test_the_same_problem_gives_the_same_errors_anywhere():
    one, other = problem().run(), problem().run()
    np.testing.assert_array_equal(one.n_errors, other.n_errors)
    assert problem().key == problem().key
    changes = ({"instance": 4}, {"n_repeats": 7}, {"seed": 1}, {"barriers": (1.3,)})
    assert len({problem(**change).key for change in ({}, *changes)}) == 5


@pytest.mark.parametrize(
    ("method", "estimator"),
    [("(trans, CH)", ChoiceOnly()), ("(trans, CH,DT)", ChoiceDecisionTime())],
)
def test_errors_are_those_of_answers_drawn_one_by_one(rng, method, estimator):
    """The slow way: answer by answer, and an estimate for each repeat."""
    work = problem(scales=(8.0,))
    queries, theta = work.person.problem.queries, work.person.parameters.weights
    features, design = work.person.problem.items.features, solve(queries, tolerance=0.01)
    n_slow, n_wrong = 300, 0
    for _ in range(n_slow):
        X = 8.0 * queries.vectors(design.sample(N_ANSWERS, rng=rng))
        choice, time = ddm.sample(X @ theta, 1.2, rng=rng)
        sums = QuerySums.from_answers(Answers(X, choice.astype(float), time, None))
        n_wrong += np.argmax(features @ estimator.coefficients(sums)) != np.argmax(features @ theta)
    found = work.run()
    share = found.n_errors[METHODS.index(method)] / REPEATS
    # 4.5 standard errors at the largest variance: a false alarm in 140,000 runs.
    assert abs(share - n_wrong / n_slow) < 4.5 * np.sqrt(0.25 / REPEATS + 0.25 / n_slow)


def test_times_help_most_where_preferences_are_strong():
    found = problem(scales=(0.1, 300.0), instance=8).run()
    errors = dict(zip(zip(found.scale, found.method, strict=True), found.n_errors, strict=True))
    times, choices = METHODS.index("(trans, CH,DT)"), METHODS.index("(trans, CH)")
    # At 0.1 the answers tell nothing, and nine of ten items are wrong.
    assert min(errors[0.1, times], errors[0.1, choices]) > 0.7 * REPEATS
    assert errors[300.0, times] < 0.02 * REPEATS


def grid(errors):
    """Errors of choices alone as a function of barrier and scale; of others, the same."""
    scales, barriers = np.array([1.0, 10.0, 100.0, 1000.0]), np.array([0.1, 0.5, 1.0, 2.0])
    own = np.array([[errors(a, c) for c in scales] for a in barriers])
    return Grid(scales, barriers, np.tile(own, (6, len(METHODS), 1, 1)))


def test_a_band_that_bends_down_is_seen():
    # The best strength is 3 everywhere: the stronger the items, the lower the best barrier.
    band = grid(lambda a, c: min(abs(np.log(a * c / 3)), 4) / 4)
    assert bend(band)[0] < -0.9
    outcomes = [finding.outcome for finding in SphereFigure().judge(band)]
    assert outcomes[:2] == ["holds", "holds"]
    assert "holds" not in outcomes[2:6]  # all methods are the same here


def test_errors_that_grow_with_the_barrier_have_no_band():
    assert bend(grid(lambda a, _c: a / 2)) == (0.0, 0.0, 0.0)
