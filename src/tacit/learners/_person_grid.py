"""What non-decision time, scale of preferences and barrier may be, on a grid, with the weights.

A belief takes these for known at their estimates, which is good enough to choose questions but too
sure of itself to stop early. Here the weights are integrated in closed form at every node: with
P = (V + S^-1 / q)^-1, V = sum t x x', s = sum c x and h = S^-1 m / q, answers have the evidence

    exp((a s + h)'P (a s + h) / 2 - h'm / 2) det(I + q S V)^(-1/2) prod f0(t; a),    t = RT - t0.

Where a population tells of several kinds of people, each kind at each scale is a node, with its own
m and q S, and with the probability that it had before the first answer.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from tacit.ddm import log_zero_drift_density
from tacit.learners._base import Floats
from tacit.learners._belief import Belief
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._matrices import symmetric_inverse

_LEAD = np.geomspace(0.02, 1.0, 24, endpoint=False)[::-1]
"""Share of the fastest response time that was decision: nodes even in its logarithm."""

_BARRIERS = np.linspace(-4.0, 4.0, 9)
"""Nodes of the log-barrier, in standard deviations around the estimate."""

_SCALES = 2.0 ** np.arange(-2, 3)
"""Nodes of the variance of the weights, in units of the estimate."""

_WIDER = 1.15
"""The estimate moves with the non-decision time; nodes reach further by this factor."""

_AT_ONCE = 1 << 22
"""Bound on the densities held at once."""


class PersonGrid(NamedTuple):
    """Nodes with their probability, and the weights at each.

    Nodes of non-decision time and scale, on which the covariance depends, share one axis.

    Attributes
    ----------
    probability : ndarray of shape (n_runs, n_nodes, n_barriers)
        Of every node.
    barrier : ndarray of shape (n_runs, n_barriers)
        Evidence units.
    slope, offset : ndarray of shape (n_runs, n_nodes, n_features)
        P s and P h: the mean of theta is barrier times the former plus the latter, which is 0
        without a population.
    covariance : ndarray of shape (n_runs, n_nodes, n_features, n_features)
        Of the weights.
    """

    probability: Floats
    barrier: Floats
    slope: Floats
    offset: Floats
    covariance: Floats

    def probability_negative(self, difference: Floats) -> Floats:
        """Return the posterior probability that differences of utility are negative.

        Parameters
        ----------
        difference : ndarray of shape (n_runs, n_differences, n_features)
            Between two items each.

        Returns
        -------
        ndarray of shape (n_runs, n_differences)
        """
        y = difference[:, None]
        variance = np.einsum("rtki,rtki->rtk", np.matmul(y, self.covariance), y)
        sd = np.sqrt(np.maximum(variance, np.finfo(float).tiny))
        height, lift = (
            (np.matmul(y, part[..., None])[..., 0] / sd)[:, :, None, :]
            for part in (self.slope, self.offset)
        )
        at_nodes = ndtr(-self.barrier[:, None, :, None] * height - lift)
        return np.asarray(np.einsum("rta,rtak->rk", self.probability, at_nodes))


def person_grid(belief: Belief, prior: BeliefPrior, response_time: Floats) -> PersonGrid:
    """Return what the answers leave open about the person of each run.

    Parameters
    ----------
    belief : Belief
        Sums over the answers; at least one of them timed in every run.
    prior : BeliefPrior
        Guesses. The barrier is log-normal around its own, as sure as after so many answers as it
        counts for; so is the variance of the weights, inverse-gamma; the non-decision time may be
        anything below the fastest answer.
    response_time : ndarray of shape (n_runs, n_answers)
        Seconds; NaN where void.
    """
    t0 = belief.fastest[:, None] * (1 - _LEAD)
    sd = 1 / np.sqrt(2 * (belief.time_sums[:, :1] + prior.barrier_weight))
    log_barrier = np.log(belief.barrier)[:, None] + _WIDER * sd * _BARRIERS
    barrier = np.exp(log_barrier)
    law = _laws(belief, prior)
    covariance, slope, offset = _weights(belief, t0, law)
    # det(I + q S V)^-1 is det P times the determinant of the prior's precision.
    log_det = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(law.precision)[1][:, None]
    log_node = 0.5 * log_det + np.log(_LEAD)[:, None] + law.log_probability[:, None]
    log_prior = -prior.barrier_weight * (log_barrier - np.log(prior.barrier)) ** 2
    log_times = _log_zero_drift(response_time, t0, barrier) + log_prior[:, None]
    log_node = log_node[..., None] + log_times[:, :, None]
    choice_sum, a = belief.choice_sum, barrier[:, None, None, :]
    log_node += 0.5 * a**2 * np.einsum("rtqi,ri->rtq", slope, choice_sum)[..., None]
    log_node += a * np.einsum("rtqi,ri->rtq", offset, choice_sum)[..., None]
    log_node += 0.5 * np.einsum("rtqi,rqi->rtq", offset, law.shift)[..., None]
    log_node -= 0.5 * np.einsum("rqi,rqi->rq", law.shift, law.mean)[:, None, :, None]
    node = np.exp(log_node - log_node.max(axis=(1, 2, 3), keepdims=True))
    probability = _flat(node / node.sum(axis=(1, 2, 3), keepdims=True))
    return PersonGrid(probability, barrier, _flat(slope), _flat(offset), _flat(covariance))


class _Laws(NamedTuple):
    """Gaussians that the weights may come from; leading axes of runs and of laws."""

    mean: Floats
    precision: Floats
    shift: Floats
    """The product of both."""
    log_probability: Floats
    """Before the first answer, up to a constant."""


def _laws(belief: Belief, prior: BeliefPrior) -> _Laws:
    """Return the laws between which the answers have to tell."""
    n_runs = len(belief.prior_mean)
    if prior.kinds is None:
        variance = belief.prior_variance[:, None] * _SCALES
        mean = np.repeat(belief.prior_mean[:, None], len(_SCALES), axis=1)
        precision = belief.prior_precision[:, None] / variance[..., None, None]
        ratio = belief.guessed_variance[:, None] / variance
        log_probability = 0.5 * prior.drift_weight * (np.log(ratio) - ratio)
    else:
        one, covariance, share = prior.kinds.laws()
        # The laws are those of everybody: they are inverted once.
        mean, precision, log_probability = (
            np.repeat(part[None], n_runs, axis=0)
            for part in (one, np.linalg.inv(covariance), np.log(share))
        )
    shift = np.matmul(precision, mean[..., None])[..., 0]
    return _Laws(mean, precision, shift, log_probability)


def _flat(values: Floats) -> Floats:
    """Return values with the axes of non-decision time and scale joined."""
    return values.reshape(values.shape[0], -1, *values.shape[3:])


def _weights(belief: Belief, t0: Floats, law: _Laws) -> tuple[Floats, Floats, Floats]:
    """Return P, P s and P h at non-decision times (n_runs, n) and laws."""
    information = belief.grams[:, None, 1] - t0[..., None, None] * belief.grams[:, None, 0]
    information = information + belief.void_gram[:, None]
    covariance = symmetric_inverse(information[:, :, None] + law.precision[:, None])
    slope = np.matmul(covariance, belief.choice_sum[:, None, None, :, None])[..., 0]
    offset = np.matmul(covariance, law.shift[:, None, :, :, None])[..., 0]
    return covariance, slope, offset


def _log_zero_drift(response_time: Floats, t0: Floats, barrier: Floats) -> Floats:
    """Return sum log f0(RT - t0; a) over timed answers at every node."""
    total = np.empty((*t0.shape, barrier.shape[1]))
    n_at_once = max(1, _AT_ONCE // (total[0].size * response_time.shape[1]))
    for start in range(0, len(barrier), n_at_once):
        rows = slice(start, start + n_at_once)
        time = response_time[rows, None, None, :] - t0[rows, :, None, None]
        void = np.isnan(time)
        density = log_zero_drift_density(np.where(void, 1.0, time), barrier[rows, None, :, None])
        total[rows] = np.where(void, 0.0, density).sum(axis=-1)
    return total
