"""The best items of each person in a catalogue, with the probability that they are.

Probabilities are shares of draws from the posterior, which rest on the same noise for everybody.
An item is compared with the whole catalogue, in portions, or with its likeliest rivals.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import DataError
from tacit.fleet._blocks import Floats, Ints
from tacit.records import Items

_AT_ONCE = 1 << 22
"""Bound on the numbers held at once."""

_MEANS_PER_RIVAL = 4
_ROUNDING = 1e-6
Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class TopItems:
    """The best items of each person.

    Attributes
    ----------
    item : ndarray of int64, shape (n_people, n_top)
        Items by falling mean utility; -1 for people whose weights are not known.
    utility : ndarray of shape (n_people, n_top)
        Their mean utilities.
    probability : ndarray of shape (n_people, n_top)
        Probability that each is among the `among` best.
    """

    item: Ints
    utility: Floats
    probability: Floats


def top_items(
    weights: ArrayLike,
    covariance: ArrayLike,
    items: Items,
    *,
    n_top: int = 3,
    among: int = 1,
    n_rivals: int | None = None,
    n_draws: int = 256,
    rng: np.random.Generator | None = None,
) -> TopItems:
    """Return the items of highest mean utility, and the probability that they are the best.

    Parameters
    ----------
    weights : array_like of shape (n_people, n_features)
        Means of the weights; NaN where they are not known.
    covariance : array_like of shape (n_people, n_features, n_features)
        Covariances of the weights.
    items : Items
        The catalogue.
    n_top : int, default 3
        Number of items for each person.
    among : int, default 1
        A probability is that of being among so many best items.
    n_rivals : int, optional
        How many items compete in the draws, many times faster than the whole catalogue, which is
        the default: those likeliest to beat the item of highest mean, among four times as many of
        highest mean. What others might win is then counted as won by these, so that
        probabilities are upper bounds.
    n_draws : int, default 256
        Even number of draws; a probability p has a standard error of at most sqrt(p (1 - p) / n).
    rng : numpy.random.Generator, optional
        Source of the draws; by default the same every time.

    Returns
    -------
    TopItems
        Of everybody.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import Items
    >>> snacks = Items.one_hot(["nuts", "cake", "figs"])
    >>> best = top_items([[0.0, 2.0, 1.0]], [0.25 * np.eye(3)], snacks, n_top=2)
    >>> [snacks.names[i] for i in best.item[0]], best.probability[0].round(1)
    (['cake', 'figs'], array([0.9, 0.1]))
    """
    mean, spread = np.asarray(weights, dtype=float), np.asarray(covariance, dtype=float)
    d = items.n_features
    if mean.ndim != 2 or mean.shape[1] != d or spread.shape != (len(mean), d, d):
        raise DataError(
            f"`weights` must have shape (n_people, {d}) and `covariance` (n_people, {d}, {d}), "
            f"got {mean.shape} and {spread.shape}"
        )
    for name, value in (("n_top", n_top), ("among", among), ("n_draws", n_draws // 2)):
        if value < 1:
            raise DataError(f"`{name}` must be positive, got {value}")
    n_top, among = min(n_top, items.n_items), min(among, items.n_items)
    noise = (np.random.default_rng(0) if rng is None else rng).standard_normal((n_draws // 2, d))
    noise = np.concatenate([noise, -noise])
    if n_rivals is not None:
        n_rivals = max(n_rivals, n_top, 4 * among)
        n_rivals = None if n_rivals >= items.n_items else n_rivals
    shape = (len(mean), n_top)
    top = TopItems(np.full(shape, -1), np.full(shape, np.nan), np.full(shape, np.nan))
    known = np.flatnonzero(np.isfinite(mean).all(axis=1))
    per_person = max(items.n_items, len(noise) * max(d, n_rivals or among))
    step = max(1, _AT_ONCE // per_person)
    for start in range(0, len(known), step):
        some = known[start : start + step]
        own, roots = mean[some], _roots(spread[some])
        utility = own @ items.features.T
        best = _largest(utility, n_top)
        best_utility = np.take_along_axis(utility, best, axis=1)
        order = np.argsort(-best_utility, axis=1, kind="stable")
        best = np.take_along_axis(best, order, axis=1)
        top.item[some] = best
        top.utility[some] = np.take_along_axis(best_utility, order, axis=1)
        # Single precision: the error of a share of draws is far larger.
        drawn = (own[:, :, None] + roots @ noise.T).astype(np.float32)
        if n_rivals is None:
            least = _least_in_catalogue(drawn, items, among)
        else:
            rivals = _rivals(utility, best, roots, items, n_rivals)
            features = items.features[rivals].astype(np.float32)
            least = _least(features @ drawn, among)
        won = items.features[best].astype(np.float32) @ drawn >= least - _ROUNDING * np.abs(least)
        top.probability[some] = won.mean(axis=2)
    return top


def _least(utility: Floats32, among: int) -> Floats32:
    """Return what it takes to be among the best: (n_people, n_items, n_draws) without items."""
    if among == 1:
        return np.asarray(utility.max(axis=1, keepdims=True))
    n = utility.shape[1]
    return np.asarray(np.partition(utility, n - among, axis=1)[:, n - among, None])


def _least_in_catalogue(drawn: Floats32, items: Items, among: int) -> Floats32:
    """Return what it takes to be among the best of all items, which are seen in portions."""
    n_people, _, n_draws = drawn.shape
    best = np.empty((n_people, 0, n_draws), dtype=np.float32)
    step = max(1, _AT_ONCE // (n_people * n_draws))
    for start in range(0, items.n_items, step):
        utility = items.features[start : start + step].astype(np.float32) @ drawn
        best = np.concatenate([best, utility], axis=1)
        if best.shape[1] > among:
            best = np.partition(best, best.shape[1] - among, axis=1)[:, -among:]
    return np.asarray(best.min(axis=1, keepdims=True))


def _rivals(utility: Floats, best: Ints, roots: Floats, items: Items, n_rivals: int) -> Ints:
    """Return the items that are likeliest to beat the best one, the best ones among them."""
    item = _largest(utility, _MEANS_PER_RIVAL * n_rivals)
    leader = best[:, :1]
    gap = np.take_along_axis(utility, item, axis=1) - np.take_along_axis(utility, leader, axis=1)
    spread = (items.features[item] - items.features[leader]) @ roots
    sd = np.sqrt(np.einsum("nki,nki->nk", spread, spread))
    score = np.divide(gap, sd, out=np.full_like(gap, -np.inf), where=sd > 0)
    score[(item[:, :, None] == best[:, None, :]).any(axis=2)] = np.inf
    return np.take_along_axis(item, _largest(score, n_rivals), axis=1)


def _largest(values: Floats, n: int) -> Ints:
    n_rows, n_columns = values.shape
    if n_columns <= n:
        return np.tile(np.arange(n_columns), (n_rows, 1))
    return np.argpartition(values, n_columns - n, axis=1)[:, n_columns - n :]


def _roots(covariance: Floats) -> Floats:
    """Return a root R of each covariance R R', which may be singular."""
    try:
        return np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    except np.linalg.LinAlgError:
        size, axes = np.linalg.eigh(covariance)
        return np.asarray(axes * np.sqrt(np.clip(size, 0, None))[:, None, :])
