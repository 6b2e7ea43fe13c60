"""What the estimators that average the answers to each query share."""

from abc import abstractmethod
from typing import Self

from numpy.typing import ArrayLike

from tacit.ddm import SufficientStatistics
from tacit.ddm._checks import Floats
from tacit.estimators._base import QueryClassifier, TimedQueryClassifier
from tacit.estimators._queries import QuerySums
from tacit.estimators._validation import Answers, check_number


class PerQueryClassifier(QueryClassifier):
    """Base of the estimators that need no more than sums over the answers to each query.

    A subclass implements `_solve`, which sets the fitted attributes from `queries_`.
    """

    queries_: QuerySums

    def _estimate(self, answers: Answers) -> None:
        self._count(answers, anew=True)
        self._solve()

    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        *,
        response_time: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of trials; the result equals `fit` on all trials, to rounding.

        Parameters
        ----------
        X : array_like of shape (n_trials, n_features)
            Query vectors.
        y : array_like of shape (n_trials,)
            Choices.
        classes : array_like of shape (2,), optional
            Both labels, needed in the first batch if they are not +1 and -1.
        response_time : array_like of shape (n_trials,), optional
            Seconds. Estimators that use no times ignore it.
        sample_weight : array_like of shape (n_trials,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        answers, first = self._partial_check(X, y, classes, response_time, sample_weight)
        self._count(answers, anew=first)
        self._solve()
        return self

    @abstractmethod
    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`."""

    def _count(self, answers: Answers, *, anew: bool) -> None:
        """Add answers to the sums, or start them with these."""
        batch = QuerySums.from_answers(answers)
        self.queries_ = batch if anew else self.queries_.merge(batch)

    @abstractmethod
    def _solve(self) -> None:
        """Set the fitted attributes from the sums."""


class TimedPerQueryClassifier(PerQueryClassifier, TimedQueryClassifier):
    """Base of those among them that use times, less a known non-decision time."""

    statistics_: SufficientStatistics

    def __init__(self, nondecision_time: float = 0.0) -> None:
        self.nondecision_time = nondecision_time

    def _known_nondecision_time(self) -> float:
        return check_number("nondecision_time", self.nondecision_time, at_least=0)

    def _count(self, answers: Answers, *, anew: bool) -> None:
        super()._count(answers, anew=anew)
        batch = SufficientStatistics.from_trials(*answers.timed())
        self.statistics_ = batch if anew else self.statistics_ + batch
