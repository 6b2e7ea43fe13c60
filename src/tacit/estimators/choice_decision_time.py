"""The paper's estimator: mean choice over mean decision time, query by query."""

import numpy as np

from tacit.ddm import mean_time
from tacit.ddm._checks import Floats
from tacit.estimators._base import CoefScale, barrier_of
from tacit.estimators._per_query import TimedPerQueryClassifier
from tacit.estimators._queries import QuerySums


class ChoiceDecisionTime(TimedPerQueryClassifier):
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
        Asymptotic covariance of `coef_`, from V[C_x / T_x] = 1 / (n_x a^2 E[t_x]); right if
        `nondecision_time` is, and zero if the barrier is infinite.
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
    choice reversed. Vectors count as the same if every feature agrees to 1e-9 of its largest size.

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

    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`."""
        decision_time = queries.time_sum - self._known_nondecision_time() * queries.n_answers
        ratio = np.divide(
            queries.choice_sum,
            decision_time,
            out=np.zeros_like(decision_time),
            where=queries.n_answers > 0,
        )
        return queries.regress(ratio)

    def _solve(self) -> None:
        t0, queries = self._known_nondecision_time(), self.queries_
        self.coef_scale_ = CoefScale.UTILITY_OVER_BARRIER
        self.coef_ = self.coefficients(queries)
        self.nondecision_time_ = t0
        self.barrier_ = barrier_of(self.statistics_, self.coef_, t0)
        # V[C_x / T_x] by the delta method, with the times that the estimate itself implies.
        if np.isinf(self.barrier_):
            variance = np.zeros(len(queries.n_answers))
        else:
            a = self.barrier_
            variance = 1 / (a * a * mean_time(a * (queries.vectors @ self.coef_), a))
        self.covariance_ = queries.sandwich(variance)
