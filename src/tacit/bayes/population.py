"""What people have in common: a Gaussian population of weights, learned in closed-form steps.

The more people answered, the less a new one has to: the population is the prior of the next.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._population_em import PeopleData, Posteriors, fit_population, posteriors_of
from tacit.bayes.priors import GaussianPrior
from tacit.ddm import PeopleStatistics
from tacit.errors import ConvergenceWarning, DataError

LEAST_PEOPLE = 8
"""Fewer people say too little about others."""

_FORMAT = "tacit.bayes.Population"
_RIDGE = 1.0
_BARRIER_ROUNDS = 8
_ROUGH_ROUNDS = 30
_BARRIER_WEIGHT = 6.0
"""Answers that the pooled barrier counts for in a person's own."""


@dataclass(frozen=True, eq=False)
class Population:
    """A Gaussian population of weights.

    Attributes
    ----------
    coefficients : ndarray of shape (1 + n_covariates, n_features)
        The mean of the weights where all covariates are 0, and its change with each covariate.
    covariance : ndarray of shape (n_features, n_features)
        Of the weights of people with the same covariates.
    barrier, nondecision_time : float
        Medians over people: evidence units, seconds.
    n_people : int
        Number of people it was learned from.
    log_evidence : tuple of float
        Of these people's answers against weights of zero, by round of the search.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(0)
    >>> liking = rng.multivariate_normal([1.0, 0.0], [[0.5, 0.4], [0.4, 0.5]], size=200)
    >>> person, X = np.repeat(np.arange(200), 20), rng.normal(size=(4000, 2))
    >>> drift = (X * liking[person]).sum(axis=1)
    >>> choice, time = ddm.sample(drift, 1.2, nondecision_time=0.3, rng=rng)
    >>> sums = ddm.PeopleStatistics.from_trials(X, choice, time, person)
    >>> crowd = bayes.learn_population(sums, nondecision_time=0.3)
    >>> crowd.mean().round(1)
    array([1.1, 0.1])
    """

    coefficients: Floats
    covariance: Floats
    barrier: float
    nondecision_time: float
    n_people: int
    log_evidence: tuple[float, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of weights."""
        return len(self.covariance)

    def mean(self, covariates: ArrayLike | None = None) -> Floats:
        """Return the mean of the weights of people with these covariates.

        Parameters
        ----------
        covariates : array_like of shape (n_covariates,) or (n_people, n_covariates), optional
            All 0 when absent.

        Returns
        -------
        ndarray of shape (n_features,) or (n_people, n_features)
        """
        n = len(self.coefficients) - 1
        given = np.zeros(n) if covariates is None else as_floats("covariates", covariates)
        if given.shape[-1:] != (n,) or given.ndim > 2:
            raise DataError(f"`covariates` must hold {n} for each person, got shape {given.shape}")
        return np.asarray(self.coefficients[0] + given @ self.coefficients[1:])

    def prior(self, covariates: ArrayLike | None = None) -> GaussianPrior:
        """Return what is believed about a new person before the first answer.

        The covariance includes that the mean was learned from a limited number of people.

        Parameters
        ----------
        covariates : array_like of shape (n_covariates,), optional
            All 0 when absent.
        """
        spread = (1 + 1 / self.n_people) * self.covariance
        return GaussianPrior(mean=self.mean(covariates), covariance=spread)

    def posterior(
        self,
        statistics: PeopleStatistics,
        *,
        nondecision_time: ArrayLike,
        barrier: ArrayLike,
        covariates: ArrayLike | None = None,
    ) -> Posteriors:
        """Return what is known about people after their answers, this population being the prior.

        Parameters
        ----------
        statistics : PeopleStatistics
            Sums of their answers.
        nondecision_time, barrier : array_like of shape (n_people,)
            Seconds, evidence units.
        covariates : array_like of shape (n_people, n_covariates), optional
            All 0 when absent.

        Returns
        -------
        Posteriors
            Means, covariances, and the log evidence of each person's answers against weights of
            zero, by which populations are compared on people that they were not learned from.
        """
        n = len(self.coefficients) - 1
        if covariates is None:
            covariates = np.zeros((statistics.n_people, n))
        data = _data(statistics, nondecision_time, barrier, covariates)
        if data.regressors.shape[1] != n + 1 or data.linear.shape[1] != self.n_features:
            raise DataError(
                f"the population has {self.n_features} weights and {n} covariates, got people with "
                f"{data.linear.shape[1]} and {data.regressors.shape[1] - 1}"
            )
        return posteriors_of(data, self.coefficients, (1 + 1 / self.n_people) * self.covariance)

    def to_json(self) -> str:
        """Return the population as JSON text, exact to the last bit."""
        stored = {
            "format": _FORMAT,
            "version": 1,
            "coefficients": self.coefficients.tolist(),
            "covariance": self.covariance.tolist(),
            "barrier": self.barrier,
            "nondecision_time": self.nondecision_time,
            "n_people": self.n_people,
            "log_evidence": list(self.log_evidence),
        }
        return json.dumps(stored, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the population that `to_json` wrote."""
        try:
            stored = json.loads(text)
            found = f"{stored.pop('format')} {stored.pop('version')}"
            if found != f"{_FORMAT} 1":
                raise DataError(f"this version reads {_FORMAT} 1, got {found}")
            arrays = {name: np.array(stored.pop(name)) for name in ("coefficients", "covariance")}
            return cls(
                arrays["coefficients"],
                arrays["covariance"],
                float(stored["barrier"]),
                float(stored["nondecision_time"]),
                int(stored["n_people"]),
                tuple(stored["log_evidence"]),
            )
        except DataError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"not the JSON of a Population: {error!r}") from error


def learn_population(
    statistics: PeopleStatistics,
    *,
    nondecision_time: ArrayLike,
    barrier: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    rank: int | None = None,
    shrinkage: float | None = None,
    n_rounds: int = 2000,
    tolerance: float = 1e-5,
) -> Population:
    """Learn a population from the sums of its people.

    Parameters
    ----------
    statistics : PeopleStatistics
        Sums of the answers of people who are asked about the same features.
    nondecision_time : array_like of shape () or (n_people,)
        Seconds, below the fastest answer of each person.
    barrier : array_like of shape (n_people,), optional
        The barriers; by the second Wald identity when absent, and the median of others where a
        person's answers leave it open.
    covariates : array_like of shape (n_people, n_covariates), optional
        What the mean may depend on: 0 or 1 for groups, numbers on about one scale.
    rank : int, optional
        For many features: covariance of so many shared directions plus one variance of its own for
        each feature. Any covariance when absent.
    shrinkage : float, optional
        Number of made-up people with independent, equally variable weights that are added; by
        default the number of features.
    n_rounds : int, default 2000
        Most rounds of the search.
    tolerance : float, default 1e-5
        Gain of log evidence per person and round at which it ends.

    Returns
    -------
    Population
        At the maximum of the evidence.

    Raises
    ------
    DataError
        For fewer than 8 people, or not more than there are covariates.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> sums = ddm.PeopleStatistics.from_trials([[1.0]] * 3, [1, 1, -1], [0.9, 0.8, 1.1], [0, 1, 2])
    >>> bayes.learn_population(sums, nondecision_time=0.3)
    Traceback (most recent call last):
    tacit.errors.DataError: a population is learned from at least 8 people with answers, got 3; ...
    """
    answered = statistics.n_trials + statistics.n_censored > 0
    n_used = int(answered.sum())
    if n_used < LEAST_PEOPLE:
        raise DataError(
            f"a population is learned from at least {LEAST_PEOPLE} people with answers, got "
            f"{n_used}; use a GaussianPrior until there are more"
        )
    d = statistics.n_features
    if rank is not None and not 1 <= rank < d:
        raise DataError(f"`rank` must be at least 1 and below the number of features ({d})")
    people = statistics.take(answered)
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), answered.shape)[answered]
    a = _first_barriers(people, t0) if barrier is None else as_floats("barrier", barrier)[answered]
    data = _data(people, t0, a, None if covariates is None else np.asarray(covariates)[answered])
    n_regressors = data.regressors.shape[1]
    if np.linalg.matrix_rank(data.regressors) < n_regressors or n_used <= n_regressors:
        raise DataError(
            f"{n_used} people do not determine the effects of {n_regressors - 1} covariates; is "
            "one the sum of others, or the same for everybody?"
        )
    made_up = float(d if shrinkage is None else shrinkage)
    for _ in range(_BARRIER_ROUNDS if barrier is None else 0):
        rough = fit_population(
            data, rank=rank, shrinkage=made_up, n_rounds=_ROUGH_ROUNDS, tolerance=tolerance
        )
        a = _barriers(people, t0, a, posteriors_of(data, rough.coefficients, rough.covariance))
        data = _data(people, t0, a, data.regressors[:, 1:])
    found = fit_population(
        data, rank=rank, shrinkage=made_up, n_rounds=n_rounds, tolerance=tolerance
    )
    if not found.converged:
        warn(
            f"the evidence of the population still grows after {n_rounds} rounds; the population "
            "is the best found",
            ConvergenceWarning,
            stacklevel=2,
        )
    return Population(
        found.coefficients,
        found.covariance,
        float(np.median(a)),
        float(np.median(t0)),
        n_used,
        found.log_evidence,
    )


def held_out_evidence(
    statistics: PeopleStatistics,
    *,
    nondecision_time: ArrayLike,
    ranks: Sequence[int | None] = (None,),
    n_folds: int = 5,
    tolerance: float = 1e-3,
    rng: np.random.Generator | None = None,
) -> dict[int | None, float]:
    """Return how well populations of several ranks predict people they were not learned from.

    Parameters
    ----------
    statistics : PeopleStatistics
        Sums of the answers of people.
    nondecision_time : array_like of shape () or (n_people,)
        Seconds.
    ranks : sequence of int or None
        Ranks to compare; see `learn_population`.
    n_folds : int, default 5
        Number of parts of the people that take turns in being left out.
    tolerance : float, default 1e-3
        As in `learn_population`; ranks differ by more than what further rounds gain.
    rng : numpy.random.Generator, optional
        Divides the people; the same way every time by default.

    Returns
    -------
    dict
        Mean log evidence of a left-out person's answers, by rank.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(0)
    >>> person, X = np.repeat(np.arange(60), 15), rng.normal(size=(900, 2))
    >>> choice, time = ddm.sample(X @ [1.0, -1.0], 1.2, nondecision_time=0.3, rng=rng)
    >>> sums = ddm.PeopleStatistics.from_trials(X, choice, time, person)
    >>> bayes.held_out_evidence(sums, nondecision_time=0.3)[None] > 0
    True
    """
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), statistics.fastest.shape)
    a = _first_barriers(statistics, t0)
    fold = np.arange(statistics.n_people) % n_folds
    (np.random.default_rng(0) if rng is None else rng).shuffle(fold)
    total = dict.fromkeys(ranks, 0.0)
    for left_out in range(n_folds):
        own, out = fold != left_out, fold == left_out
        for rank in ranks:
            learned = learn_population(
                statistics.take(own),
                nondecision_time=t0[own],
                barrier=a[own],
                rank=rank,
                tolerance=tolerance,
            )
            found = learned.posterior(
                statistics.take(out), nondecision_time=t0[out], barrier=a[out]
            )
            total[rank] += float(found.log_evidence.sum()) / statistics.n_people
    return total


def _first_barriers(statistics: PeopleStatistics, t0: Floats) -> Floats:
    """Return everybody's barrier by itself, the median where the answers leave it open."""
    barrier = statistics.estimate(t0, ridge=_RIDGE).barrier
    known = np.isfinite(barrier)
    if not known.any():
        raise DataError("nobody's answers determine a barrier; give `barrier`")
    return np.where(known, barrier, np.median(barrier[known]))


def _barriers(
    statistics: PeopleStatistics, t0: Floats, barrier: Floats, people: Posteriors
) -> Floats:
    """Return everybody's barrier, given what is known of the weights.

    That the weights are uncertain lowers the sum of times by sum t^2 x'C x: fitted weights would
    leave too little to explain, and barriers too high.
    """
    sums = statistics.residuals(people.mean / barrier[:, None], t0, barrier)
    time = sums.time - np.einsum("nij,nij->n", people.covariance, sums.squared_time_gram)
    pooled = max(float(time.sum() / sums.square.sum()), 1e-6)
    squared = (np.clip(time, 0, None) + _BARRIER_WEIGHT * pooled) / (sums.square + _BARRIER_WEIGHT)
    return np.asarray(np.sqrt(squared))


def _data(
    statistics: PeopleStatistics,
    nondecision_time: ArrayLike,
    barrier: ArrayLike,
    covariates: ArrayLike | None,
) -> PeopleData:
    n = statistics.n_people
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), (n,))
    a = np.broadcast_to(as_floats("barrier", barrier), (n,))
    if not (np.isfinite(a).all() and (a > 0).all()):
        raise DataError("`barrier` must be a positive number for each person")
    given = np.empty((n, 0)) if covariates is None else as_floats("covariates", covariates)
    if given.ndim != 2 or len(given) != n or not np.isfinite(given).all():
        raise DataError(f"`covariates` must be finite, one row for each of {n} people")
    return PeopleData(
        statistics.information(t0, a),
        a[:, None] * statistics.choice_sum,
        np.column_stack([np.ones(n), given]),
    )
