"""Made-up people whose parameters are spread like those that the paper published."""

from collections.abc import Callable, Sequence

import numpy as np

from tacit.datasets import food_risk, krajbich
from tacit.datasets.people import FloatArray, LookAlike, PersonParameters
from tacit.datasets.sources import source
from tacit.errors import DataError
from tacit.records import Items, Problem, QuerySpace

# Smallest value, quartiles and largest value over the people of each data set, from the
# posterior means that the paper's authors published.
_BARRIER = {
    "food-risk": (0.715, 1.146, 1.394, 1.658, 2.467),
    "clithero": (0.759, 0.952, 1.124, 1.249, 1.399),
    "krajbich": (0.750, 1.059, 1.225, 1.616, 2.192),
}
_NONDECISION_TIME = {
    "food-risk": (0.206, 0.515, 0.693, 0.910, 1.917),
    "clithero": (0.139, 0.342, 0.372, 0.429, 0.485),
    "krajbich": (0.387, 0.509, 0.612, 0.706, 1.220),
}
_CLITHERO_SPREAD = (0.938, 1.839, 2.119, 2.659, 4.236)
_KRAJBICH_WEIGHT = (0.039, 0.198, 0.254, 0.321, 0.414)

# Mean and covariance over people of the five weights of food-risk; utilities of the squares
# largely undo those of the ratings, so that independent weights would be far too strong.
_RISK_MEAN = (0.30, 0.62, 0.88, 0.43, -0.03)
_RISK_COVARIANCE = (
    (2.39, 0.91, -2.13, -0.88, -0.78),
    (0.91, 2.74, -0.23, -2.27, -1.57),
    (-2.13, -0.23, 2.78, 0.92, -0.54),
    (-0.88, -2.27, 0.92, 2.64, 0.62),
    (-0.78, -1.57, -0.54, 0.62, 3.50),
)


def look_alike(name: str, n_people: int, *, rng: np.random.Generator) -> tuple[LookAlike, ...]:
    """Draw people like those of a data set, without the data.

    Barrier and non-decision time have the published range and quartiles; weights have the
    published spread; problems have the published shape. Parameters of a person are drawn
    independently of each other.

    Parameters
    ----------
    name : {"food-risk", "clithero", "krajbich"}
        Which data set.
    n_people : int
        How many people, at least 1.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    tuple of LookAlike
        Parameters and problem of each.

    Examples
    --------
    >>> person = look_alike("krajbich", 3, rng=np.random.default_rng(7))[0]
    >>> person.problem.items.n_items, person.parameters.weights.shape
    (21, (21,))
    """
    source(name)
    if n_people < 1:
        raise DataError(f"`n_people` must be at least 1, got {n_people}")
    draw_problem = _DRAW[name]
    people = []
    for _ in range(n_people):
        problem, weights = draw_problem(rng)
        parameters = PersonParameters(
            barrier=_between(_BARRIER[name], rng),
            nondecision_time=_between(_NONDECISION_TIME[name], rng),
            weights=weights,
        )
        people.append(LookAlike(parameters, problem))
    return tuple(people)


def _between(quartiles: Sequence[float], rng: np.random.Generator) -> float:
    """Draw from the distribution that is even between its quartiles."""
    return float(np.interp(rng.random(), [0.0, 0.25, 0.5, 0.75, 1.0], quartiles))


def _food_risk(rng: np.random.Generator) -> tuple[Problem, FloatArray]:
    possible = np.stack(np.meshgrid(np.arange(1, 11), np.arange(1, 11)), axis=-1).reshape(-1, 2)
    n_options = rng.integers(31, 95, endpoint=True)
    items = food_risk.options(rng.choice(possible, n_options, replace=False))
    weights = rng.multivariate_normal(_RISK_MEAN, _RISK_COVARIANCE)
    return Problem(items, QuerySpace.all_pairs(items)), weights


def _clithero(rng: np.random.Generator) -> tuple[Problem, FloatArray]:
    items = Items.one_hot(17)
    liking_of_snacks = rng.normal(0.31, 1.14)
    weights = rng.normal(liking_of_snacks, _between(_CLITHERO_SPREAD, rng), items.n_items)
    return Problem(items, QuerySpace.against_reference(items)), weights


def _krajbich(rng: np.random.Generator) -> tuple[Problem, FloatArray]:
    return krajbich.problem(), _between(_KRAJBICH_WEIGHT, rng) * krajbich.RATINGS.astype(float)


_DRAW: dict[str, Callable[[np.random.Generator], tuple[Problem, FloatArray]]] = {
    "food-risk": _food_risk,
    "clithero": _clithero,
    "krajbich": _krajbich,
}
