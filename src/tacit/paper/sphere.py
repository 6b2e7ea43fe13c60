"""Estimators on the sphere: how often 50 answers name the wrong item, for a grid of people.

All repeats of a problem are evaluated at once. What a repeat comes to follows from sums over the
answers to each query: their number is multinomial, and choices and times are drawn exactly. Both
methods with the transductive design see the same answers, so that their difference is the surer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import tacit
from tacit import ddm
from tacit.datasets import LookAlike, sphere_people
from tacit.designs import choice_information, solve, solve_many
from tacit.estimators import ChoiceDecisionTime, ChoiceOnly, QuerySums
from tacit.simulate import Columns, Work
from tacit.simulate._one_thread import one_thread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METHODS = ("(trans, CH)", "(weak, CH)", "(trans, CH,DT)")
N_ANSWERS = 50
_TOLERANCE = 0.01
"""Certified relative gap of the designs, which is the precision that the paper's solver has."""


@dataclass(frozen=True, eq=False)
class SphereErrors(Columns):
    """How often each method errs in one problem, a row for each scale, barrier and method.

    Attributes
    ----------
    scale, barrier : ndarray of float
        Length of the items, and evidence needed for an answer.
    method : ndarray of int64
        Position in `METHODS`.
    n_errors, n_repeats : ndarray of int64
        Repeats in which another item than the best is named, and all of them.
    """

    scale: Floats
    barrier: Floats
    method: Ints
    n_errors: Ints
    n_repeats: Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class SphereProblem(Work[SphereErrors]):
    """One problem of figure 3 on the whole grid of scales and barriers.

    Parameters
    ----------
    instance : int
        Number of the problem; its items follow from it alone.
    scales, barriers : tuple of float
        Axes of the grid.
    n_repeats : int
        How often each method answers at each point of the grid.
    seed : int, default 0
        Of the answers.

    Examples
    --------
    >>> errors = SphereProblem(instance=0, scales=(1.0, 9.0), barriers=(1.5,), n_repeats=100).run()
    >>> len(errors), bool((errors.n_errors <= 100).all())
    (6, True)
    """

    instance: int
    scales: tuple[float, ...]
    barriers: tuple[float, ...]
    n_repeats: int
    seed: int = 0
    labels: Mapping[str, str] = field(init=False)

    noun: ClassVar[str] = "problem"

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", {"instance": str(self.instance)})

    @property
    def table(self) -> type[SphereErrors]:
        """The class of the errors."""
        return SphereErrors

    def config(self) -> dict[str, Any]:
        """Return everything that the errors rest on as JSON values."""
        return {
            "work": "sphere",
            "instance": self.instance,
            "scales": list(self.scales),
            "barriers": list(self.barriers),
            "n_repeats": self.n_repeats,
            "n_answers": N_ANSWERS,
            "seed": self.seed,
            "tacit": tacit.__version__,
        }

    @cached_property
    def person(self) -> LookAlike:
        """Items and weights, at scale 1."""
        return sphere_people(1, rng=np.random.default_rng([3, self.instance]))[0]

    def run(self) -> SphereErrors:
        """Return the errors, the same ones at any time, in any process, on one core."""
        rng = self.rng()
        with one_thread:
            errors = np.stack([self._errors(barrier, rng) for barrier in self.barriers])
        n_barriers, n_methods, n_scales = errors.shape
        shape = (n_barriers, n_methods, n_scales)
        scale = np.broadcast_to(np.array(self.scales), shape)
        barrier = np.broadcast_to(np.array(self.barriers)[:, None, None], shape)
        method = np.broadcast_to(np.arange(n_methods)[:, None], shape)
        return SphereErrors(
            scale.ravel().copy(),
            barrier.ravel().copy(),
            method.ravel().copy(),
            errors.ravel(),
            np.full(errors.size, self.n_repeats),
        )

    @cached_property
    def _transductive(self) -> Floats:
        return solve(self.person.problem.queries, tolerance=_TOLERANCE).dense()

    def _errors(self, barrier: float, rng: np.random.Generator) -> Ints:
        """Return the errors of each method (rows) and scale (columns) for one barrier.

        An estimate of weights for items of length 1 is the estimate for longer ones times their
        length: queries keep their length here, and the weights carry the scale.
        """
        queries, theta = self.person.problem.queries, self.person.parameters.weights
        vectors = queries.all_vectors()
        weights = np.outer(self.scales, theta)
        told = choice_information(queries, 2 * barrier * weights)
        everything = np.ones((len(weights), queries.items.n_items), dtype=bool)
        weak = solve_many(queries, everything, query_weights=told, tolerance=_TOLERANCE)
        weak_shares = np.stack([design.dense() for design in weak])
        used = [self._transductive > 0, weak_shares.any(axis=0)]
        shares = [np.tile(self._transductive[used[0]], (len(weights), 1)), weak_shares[:, used[1]]]
        trans, weakly = (
            self._answers(vectors[mine], weights, barrier, own, rng)
            for mine, own in zip(used, shares, strict=True)
        )
        estimates = (
            ChoiceOnly().coefficients(trans),
            ChoiceOnly().coefficients(weakly),
            ChoiceDecisionTime().coefficients(trans),
        )
        features = self.person.problem.items.features
        best = int(np.argmax(features @ theta))
        return np.stack(
            [((own @ features.T).argmax(axis=-1) != best).sum(axis=-1) for own in estimates]
        )

    def _answers(
        self, vectors: Floats, weights: Floats, barrier: float, shares: Floats, rng: Any
    ) -> QuerySums:
        """Draw answers in all repeats, of shape (n_scales, n_repeats, n_queries), summed."""
        shape = (len(weights), self.n_repeats)
        n_answers = rng.multinomial(
            N_ANSWERS, shares[:, None, :] / shares.sum(axis=1)[:, None, None], size=shape
        )
        drift = np.broadcast_to((weights @ vectors.T)[:, None, :], n_answers.shape)
        cell = np.repeat(np.arange(n_answers.size), n_answers.ravel())
        choice, time = ddm.sample(drift.ravel()[cell], barrier, rng=rng)
        choice_sum, time_sum = (
            np.bincount(cell, column, n_answers.size).reshape(n_answers.shape)
            for column in (choice, time)
        )
        return QuerySums(vectors, n_answers.astype(np.float64), choice_sum, time_sum)
