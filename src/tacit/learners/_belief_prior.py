"""What is believed about a person before the first answer."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm import MIXTURE_SCALES, WeightsMixture
from tacit.errors import DataError
from tacit.learners._base import Floats
from tacit.learners._matrices import symmetric_inverse

if TYPE_CHECKING:
    from tacit.bayes import Population

_ROUNDING = 1e-6
"""What shares may miss of adding up to 1."""


@dataclass(frozen=True, kw_only=True)
class BeliefPrior:
    """What is believed before the first answer, and for how many answers that counts.

    Attributes
    ----------
    drift_sd : float
        Guess of the standard deviation, over queries, of the utility difference.
    drift_weight : float
        Number of weights that it counts for.
    barrier : float
        Guess of the barrier.
    barrier_weight : float
        Number of answers that it counts for.
    nondecision_time : float
        Guess of the non-decision time before the first answer, seconds.
    fastest_share : float
        Non-decision time as a share of the fastest answer, in (0, 1).
    mean : array_like of shape (n_features,), optional
        Mean of the weights in a population that people come from, such as
        `tacit.bayes.Population.mean()`; 0 when absent.
    covariance : array_like of shape (n_features, n_features), optional
        Covariance of the weights in the population, positive definite; its scale, 1 at first, is
        learned for each person. Independent weights of `drift_sd` when absent.
    shares : array_like of shape (2, n_scales), optional
        How probable it is that the person is like the population or not, at each scale, as in
        `tacit.ddm.WeightsMixture`; the person's answers then tell mean, covariance and scale.
    """

    drift_sd: float = 3.0
    drift_weight: float = 2.0
    barrier: float = 1.2
    barrier_weight: float = 6.0
    nondecision_time: float = 0.35
    fastest_share: float = 0.85
    mean: ArrayLike | None = None
    covariance: ArrayLike | None = None
    shares: ArrayLike | None = None

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name not in {"mean", "covariance", "shares"} and not 0 < value < np.inf:
                raise DataError(f"`{f.name}` must be a positive number, got {value}")
        if self.fastest_share >= 1:
            raise DataError(f"`fastest_share` must be below 1, got {self.fastest_share}")
        # As tuples they compare by value, as the rest of a configuration does.
        if self.mean is not None:
            object.__setattr__(self, "mean", tuple(map(float, np.asarray(self.mean))))
        for name in ("covariance", "shares"):
            if getattr(self, name) is not None:
                rows = np.asarray(getattr(self, name), dtype=np.float64).tolist()
                object.__setattr__(self, name, tuple(map(tuple, rows)))
        if self.shares is not None:
            if self.mean is None or self.covariance is None:
                raise DataError("the prior's `shares` need `mean` and `covariance` of a population")
            _check_shares(np.array(self.shares))

    @classmethod
    def of(cls, population: "Population", covariates: ArrayLike | None = None) -> Self:
        """Return what is believed about somebody who comes from a population.

        Parameters
        ----------
        population : Population
            Learned from other people.
        covariates : array_like of shape (n_covariates,), optional
            Of this person, where the population has covariates.
        """
        kinds = population.mixture(covariates)
        return cls(
            mean=kinds.mean,
            covariance=kinds.covariance,
            shares=kinds.shares,
            barrier=population.barrier,
            nondecision_time=population.nondecision_time,
        )

    def weights(self, n_features: int, query_size: float) -> tuple[Floats, Floats, float]:
        """Return mean and precision of the weights up to a scale, and the guess of that scale."""
        d = n_features
        mean = np.zeros(d) if self.mean is None else np.array(self.mean, dtype=np.float64)
        if mean.shape != (d,) or not np.isfinite(mean).all():
            raise DataError(f"the prior's `mean` must hold {d} weights, got {mean}")
        if self.covariance is None:
            return mean, np.eye(d), self.drift_sd**2 / query_size
        covariance = np.array(self.covariance, dtype=np.float64)
        if covariance.shape != (d, d) or not np.linalg.eigvalsh(covariance)[0] > 0:
            raise DataError(
                f"the prior's `covariance` must be positive definite of shape ({d}, {d}), got "
                f"shape {covariance.shape}"
            )
        if self.kinds is not None:
            matched, spread = self.kinds.matched()
            mean, covariance = matched[0], spread[0]
        return mean, symmetric_inverse(covariance), 1.0

    @cached_property
    def kinds(self) -> WeightsMixture | None:
        """The kinds of people that the person may be of; None where there is only one."""
        if self.shares is None:
            return None
        return WeightsMixture(*map(np.array, (self.mean, self.covariance, self.shares)))

    def nondecision_time_after(self, fastest: Floats) -> Floats:
        """Return the estimate once the fastest answer is known; the guess before any."""
        return np.where(np.isinf(fastest), self.nondecision_time, self.fastest_share * fastest)

    def barrier_after(self, time_sum: Floats, residual_sum: Floats) -> Floats:
        """Return the barrier that the second Wald identity and the guess agree on."""
        weight = self.barrier_weight
        return np.sqrt((time_sum + weight * self.barrier**2) / (residual_sum + weight))

    def variance_after(self, guess: Floats, expected_square_sum: Floats, n: int) -> Floats:
        """Return the variance of `n` weights after one step of expectation-maximisation."""
        total = expected_square_sum + self.drift_weight * guess
        return np.asarray(total / (n + self.drift_weight))


def _check_shares(shares: Floats) -> None:
    if shares.shape != (2, len(MIXTURE_SCALES)) or not (shares >= 0).all():
        raise DataError(
            f"the prior's `shares` must hold two rows of {len(MIXTURE_SCALES)} probabilities, got "
            f"{shares.tolist()}"
        )
    if not abs(shares.sum() - 1) <= _ROUNDING:
        raise DataError(f"the prior's `shares` must add up to 1, got {shares.sum():g}")
