r"""How well a model predicts trials it has not seen: exact leave-one-out, and WAIC.

The likelihood of trial i to the power q, exp(q (kappa u - t u^2 / 2)) f0^q with kappa = a c - b,
has a closed-form expectation over a normal drift u ~ N(m, v):

    (1 + q t v)^{-1/2} exp((-q t m^2 / 2 + q kappa m + q^2 kappa^2 v / 2) / (1 + q t v)) f0^q.

With q = 1 this is the density of the trial given the node. With q = -1 it takes the trial out of
the posterior, so that the nodes give p(y_i | all others) without another fit, unless
taking the trial out moves the posterior off the lattice; then a new lattice is laid.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from tacit.bayes import _truncated
from tacit.bayes._arrays import Floats
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Lattice
from tacit.bayes._person import check_determined, integrate_person, likelihood_of
from tacit.bayes._weights import BoxedWeights
from tacit.bayes.priors import Prior
from tacit.ddm import TimedLikelihood, log_zero_drift_density
from tacit.errors import DataError

_CELLS = 1 << 20
"""Bound on the size of tables of nodes by trials held in memory."""

_TOLERANCE = 1e-3
"""Error bound from which a trial is taken out by a new quadrature."""

_TAIL = 1e-5
"""Nodes this far below the most probable one should not matter once a trial is out."""


@dataclass(frozen=True, eq=False)
class PredictiveScore:
    """An estimate of the log-density that the model gives to a new trial like these.

    Attributes
    ----------
    pointwise : ndarray of shape (n_trials,)
        Expected log predictive density of each trial, in log of 1/s.
    effective_parameters : float
        How much better the trials are predicted with themselves among the data.

    Examples
    --------
    >>> from tacit import bayes
    >>> X, choice = [[1.0], [1.0], [2.0], [2.0]], [1, 1, -1, 1]
    >>> score = bayes.fit(X, choice, [0.9, 0.7, 1.1, 0.8]).loo()
    >>> print(score)
    PredictiveScore(elpd=-5.89 +- 4.68, effective_parameters=4.8)
    """

    pointwise: Floats
    effective_parameters: float

    @property
    def elpd(self) -> float:
        """Sum over trials; compare models of the same trials by it, higher is better."""
        return float(self.pointwise.sum())

    @property
    def standard_error(self) -> float:
        """Standard error of the sum, from the spread over trials; NaN for a single trial."""
        n = len(self.pointwise)
        return float(np.sqrt(n) * self.pointwise.std(ddof=1)) if n > 1 else float("nan")

    def __repr__(self) -> str:
        return (
            f"PredictiveScore(elpd={self.elpd:.2f} +- {self.standard_error:.2f}, "
            f"effective_parameters={self.effective_parameters:.1f})"
        )


def leave_one_out(
    prior: Prior, likelihood: TimedLikelihood, box: Coordinates, lattice: Lattice
) -> PredictiveScore:
    """Return p(y_i | all other trials) for every trial, the prior's box left as it is."""
    if likelihood.n_trials < 2:
        raise DataError("leaving one trial out needs at least two trials")
    trials = _Trials(prior, likelihood, box, lattice)
    fitted = trials.log_fitted()
    low = lattice.probability < _TAIL * lattice.probability.max()
    even = lattice.index.sum(axis=1) % 2 == 0
    pointwise, unsure = np.empty(likelihood.n_trials), np.empty(likelihood.n_trials)
    for rows in trials.pieces():
        with np.errstate(divide="ignore", invalid="ignore"):
            without = trials.log_mean(rows, -1.0)
            total = logsumexp(without, axis=0)
            share = np.exp(without - total)
        pointwise[rows] = -total
        change = np.abs(2 * share[even].sum(axis=0) - 1)
        unsure[rows] = np.maximum(share[low].sum(axis=0), change)
    for trial in np.flatnonzero(~(unsure < _TOLERANCE)):
        pointwise[trial] = lattice.log_integral - trials.log_integral_without(int(trial))
    return PredictiveScore(pointwise, float((fitted - pointwise).sum()))


def widely_applicable(
    prior: Prior, likelihood: TimedLikelihood, box: Coordinates, lattice: Lattice
) -> PredictiveScore:
    """Return Watanabe's criterion, the fit of each trial minus the variance of its log-density."""
    trials = _Trials(prior, likelihood, box, lattice)
    penalty = np.empty(likelihood.n_trials)
    for rows in trials.pieces():
        mean, variance = trials.log_density_moments(rows)
        offset = mean - lattice.probability @ mean
        penalty[rows] = lattice.probability @ (variance + offset * offset)
    pointwise = trials.log_fitted() - penalty
    return PredictiveScore(pointwise, float(penalty.sum()))


class _Trials:
    """What each node says about each trial."""

    def __init__(
        self, prior: Prior, likelihood: TimedLikelihood, box: Coordinates, lattice: Lattice
    ) -> None:
        weight = likelihood.sample_weight
        if weight is not None and (odd := np.flatnonzero(weight != 1)).size:
            raise DataError(
                f"predictive scores need trials of weight 1 (or 0), got {weight[odd[0]]:g}; "
                "trials that count more or less than once cannot be left out once"
            )
        self.prior, self.likelihood, self.box, self.lattice = prior, likelihood, box, lattice
        self.weights = BoxedWeights.of(likelihood, prior)
        self.points = box.points(lattice.points)
        self.log_probability = np.log(lattice.probability)[:, None]
        self.loadings = likelihood.vectors @ likelihood.conditional.basis

    def pieces(self) -> Iterator[slice]:
        """Cut the trials into pieces whose tables fit in memory."""
        at_once = max(1, _CELLS // len(self.points))
        for first in range(0, self.likelihood.n_trials, at_once):
            yield slice(first, first + at_once)

    def log_integral_without(self, trial: int) -> float:
        """Return the log-evidence of all other trials, from a quadrature of their own."""
        trials, others = self.likelihood, np.arange(self.likelihood.n_trials) != trial
        columns = trials.vectors[others], trials.choice[others], trials.response_time[others]
        rest = likelihood_of(*columns, prior=self.prior)
        try:
            check_determined(rest, self.box, self.prior)
        except DataError as error:
            raise DataError(f"without trial {trial}: {error}") from error
        return integrate_person(rest, self.box, self.prior, _TOLERANCE).log_integral

    def log_fitted(self) -> Floats:
        """Return the log-density of each trial's repetition, given all trials."""
        result = np.empty(self.likelihood.n_trials)
        for rows in self.pieces():
            result[rows] = logsumexp(self.log_mean(rows, 1.0), axis=0)
        return result

    def log_mean(self, rows: slice, power: float) -> Floats:
        """Return log p(node) E[(density of trial)^power | node], shape (n_points, n_rows)."""
        t, kappa, log_f0 = self._density(rows)
        m, v = self._drift(rows, *self.weights.normal(self.points))
        # Taking out the only trial that informs a weight leaves no normal law behind.
        left = np.maximum(1 + power * t * v, 0.0)
        exponent = power * (kappa * m - 0.5 * t * m * m) + 0.5 * (power * kappa) ** 2 * v
        tilted = exponent / left - 0.5 * np.log(left) + power * log_f0
        if self.weights.boxed:
            after = ((m + power * kappa * v) / left, v / left)
            low, high = self.weights.ends(self.loadings[rows])
            for sign, (mean, variance) in ((1, after), (-1, (m, v))):
                tilted += sign * _truncated.log_mass(mean, np.sqrt(variance), low, high)
        return np.asarray(self.log_probability + tilted)

    def log_density_moments(self, rows: slice) -> tuple[Floats, Floats]:
        """Return mean and variance of each trial's log-density given the node.

        Weights that the prior's box cuts are treated as normal with the same mean and variance.
        """
        t, kappa, log_f0 = self._density(rows)
        mean, variance = self.weights.moments(self.points)
        m, v = self._drift(rows, mean, np.sqrt(variance))
        expected = log_f0 + kappa * m - 0.5 * t * (m * m + v)
        return expected, v * (kappa - t * m) ** 2 + 0.5 * (t * v) ** 2

    def _density(self, rows: slice) -> tuple[Floats, Floats, Floats]:
        barrier, nondecision_time, share = (column[:, None] for column in self.points.T)
        c = self.likelihood.choice[rows]
        t = self.likelihood.response_time[rows] - nondecision_time
        kappa = barrier * (c - share)
        distance = np.broadcast_to(barrier * (1 - c * share), t.shape) if share.any() else None
        return t, kappa, log_zero_drift_density(t, barrier, distance=distance)

    def _drift(self, rows: slice, mean: Floats, sd: Floats) -> tuple[Floats, Floats]:
        loadings = self.loadings[rows].T
        return mean @ loadings, (sd * sd) @ (loadings * loadings)
