"""The likelihood of people who sometimes guess, look away or take a break."""

from typing import Literal
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from tacit.ddm import SufficientStatistics
from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators._base import CoefScale, TimedQueryClassifier
from tacit.estimators._contaminated import KINDS, MixedAnswers, slow_scale
from tacit.estimators._contaminated_covariance import observed_covariance
from tacit.estimators._contaminated_fit import Known, fit_contaminated
from tacit.estimators._validation import Answers, check_number, needs_times
from tacit.estimators.likelihood import known_barrier, known_nondecision_time


class RobustLikelihood(TimedQueryClassifier):
    r"""Maximum likelihood for answers of which some are guesses, lapses or have no time.

    A trial is either genuine, as in `Likelihood`, or one of three kinds of contaminant:

    - a fast guess: a coin, at a time that need not exceed the non-decision time;
    - a slow guess: a coin, at any time, half of them beyond four times the median;
    - a slow lapse: a choice that follows the weights, at any time, likewise.

    Shares of the kinds, barrier, non-decision time and weights maximise the likelihood of this
    mixture together, by expectation-maximisation: every round solves a ridge system in which each
    trial counts with its probability to be genuine. The non-decision time may exceed the fastest
    responses, which then are guesses. On clean data the estimate is close to that of `Likelihood`,
    and usually the same: contaminants that add less than 2 nats to the log-likelihood are not
    believed in.

    Trials whose time is void, a response time of NaN, count with their choice alone; with all
    times void (and `barrier` given) this is logistic regression.

    Parameters
    ----------
    nondecision_time : "fit" or float, default "fit"
        Seconds of a response time that are not decision, at least 0. Responses that are faster
        are guesses.
    barrier : "fit" or float, default "fit"
        Positive; "fit" estimates it.
    ridge : float, default 0
        Precision of a Gaussian prior on the weights around 0, at least 0, as in `Likelihood`.
    contaminants : bool, default True
        Whether there may be contaminants. Without, every response time must exceed the
        non-decision time.
    censor_above : float, optional
        Response time, seconds, above which a trial counts as undecided until then, whatever
        was chosen later: for slow responses that the mixture should not have to judge.
    drift_variability : float, default 0
        Standard deviation eta of the drift across trials of the same query. Trials with times count
        1 / (1 + eta^2 t), which takes weight from the slow ones.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of theta / a. Along directions that no query explores it is 0.
    coef_scale_ : CoefScale
        ``"utility / barrier"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_` from the observed information (Louis 1982), including
        the uncertainty of a fitted barrier and non-decision time, but not of the shares of
        contaminants; 0 along directions that no query explores.
    barrier_ : float
        Barrier.
    nondecision_time_ : float
        Seconds; NaN if there are no times and it was not given.
    contaminant_share_ : float
        Estimated share of contaminants of any kind.
    contaminant_shares_ : dict of str to float
        The same by kind: "fast guess", "slow guess", "slow lapse".
    contaminant_probability_ : ndarray of shape (n_trials,)
        Probability of every trial to be a contaminant of any kind; NaN for trials of weight 0.
    n_censored_, n_void_ : int
        Numbers of trials whose time was censored, and that had none.
    n_iter_ : int
        Number of rounds.
    converged_ : bool
        Whether further rounds gain nothing.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    Notes
    -----
    Shares have a weak prior, as if 20 more answers had been seen to be genuine. Void times are
    imputed by the mean E[t | u] = (a / u) tanh(a u), exact for Polya-Gamma augmentation.
    A censored trial enters as c = 0, t = tau - (1 - 8 / pi^2) a^2, from the slowest mode of the
    survival function: accurate from tau - t0 = a^2 / 2 on.

    References
    ----------
    T. A. Louis, "Finding the observed information matrix when using the EM algorithm", Journal of
    the Royal Statistical Society B 44, 1982.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import RobustLikelihood
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.5, -0.5], barrier=1.2, nondecision_time=0.4, rng=rng
    ... )
    >>> choice[:20], response_time[:20] = 1, 0.2
    >>> model = RobustLikelihood().fit(X, choice, response_time=response_time)
    >>> print((model.coef_ * model.barrier_).round(1), round(model.nondecision_time_, 1))
    [ 1.6 -0.5] 0.4
    >>> print(round(model.contaminant_share_, 2), model.contaminant_probability_[:3].round(2))
    0.05 [1. 1. 1.]
    """

    _needs_times = False
    _allows_void_times = True

    def __init__(
        self,
        nondecision_time: float | Literal["fit"] = "fit",
        *,
        barrier: float | Literal["fit"] = "fit",
        ridge: float = 0.0,
        contaminants: bool = True,
        censor_above: float | None = None,
        drift_variability: float = 0.0,
    ) -> None:
        self.nondecision_time = nondecision_time
        self.barrier = barrier
        self.ridge = ridge
        self.contaminants = contaminants
        self.censor_above = censor_above
        self.drift_variability = drift_variability

    def _known_nondecision_time(self) -> float:
        if self.contaminants:
            return 0.0
        return known_nondecision_time(self.nondecision_time) or 0.0

    def _estimate(self, answers: Answers) -> None:
        mixed, order = self._sort(answers)
        known = self._known(mixed)
        fit = fit_contaminated(mixed, known)
        a, t0 = fit.point.barrier, fit.point.nondecision_time
        self.coef_scale_ = CoefScale.UTILITY_OVER_BARRIER
        self.coef_, self.barrier_ = fit.point.rates, a
        timeless = self.nondecision_time == "fit" and mixed.n_timed == 0
        self.nondecision_time_ = np.nan if timeless else t0
        self.covariance_ = observed_covariance(
            mixed,
            fit.point,
            barrier_fitted=known.barrier is None,
            time_fitted=known.nondecision_time is None,
        )
        self.contaminant_shares_ = dict(zip(KINDS, fit.point.shares[1:].tolist(), strict=True))
        self.contaminant_share_ = float(fit.point.shares[1:].sum())
        probability = np.empty(len(order))
        probability[order] = fit.kinds[1:].sum(axis=0)
        self.contaminant_probability_ = answers.among_given(probability)
        self.n_censored_ = len(mixed.time) - mixed.n_timed
        self.n_void_ = len(mixed.choice) - len(mixed.time)
        self.n_iter_, self.converged_ = fit.n_iterations, fit.converged
        if not fit.converged:
            warn(
                f"contaminants are still being sorted out after {fit.n_iterations} rounds; "
                "give nondecision_time, or use a ridge",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _sort(self, answers: Answers) -> tuple[MixedAnswers, NDArray[np.intp]]:
        """Order trials by what is known of their times; return the order, too."""
        time = answers.response_time
        if time is None:
            time = np.full(len(answers.choice), np.nan)
        void = np.isnan(time)
        censored = np.zeros_like(void)
        if self.censor_above is not None:
            limit = check_number("censor_above", self.censor_above, above=0)
            censored = time > limit
        order = np.argsort(censored + 2 * void, kind="stable")
        clocked = time[order][: int((~void).sum())]
        n_timed = int((~void & ~censored).sum())
        clocked[n_timed:] = self.censor_above
        weight = answers.weight[order]
        mixed = MixedAnswers(
            vectors=answers.vectors[order],
            choice=answers.choice[order],
            time=clocked,
            weight=weight,
            slow_scale=slow_scale(clocked, weight[: len(clocked)]),
            n_timed=n_timed,
            drift_variability=check_number("drift_variability", self.drift_variability, at_least=0),
            ridge=check_number("ridge", self.ridge, at_least=0),
        )
        return mixed, order

    def _known(self, mixed: MixedAnswers) -> Known:
        """Return what is given, after seeing that the trials determine the rest."""
        barrier = known_barrier(self.barrier)
        t0 = known_nondecision_time(self.nondecision_time)
        n = mixed.n_timed
        if barrier is None and n == 0:
            raise DataError(needs_times(type(self).__name__) + "; or give the barrier")
        if t0 is not None and n > 0 and mixed.time[:n].max() <= t0:
            raise DataError(
                f"no response_time exceeds nondecision_time ({t0:g} s), the slowest is "
                f"{mixed.time[:n].max():g} s; is one of them in milliseconds?"
            )
        if mixed.ridge == 0 and barrier is None and n == len(mixed.choice):
            columns = mixed.vectors, mixed.choice, mixed.time, mixed.weight
            sums = SufficientStatistics.from_trials(*columns)
            if np.isinf(sums.barrier(sums.weights_over_barrier(0.0), 0.0)):
                raise DataError(
                    f"{n} trials determine no barrier: the weights explain them exactly; collect "
                    "more trials, give the barrier, or use a ridge"
                )
        if n == 0:  # nothing tells contaminants apart, and the non-decision time does not matter
            return Known(barrier, t0 or 0.0, contaminants=False)
        return Known(barrier, t0, self.contaminants)
