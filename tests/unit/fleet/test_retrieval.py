import numpy as np
import pytest

from tacit import fleet
from tacit.errors import DataError
from tacit.records import Items


@pytest.fixture
def crowd(rng):
    """Means and covariances of the weights of some people, and a catalogue."""
    n, d = 20, 4
    root = 0.3 * rng.normal(size=(n, d, d))
    covariance = root @ root.transpose(0, 2, 1)
    return rng.normal(size=(n, d)), covariance, Items(rng.normal(size=(300, d)))


def by_brute_force(mean, covariance, items, among, rng):
    """Return the probability of each item to be among the best, from draws of everything."""
    draws = rng.multivariate_normal(mean, covariance, 20_000)
    utility = draws @ items.features.T
    least = -np.partition(-utility, among - 1, axis=1)[:, among - 1, None]
    return (utility >= least).mean(axis=0)


@pytest.mark.parametrize("among", [1, 5])
def test_probabilities_are_those_of_the_whole_catalogue(crowd, rng, among):
    mean, covariance, items = crowd
    top = fleet.top_items(mean, covariance, items, n_top=5, among=among, n_draws=4000)
    for j in range(len(mean)):
        exact = by_brute_force(mean[j], covariance[j], items, among, rng)
        order = np.argsort(-items.utilities(mean[j]))[:5]
        np.testing.assert_array_equal(top.item[j], order)
        np.testing.assert_allclose(top.utility[j], items.utilities(mean[j])[order])
        # Five standard errors of both shares of draws.
        np.testing.assert_allclose(top.probability[j], exact[order], atol=0.045)


def test_rivals_give_upper_bounds_that_are_tight_where_much_is_known(crowd):
    mean, covariance, items = crowd
    whole = fleet.top_items(mean, covariance, items)
    some = fleet.top_items(mean, covariance, items, n_rivals=32)
    np.testing.assert_array_equal(some.item, whole.item)
    assert (some.probability >= whole.probability - 1e-6).all()
    whole = fleet.top_items(mean, covariance / 25, items)
    some = fleet.top_items(mean, covariance / 25, items, n_rivals=32)
    np.testing.assert_allclose(some.probability, whole.probability, atol=0.005)


def test_few_items_are_all_compared():
    items = Items.one_hot(3)
    top = fleet.top_items(np.zeros((1, 3)), [np.eye(3)], items, n_draws=20_000)
    assert top.probability.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(top.probability, 1 / 3, atol=0.02)
    among = fleet.top_items(np.zeros((1, 3)), [np.eye(3)], items, among=5)
    np.testing.assert_allclose(among.probability, 1.0)


def test_a_certain_person_has_certain_favourites_and_an_unknown_one_none(crowd):
    mean, covariance, items = crowd
    mean[0] = np.nan
    covariance[1] = 0.0
    top = fleet.top_items(mean, covariance, items)
    assert (top.item[0] == -1).all()
    assert np.isnan(top.probability[0]).all()
    np.testing.assert_array_equal(top.probability[1], [1.0, 0.0, 0.0])


def test_a_large_catalogue_is_looked_at_in_portions(crowd, monkeypatch):
    mean, covariance, items = crowd
    whole = fleet.top_items(mean, covariance, items)
    monkeypatch.setattr("tacit.fleet.retrieval._AT_ONCE", 1)
    one_by_one = fleet.top_items(mean, covariance, items)
    np.testing.assert_array_equal(one_by_one.item, whole.item)
    np.testing.assert_allclose(one_by_one.probability, whole.probability, atol=0.02)


def test_an_item_of_high_mean_and_no_doubt_is_not_lost_among_uncertain_ones(rng):
    features = np.zeros((200, 2))
    features[:, 1] = rng.normal(size=200)
    features[0] = [1.0, 0.0]
    mean, covariance = [[3.0, 0.0]], [np.diag([1e-6, 4.0])]
    top = fleet.top_items(mean, covariance, Items(features), n_rivals=8, n_top=1)
    assert top.item[0, 0] == 0
    assert 0 < top.probability[0, 0] < 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_top": 0}, "`n_top` must be positive"),
        ({"among": 0}, "`among` must be positive"),
        ({"n_draws": 1}, "`n_draws` must be positive"),
    ],
)
def test_impossible_requests_are_refused(crowd, change, message):
    with pytest.raises(DataError, match=message):
        fleet.top_items(*crowd, **change)
    mean, covariance, items = crowd
    with pytest.raises(DataError, match=r"must have shape \(n_people, 4\)"):
        fleet.top_items(mean[:, :3], covariance, items)
