"""What is believed about many people at once: Gaussian weights, barrier, times, prior scale.

Given barrier a, non-decision time t0 and prior N(m, q S), the weights are exactly Gaussian with
precision V + S^-1 / q and mean (V + S^-1 / q)^-1 (a s + S^-1 m / q), where s = sum c x and
V = sum (RT - t0) x x'. Without a population, m = 0 and S = I; with one, m, S and q are those of
the Gaussian nearest to the kinds of people it knows, weighed by the answers so far.
The three scalars follow the data: t0 is a share of the fastest answer, a comes from the second
Wald identity, q from one step of expectation-maximisation; each starts from a prior guess worth a
few answers. They are revised when the number of answers has grown by an eighth; in between an
answer costs one rank-one update.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.ddm import mean_time
from tacit.learners._base import Floats, Ints
from tacit.learners._belief_prior import BeliefPrior
from tacit.learners._matrices import apply, symmetric_inverse

_REVISIONS = 8
"""Estimates are revised when the answers have grown by one in this many."""

_EM_STEPS = 2
_LEAST_DECISION_SHARE = 0.02
"""A decision time below this share of the response time asks for a smaller non-decision time."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Belief:
    """Sums over the answers of each run, and the Gaussian law of the weights they imply.

    All arrays have a leading axis of runs.

    Attributes
    ----------
    grams : ndarray of shape (n_runs, 3, n_features, n_features)
        Sums of RT^k x x' over timed answers, k = 0, 1, 2.
    choice_sums : ndarray of shape (n_runs, 2, n_features)
        Sums of c RT^k x over timed answers, k = 0, 1.
    time_sums : ndarray of shape (n_runs, 2)
        Sums of RT^k over timed answers: their number and their total.
    void_gram, void_choice_sum : ndarray
        Sums of E[t] x x' and of c x over answers whose time is void.
    fastest : ndarray of shape (n_runs,)
        The smallest response time, seconds.
    prior_mean : ndarray of shape (n_runs, n_features)
        m.
    prior_precision : ndarray of shape (n_runs, n_features, n_features)
        S^-1.
    guessed_variance : ndarray of shape (n_runs,)
        q that the prior guesses.
    prior_variance, barrier, nondecision_time : ndarray of shape (n_runs,)
        Current estimates.
    covariance : ndarray of shape (n_runs, n_features, n_features)
        Of the weights, given those estimates.
    revised_at : ndarray of int64, shape (n_runs,)
        Number of timed answers when the estimates were last revised.
    """

    grams: Floats
    choice_sums: Floats
    time_sums: Floats
    void_gram: Floats
    void_choice_sum: Floats
    fastest: Floats
    prior_mean: Floats
    prior_precision: Floats
    guessed_variance: Floats
    prior_variance: Floats
    barrier: Floats
    nondecision_time: Floats
    covariance: Floats
    revised_at: Ints

    @classmethod
    def start(cls, n_runs: int, n_features: int, query_size: float, prior: BeliefPrior) -> Self:
        """Return the belief before the first answer.

        Parameters
        ----------
        n_runs, n_features : int
            Numbers of runs and of weights.
        query_size : float
            Mean squared length of a query vector, positive.
        prior : BeliefPrior
            Guesses.
        """
        shape = (n_runs, n_features, n_features)
        mean, precision, scale = prior.weights(n_features, query_size)
        variance = np.full(n_runs, scale)
        precisions = np.tile(precision, (n_runs, 1, 1))
        return cls(
            grams=np.zeros((n_runs, 3, n_features, n_features)),
            choice_sums=np.zeros((n_runs, 2, n_features)),
            time_sums=np.zeros((n_runs, 2)),
            void_gram=np.zeros(shape),
            void_choice_sum=np.zeros((n_runs, n_features)),
            fastest=np.full(n_runs, np.inf),
            prior_mean=np.tile(mean, (n_runs, 1)),
            prior_precision=precisions,
            guessed_variance=variance,
            prior_variance=variance,
            barrier=np.full(n_runs, prior.barrier),
            nondecision_time=np.full(n_runs, prior.nondecision_time),
            covariance=inverse(np.zeros(shape), precisions, variance),
            revised_at=np.zeros(n_runs, dtype=np.int64),
        )

    @cached_property
    def mean(self) -> Floats:
        """Mean of the weights, shape (n_runs, n_features)."""
        return apply(self.covariance, self.barrier[:, None] * self.choice_sum + self.prior_linear)

    @property
    def choice_sum(self) -> Floats:
        """Sum of c x over all answers, shape (n_runs, n_features)."""
        return np.asarray(self.choice_sums[:, 0] + self.void_choice_sum)

    @property
    def prior_linear(self) -> Floats:
        """What the prior adds to the linear term of the weights, S^-1 m / q."""
        return apply(self.prior_precision, self.prior_mean) / self.prior_variance[:, None]

    def yields(self, drift: Floats) -> tuple[Floats, Floats]:
        """Return the decision and the response times to expect of queries, seconds.

        The former are what an answer adds to the precision, in units of x x'; the latter what it
        costs.
        """
        shape = (-1,) + (1,) * (drift.ndim - 1)
        time = mean_time(drift, self.barrier.reshape(shape))
        return time, time + self.nondecision_time.reshape(shape)

    def take(self, runs: NDArray[Any]) -> Self:
        """Return the belief about some of the runs."""
        return replace(self, **{f.name: getattr(self, f.name)[runs] for f in fields(self)})

    def observe(
        self, x: Floats, choice: Floats, response_time: Floats, prior: BeliefPrior
    ) -> "Belief":
        """Return the belief after one answer in every run.

        A void time (NaN) is replaced by its expectation at the estimate so far, the Polya-Gamma
        step of logistic regression, and tells nothing about barrier and non-decision time.

        Parameters
        ----------
        x : ndarray of shape (n_runs, n_features)
            Vectors of the queries that were asked.
        choice, response_time : ndarray of shape (n_runs,)
            +1 or -1; seconds, or NaN for a void time.
        prior : BeliefPrior
            Guesses, as given to `start`.
        """
        void = np.isnan(response_time)
        decision_time = response_time - self.nondecision_time
        if void.any():
            expected = mean_time(np.einsum("ri,ri->r", x, self.mean), self.barrier)
            decision_time = np.where(void, expected, decision_time)
        sums = self._sums_with(x, choice, response_time, decision_time, void)
        impossible = decision_time < _LEAST_DECISION_SHARE * response_time
        due = impossible | is_due(sums["time_sums"][:, 0], self.revised_at)
        projected = apply(self.covariance, x)
        t = np.where(due, 0.0, decision_time)
        shrink = t / (1 + t * np.einsum("ri,ri->r", projected, x))
        change = (shrink[:, None] * projected)[:, :, None] * projected[:, None, :]
        moved = replace(self, covariance=np.subtract(self.covariance, change, out=change), **sums)
        runs = np.flatnonzero(due)
        return moved.revised(runs, prior) if len(runs) else moved

    def revised(self, runs: Ints, prior: BeliefPrior) -> Self:
        """Return the belief with barrier, non-decision time and prior of `runs` estimated anew."""
        if len(runs) == len(self.fastest):
            return replace(self, **_estimates(self, prior))
        columns = {}
        for name, estimates in _estimates(self.take(runs), prior).items():
            columns[name] = getattr(self, name).copy()
            columns[name][runs] = estimates
        return replace(self, **columns)

    def counted(self, response_time: Floats) -> Floats:
        """Return the response times that the belief rests on, NaN for the others.

        Parameters
        ----------
        response_time : ndarray of shape (n_runs, n_answers)
            What `counted` returned before, and in the last column what was observed since.
        """
        return response_time

    def _sums_with(
        self,
        x: Floats,
        choice: Floats,
        response_time: Floats,
        decision_time: Floats,
        void: NDArray[np.bool_],
    ) -> dict[str, Any]:
        """Return the sums over answers with one answer more in each run."""
        outer = x[:, :, None] * x[:, None, :]
        powers = response_time[:, None] ** np.arange(3)
        powers[void] = 0.0
        grams = powers[:, :, None, None] * outer[:, None]
        grams += self.grams
        moments = (choice[:, None] * powers[:, :2])[:, :, None] * x[:, None]
        sums = {
            "grams": grams,
            "choice_sums": self.choice_sums + moments,
            "time_sums": self.time_sums + powers[:, :2],
            "fastest": np.fmin(self.fastest, response_time),
        }
        if void.any():
            sums["void_gram"] = self.void_gram + (void * decision_time)[:, None, None] * outer
            sums["void_choice_sum"] = self.void_choice_sum + (void * choice)[:, None] * x
        return sums


def _estimates(belief: Belief, prior: BeliefPrior) -> dict[str, NDArray[Any]]:
    """Return barrier, non-decision time, prior scale and covariance, estimated anew."""
    time = prior.nondecision_time_after(belief.fastest)
    n_features = belief.covariance.shape[-1]
    information = belief.grams[:, 1] - time[:, None, None] * belief.grams[:, 0] + belief.void_gram
    choice_sum, barrier, variance = belief.choice_sum, belief.barrier, belief.prior_variance
    prior_mean, precision, kinds = belief.prior_mean, belief.prior_precision, prior.kinds
    for _ in range(_EM_STEPS):
        linear = barrier[:, None] * choice_sum
        if kinds is not None:
            prior_mean, spread = kinds.matched(kinds.log_evidence(information, linear))
            precision = symmetric_inverse(spread)
        covariance = inverse(information, precision, variance)
        pull = apply(precision, prior_mean) / variance[:, None]
        slope = apply(covariance, linear + pull) / barrier[:, None]
        barrier = prior.barrier_after(*_residuals(belief, slope, covariance, time))
        if kinds is None:
            deviation = barrier[:, None] * slope - prior_mean
            square_sum = np.einsum("ri,ri->r", deviation, apply(precision, deviation))
            square_sum += np.einsum("rij,rij->r", covariance, precision)
            variance = prior.variance_after(belief.guessed_variance, square_sum, n_features)
    weighed = {} if kinds is None else {"prior_mean": prior_mean, "prior_precision": precision}
    return weighed | {
        "prior_variance": variance,
        "barrier": barrier,
        "nondecision_time": time,
        "covariance": inverse(information, precision, variance),
        "revised_at": belief.time_sums[:, 0].astype(np.int64),
    }


def _residuals(
    belief: Belief, slope: Floats, covariance: Floats, time: Floats
) -> tuple[Floats, Floats]:
    """Return sum t (1 - t x'P x) and sum (c - t x'slope)^2 over timed answers.

    The weights are uncertain: given the barrier a, the mean of the squares over what they may be
    is larger by t^2 x'P x / a^2. Without that, fitted weights would leave too little to explain,
    and a barrier too high would make everything look more certain than it is.
    """
    n_timed = belief.time_sums[:, 0]
    moment = belief.choice_sums[:, 1] - time[:, None] * belief.choice_sums[:, 0]
    squared_gram = belief.grams[:, 2] - 2 * time[:, None, None] * belief.grams[:, 1]
    squared_gram += (time**2)[:, None, None] * belief.grams[:, 0]
    fitted = np.einsum("ri,ri->r", slope, apply(squared_gram, slope))
    residual = n_timed - 2 * np.einsum("ri,ri->r", slope, moment) + fitted
    uncertain = np.einsum("rij,rij->r", covariance, squared_gram)
    return belief.time_sums[:, 1] - time * n_timed - uncertain, residual


def is_due(n_answers: Floats | Ints, revised_at: Ints) -> NDArray[np.bool_]:
    """Return where the answers have grown enough for estimates to be revised."""
    return np.asarray(n_answers > (1 + 1 / _REVISIONS) * revised_at)


def inverse(information: Floats, prior_precision: Floats, prior_variance: Floats) -> Floats:
    """Return the inverse of each run's information plus that of its prior, symmetric."""
    return symmetric_inverse(information + prior_precision / prior_variance[..., None, None])
