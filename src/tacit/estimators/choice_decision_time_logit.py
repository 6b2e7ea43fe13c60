"""Least squares on the geometric mean of two estimates of every query's drift."""

import numpy as np

from tacit.ddm import mean_time
from tacit.ddm._checks import Floats
from tacit.errors import DataError
from tacit.estimators._base import CoefScale
from tacit.estimators._per_query import TimedPerQueryClassifier
from tacit.estimators._queries import QuerySums
from tacit.estimators.choice_logit import log_odds, log_odds_variance


class ChoiceDecisionTimeLogit(TimedPerQueryClassifier):
    r"""Least squares on the drift that share of choices and mean decision time imply together.

    .. math::
        \hat\theta = \Bigl(\sum_x n_x x x^\top\Bigr)^{+} \sum_x n_x x \operatorname{sgn}(C_x)
        \sqrt{\frac{C_x}{T_x} \cdot \frac{\operatorname{logit}(p_x)}{2}}

    estimates theta itself, with C_x the mean choice, T_x the mean decision time and p_x the share
    of first choices among the n_x answers to query x (Xiang Chiong et al. 2024, eq. 6;
    "(CH, DT, logit)" in Li et al. 2024). A share of 1 or 0 is replaced by 1 - 1 / (2 n_x) or
    1 / (2 n_x) within the logit.

    Parameters
    ----------
    nondecision_time : float, default 0
        Seconds to subtract from every response time, at least 0 and below each of them.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of theta; of least norm where the queries do not determine it.
    coef_scale_ : CoefScale
        ``"utility"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_`, from
        V = (3 / E[t_x] + 1 / (a^2 V[c_x])) / (4 n_x) for the drift of one query, its share of
        choices as in `ChoiceLogit`.
    barrier_ : float
        Barrier at which weights, choices and times agree by the second Wald identity,
        sum (a c - t x'theta)^2 = sum t, for predictions.
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
    A query asked once has log-odds 0 and says nothing: this estimator needs repeated queries.
    x and -x are one query, with the choice reversed.

    References
    ----------
    K. Xiang Chiong, M. Shum, R. Webb and R. Chen, "Combining choice and response time data: a
    drift-diffusion model of mobile advertisements", Management Science 70, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import ChoiceDecisionTimeLogit
    >>> rng = np.random.default_rng(0)
    >>> X = np.tile([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], (500, 1))
    >>> choice, time = ddm.sample(X @ [0.8, 0.3], barrier=1.2, rng=rng)
    >>> model = ChoiceDecisionTimeLogit().fit(X, choice, response_time=time)
    >>> print(model.coef_.round(2), round(model.barrier_, 2))
    [0.79 0.26] 1.21
    """

    def _rate_scale(self) -> float:
        return 1 / self.barrier_

    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`."""
        decision_time = queries.time_sum - self._known_nondecision_time() * queries.n_answers
        ratio = queries.choice_sum / decision_time
        half_odds = 0.5 * log_odds(queries.n_answers, queries.choice_sum)
        # Both factors have the sign of the mean choice.
        return queries.regress(np.sign(ratio) * np.sqrt(ratio * half_odds))

    def _solve(self) -> None:
        queries = self.queries_
        self.coef_scale_ = CoefScale.UTILITY
        self.coef_ = self.coefficients(queries)
        self.nondecision_time_ = self._known_nondecision_time()
        self.barrier_ = self._agreeing_barrier()
        self.covariance_ = queries.sandwich(self._variance(queries))

    def _agreeing_barrier(self) -> float:
        """Solve sum (a c - t u)^2 = sum t, the second Wald identity, for the larger a."""
        sums, theta, t0 = self.statistics_, self.coef_, self.nondecision_time_
        squared_gram = sums.squared_time_gram - 2 * t0 * sums.time_gram + t0**2 * sums.gram
        excess = sums.time_sum - t0 * sums.weight_sum - float(theta @ squared_gram @ theta)
        cross = float(theta @ (sums.choice_time_sum - t0 * sums.choice_sum))
        # Without a solution this is the barrier that comes closest.
        discriminant = max(0.0, cross**2 + sums.weight_sum * excess)
        barrier = (cross + float(np.sqrt(discriminant))) / sums.weight_sum
        if not barrier > 0:
            raise DataError(
                f"no barrier agrees with choices and times of {sums.n_trials} trials; were choices "
                "coded the wrong way round in some of them?"
            )
        return barrier

    def _variance(self, queries: QuerySums) -> Floats:
        """Return the asymptotic variance of one query's estimated drift, times n_x.

        By the delta method: V[C/T] = 1 / (a^2 E[t]), V[logit p] = 4 / V[c], and their
        covariance 2 / E[t], with derivatives a / 2 and 1 / (4 a).
        """
        a, drift = self.barrier_, queries.vectors @ self.coef_
        odds_variance = log_odds_variance(queries.n_answers, 2 * a * drift)
        return np.asarray(0.75 / mean_time(drift, a) + odds_variance / (16 * a * a))
