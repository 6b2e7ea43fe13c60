"""Fits under several weights of the times, and their cross-validation."""

from itertools import combinations
from typing import NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit

from tacit.ddm import TimedLikelihood, WeightsPrior
from tacit.ddm._checks import Floats
from tacit.errors import ConvergenceWarning
from tacit.estimators._profile import maximise_profile
from tacit.estimators._queries import QuerySums
from tacit.estimators._tempered import maximise_tempered
from tacit.estimators._validation import Answers

TIME_WEIGHTS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Weights of the times that are compared, from choices only to the exact likelihood."""

_STRENGTH_SDS = np.array([2.0, 1.0, 4.0, 0.5, 8.0, 0.25, 16.0, 32.0])
"""Ridges to choose from, as the prior's standard deviation of the strength of a typical query.

Where several predict equally well, as when every item is asked about once, the first is taken.
"""

_WEAK = 4.0
"""The prior under which barrier and non-decision time are found, in the same terms."""


class TimeWeightFits(NamedTuple):
    """One person's trials, to be fitted under every weight of the times and every ridge.

    Attributes
    ----------
    vectors : ndarray of shape (n_trials, n_features)
        Query vectors, not all zero.
    choice : ndarray of shape (n_trials,)
        +1.0 or -1.0.
    response_time : ndarray of shape (n_trials,)
        Seconds.
    """

    vectors: Floats
    choice: Floats
    response_time: Floats

    def fit(self, used: NDArray[np.bool_]) -> Floats:
        """Fit some of the trials.

        Returns
        -------
        ndarray of shape (n_time_weights, n_ridges, n_features)
            gamma, barrier times weights.
        """
        some = TimeWeightFits(*(column[used] for column in self))
        nuisance = maximise_profile(some._likelihood(self._size(), _WEAK), None)
        precision, time_weight = np.meshgrid(self._size() / _STRENGTH_SDS**2, TIME_WEIGHTS)
        fit = maximise_tempered(
            QuerySums.from_answers(Answers(*some, None)),
            nuisance.barrier,
            nuisance.nondecision_time,
            time_weight.ravel(),
            precision.ravel(),
        )
        if not fit.converged:
            warn(
                "the search for weights stopped early; do features differ in scale by many orders "
                "of magnitude?",
                ConvergenceWarning,
                stacklevel=4,
            )
        return fit.gamma.reshape(*precision.shape, -1)

    def _size(self) -> float:
        """Return the mean squared length of the query vectors."""
        return float((self.vectors**2).sum(axis=1).mean())

    def _likelihood(self, size: float, strength_sd: float) -> TimedLikelihood:
        n_features = self.vectors.shape[1]
        # The strength is a u, and a^2 about the mean time of a close call.
        precision = size / strength_sd**2 * float(self.response_time.mean())
        prior = WeightsPrior(np.zeros(n_features), precision * np.eye(n_features))
        return TimedLikelihood(*self, prior=prior)

    def strengths(self) -> Floats:
        """Return a u of all trials under the prior that makes them most likely.

        This empirical Bayes estimate is neither inflated by noise, as maximum likelihood is, nor
        shrunk as by a ridge that is chosen for its predictions.

        Returns
        -------
        ndarray of shape (n_trials,)
        """
        most_likely, found = -np.inf, np.zeros(len(self.vectors))
        for strength_sd in np.sort(_STRENGTH_SDS):
            likelihood = self._likelihood(self._size(), strength_sd)
            nuisance = maximise_profile(likelihood, None)
            a, t0 = nuisance.barrier, nuisance.nondecision_time
            evidence = float(likelihood.log_integral(a, t0)[0])
            if evidence > most_likely:
                most_likely = evidence
                found = a * (self.vectors @ likelihood.mean_weights(a, t0)[0])
        return found

    def margins(self, gamma: Floats, where: NDArray[np.bool_]) -> Floats:
        """Return c gamma'x of some of the trials, as the last axis."""
        return np.asarray((gamma @ self.vectors[where].T) * self.choice[where])

    def cross_validate(
        self, fold: NDArray[np.intp], n_folds: int
    ) -> tuple[Floats, NDArray[np.intp]]:
        """Predict each fold from the others, at ridges chosen by cross-validation within these.

        The inner folds are the outer ones, so that the trials outside of two folds serve both.

        Returns
        -------
        margins : ndarray of shape (n_time_weights, n_trials)
            Margins of the trials when left out.
        ridge : ndarray of shape (n_time_weights,)
            Index of the ridge that predicts all left-out trials best.
        """
        shape = (len(TIME_WEIGHTS), len(_STRENGTH_SDS))
        inner_loss, loss = np.zeros((n_folds, *shape)), np.zeros(shape)
        for one, other in combinations(range(n_folds), 2):
            gamma = self.fit((fold != one) & (fold != other))
            for left_out, validated in ((one, other), (other, one)):
                inner_loss[left_out] += log_loss(self.margins(gamma, fold == validated))
        margins = np.empty((len(TIME_WEIGHTS), len(fold)))
        for left_out in range(n_folds):
            gamma, where = self.fit(fold != left_out), fold == left_out
            loss += log_loss(self.margins(gamma, where))
            best = inner_loss[left_out].argmin(axis=1)
            margins[:, where] = self.margins(pick(gamma, best), where)
        return margins, loss.argmin(axis=1)


def pick(gamma: Floats, ridge: NDArray[np.intp]) -> Floats:
    """Return the fit at one ridge for each time weight."""
    return np.asarray(gamma[np.arange(len(ridge)), ridge])


def log_loss(margins: Floats) -> Floats:
    """Return the summed log-loss of choices whose log-odds are twice their margins, nats."""
    return np.asarray(-log_expit(2 * margins).sum(axis=-1))
