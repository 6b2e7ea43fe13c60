"""Problems whose two best items nearly agree: the paper's test of estimators and learners."""

import numpy as np

from tacit.datasets.people import FloatArray, LookAlike, PersonParameters
from tacit.errors import DataError
from tacit.records import Items, Problem, QuerySpace

_STEP = 0.01
"""How far the weights lie on the way from the best item to its neighbour."""


def sphere_people(
    n_people: int,
    *,
    scale: float = 1.0,
    barrier: float = 1.0,
    nondecision_time: float = 0.0,
    n_items: int = 10,
    n_features: int = 5,
    rng: np.random.Generator,
) -> tuple[LookAlike, ...]:
    """Draw people who can hardly tell their two best items apart.

    Items are directions: vectors with Uniform(0, 1) entries, divided by their length. Of the two
    items with the smallest angle between them, z and z', z is the best one: the weights are
    z + 0.01 (z' - z). All items are then stretched by the same factor.

    Parameters
    ----------
    n_people : int
        How many people, each with items of their own; at least 1.
    scale : float, default 1
        Length of the items, positive: how strong all preferences are.
    barrier : float, default 1
        Evidence needed for an answer, positive.
    nondecision_time : float, default 0
        Seconds that seeing and answering take, at least 0.
    n_items : int, default 10
        Number of items, at least 2.
    n_features : int, default 5
        Number of features, at least 2.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    tuple of LookAlike
        Parameters and problem (all pairs of the items) of each.

    References
    ----------
    Li, Zhang, Ren, Liang, Li & Shah (2024), Enhancing Preference-based Linear Bandits via Human
    Response Time, NeurIPS, figure 3; there `nondecision_time` is 0, `scale` is from 0.1 to 1000 and
    `barrier` from 0.1 to 2.5.

    Examples
    --------
    >>> person = sphere_people(1, scale=10.0, rng=np.random.default_rng(7))[0]
    >>> utilities = np.sort(person.problem.items.utilities(person.parameters.weights))
    >>> print(utilities[-2:].round(2), utilities.mean().round(2))
    [ 9.55 10.  ] 8.51
    """
    for name, value, least in (("n_people", n_people, 1), ("n_items", n_items, 2)):
        if value < least:
            raise DataError(f"`{name}` must be at least {least}, got {value}")
    if n_features < 2:
        raise DataError(f"`n_features` must be at least 2 for angles to differ, got {n_features}")
    for name, amount in (("scale", scale), ("barrier", barrier)):
        if not 0 < amount < np.inf:
            raise DataError(f"`{name}` must be a positive number, got {amount}")
    if not 0 <= nondecision_time < np.inf:
        raise DataError(f"`nondecision_time` must be at least 0, got {nondecision_time}")
    people = []
    for _ in range(n_people):
        directions = rng.random((n_items, n_features))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        parameters = PersonParameters(barrier, nondecision_time, _weights(directions))
        items = Items(scale * directions)
        people.append(LookAlike(parameters, Problem(items, QuerySpace.all_pairs(items))))
    return tuple(people)


def _weights(directions: FloatArray) -> FloatArray:
    """Return weights that make one of the two closest directions the best, by little."""
    cosine = directions @ directions.T
    np.fill_diagonal(cosine, -np.inf)
    best, neighbour = np.unravel_index(np.argmax(cosine), cosine.shape)
    weights: FloatArray = directions[best] + _STEP * (directions[neighbour] - directions[best])
    return weights
