import numpy as np
import pytest

from tacit.datasets import look_alike
from tacit.errors import DataError
from tacit.records import AgainstReference, AllPairs, Items

NAMES = ["food-risk", "clithero", "krajbich"]


@pytest.mark.parametrize("name", NAMES)
def test_people_can_be_asked_about_their_problem(name, rng):
    for person in look_alike(name, 20, rng=rng):
        weights = person.parameters.weights
        assert weights.shape == (person.problem.items.n_features,)
        assert np.isfinite(person.problem.items.utilities(weights)).all()
        assert person.parameters.barrier > 0
        assert person.parameters.nondecision_time > 0


def test_problems_have_the_published_shapes(rng):
    sizes = set()
    for person in look_alike("food-risk", 50, rng=rng):
        assert isinstance(person.problem.queries, AllPairs)
        assert person.problem.items.n_features == 5
        sizes.add(person.problem.items.n_items)
    assert 31 <= min(sizes) < max(sizes) <= 95
    snacks = look_alike("clithero", 1, rng=rng)[0].problem
    assert isinstance(snacks.queries, AgainstReference)
    assert snacks.items == Items.one_hot(17)
    rated = look_alike("krajbich", 1, rng=rng)[0]
    assert rated.problem.queries.n_queries == 210
    steps = np.diff(rated.parameters.weights)
    np.testing.assert_allclose(steps, steps[0])


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_alone_decides(name):
    again = [look_alike(name, 3, rng=np.random.default_rng(5)) for _ in range(2)]
    other = look_alike(name, 3, rng=np.random.default_rng(6))
    for one, two, three in zip(*again, other, strict=True):
        assert one.problem == two.problem
        np.testing.assert_array_equal(one.parameters.weights, two.parameters.weights)
        assert one.parameters.barrier == two.parameters.barrier != three.parameters.barrier


def test_unusable_requests_are_named(rng):
    with pytest.raises(DataError, match=r"the data sets are .*, got 'snacks'"):
        look_alike("snacks", 1, rng=rng)
    with pytest.raises(DataError, match="`n_people` must be at least 1, got 0"):
        look_alike("clithero", 0, rng=rng)
