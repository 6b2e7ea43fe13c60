"""People as the search for their population takes them, barriers included."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._population_em import Fit, PeopleData, Posteriors, fit_population, posteriors_of
from tacit.ddm import PeopleStatistics
from tacit.errors import DataError

_RIDGE = 1.0
_BARRIER_ROUNDS = 8
_ROUGH_ROUNDS = 30
_BARRIER_WEIGHT = 6.0
"""Answers that the pooled barrier counts for in a person's own."""


class People(NamedTuple):
    """Everything about people that a population is learned from.

    Attributes
    ----------
    statistics : PeopleStatistics
        Sums of their answers.
    nondecision_time : ndarray of shape (n_people,)
        Seconds.
    barrier : ndarray of shape (n_people,)
        Evidence units; where it is not known, what each person's answers say by themselves.
    barrier_known : bool
        Whether the search leaves the barriers as they are.
    covariates : ndarray of shape (n_people, n_covariates)
        What the mean may depend on.
    """

    statistics: PeopleStatistics
    nondecision_time: Floats
    barrier: Floats
    barrier_known: bool
    covariates: Floats

    def take(self, people: NDArray[np.int64]) -> Self:
        """Return some of the people."""
        return self._replace(
            statistics=self.statistics.take(people),
            nondecision_time=self.nondecision_time[people],
            barrier=self.barrier[people],
            covariates=self.covariates[people],
        )

    def data(self) -> PeopleData:
        """Return the sums in units of the weights, and what the mean depends on."""
        return people_data(self.statistics, self.nondecision_time, self.barrier, self.covariates)

    def with_barriers(self, population: Fit) -> Self:
        """Return the people with barriers that fit weights from a population."""
        if self.barrier_known:
            return self
        found = posteriors_of(self.data(), population.coefficients, population.covariance)
        return self._replace(barrier=_barriers(self, found))


def search(
    people: People, *, rank: int | None, shrinkage: float, n_rounds: int, tolerance: float
) -> tuple[Fit, Floats]:
    """Return the population of greatest evidence, and everybody's barrier."""
    for _ in range(0 if people.barrier_known else _BARRIER_ROUNDS):
        rough = fit_population(
            people.data(),
            rank=rank,
            shrinkage=shrinkage,
            n_rounds=_ROUGH_ROUNDS,
            tolerance=tolerance,
        )
        people = people.with_barriers(rough)
    found = fit_population(
        people.data(), rank=rank, shrinkage=shrinkage, n_rounds=n_rounds, tolerance=tolerance
    )
    return found, people.barrier


def first_barriers(statistics: PeopleStatistics, t0: Floats) -> Floats:
    """Return everybody's barrier by itself, the median where the answers leave it open."""
    barrier = statistics.estimate(t0, ridge=_RIDGE).barrier
    known = np.isfinite(barrier)
    if not known.any():
        raise DataError("nobody's answers determine a barrier; give `barrier`")
    return np.where(known, barrier, np.median(barrier[known]))


def _barriers(people: People, found: Posteriors) -> Floats:
    """Return everybody's barrier, given what is known of the weights.

    That the weights are uncertain lowers the sum of times by sum t^2 x'C x: fitted weights would
    leave too little to explain, and barriers too high.
    """
    sums = people.statistics.residuals(
        found.mean / people.barrier[:, None], people.nondecision_time, people.barrier
    )
    time = sums.time - np.einsum("nij,nij->n", found.covariance, sums.squared_time_gram)
    pooled = max(float(time.sum() / sums.square.sum()), 1e-6)
    squared = (np.clip(time, 0, None) + _BARRIER_WEIGHT * pooled) / (sums.square + _BARRIER_WEIGHT)
    return np.asarray(np.sqrt(squared))


def people_data(
    statistics: PeopleStatistics,
    nondecision_time: ArrayLike,
    barrier: ArrayLike,
    covariates: ArrayLike | None,
) -> PeopleData:
    """Return people's sums in units of the weights, and what the mean depends on."""
    n = statistics.n_people
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), (n,))
    a = np.broadcast_to(as_floats("barrier", barrier), (n,))
    if not (np.isfinite(a).all() and (a > 0).all()):
        raise DataError("`barrier` must be a positive number for each person")
    given = np.empty((n, 0)) if covariates is None else as_floats("covariates", covariates)
    if given.ndim != 2 or len(given) != n or not np.isfinite(given).all():
        raise DataError(f"`covariates` must be finite, one row for each of {n} people")
    return PeopleData(
        statistics.information(t0, a),
        a[:, None] * statistics.choice_sum,
        np.column_stack([np.ones(n), given]),
    )
