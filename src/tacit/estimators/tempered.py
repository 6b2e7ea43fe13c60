"""The likelihood with a dial between choices only and choices with their times."""

from typing import Literal
from warnings import warn

import numpy as np

from tacit.ddm import var_choice
from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose
from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators._base import CoefScale, TimedQueryClassifier, pseudo_inverse
from tacit.estimators._queries import QuerySums
from tacit.estimators._tempered import TemperedFit, maximise_tempered
from tacit.estimators._validation import Answers, check_number
from tacit.estimators.likelihood import Likelihood, known_nondecision_time

_STILL_MOVING = 0.05


class TemperedLikelihood(TimedQueryClassifier):
    r"""Estimate in which choices count fully and their times by a weight w.

    The likelihood of a choice c and its decision time t is that of the choice times that of the
    time. Raised to the power w, the latter turns the log-likelihood of a query with utility
    difference u = x'theta, up to a constant, into

    .. math:: \log \mu(2 a c u) + w \left(\log \cosh(a u) - u^2 t / 2\right),

    which is `ChoiceOnly` for w = 0 and `Likelihood` for w = 1. It is concave in the weights.
    Barrier and non-decision time are those of `Likelihood`.

    Parameters
    ----------
    time_weight : float, default 0.5
        The weight w of the times, from 0 to 1.
    nondecision_time : "fit" or float, default "fit"
        Seconds of a response time that are not decision, as in `Likelihood`.
    barrier : "fit" or float, default "fit"
        Positive, as in `Likelihood`.
    ridge : float, default 0
        Precision r of a Gaussian prior on the weights around 0, at least 0, as in `Likelihood`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of theta / a. Along directions that no query explores it is 0.
    coef_scale_ : CoefScale
        ``"utility / barrier"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_` given barrier and non-decision time, if the times follow
        the model; with a ridge, the prior counts as data.
    barrier_ : float
        Barrier.
    nondecision_time_ : float
        Seconds.
    converged_ : bool
        Whether the maximum was found.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    See Also
    --------
    times_worth : compares weights of the times by cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import TemperedLikelihood
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.5, -0.5], barrier=1.2, nondecision_time=0.4, rng=rng
    ... )
    >>> model = TemperedLikelihood(0.5).fit(X, choice, response_time=response_time)
    >>> print((model.coef_ * model.barrier_).round(1))
    [ 1.5 -0.5]
    """

    def __init__(
        self,
        time_weight: float = 0.5,
        nondecision_time: float | Literal["fit"] = "fit",
        *,
        barrier: float | Literal["fit"] = "fit",
        ridge: float = 0.0,
    ) -> None:
        self.time_weight = time_weight
        self.nondecision_time = nondecision_time
        self.barrier = barrier
        self.ridge = ridge

    def _known_nondecision_time(self) -> float:
        return known_nondecision_time(self.nondecision_time) or 0.0

    def _estimate(self, answers: Answers) -> None:
        w = check_number("time_weight", self.time_weight, at_least=0)
        if w > 1:
            raise DataError(f"`time_weight` must be between 0 and 1, got {w:g}")
        exact = Likelihood(self.nondecision_time, barrier=self.barrier, ridge=self.ridge).fit(
            answers.vectors,
            answers.choice,
            response_time=answers.response_time,
            sample_weight=answers.sample_weight,
        )
        self.coef_scale_ = CoefScale.UTILITY_OVER_BARRIER
        self.barrier_, self.nondecision_time_ = exact.barrier_, exact.nondecision_time_
        if np.isinf(self.barrier_):
            # The limit for any w above 0: what the choices leave open, the times decide.
            self.coef_, self.covariance_ = exact.coef_, exact.covariance_
            self.converged_ = exact.converged_
            return
        queries = QuerySums.from_answers(answers)
        fit, basis = self._maximise(queries, w)
        gamma = basis @ fit.gamma[0]
        self.coef_ = gamma / self.barrier_**2
        self.covariance_ = self._covariance(queries, gamma, w)
        self.converged_ = exact.converged_ and self._report(fit, w)

    def _maximise(self, queries: QuerySums, w: float) -> tuple[TemperedFit, Floats]:
        """Maximise over the directions that the queries explore, the columns of the basis."""
        basis = decompose(queries.vectors.T @ queries.vectors).basis()
        if basis is None:
            basis = np.eye(queries.vectors.shape[1])
        fit = maximise_tempered(
            queries._replace(vectors=queries.vectors @ basis),
            self.barrier_,
            self.nondecision_time_,
            np.array([w]),
            np.array([self._precision()]),
        )
        return fit, basis

    def _precision(self) -> float:
        """Return the ridge as a precision of barrier times weights."""
        return float(self.ridge) / self.barrier_**2

    def _covariance(self, queries: QuerySums, gamma: Floats, w: float) -> Floats:
        """Return the sandwich of curvature and variance of the score, for theta / a.

        Given x, the scores c - tanh eta of the choice and tanh eta - s eta of the time are
        independent; their variances are sech^2 eta and E[s] - sech^2 eta, with E[s] estimated by s.
        """
        by_choice = queries.n_answers * var_choice(queries.vectors @ gamma, barrier=1.0)
        by_time = (queries.time_sum - self.nondecision_time_ * queries.n_answers) / self.barrier_**2
        prior = self._precision() * np.eye(len(gamma))

        def weighted(weight: Floats) -> Floats:
            return np.asarray((queries.vectors.T * weight) @ queries.vectors + prior)

        bread = pseudo_inverse(weighted((1 - w) * by_choice + w * by_time))
        meat = weighted((1 - w**2) * by_choice + w**2 * by_time)
        return np.asarray(bread @ meat @ bread / self.barrier_**4)

    def _report(self, fit: TemperedFit, w: float) -> bool:
        """Warn about a maximum that is not one."""
        if w == 0 and self.ridge == 0 and fit.last_move[0] > _STILL_MOVING:
            warn(
                "the choices are separable: some weights explain all of them, and without times "
                "no finite ones are the most likely; use time_weight above 0 or a ridge",
                ConvergenceWarning,
                stacklevel=4,
            )
            return False
        if not fit.converged:
            warn(
                "the search for weights stopped early; do features differ in scale by many orders "
                "of magnitude?",
                ConvergenceWarning,
                stacklevel=4,
            )
        return fit.converged
