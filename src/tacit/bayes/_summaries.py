"""What the quadrature of one person says about barrier, times and weights."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Lattice
from tacit.bayes._weights import BoxedWeights
from tacit.bayes.marginals import LinearMarginals, Marginal
from tacit.bayes.priors import FlatPrior, Prior
from tacit.ddm import TimedLikelihood
from tacit.errors import DataError


@dataclass(frozen=True, eq=False, repr=False)
class Summaries:
    """The part of `Posterior` that follows from the nodes without further integration."""

    prior: Prior
    likelihood: TimedLikelihood
    box: Coordinates
    lattice: Lattice

    @cached_property
    def barrier(self) -> Marginal:
        """Posterior of the barrier."""
        return Marginal(self.box, self.lattice, 0)

    @cached_property
    def nondecision_time(self) -> Marginal:
        """Posterior of the non-decision time, seconds."""
        return Marginal(self.box, self.lattice, 1)

    @cached_property
    def start_share(self) -> Marginal:
        """Posterior of the start as a share of the barrier."""
        return Marginal(self.box, self.lattice, 2)

    @cached_property
    def weights(self) -> LinearMarginals:
        """Posterior of the weights."""
        return self.utilities(np.eye(self.n_features))

    @property
    def log_evidence(self) -> float:
        """Log marginal likelihood, for comparing models of the same data."""
        return self.lattice.log_integral

    @property
    def quadrature_error(self) -> float:
        """Bound on the error of the quadrature."""
        return self.lattice.error

    @property
    def n_features(self) -> int:
        """Number of weights."""
        return int(self.likelihood.n_features)

    @property
    def outside_prior(self) -> Floats:
        """Probability of each weight outside a flat prior's range, shape (n_features,).

        Above 0 only where the range cannot be applied exactly, see `FlatPrior`.
        """
        if self._weights.boxed or not isinstance(self.prior, FlatPrior):
            return np.zeros(self.n_features)
        low, high = self.prior.weights
        return 1 + self.weights.cdf(low) - self.weights.cdf(high)

    def utilities(self, features: ArrayLike) -> LinearMarginals:
        """Return the posterior of the utilities of items, or of utility differences of queries.

        Parameters
        ----------
        features : array_like of shape (n_items, n_features)
            One item, or query vector, per row.

        Returns
        -------
        LinearMarginals
            Means, sds, covariance and intervals.
        """
        rows = self._check_vectors("features", features)
        return LinearMarginals(rows, self._weights, self._points, self.lattice.probability)

    def summary(self, level: float = 0.95) -> dict[str, list[str] | Floats]:
        """Return one row per parameter, as columns.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside the credible intervals.

        Returns
        -------
        dict
            Columns ``parameter``, ``mean``, ``sd``, ``low`` and ``high``.
        """
        scalars = {"barrier": self.barrier, "nondecision_time": self.nondecision_time}
        if not self.start_share.known:
            scalars["start_share"] = self.start_share
        intervals = np.array([m.interval(level) for m in scalars.values()])
        low, high = self.weights.interval(level)
        return {
            "parameter": [*scalars, *(f"weight {k}" for k in range(self.n_features))],
            "mean": np.append([m.mean for m in scalars.values()], self.weights.mean),
            "sd": np.append([m.sd for m in scalars.values()], self.weights.sd),
            "low": np.append(intervals[:, 0], low),
            "high": np.append(intervals[:, 1], high),
        }

    def __repr__(self) -> str:
        return (
            f"Posterior(barrier={self.barrier.mean:.3g} +- {self.barrier.sd:.2g}, "
            f"nondecision_time={self.nondecision_time.mean:.3g} +- "
            f"{self.nondecision_time.sd:.2g} s, n_features={self.n_features})"
        )

    @cached_property
    def _weights(self) -> BoxedWeights:
        return BoxedWeights.of(self.likelihood, self.prior)

    @cached_property
    def _points(self) -> Floats:
        return self.box.points(self.lattice.points)

    def _check_vectors(self, name: str, vectors: ArrayLike) -> Floats:
        rows = as_floats(name, vectors)
        if rows.ndim != 2 or rows.shape[1] != self.n_features:
            raise DataError(
                f"`{name}` must hold rows of {self.n_features} features, got shape {rows.shape}"
            )
        if not np.isfinite(rows).all():
            row, column = np.argwhere(~np.isfinite(rows))[0]
            raise DataError(
                f"`{name}` must be finite, got {rows[row, column]} at row {row}, feature {column}"
            )
        return rows
