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
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.ddm import MIXTURE_SCALES, WeightsMixture, mean_time
from tacit.errors import DataError
from tacit.learners._base import Floats, Ints

if TYPE_CHECKING:
    from tacit.bayes import Population

_REVISIONS = 8
"""Estimates are revised when the answers have grown by one in this many."""

_EM_STEPS = 2
_ROUNDING = 1e-6
_LEAST_DECISION_SHARE = 0.02
"""A decision time below this share of the response time asks for a smaller non-decision time."""


@dataclass(frozen=True, kw_only=True)
class BeliefPrior:
    """What is believed before the first answer, and for how many answers that counts.

    Attributes
    ----------
    drift_sd : float
        Guess of the standard deviation, over queries, of the utility difference.
    drift_weight : float
        Number of weights that it counts for.
    barrier : float
        Guess of the barrier.
    barrier_weight : float
        Number of answers that it counts for.
    nondecision_time : float
        Guess of the non-decision time before the first answer, seconds.
    fastest_share : float
        Non-decision time as a share of the fastest answer, in (0, 1).
    mean : array_like of shape (n_features,), optional
        Mean of the weights in a population that people come from, such as
        `tacit.bayes.Population.mean()`; 0 when absent.
    covariance : array_like of shape (n_features, n_features), optional
        Covariance of the weights in the population, positive definite; its scale, 1 at first, is
        learned for each person. Independent weights of `drift_sd` when absent.
    shares : array_like of shape (2, n_scales), optional
        How probable it is that the person is like the population or not, at each scale, as in
        `tacit.ddm.WeightsMixture`; the person's answers then tell mean, covariance and scale.
    """

    drift_sd: float = 3.0
    drift_weight: float = 2.0
    barrier: float = 1.2
    barrier_weight: float = 6.0
    nondecision_time: float = 0.35
    fastest_share: float = 0.85
    mean: ArrayLike | None = None
    covariance: ArrayLike | None = None
    shares: ArrayLike | None = None

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name not in {"mean", "covariance", "shares"} and not 0 < value < np.inf:
                raise DataError(f"`{f.name}` must be a positive number, got {value}")
        if self.fastest_share >= 1:
            raise DataError(f"`fastest_share` must be below 1, got {self.fastest_share}")
        # As tuples they compare by value, as the rest of a configuration does.
        if self.mean is not None:
            object.__setattr__(self, "mean", tuple(map(float, np.asarray(self.mean))))
        for name in ("covariance", "shares"):
            if getattr(self, name) is not None:
                rows = np.asarray(getattr(self, name), dtype=np.float64).tolist()
                object.__setattr__(self, name, tuple(map(tuple, rows)))
        if self.shares is not None:
            if self.mean is None or self.covariance is None:
                raise DataError("the prior's `shares` need `mean` and `covariance` of a population")
            _check_shares(np.array(self.shares))

    @classmethod
    def of(cls, population: "Population", covariates: ArrayLike | None = None) -> Self:
        """Return what is believed about somebody who comes from a population.

        Parameters
        ----------
        population : Population
            Learned from other people.
        covariates : array_like of shape (n_covariates,), optional
            Of this person, where the population has covariates.
        """
        kinds = population.mixture(covariates)
        return cls(
            mean=kinds.mean,
            covariance=kinds.covariance,
            shares=kinds.shares,
            barrier=population.barrier,
            nondecision_time=population.nondecision_time,
        )

    def weights(self, n_features: int, query_size: float) -> tuple[Floats, Floats, float]:
        """Return mean and precision of the weights up to a scale, and the guess of that scale."""
        d = n_features
        mean = np.zeros(d) if self.mean is None else np.array(self.mean, dtype=np.float64)
        if mean.shape != (d,) or not np.isfinite(mean).all():
            raise DataError(f"the prior's `mean` must hold {d} weights, got {mean}")
        if self.covariance is None:
            return mean, np.eye(d), self.drift_sd**2 / query_size
        covariance = np.array(self.covariance, dtype=np.float64)
        if covariance.shape != (d, d) or not np.linalg.eigvalsh(covariance)[0] > 0:
            raise DataError(
                f"the prior's `covariance` must be positive definite of shape ({d}, {d}), got "
                f"shape {covariance.shape}"
            )
        if self.kinds is not None:
            matched, spread = self.kinds.matched()
            mean, covariance = matched[0], spread[0]
        return mean, _precision(covariance), 1.0

    @cached_property
    def kinds(self) -> WeightsMixture | None:
        """The kinds of people that the person may be of; None where there is only one."""
        if self.shares is None:
            return None
        return WeightsMixture(*map(np.array, (self.mean, self.covariance, self.shares)))

    def nondecision_time_after(self, fastest: Floats) -> Floats:
        """Return the estimate once the fastest answer is known; the guess before any."""
        return np.where(np.isinf(fastest), self.nondecision_time, self.fastest_share * fastest)

    def barrier_after(self, time_sum: Floats, residual_sum: Floats) -> Floats:
        """Return the barrier that the second Wald identity and the guess agree on."""
        weight = self.barrier_weight
        return np.sqrt((time_sum + weight * self.barrier**2) / (residual_sum + weight))

    def variance_after(self, guess: Floats, expected_square_sum: Floats, n: int) -> Floats:
        """Return the variance of `n` weights after one step of expectation-maximisation."""
        total = expected_square_sum + self.drift_weight * guess
        return np.asarray(total / (n + self.drift_weight))


def _check_shares(shares: Floats) -> None:
    if shares.shape != (2, len(MIXTURE_SCALES)) or not (shares >= 0).all():
        raise DataError(
            f"the prior's `shares` must hold two rows of {len(MIXTURE_SCALES)} probabilities, got "
            f"{shares.tolist()}"
        )
    if not abs(shares.sum() - 1) <= _ROUNDING:
        raise DataError(f"the prior's `shares` must add up to 1, got {shares.sum():g}")


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
        total = self.choice_sums[:, 0] + self.void_choice_sum
        return apply(self.covariance, self.barrier[:, None] * total + self.prior_linear)

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
        sums = self._sums_with(x, choice, response_time, decision_time)
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
        self, x: Floats, choice: Floats, response_time: Floats, decision_time: Floats
    ) -> dict[str, Any]:
        """Return the sums over answers with one answer more in each run."""
        void = np.isnan(response_time)
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
    choice_sum = belief.choice_sums[:, 0] + belief.void_choice_sum
    barrier, variance = belief.barrier, belief.prior_variance
    prior_mean, precision, kinds = belief.prior_mean, belief.prior_precision, prior.kinds
    for _ in range(_EM_STEPS):
        linear = barrier[:, None] * choice_sum
        if kinds is not None:
            prior_mean, spread = kinds.matched(kinds.log_evidence(information, linear))
            precision = _precision(spread)
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


def apply(matrices: Floats, vectors: Floats) -> Floats:
    """Return the product of each run's matrix with its vector."""
    return np.asarray(np.matmul(matrices, vectors[:, :, None])[:, :, 0])


def is_due(n_answers: Floats | Ints, revised_at: Ints) -> NDArray[np.bool_]:
    """Return where the answers have grown enough for estimates to be revised."""
    return np.asarray(n_answers > (1 + 1 / _REVISIONS) * revised_at)


def inverse(information: Floats, prior_precision: Floats, prior_variance: Floats) -> Floats:
    """Return the inverse of each run's information plus that of its prior, symmetric."""
    precision = information + prior_precision / prior_variance[..., None, None]
    matrix = np.linalg.inv(precision)
    return np.asarray(0.5 * (matrix + matrix.mT))


def _precision(covariance: Floats) -> Floats:
    matrix = np.linalg.inv(covariance)
    return np.asarray(0.5 * (matrix + matrix.mT))
