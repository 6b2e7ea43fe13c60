import numpy as np
import pytest

from tacit.paper import SETTINGS, crowd
from tacit.paper.scales import SCALES, spread


def test_people_are_those_of_the_data_in_their_order(data_dir):
    some = crowd("krajbich", data_dir, n_people=3)
    theirs = crowd("krajbich", data_dir, n_people=3, published=True)
    assert [person.name for person in some.people] == [person.name for person in theirs.people]
    for own, published in zip(some.people, theirs.people, strict=True):
        assert own.parameters.barrier == pytest.approx(published.parameters.barrier, abs=5e-3)
        np.testing.assert_allclose(own.parameters.weights, published.parameters.weights, atol=0.02)
        assert own.problem == published.problem


@pytest.mark.filterwarnings("ignore:person:tacit.errors.DataWarning")
def test_slow_people_have_longer_buffers(data_dir):
    people = crowd("food-risk", data_dir, published=True).people
    assert len(people) == 42
    assert [people[place].phase_buffer for place in (0, 14, 17)] == [20, 50, 30]


def test_gse_is_told_the_published_rates(data_dir):
    some = crowd("clithero", data_dir, n_people=1, published=True)
    person = some.people[0]
    rates = {
        estimator: some.gse_options(person, {"estimator": estimator})["eta"]
        for estimator in ("choice-decision-time", "choice-only", "choice-decision-time-logit")
    }
    assert list(rates.values()) == [6, 9, 5]
    assert some.gse_options(person, {})["nondecision_time"] == person.parameters.nondecision_time


@pytest.mark.parametrize(
    ("count", "expected"), [(None, [1, 2, 3, 4, 5]), (9, [1, 2, 3, 4, 5]), (2, [1, 5])]
)
def test_values_are_spread_from_end_to_end(count, expected):
    assert spread([1, 2, 3, 4, 5], count) == expected


def test_the_full_scale_is_the_papers():
    full = SCALES["full"]
    assert (full.n_people, full.n_runs, full.n_tuning_runs) == (None, 300, 50)
    assert (full.n_instances, full.n_repeats) == (100, 100)
    assert [len(setting.time_budgets) for setting in SETTINGS.values()] == [6, 8, 8]
