"""The best items of each person in a catalogue, with the probability that they are.

Utilities of all items are compared by their means; the ones that may be among the best are then
compared in draws from the posterior, which are the same for everybody.
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
_OPTIMISM = 2.0
"""Standard deviations above the mean by which rivals are chosen."""


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
    n_rivals: int = 32,
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
    n_rivals : int, default 32
        How many items take part in the comparison of draws, at least 4 times `among`: all if there
        are no more, otherwise those of highest mean plus two standard deviations, among four
        times as many of highest mean.
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
    n_rivals = min(items.n_items, max(n_rivals, n_top, 4 * among))
    noise = (np.random.default_rng(0) if rng is None else rng).standard_normal((n_draws // 2, d))
    shape = (len(mean), n_top)
    top = TopItems(np.full(shape, -1), np.full(shape, np.nan), np.full(shape, np.nan))
    known = np.flatnonzero(np.isfinite(mean).all(axis=1))
    per_person = max(items.n_items, _MEANS_PER_RIVAL * n_rivals * d, len(noise) * n_rivals)
    step = max(1, _AT_ONCE // per_person)
    for start in range(0, len(known), step):
        some = known[start : start + step]
        rivals = _rivals(mean[some], spread[some], items, n_rivals, n_top)
        top.item[some], top.utility[some] = rivals.item[:, :n_top], rivals.mean[:, :n_top]
        top.probability[some] = _shares(rivals, noise, n_top, among)
    return top


@dataclass(frozen=True)
class _Rivals:
    """Items that may be the best, by falling mean; `root` maps noise to their utilities."""

    item: Ints
    mean: Floats
    root: Floats


def _rivals(mean: Floats, covariance: Floats, items: Items, n_rivals: int, n_top: int) -> _Rivals:
    utility = mean @ items.features.T
    item = _largest(utility, _MEANS_PER_RIVAL * n_rivals)
    root = _roots(covariance)
    spread = items.features[item] @ root
    if item.shape[1] > n_rivals:
        own = np.take_along_axis(utility, item, axis=1)
        optimistic = own + _OPTIMISM * np.sqrt(np.einsum("nki,nki->nk", spread, spread))
        # Those of highest mean are shown, so they stay whatever their spread is.
        np.put_along_axis(optimistic, _largest(own, n_top), np.inf, axis=1)
        chosen = _largest(optimistic, n_rivals)
        item = np.take_along_axis(item, chosen, axis=1)
        spread = np.take_along_axis(spread, chosen[:, :, None], axis=1)
    own = np.take_along_axis(utility, item, axis=1)
    order = np.argsort(-own, axis=1, kind="stable")
    return _Rivals(
        np.take_along_axis(item, order, axis=1),
        np.take_along_axis(own, order, axis=1),
        np.take_along_axis(spread, order[:, :, None], axis=1),
    )


def _shares(rivals: _Rivals, noise: Floats, n_top: int, among: int) -> Floats:
    """Return the shares of draws, each used with both signs, in which items are on top."""
    # Draws are the last axis, along which comparisons of items are fastest.
    drawn = np.matmul(rivals.root.astype(np.float32), noise.T.astype(np.float32))
    mean = rivals.mean[:, :, None].astype(np.float32)
    total = np.zeros((len(drawn), n_top))
    for utility in (mean + drawn, mean - drawn):
        if among == 1:
            least = utility.max(axis=1, keepdims=True)
        else:
            n = utility.shape[1]
            least = np.partition(utility, n - among, axis=1)[:, n - among, None]
        total += (utility[:, :n_top] >= least).mean(axis=2)
    return total / 2


def _largest(values: Floats, n: int) -> NDArray[np.int64]:
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
