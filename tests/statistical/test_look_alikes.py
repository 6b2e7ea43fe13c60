"""Look-alike people are spread like the published ones.

The Dvoretzky-Kiefer-Wolfowitz inequality bounds the distance between the distribution of a
sample and its law, P(sup |F_n - F| > e) <= 2 exp(-2 n e^2); it gives the sample size.
"""

import math

import numpy as np
import pytest

from tacit.datasets import load, look_alike, published_fits

false_alarm_rate = 1e-6
detectable_distance = 0.15
# Each of the law and the control is resolved to half of the distance to detect.
n_people = math.ceil(math.log(2 / false_alarm_rate) / (2 * (detectable_distance / 2) ** 2))

# Quartiles are kept to three digits, which moves shares of people by less than this.
rounding = 0.01

NAMES = ["food-risk", "clithero", "krajbich"]
LEVELS = np.array([0.25, 0.5, 0.75])


def distance(sample: np.ndarray, quartiles: np.ndarray) -> float:
    """Largest difference between the sample's distribution and the quartiles it should have."""
    return float(np.abs((sample[:, None] <= quartiles).mean(axis=0) - LEVELS).max())


@pytest.mark.parametrize("parameter", ["barrier", "nondecision_time"])
@pytest.mark.parametrize("name", NAMES)
def test_quartiles_and_range_are_the_published_ones(data_dir, rng, name, parameter):
    published = np.array([getattr(fit, parameter) for fit in published_fits(name, data_dir)])
    people = look_alike(name, n_people, rng=rng)
    drawn = np.array([getattr(person.parameters, parameter) for person in people])
    assert distance(drawn, np.quantile(published, LEVELS)) < detectable_distance / 2 + rounding
    assert drawn.min() > published.min() - 1e-3
    assert drawn.max() < published.max() + 1e-3


def strengths(weights_of_items) -> np.ndarray:
    """Standard deviation over each person's items of their utility."""
    return np.array([items.utilities(weights).std() for items, weights in weights_of_items])


@pytest.mark.parametrize("name", NAMES)
def test_preferences_are_about_as_strong_as_the_published_ones(data_dir, rng, name):
    people = zip(load(name, data_dir).people, published_fits(name, data_dir), strict=True)
    published = strengths((person.trials.items, fit.weights) for person, fit in people)
    people = look_alike(name, n_people, rng=rng)
    drawn = strengths((person.problem.items, person.parameters.weights) for person in people)
    assert abs((drawn <= np.median(published)).mean() - 0.5) < 2 * detectable_distance


def test_control_independent_weights_are_noticed(data_dir, rng):
    fits = published_fits("food-risk", data_dir)
    weights = np.stack([fit.weights for fit in fits])
    people = zip(load("food-risk", data_dir).people, fits, strict=True)
    published = strengths((person.trials.items, fit.weights) for person, fit in people)
    problems = [person.problem for person in look_alike("food-risk", n_people, rng=rng)]
    independent = rng.normal(weights.mean(axis=0), weights.std(axis=0), (n_people, 5))
    items = [problem.items for problem in problems]
    drawn = strengths(zip(items, independent, strict=True))
    assert abs((drawn <= np.median(published)).mean() - 0.5) > 2 * detectable_distance


def test_control_an_even_spread_over_the_range_is_noticed(data_dir, rng):
    published = np.array([fit.barrier for fit in published_fits("food-risk", data_dir)])
    even = rng.uniform(published.min(), published.max(), n_people)
    assert distance(even, np.quantile(published, LEVELS)) > detectable_distance / 2 + rounding
