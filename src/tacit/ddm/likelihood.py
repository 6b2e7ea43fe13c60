r"""The exact log-likelihood of timed choices, with the weights maximised or integrated out.

Given barrier a, non-decision time t0 and start b, the log-likelihood in the weights theta is

    sum_i log f0(RT_i - t0; a, b) + theta'(sum_i (a c_i - b) x_i) - theta'V(t0) theta / 2,

V(t0) = sum RT x x' - t0 sum x x'. A Gaussian prior N(m, L^-1) adds L to V and L m to the linear
term. One generalised eigendecomposition of sum x x' against B = sum RT x x' + L gives a basis W
with W'BW = I and W'(sum x x')W = diag(g); then V(t0) + L = W^-T diag(1 - t0 g) W^-1 for every t0,
and maximum, integral, mean and covariance over theta cost O(n_features) per (a, t0, b).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm._blocks import blockwise
from tacit.ddm._checks import Floats, check_timed_choices
from tacit.ddm._linear import decompose
from tacit.ddm.density import log_scaled_density, log_scaled_density_biased
from tacit.errors import DataError

_MAX_TIMES_AT_ONCE = 1 << 17
"""Bound on the size of the (points, trials) table of densities held in memory."""


class WeightsPrior(NamedTuple):
    """A Gaussian prior over the weights.

    Attributes
    ----------
    mean : ndarray of shape (n_features,)
        Mean of the weights.
    precision : ndarray of shape (n_features, n_features)
        Inverse covariance, positive definite.
    """

    mean: Floats
    precision: Floats


class ConditionalWeights(NamedTuple):
    """The Gaussian law of the weights given barrier, non-decision time and start.

    In coordinates of `basis` the weights are independent, with precisions 1 - t0 rates and
    linear terms (a, -b, 1) @ linear at barrier a, non-decision time t0 and start b.

    Attributes
    ----------
    basis : ndarray of shape (n_features, rank)
        One direction of the weights in each column.
    rates : ndarray of shape (rank,)
        How fast the precision along each direction falls with the non-decision time, per second.
    linear : ndarray of shape (3, rank)
        Linear terms that go with the barrier, with minus the start, and with the prior.
    """

    basis: Floats
    rates: Floats
    linear: Floats

    def in_basis(
        self, barrier: Floats, nondecision_time: Floats, start: Floats
    ) -> tuple[Floats, Floats]:
        """Return linear terms and precisions at each point, both of shape (n_points, rank)."""
        points = np.stack([barrier, -start, np.ones_like(barrier)], axis=1)
        return points @ self.linear, 1 - nondecision_time[:, None] * self.rates


class TimedLikelihood:
    """The log-likelihood of one person's timed choices as a function of all but the weights.

    Parameters
    ----------
    X : array_like of shape (n_trials, n_features)
        Query vectors, first option minus second.
    choice : array_like of shape (n_trials,)
        +1 (first) or -1 (second).
    response_time : array_like of shape (n_trials,)
        Seconds, positive.
    sample_weight : array_like of shape (n_trials,), optional
        Non-negative weight of each trial's log-likelihood; 1 by default.
    prior : WeightsPrior, optional
        Gaussian prior over the weights; flat by default.

    Attributes
    ----------
    vectors, choice, response_time, sample_weight : ndarray
        The trials of positive weight; `sample_weight` is None if all weigh the same.
    n_trials, n_features : int
        Numbers of trials and of weights.
    rank : int
        Dimension of the weights that the data (and the prior) determine. Where it is below
        n_features, the weights stay 0 along the undetermined directions.
    weight_sum : float
        Sum of the trials' weights.
    fastest : float
        The smallest response time of positive weight, the upper limit of the non-decision time.
    conditional : ConditionalWeights
        The law of the weights given everything else.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(500, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.0, -0.5], barrier=1.2, nondecision_time=0.3, rng=rng
    ... )
    >>> likelihood = ddm.TimedLikelihood(X, choice, response_time)
    >>> print(likelihood.mean_weights(1.2, 0.3).round(2))
    [[ 1.04 -0.47]]
    >>> print(likelihood.log_profile([1.2, 0.6], [0.3, 0.3]).round(1))
    [ -604.8 -1302.5]
    """

    def __init__(
        self,
        X: ArrayLike,
        choice: ArrayLike,
        response_time: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        prior: WeightsPrior | None = None,
    ) -> None:
        vectors, c, rt, w = check_timed_choices(X, choice, response_time, sample_weight)
        used = slice(None) if w is None else w > 0
        if len(c[used]) == 0:
            raise DataError("a likelihood needs at least one trial, got none")
        self.choice, self.response_time = c[used], rt[used]
        self.sample_weight = None if w is None else w[used]
        self.prior = prior
        self.vectors = vectors[used]
        self.n_trials, self.n_features = self.vectors.shape
        self.weight_sum = float(
            self.n_trials if self.sample_weight is None else self.sample_weight.sum()
        )
        self.fastest = float(self.response_time.min())
        self._decompose()

    def _decompose(self) -> None:
        vectors, w = self.vectors, self.sample_weight
        weighted = vectors if w is None else vectors * w[:, None]
        base = vectors.T @ (weighted * self.response_time[:, None])
        gram = vectors.T @ weighted
        if self.prior is not None:
            base = base + self.prior.precision
        decomposition = decompose(base)
        whitener = decomposition.whitener()
        self.rank, self._log_det_base = len(decomposition.size), decomposition.log_det
        rates, rotation = np.linalg.eigh(whitener.T @ gram @ whitener)
        basis = whitener @ rotation
        linear = np.stack([self.choice @ weighted, weighted.sum(axis=0), 0 * gram[0]])
        self._prior_constant = 0.0
        if self.prior is not None:
            linear[2] = self.prior.precision @ self.prior.mean
            log_det = np.linalg.slogdet(self.prior.precision)[1]
            self._prior_constant = float(0.5 * log_det - 0.5 * linear[2] @ self.prior.mean)
        self.conditional = ConditionalWeights(basis, np.clip(rates, 0.0, None), linear @ basis)

    def log_times(
        self, barrier: ArrayLike, nondecision_time: ArrayLike, start: ArrayLike = 0.0
    ) -> Floats:
        """Return sum_i log f0(RT_i - t0; a, b) at each point.

        Parameters
        ----------
        barrier, nondecision_time, start : array_like
            Points, broadcast to one dimension; evidence units, seconds, evidence units.

        Returns
        -------
        ndarray of shape (n_points,)
            ``-inf`` where a response time does not exceed the non-decision time.
        """
        a, t0, b = _points(barrier, nondecision_time, start)
        biased = bool(np.any(b))
        total = np.empty(a.shape)
        at_once = max(1, _MAX_TIMES_AT_ONCE // self.n_trials)
        for first in range(0, len(a), at_once):
            rows = slice(first, first + at_once)
            scaled_time = (self.response_time - t0[rows, None]) / (a * a)[rows, None]
            if biased:
                distance = 1 - self.choice * (b / a)[rows, None]
                log_f0 = blockwise(log_scaled_density_biased, scaled_time, distance)
            else:
                log_f0 = blockwise(log_scaled_density, scaled_time)
            total[rows] = (
                log_f0.sum(axis=1) if self.sample_weight is None else log_f0 @ self.sample_weight
            )
        total -= 2 * self.weight_sum * np.log(a)
        return total

    def log_profile(
        self, barrier: ArrayLike, nondecision_time: ArrayLike, start: ArrayLike = 0.0
    ) -> Floats:
        """Return the log-likelihood (plus log-prior, up to a constant) maximised over the weights.

        Parameters and result as in `log_times`.
        """
        return self._log_profile(*_points(barrier, nondecision_time, start))[0]

    def _log_profile(self, a: Floats, t0: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the profile, and the precisions in the basis, at points of one dimension."""
        linear, precision = self.conditional.in_basis(a, t0, b)
        # Decision times below 0 can make it negative; they are impossible whatever it is.
        precision = np.where(precision > 0, precision, 1.0)
        quadratic = 0.5 * (linear * linear / precision).sum(axis=1)
        return self.log_times(a, t0, b) + quadratic + self._prior_constant, precision

    def log_integral(
        self, barrier: ArrayLike, nondecision_time: ArrayLike, start: ArrayLike = 0.0
    ) -> Floats:
        """Return the log of the likelihood integrated over the weights.

        With a prior the integral is against its normalised density, without one against Lebesgue
        measure on the determined directions. Parameters and result as in `log_times`.
        """
        log_maximum, precision = self._log_profile(*_points(barrier, nondecision_time, start))
        log_det = self._log_det_base + np.log(precision).sum(axis=1)
        flat = 0.5 * self.rank * np.log(2 * np.pi) if self.prior is None else 0.0
        return np.asarray(log_maximum - 0.5 * log_det + flat)

    def mean_weights(
        self, barrier: ArrayLike, nondecision_time: ArrayLike, start: ArrayLike = 0.0
    ) -> Floats:
        """Return the mean (and maximum) of the weights at each point, (n_points, n_features)."""
        linear, precision = self.conditional.in_basis(*_points(barrier, nondecision_time, start))
        return np.asarray((linear / precision) @ self.conditional.basis.T)


def _points(*coordinates: ArrayLike) -> tuple[Floats, Floats, Floats]:
    a, t0, b = np.broadcast_arrays(
        *(np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in coordinates)
    )
    return a, t0, b
