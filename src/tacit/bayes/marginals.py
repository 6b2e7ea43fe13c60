"""One-dimensional summaries of a posterior, exact mixtures over the nodes of its quadrature."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, sici

from tacit.bayes import _truncated
from tacit.bayes._arrays import Floats
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Lattice
from tacit.bayes._weights import BoxedWeights
from tacit.errors import DataError

_BISECTIONS = 45

_CELLS = 1 << 18
"""Bound on the size of tables of values by nodes by functions held in memory."""


@dataclass(frozen=True, eq=False, repr=False)
class Marginal:
    """The posterior of the barrier, the non-decision time or the start.

    Between the nodes the density is their band-limited interpolation, as exact as the quadrature.

    Attributes
    ----------
    mean, sd : float
        Posterior mean and standard deviation, in the variable's own unit.

    Examples
    --------
    >>> from tacit import bayes
    >>> posterior = bayes.fit([[1.0], [1.0], [1.0], [1.0]], [1, 1, -1, 1], [0.9, 0.7, 1.1, 0.8])
    >>> low, high = posterior.barrier.interval(0.9)
    >>> print(posterior.barrier.cdf([low, high]).round(6))
    [0.05 0.95]
    """

    _box: Coordinates
    _lattice: Lattice
    _variable: int

    @cached_property
    def mean(self) -> float:
        """Posterior mean."""
        return float(self._lattice.probability @ self._values)

    @cached_property
    def sd(self) -> float:
        """Posterior standard deviation; 0 for a known value."""
        return float(np.sqrt(self._lattice.probability @ (self._values - self.mean) ** 2))

    @property
    def known(self) -> bool:
        """Whether the value was given by the prior."""
        return self._variable not in self._box.free

    def __repr__(self) -> str:
        return f"Marginal(mean={self.mean:.4g}, sd={self.sd:.3g})"

    def cdf(self, value: ArrayLike) -> Floats:
        """Return the posterior probability of at most `value`.

        Parameters
        ----------
        value : array_like
            In the variable's own unit, any number.

        Returns
        -------
        ndarray
            Probability in [0, 1], in the shape of `value`.
        """
        at = np.asarray(value, dtype=np.float64)
        if self.known:
            return np.asarray((at >= self.mean).astype(np.float64))
        return self._line_cdf(self._box.line(self._variable, at))

    def density(self, value: ArrayLike) -> Floats:
        """Return the posterior density at `value`.

        Parameters
        ----------
        value : array_like
            In the variable's own unit, inside the prior's range.

        Returns
        -------
        ndarray
            Density per unit of the variable, in the shape of `value`; 0 outside of the range.
        """
        if self.known:
            raise DataError("a value that the prior takes as known has no density")
        at = np.asarray(value, dtype=np.float64)
        low, high = self._box.low[self._variable], self._box.high[self._variable]
        inside = (low < at) & (at < high)
        w = self._box.line(self._variable, np.where(inside, at, (low + high) / 2))
        nodes, step = self._line
        on_line = np.sinc((w[..., None] - nodes) / step) @ self._lattice.probability / step
        slope = (high - low) * expit(w) * expit(-w)
        return np.asarray(np.where(inside, np.maximum(on_line, 0.0) / slope, 0.0))

    def quantile(self, probability: ArrayLike) -> Floats:
        """Return the value that is exceeded with probability 1 - `probability`.

        Parameters
        ----------
        probability : array_like
            Strictly between 0 and 1.

        Returns
        -------
        ndarray
            In the variable's own unit, in the shape of `probability`.
        """
        p = as_probability(probability)
        if self.known:
            return np.full(p.shape, self.mean)
        nodes, step = self._line
        low, high = np.full(p.shape, nodes.min() - step), np.full(p.shape, nodes.max() + step)
        w = invert(self._line_cdf, p, low, high)
        k = self._variable
        return np.asarray(self._box.low[k] + (self._box.high[k] - self._box.low[k]) * expit(w))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the equal-tailed credible interval.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside, strictly between 0 and 1.

        Returns
        -------
        tuple of two floats
            Lower and upper end.
        """
        low, high = self.quantile(tails(level))
        return float(low), float(high)

    @cached_property
    def _values(self) -> Floats:
        return self._box.points(self._lattice.points)[:, self._variable]

    @cached_property
    def _line(self) -> tuple[Floats, float]:
        """Return the nodes on the unbounded line and their step.

        The axes are lower triangular: along axis k, variable k moves and those before it do not.
        """
        k = self._box.free.index(self._variable)
        return self._lattice.points[:, k], float(self._lattice.axes[k, k])

    def _line_cdf(self, w: Floats) -> Floats:
        nodes, step = self._line
        share = 0.5 + sici(np.pi * (w[..., None] - nodes) / step)[0] / np.pi
        below = np.clip(share @ self._lattice.probability, 0.0, 1.0)
        # At the ends, rounding of the sum must not leave or take a rest.
        return np.asarray(np.where(np.isinf(w), w > 0, below))


@dataclass(frozen=True, eq=False, repr=False)
class LinearMarginals:
    """The posterior of linear functions of the weights: the weights themselves, or utilities.

    Means, sds and covariance are exact, and so are probabilities, except for sums of several
    weights of which a flat prior's range cuts one: such a sum is taken for normal at each node.

    Attributes
    ----------
    mean, sd : ndarray of shape (n_functions,)
        Posterior means and standard deviations.
    covariance : ndarray of shape (n_functions, n_functions)
        Posterior covariance.

    Examples
    --------
    >>> from tacit import bayes
    >>> X = [[1, 0], [0, 1], [1, 0], [0, 1], [1, 1], [1, -1]]
    >>> posterior = bayes.fit(X, [1, -1, 1, 1, 1, 1], [0.9, 1.7, 1.1, 1.8, 0.9, 0.7])
    >>> print(posterior.weights.mean.round(2))
    [ 3.58 -0.22]
    >>> print(posterior.utilities([[1, 1], [1, -1]]).mean.round(2))
    [3.36 3.81]
    """

    _features: Floats
    _weights: BoxedWeights
    _points: Floats
    _probability: Floats

    @cached_property
    def mean(self) -> Floats:
        """Posterior means."""
        return np.asarray(self._loadings @ (self._probability @ self._moments[0]))

    @cached_property
    def sd(self) -> Floats:
        """Posterior standard deviations."""
        half = self._loadings @ np.linalg.cholesky(self._coordinate_covariance)
        return np.asarray(np.sqrt((half * half).sum(axis=1)))

    @cached_property
    def covariance(self) -> Floats:
        """Posterior covariance."""
        half = self._loadings @ np.linalg.cholesky(self._coordinate_covariance)
        return np.asarray(half @ half.T)

    def __repr__(self) -> str:
        mean, sd = (np.array2string(v, precision=3, threshold=8) for v in (self.mean, self.sd))
        return f"LinearMarginals(mean={mean}, sd={sd})"

    def cdf(self, value: ArrayLike) -> Floats:
        """Return the posterior probability of at most `value`.

        Parameters
        ----------
        value : array_like
            One value for each function, or values broadcast against (n_functions,).

        Returns
        -------
        ndarray of shape (..., n_functions)
            Probability in [0, 1].
        """
        at = np.asarray(value, dtype=np.float64)
        shape = np.broadcast_shapes(at.shape, (len(self._features),))
        rows = np.broadcast_to(at, shape).reshape(-1, len(self._features))
        laws = self._weights.along(self._loadings, self._points)
        at_once = max(1, _CELLS // laws[0].size)
        found = np.empty(rows.shape)
        for first in range(0, len(rows), at_once):
            piece = slice(first, first + at_once)
            found[piece] = self._probability @ _truncated.cdf(rows[piece, None], *laws)
        return np.asarray(np.minimum(found, 1.0)).reshape(shape)

    def quantile(self, probability: ArrayLike) -> Floats:
        """Return the value that is exceeded with probability 1 - `probability`.

        Parameters
        ----------
        probability : array_like
            Strictly between 0 and 1.

        Returns
        -------
        ndarray of shape (..., n_functions)
            One row of values for each probability.
        """
        p = as_probability(probability)[..., None]
        # Cantelli's inequality brackets every quantile.
        low = self.mean - self.sd * np.sqrt((1 - p) / p)
        high = self.mean + self.sd * np.sqrt(p / (1 - p))
        return invert(self.cdf, np.broadcast_to(p, low.shape), low, high)

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Return the equal-tailed credible intervals.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside, strictly between 0 and 1.

        Returns
        -------
        tuple of two ndarrays of shape (n_functions,)
            Lower and upper ends.
        """
        low, high = self.quantile(tails(level))
        return low, high

    @cached_property
    def _loadings(self) -> Floats:
        return np.asarray(self._features @ self._weights.conditional.basis)

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        return self._weights.moments(self._points)

    @cached_property
    def _coordinate_covariance(self) -> Floats:
        mean, variance = self._moments
        offset = mean - self._probability @ mean
        within = np.diag(self._probability @ variance)
        return np.asarray((self._probability * offset.T) @ offset + within)


def as_probability(probability: ArrayLike) -> Floats:
    """Return probabilities as floats; they must lie strictly between 0 and 1."""
    p = np.asarray(probability, dtype=np.float64)
    if not ((p > 0) & (p < 1)).all():
        raise DataError(f"a probability must lie strictly between 0 and 1, got {p}")
    return p


def tails(level: float) -> Floats:
    """Return the probabilities below the two ends of an equal-tailed interval."""
    p = as_probability(level)
    return np.array([(1 - p) / 2, (1 + p) / 2])


def invert(
    cdf: Callable[[Floats], Floats], probability: Floats, low: Floats, high: Floats
) -> Floats:
    """Return where an increasing function reaches `probability`, by bisection from a bracket."""
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        below = cdf(middle) < probability
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)
