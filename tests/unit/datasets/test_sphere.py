import numpy as np
import pytest

from tacit.datasets import sphere_people
from tacit.errors import DataError
from tacit.records import AllPairs


def test_the_best_item_and_its_neighbour_are_the_closest_pair(rng):
    for person in sphere_people(20, scale=3.0, rng=rng):
        z, weights = person.problem.items.features, person.parameters.weights
        np.testing.assert_allclose(np.linalg.norm(z, axis=1), 3.0)
        assert (z > 0).all()
        utilities = person.problem.items.utilities(weights)
        second, best = np.argsort(utilities)[-2:]
        angles = np.arccos(np.clip(z @ z.T / 9.0, -1, 1)) + 9.0 * np.eye(len(z))
        assert set(np.unravel_index(np.argmin(angles), angles.shape)) == {best, second}
        np.testing.assert_allclose(weights, 0.99 * z[best] / 3.0 + 0.01 * z[second] / 3.0)


def test_the_utility_gap_is_what_the_construction_implies(rng):
    (person,) = sphere_people(1, scale=10.0, rng=rng)
    z = person.problem.items.features / 10.0
    utilities = np.sort(person.problem.items.utilities(person.parameters.weights))
    cosine = np.sort((z @ z.T)[np.triu_indices(10, 1)])[-1]
    # z'(z - z') = 1 - cos, and -0.01 |z - z'|^2 = -0.02 (1 - cos).
    assert utilities[-1] - utilities[-2] == pytest.approx(10.0 * 0.98 * (1 - cosine))


def test_scale_changes_nothing_but_lengths():
    near, far = (sphere_people(2, scale=s, rng=np.random.default_rng(3))[1] for s in (1.0, 50.0))
    np.testing.assert_array_equal(near.parameters.weights, far.parameters.weights)
    np.testing.assert_allclose(50 * near.problem.items.features, far.problem.items.features)


def test_shapes_and_parameters_are_as_asked(rng):
    person = sphere_people(2, barrier=2.5, nondecision_time=0.3, n_items=7, n_features=3, rng=rng)[
        0
    ]
    assert person.problem.items.features.shape == (7, 3)
    assert isinstance(person.problem.queries, AllPairs)
    assert (person.parameters.barrier, person.parameters.nondecision_time) == (2.5, 0.3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_people": 0},
        {"scale": 0.0},
        {"scale": np.nan},
        {"barrier": -1.0},
        {"nondecision_time": -0.1},
        {"n_items": 1},
        {"n_features": 1},
    ],
)
def test_what_cannot_be_is_named(wrong, rng):
    (name,) = wrong
    with pytest.raises(DataError, match=f"`{name}` must be"):
        sphere_people(**({"n_people": 1, "rng": rng} | wrong))
