"""The exact maximum-likelihood estimate from choices and times."""

from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from tacit.ddm import SufficientStatistics, TimedLikelihood, WeightsPrior
from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.errors import DataError
from tacit.estimators._base import CoefScale, TimedQueryClassifier, barrier_of, pseudo_inverse
from tacit.estimators._profile import Nuisance, maximise_profile
from tacit.estimators._queries import QuerySums
from tacit.estimators._validation import Answers, check_number


class Likelihood(TimedQueryClassifier):
    r"""Exact maximum-likelihood (or ridge) estimate from choices and times; the default to use.

    Given the non-decision time, the log-likelihood is exactly quadratic in the weights and its
    maximum is a linear system,

    .. math:: \hat\theta / a = \Bigl(\sum_i t_i x_i x_i^\top + r I\Bigr)^{-1} \sum_i c_i x_i

    (the loss of Echenique, Fallah & Jordan 2025, arXiv 2507.20403). One answer per query is enough.
    With a known non-decision time everything follows from sums: `partial_fit` over batches
    equals `fit` over all, to rounding.

    Parameters
    ----------
    nondecision_time : "fit" or float, default "fit"
        Seconds of a response time that are not decision, at least 0 and below every response
        time; "fit" estimates it together with the barrier.
    barrier : "fit" or float, default "fit"
        Positive. With a known non-decision time, "fit" uses the second Wald identity,
        a^2 = sum t / sum (c - t x'theta/a)^2; otherwise the joint maximum of the likelihood.
    ridge : float, default 0
        Precision r of a Gaussian prior on the weights around 0, at least 0. In units of
        ``X**2`` seconds: r = 10 pulls as much as ten answers of one second with ``X = 1``.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of theta / a. Along directions that no query explores it is 0.
    coef_scale_ : CoefScale
        ``"utility / barrier"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_` (with a ridge, the posterior covariance), including the
        uncertainty of a fitted non-decision time; 0 along directions that no query explores.
    barrier_ : float
        Barrier; infinite if the weights explain every trial exactly.
    nondecision_time_ : float
        Seconds; exactly 0 if the likelihood is largest at that bound.
    statistics_ : SufficientStatistics
        The sums of the data.
    converged_ : bool
        Whether the maximum over barrier and non-decision time was found.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    See Also
    --------
    RobustLikelihood : for times that are contaminated or missing.
    ChoiceDecisionTime : the estimator of Li et al. (2024), which averages within queries first.

    Notes
    -----
    A non-decision time can only be estimated where trials outnumber the weights. The fastest
    response bounds it from above: an anticipation among the trials leads the estimate astray, and
    `RobustLikelihood` is the estimator to use.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import Likelihood
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.5, -0.5], barrier=1.2, nondecision_time=0.4, rng=rng
    ... )
    >>> model = Likelihood().fit(X, choice, response_time=response_time)
    >>> print((model.coef_ * model.barrier_).round(2))
    [ 1.46 -0.52]
    >>> print(round(model.barrier_, 2), round(model.nondecision_time_, 2))
    1.2 0.4
    """

    def __init__(
        self,
        nondecision_time: float | Literal["fit"] = "fit",
        *,
        barrier: float | Literal["fit"] = "fit",
        ridge: float = 0.0,
    ) -> None:
        self.nondecision_time = nondecision_time
        self.barrier = barrier
        self.ridge = ridge

    def _known_nondecision_time(self) -> float:
        return known_nondecision_time(self.nondecision_time) or 0.0

    def _estimate(self, answers: Answers) -> None:
        self.statistics_ = SufficientStatistics.from_trials(*answers.timed())
        if known_nondecision_time(self.nondecision_time) is None:
            self._finish(self._search(answers))
        else:
            self._solve()

    def _takes_batches(self) -> bool:
        if self.nondecision_time == "fit":
            raise AttributeError(
                "partial_fit needs a known nondecision_time, as in Likelihood(0.3): only then do "
                "sums over trials suffice"
            )
        return True

    @available_if(_takes_batches)
    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        *,
        response_time: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of trials; available with a known non-decision time.

        Parameters
        ----------
        X : array_like of shape (n_trials, n_features)
            Query vectors.
        y : array_like of shape (n_trials,)
            Choices.
        classes : array_like of shape (2,), optional
            Both labels, needed in the first batch if they are not +1 and -1.
        response_time : array_like of shape (n_trials,)
            Seconds.
        sample_weight : array_like of shape (n_trials,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        answers, first = self._partial_check(X, y, classes, response_time, sample_weight)
        batch = SufficientStatistics.from_trials(*answers.timed())
        self.statistics_ = batch if first else self.statistics_ + batch
        self._solve()
        return self

    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`.

        The non-decision time must be known.
        """
        t0 = known_nondecision_time(self.nondecision_time)
        if t0 is None:
            raise DataError(
                "sums over queries do not determine the non-decision time: give "
                "`nondecision_time` as a number, got 'fit'"
            )
        decision_time = queries.time_sum - t0 * queries.n_answers
        precision = queries.vectors.T @ (queries.vectors * decision_time[:, None])
        precision[np.diag_indices_from(precision)] += self._checked_ridge()
        linear = queries.choice_sum @ queries.vectors
        return decompose(precision).solve(linear)

    def _solve(self) -> None:
        """Set everything from the sums, for a known non-decision time."""
        t0 = self._known_nondecision_time()
        barrier = known_barrier(self.barrier)
        if barrier is None:
            beta = self.statistics_.weights_over_barrier(t0, ridge=self._checked_ridge())
            barrier = barrier_of(self.statistics_, beta, t0)
        self._finish(Nuisance(barrier, t0, 0.0, converged=True))

    def _search(self, answers: Answers) -> Nuisance:
        """Maximise over the non-decision time, and over the barrier unless it is known."""
        ridge, barrier = self._checked_ridge(), known_barrier(self.barrier)
        prior = None
        if ridge > 0:
            d = self.n_features_in_
            prior = WeightsPrior(np.zeros(d), ridge * np.eye(d))
        elif np.isinf(self.statistics_.barrier(self.statistics_.weights_over_barrier(0.0), 0.0)):
            raise DataError(
                f"{self.statistics_.n_trials} trials determine no non-decision time: the weights "
                "explain them exactly for every one; collect more trials, give nondecision_time "
                "as a number, or use a ridge"
            )
        likelihood = TimedLikelihood(*answers.timed(), prior=prior)
        return maximise_profile(likelihood, barrier)

    def _finish(self, nuisance: Nuisance) -> None:
        t0, ridge = nuisance.nondecision_time, self._checked_ridge()
        self.coef_scale_ = CoefScale.UTILITY_OVER_BARRIER
        self.coef_ = self.statistics_.weights_over_barrier(t0, ridge=ridge)
        self.barrier_, self.nondecision_time_ = nuisance.barrier, t0
        self.converged_ = nuisance.converged
        self.covariance_ = covariance(self.statistics_, self.coef_, nuisance, ridge)

    def _checked_ridge(self) -> float:
        return check_number("ridge", self.ridge, at_least=0)


def known_nondecision_time(value: float | str) -> float | None:
    """Return the seconds given, or None where they are to be estimated."""
    return None if value == "fit" else check_number("nondecision_time", value, at_least=0)


def known_barrier(value: float | str) -> float | None:
    """Return the barrier given, or None where it is to be estimated."""
    return None if value == "fit" else check_number("barrier", value, above=0)


def covariance(
    statistics: SufficientStatistics, coef: Floats, nuisance: Nuisance, ridge: float
) -> Floats:
    """Return the asymptotic covariance of theta / a.

    (V + r I)^-1 / a^2 given the non-decision time; an uncertain one adds its variance times
    the square of d coef / d t0 = (V + r I)^-1 (sum x x') coef.
    """
    precision = statistics.information(nuisance.nondecision_time)
    inverse = pseudo_inverse(precision + ridge * np.eye(len(coef)))
    slope = inverse @ (statistics.gram @ coef)
    return np.asarray(
        inverse / nuisance.barrier**2 + nuisance.nondecision_time_variance * np.outer(slope, slope)
    )
