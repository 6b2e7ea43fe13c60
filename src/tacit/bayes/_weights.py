"""The law of the weights given barrier, non-decision time and start."""

from dataclasses import dataclass

import numpy as np

from tacit.bayes import _truncated
from tacit.bayes._arrays import Floats
from tacit.bayes.priors import FlatPrior, Prior
from tacit.ddm import ConditionalWeights, TimedLikelihood

_NEGLIGIBLE = 1e-4
"""Probability outside of the box below which a sum of weights is normal for all purposes."""


@dataclass(frozen=True, eq=False)
class BoxedWeights:
    """Independent normal coordinates of the weights, cut by the prior's box where it applies.

    Attributes
    ----------
    conditional : ConditionalWeights
        The law without the box.
    low, high : ndarray of shape (rank,)
        The box in coordinates of the basis; infinite where weights are unbounded.
    """

    conditional: ConditionalWeights
    low: Floats
    high: Floats

    @classmethod
    def of(cls, likelihood: TimedLikelihood, prior: Prior) -> "BoxedWeights":
        """Apply a prior's box if no query shows more than one weight.

        Other queries may happen to leave the weights independent, when times are balanced, but
        would not without one of the trials.
        """
        conditional = likelihood.conditional
        rank = conditional.basis.shape[1]
        alone = all(
            (np.count_nonzero(rows, axis=1) <= 1).all()
            for rows in (likelihood.vectors, conditional.basis.T)
        )
        if not (isinstance(prior, FlatPrior) and alone):
            return cls(conditional, np.full(rank, -np.inf), np.full(rank, np.inf))
        ends = np.array(prior.weights)[:, None] / conditional.basis.sum(axis=0)
        return cls(conditional, ends.min(axis=0), ends.max(axis=0))

    @property
    def boxed(self) -> bool:
        """Whether the box is applied exactly."""
        return len(self.low) > 0 and bool(np.isfinite(self.low).all())

    def normal(self, points: Floats) -> tuple[Floats, Floats]:
        """Return means and sds without the box, (n_points, rank), at barrier, t0 and share."""
        barrier, nondecision_time, share = points.T
        linear, precision = self.conditional.in_basis(barrier, nondecision_time, share * barrier)
        return linear / precision, 1 / np.sqrt(precision)

    def log_mass(self, points: Floats) -> Floats:
        """Return the log-probability of the box at each point."""
        if not self.boxed:
            return np.zeros(len(points))
        log_mass = _truncated.log_mass(*self.normal(points), self.low, self.high)
        return np.asarray(log_mass.sum(axis=1))

    def moments(self, points: Floats) -> tuple[Floats, Floats]:
        """Return means and variances in the basis, both (n_points, rank)."""
        mean, sd = self.normal(points)
        if not self.boxed:
            return mean, sd * sd
        return _truncated.moments(mean, sd, self.low, self.high)

    def along(self, loadings: Floats, points: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return normal laws of linear functions at each point, and the ends that cut them.

        A sum of several weights that the box cuts is no normal variable; it is taken for one with
        the same mean and variance.

        Returns
        -------
        mean, sd : ndarray of shape (n_points, n_functions)
            Before they are cut.
        low, high : ndarray of shape (n_functions,)
            Infinite where the function depends on several weights.
        """
        low, high = self.ends(loadings)
        mean, variance = self.moments(points)
        centre, spread = mean @ loadings.T, variance @ (loadings * loadings).T
        single = np.isfinite(low)
        if single.any():
            mean, sd = self.normal(points)
            centre[:, single] = mean @ loadings[single].T
            spread[:, single] = (sd * sd) @ (loadings[single] ** 2).T
        return centre, np.sqrt(spread), low, high

    def ends(self, loadings: Floats) -> tuple[Floats, Floats]:
        """Return the box of functions that depend on one coordinate, infinite for others."""
        low, high = np.full(len(loadings), -np.inf), np.full(len(loadings), np.inf)
        if self.boxed:
            single = np.flatnonzero(np.count_nonzero(loadings, axis=1) == 1)
            at = np.abs(loadings[single]).argmax(axis=1)
            ends = np.stack([self.low[at], self.high[at]]) * loadings[single, at]
            low[single], high[single] = ends.min(axis=0), ends.max(axis=0)
        return low, high

    def cuts(self, points: Floats, probability: Floats) -> bool:
        """Return whether the box cuts off more than sums of weights may ignore."""
        outside = -np.expm1(self.log_mass(points))
        return self.boxed and float(probability @ outside) > _NEGLIGIBLE

    def draw(self, points: Floats, normal: Floats) -> Floats:
        """Return weights, one vector per point, from standard normal draws (n_points, rank)."""
        mean, sd = self.normal(points)
        coordinates = _truncated.draw(mean, sd, self.low, self.high, normal)
        return np.asarray(coordinates @ self.conditional.basis.T)
