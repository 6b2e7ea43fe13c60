"""Made-up people, their answers, and what is true of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit import ddm
from tacit.cli._options import Population
from tacit.cli._reading import THE_MEAN_ITEM, THE_REFERENCE, ZERO_FEATURES
from tacit.datasets import LookAlike, PersonParameters
from tacit.errors import DataError
from tacit.records import REFERENCE, AgainstReference, Items, Problem, QuerySpace

Column = npt.NDArray[Any]


def draw_people(
    population: Population, n_people: int, rng: np.random.Generator
) -> tuple[LookAlike, ...]:
    """Draw people who are asked about the same items and differ in what they like."""
    items = _draw_items(population, rng)
    if population.yes_no:
        problem = Problem(items, QuerySpace.against_reference(items))
    elif items.n_items > 1:
        problem = Problem(items, QuerySpace.all_pairs(items))
    else:
        raise DataError("pairs need at least two items; ask about a single one with --yes-no")
    # Features have variance 1, so utilities have the variances of all weights together.
    scale = population.spread / np.sqrt(max(population.features, 1))
    return tuple(
        LookAlike(
            PersonParameters(population.barrier, population.nondecision_time, weights), problem
        )
        for weights in rng.normal(0.0, scale, (n_people, items.n_features))
    )


def _draw_items(population: Population, rng: np.random.Generator) -> Items:
    digits = len(str(population.items))
    names = [f"item{number:0{digits}d}" for number in range(1, population.items + 1)]
    if population.features == 0:
        return Items.one_hot(names)
    return Items(rng.standard_normal((population.items, population.features)).round(4), names)


def answers(
    people: Sequence[LookAlike], n_trials: int, rng: np.random.Generator
) -> dict[str, Column]:
    """Ask each person questions drawn at random, and return their answers as columns.

    Items of a pair change sides at random, as they should in a study.
    """
    blocks = [_answers_of(person, n_trials, rng) for person in people]
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    return {"person": np.repeat(np.arange(1, len(people) + 1), n_trials), **columns}


def _answers_of(person: LookAlike, n_trials: int, rng: np.random.Generator) -> dict[str, Column]:
    problem, own = person.problem, person.parameters
    first, second = problem.queries.pairs(rng.integers(problem.queries.n_queries, size=n_trials))
    swap = (rng.random(n_trials) < 0.5) & (second != REFERENCE)
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    choice, response_time = ddm.sample(
        problem.items.differences(first, second) @ own.weights,
        own.barrier,
        nondecision_time=own.nondecision_time,
        rng=rng,
    )
    names = np.array([*problem.items.names, None], dtype=object)
    return {
        "first": names[first],
        "second": names[second],
        "choice": choice,
        "response_time": response_time.round(6),
    }


def truth(number: int, person: LookAlike) -> dict[str, object]:
    """Return what is true of a person, with the names that ``tacit fit --json`` gives it."""
    own, items = person.parameters, person.problem.items
    weights, zero = own.weights, ZERO_FEATURES
    if _is_one_hot(items):
        pairs = not isinstance(person.problem.queries, AgainstReference)
        # As in a fit: pairs of items without features only tell differences of utilities.
        zero = THE_MEAN_ITEM if pairs else THE_REFERENCE
        weights = weights - pairs * weights.mean()
    utilities = items.utilities(weights)
    return {
        "person": number,
        "barrier": own.barrier,
        "nondecision_time": own.nondecision_time,
        "weights": dict(zip(items.feature_names, weights.tolist(), strict=True)),
        "utility_zero": zero,
        "items": [
            {"item": items.names[index], "utility": utilities[index]}
            for index in np.argsort(-utilities, kind="stable")
        ],
    }


def all_items(people: Sequence[LookAlike]) -> Items | None:
    """Return the items of all people together, or None where they have no features."""
    features: dict[str, npt.NDArray[np.float64]] = {}
    for person in people:
        items = person.problem.items
        if _is_one_hot(items):
            return None
        features |= dict(zip(items.names, items.features, strict=True))
    return Items(list(features.values()), list(features), people[0].problem.items.feature_names)


def _is_one_hot(items: Items) -> bool:
    return items.names == items.feature_names
