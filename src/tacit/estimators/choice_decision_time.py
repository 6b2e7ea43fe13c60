"""The paper's estimator: mean choice over mean decision time, query by query."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm import SufficientStatistics, mean_time
from tacit.estimators._base import CoefScale, TimedQueryClassifier, barrier_of
from tacit.estimators._queries import QuerySums
from tacit.estimators._validation import Answers, check_number


class ChoiceDecisionTime(TimedQueryClassifier):
    r"""Least squares on the ratio of mean choice and mean decision time of every query.

    The estimator of Li et al. (2024, eq. 2), "(CH, DT)" there:

    .. math::
        \hat\theta / a = \Bigl(\sum_x n_x x x^\top\Bigr)^{+} \sum_x n_x x \frac{C_x}{T_x}

    over the different queries x, with n_x answers, mean choice C_x and mean decision time T_x. It
    is consistent as every n_x grows. With queries asked once each it is not: `Likelihood` is.

    Parameters
    ----------
    nondecision_time : float, default 0
        Seconds to subtract from every response time, at least 0 and below each of them. With 0
        this is the paper's "(CH, RT)", for people whose non-decision time is not known.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of theta / a; of least norm where the queries do not determine it.
    coef_scale_ : CoefScale
        ``"utility / barrier"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_`, from V[C_x / T_x] = 1 / (n_x a^2 E[t_x]).
    barrier_ : float
        Barrier by the second Wald identity, for predictions; infinite if the weights explain
        every trial exactly.
    nondecision_time_ : float
        As given, seconds.
    queries_ : QuerySums
        Sums of the answers to each different query.
    statistics_ : SufficientStatistics
        Sums over trials.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    Notes
    -----
    A query and the same query with its options swapped are one: x and -x are grouped, with the
    choice reversed. Vectors count as the same only if they are equal to the last bit.

    The estimate is not a function of sums over trials, but of sums per query: these are what
    `partial_fit` keeps, so its memory grows with the number of different queries.

    References
    ----------
    S. Li, Y. Zhang, Z. Ren, C. Liang, N. Li and J. A. Shah, "Enhancing preference-based linear
    bandits via human response time", NeurIPS 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import ChoiceDecisionTime
    >>> rng = np.random.default_rng(0)
    >>> X = np.tile([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], (500, 1))
    >>> choice, time = ddm.sample(X @ [0.8, 0.3], barrier=1.2, rng=rng)
    >>> model = ChoiceDecisionTime().fit(X, choice, response_time=time)
    >>> print((model.coef_ * model.barrier_).round(2))
    [0.77 0.26]
    """

    def __init__(self, nondecision_time: float = 0.0) -> None:
        self.nondecision_time = nondecision_time

    def _known_nondecision_time(self) -> float:
        return check_number("nondecision_time", self.nondecision_time, at_least=0)

    def _estimate(self, answers: Answers) -> None:
        self.queries_ = QuerySums.from_answers(answers)
        self.statistics_ = SufficientStatistics.from_trials(*answers.timed())
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
        response_time : array_like of shape (n_trials,)
            Seconds.
        sample_weight : array_like of shape (n_trials,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        answers, first = self._partial_check(X, y, classes, response_time, sample_weight)
        queries = QuerySums.from_answers(answers)
        statistics = SufficientStatistics.from_trials(*answers.timed())
        self.queries_ = queries if first else self.queries_.merge(queries)
        self.statistics_ = statistics if first else self.statistics_ + statistics
        self._solve()
        return self

    def _solve(self) -> None:
        t0, queries = self._known_nondecision_time(), self.queries_
        decision_time = queries.time_sum - t0 * queries.n_answers
        self.coef_scale_ = CoefScale.UTILITY_OVER_BARRIER
        self.coef_ = queries.regress(queries.choice_sum / decision_time)
        self.nondecision_time_ = t0
        self.barrier_ = barrier_of(self.statistics_, self.coef_, t0)
        # V[C_x / T_x] by the delta method, with the times that the estimate itself implies.
        if np.isinf(self.barrier_):
            variance = np.zeros(len(queries.n_answers))
        else:
            a = self.barrier_
            variance = 1 / (a * a * mean_time(a * (queries.vectors @ self.coef_), a))
        self.covariance_ = queries.sandwich(variance)
