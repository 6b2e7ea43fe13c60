"""What all estimators share: the scikit-learn interface over queries, choices and times."""

from abc import abstractmethod
from enum import StrEnum
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from tacit.ddm import SufficientStatistics
from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.errors import DataError, DataWarning
from tacit.estimators import _validation
from tacit.estimators._validation import Answers


class CoefScale(StrEnum):
    """What the coefficients of an estimator estimate.

    Attributes
    ----------
    UTILITY_OVER_BARRIER
        theta / a, the weights divided by the barrier: drift in units of the barrier per second.
    TWICE_BARRIER_UTILITY
        2 a theta: log-odds of the choice.
    UTILITY
        theta: drift in units of the evidence's noise.

    Examples
    --------
    >>> from tacit.estimators import ChoiceOnly
    >>> print(ChoiceOnly().fit([[1.0], [1.0]], [1, -1]).coef_scale_)
    2 barrier utility
    """

    UTILITY_OVER_BARRIER = "utility / barrier"
    TWICE_BARRIER_UTILITY = "2 barrier utility"
    UTILITY = "utility"


class QueryClassifier(ClassifierMixin, BaseEstimator):
    """Base of all estimators: a classifier of queries without an intercept.

    A subclass implements `_estimate`, which sets `coef_` and `covariance_` from checked columns.
    """

    # With metadata routing enabled, meta-estimators pass these on without being told to.
    __metadata_request__fit: ClassVar = {"response_time": True, "sample_weight": True}
    __metadata_request__partial_fit: ClassVar = {
        "classes": True,
        "response_time": True,
        "sample_weight": True,
    }
    __metadata_request__score: ClassVar = {"sample_weight": True}

    _needs_times: ClassVar[bool] = False
    _allows_void_times: ClassVar[bool] = False

    coef_: Floats
    coef_scale_: CoefScale
    covariance_: Floats
    classes_: NDArray[Any]
    n_features_in_: int

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        response_time: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Estimate the weights from answered queries.

        Parameters
        ----------
        X : array_like of shape (n_trials, n_features)
            Query vectors: features of the first option minus features of the second.
        y : array_like of shape (n_trials,)
            Choices, +1 (first) or -1 (second). Other pairs of labels are taken in scikit-learn's
            order: the larger one counts as choosing the first option.
        response_time : array_like of shape (n_trials,), optional
            Seconds. Estimators that use no times ignore it.
        sample_weight : array_like of shape (n_trials,), optional
            Non-negative weight of each trial, as if it had been answered so many times.

        Returns
        -------
        self
        """
        answers = self._check(X, y, response_time, sample_weight, reset=True)
        self._estimate(answers)
        return self

    @abstractmethod
    def _estimate(self, answers: Answers) -> None:
        """Set the fitted attributes from checked columns."""

    def _check(
        self,
        X: ArrayLike,
        y: ArrayLike,
        response_time: ArrayLike | None,
        sample_weight: ArrayLike | None,
        *,
        reset: bool,
        classes: ArrayLike | None = None,
    ) -> Answers:
        """Check all columns; set features and classes if `reset`, compare with them if not."""
        vectors = _validation.as_vectors(self, X, reset=reset)
        n = len(vectors)
        labels = _validation.as_labels(y, n)
        weight = None if sample_weight is None else _validation.as_weights(sample_weight, n)
        times = self._check_times(response_time, n)
        used, trials = None, np.arange(n)
        if weight is not None and not weight.all():
            used = weight > 0
            vectors, labels, weight = vectors[used], labels[used], weight[used]
            trials = np.flatnonzero(used)
            times = None if times is None else times[used]
        if reset:
            known = (
                _validation.find_classes(labels, trials)
                if classes is None
                else _validation.find_classes(np.asarray(classes))
            )
        else:
            known = self.classes_
        choice = _validation.as_choice(labels, known, trials)
        self.classes_ = known
        return Answers(vectors, choice, times, weight, used)

    def _check_times(self, response_time: ArrayLike | None, n_trials: int) -> Floats | None:
        if response_time is None:
            if self._needs_times:
                raise DataError(_validation.needs_times(type(self).__name__))
            return None
        if not (self._needs_times or self._allows_void_times):
            return None
        return _validation.as_times(
            response_time,
            n_trials,
            nondecision_time=self._known_nondecision_time(),
            allow_void=self._allows_void_times,
        )

    def _known_nondecision_time(self) -> float:
        """Return the seconds that every response time must exceed."""
        return 0.0

    def _partial_check(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None,
        response_time: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> tuple[Answers, bool]:
        """Check one batch; the second value says whether it is the first."""
        first = not hasattr(self, "coef_")
        known, checked = self._known_nondecision_time(), getattr(self, "nondecision_time_", 0.0)
        if not first and known > checked:
            raise DataError(
                f"`nondecision_time` was raised from {checked:g} s to {known:g} s, but earlier "
                "trials, of which only sums are left, may be faster; start anew with fit"
            )
        answers = self._check(X, y, response_time, sample_weight, reset=first, classes=classes)
        return answers, first

    def _odds_scale(self) -> float:
        """Return by what `coef_` is multiplied to give log-odds; may be infinite."""
        return 1.0

    def _score_queries(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        return np.asarray(_validation.as_vectors(self, X, reset=False) @ self.coef_)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the log-odds 2 a u of choosing the first option.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        score = self._score_queries(X)
        # An infinite barrier leaves a query without preference at even odds.
        return np.multiply(self._odds_scale(), score, out=np.zeros_like(score), where=score != 0)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the more likely choice for every query; ties go to the second.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries,)
            Labels as given to `fit`.
        """
        first = self._score_queries(X) > 0
        return np.asarray(self.classes_[first.astype(np.intp)])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probability of each choice.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries, 2)
            Columns in the order of `classes_`: second option, first option.
        """
        log_odds = self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class TimedQueryClassifier(QueryClassifier):
    """Base of the estimators that learn from times and can predict them."""

    _needs_times = True

    barrier_: float
    nondecision_time_: float

    def _rate_scale(self) -> float:
        """Return by what `coef_` is multiplied to give the rates u / a."""
        return 1.0

    def _odds_scale(self) -> float:
        return 2 * self.barrier_**2 * self._rate_scale()

    def predict_time(self, X: ArrayLike) -> Floats:
        """Return the mean response time of every query, (a / u) tanh(a u) + t0.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries,)
            Seconds.
        """
        rate = np.abs(self._score_queries(X) * self._rate_scale())
        slowest = np.full_like(rate, self.barrier_**2)
        with np.errstate(invalid="ignore"):  # an infinite barrier times a rate of zero
            strength = self.barrier_**2 * rate
        decision_time = np.divide(np.tanh(strength), rate, out=slowest, where=rate > 0)
        return decision_time + self.nondecision_time_


def barrier_of(
    statistics: SufficientStatistics, weights_over_barrier: Floats, nondecision_time: float
) -> float:
    """Return the barrier by the second Wald identity; warn where only an infinite one fits."""
    barrier = statistics.barrier(weights_over_barrier, nondecision_time)
    if np.isinf(barrier):
        warn(
            f"the weights explain all {statistics.n_trials} trials exactly, so that no finite "
            "barrier fits and predicted choices are certain; collect more trials, use a ridge, or "
            "give the barrier",
            DataWarning,
            stacklevel=4,
        )
    return barrier


def pseudo_inverse(matrix: Floats) -> Floats:
    """Return the pseudo-inverse of a symmetric positive semi-definite matrix."""
    return decompose(matrix).inverse()
