"""What is believed from choices alone: Gaussian log-odds weights by assumed-density filtering.

An answer multiplies the belief about v = x'theta, N(m, s^2), by the logistic mu(c v). The product's
mean and variance, by quadrature, are those of the belief after it (Minka 2001); what the answer
added, tau x x' to the precision and nu x to the linear term, stays when the prior's scale changes.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tacit.errors import DataError
from tacit.learners._base import Floats, Ints
from tacit.learners._belief import inverse, is_due
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._matrices import apply

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
_LEAST_VARIANCE_SHARE = 1e-9
"""What an answer leaves of a variance at least, so that its precision stays finite."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ChoiceBelief:
    """Sums over what the answers of each run added, and the Gaussian law they imply.

    All arrays have a leading axis of runs.

    Attributes
    ----------
    gram : ndarray of shape (n_runs, n_features, n_features)
        Sum of tau x x'.
    shift : ndarray of shape (n_runs, n_features)
        Sum of nu x.
    guessed_variance, prior_variance : ndarray of shape (n_runs,)
        Variance of the log-odds weights: as the prior guesses, and as estimated.
    covariance : ndarray of shape (n_runs, n_features, n_features)
        Of the weights, given that estimate.
    n_answers, revised_at : ndarray of int64, shape (n_runs,)
        Number of answers, now and when the prior's scale was last estimated.
    """

    gram: Floats
    shift: Floats
    guessed_variance: Floats
    prior_variance: Floats
    covariance: Floats
    n_answers: Ints
    revised_at: Ints

    @classmethod
    def start(cls, n_runs: int, n_features: int, query_size: float, prior: BeliefPrior) -> Self:
        """Return the belief before the first answer; arguments as for `Belief`."""
        if prior.mean is not None or prior.covariance is not None:
            raise DataError(
                "a population's mean and covariance are of weights, which choices alone do not "
                "tell; leave them out of the prior"
            )
        variance = np.full(n_runs, (2 * prior.barrier * prior.drift_sd) ** 2 / query_size)
        none = np.zeros(n_runs, dtype=np.int64)
        return cls(
            gram=np.zeros((n_runs, n_features, n_features)),
            shift=np.zeros((n_runs, n_features)),
            guessed_variance=variance,
            prior_variance=variance,
            covariance=variance[:, None, None] * np.eye(n_features),
            n_answers=none,
            revised_at=none,
        )

    @cached_property
    def mean(self) -> Floats:
        """Mean of the weights, shape (n_runs, n_features)."""
        return apply(self.covariance, self.shift)

    def take(self, runs: NDArray[Any]) -> Self:
        """Return the belief about some of the runs."""
        return replace(self, **{f.name: getattr(self, f.name)[runs] for f in fields(self)})

    def yields(self, log_odds: Floats) -> tuple[Floats, Floats]:
        """Return what an answer at these log-odds adds to the precision, and what it costs."""
        return expit(log_odds) * expit(-log_odds), np.ones_like(log_odds)

    def observe(
        self, x: Floats, choice: Floats, response_time: Floats, prior: BeliefPrior
    ) -> "ChoiceBelief":
        """Return the belief after one answer in every run; times are not used."""
        del response_time
        projected = apply(self.covariance, x)
        variance = np.einsum("ri,ri->r", projected, x)
        mean = np.einsum("ri,ri->r", x, self.mean)
        told = variance > 0
        precision, linear = _added(mean, np.where(told, variance, 1.0), choice)
        precision, linear = np.where(told, precision, 0.0), np.where(told, linear, 0.0)
        outer = projected[:, :, None] * projected[:, None, :]
        shrink = precision / (1 + precision * variance)
        moved = replace(
            self,
            gram=self.gram + precision[:, None, None] * (x[:, :, None] * x[:, None, :]),
            shift=self.shift + linear[:, None] * x,
            covariance=self.covariance - shrink[:, None, None] * outer,
            n_answers=self.n_answers + 1,
        )
        due = is_due(moved.n_answers, self.revised_at)
        return _revised(moved, due, prior) if due.any() else moved


def _revised(belief: ChoiceBelief, due: NDArray[np.bool_], prior: BeliefPrior) -> ChoiceBelief:
    """Return the belief with the scale of the prior revised where that is due."""
    square_sum = np.einsum("ri,ri->r", belief.mean, belief.mean)
    square_sum += np.einsum("rii->r", belief.covariance)
    n_features = belief.shift.shape[1]
    revised = prior.variance_after(belief.guessed_variance, square_sum, n_features)
    variance = np.where(due, revised, belief.prior_variance)
    fresh = inverse(belief.gram, np.eye(n_features)[None], variance)
    return replace(
        belief,
        prior_variance=variance,
        covariance=np.where(due[:, None, None], fresh, belief.covariance),
        revised_at=np.where(due, belief.n_answers, belief.revised_at),
    )


def _added(mean: Floats, variance: Floats, choice: Floats) -> tuple[Floats, Floats]:
    """Return precision tau and linear term nu that a choice adds to N(mean, variance)."""
    sd = np.sqrt(variance)
    log_odds = mean[:, None] + sd[:, None] * _NODES
    weight = _WEIGHTS * expit(choice[:, None] * log_odds)
    total = weight.sum(axis=1)
    step = weight @ _NODES / total
    left = weight @ _NODES**2 / total - step**2
    left = np.clip(left, _LEAST_VARIANCE_SHARE, 1.0)
    precision = (1 / left - 1) / variance
    linear = (mean + sd * step) / (left * variance) - mean / variance
    return precision, linear
