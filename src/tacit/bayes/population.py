"""What people have in common: a Gaussian population of weights, learned in closed-form steps.

The more people answered, the less a new one has to: the population is the prior of the next.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._population_em import Posteriors, posteriors_of
from tacit.bayes._population_kinds import learn_shares
from tacit.bayes._population_people import People, first_barriers, people_data, search
from tacit.bayes.priors import GaussianPrior
from tacit.ddm import MIXTURE_SCALES, PeopleStatistics, WeightsMixture
from tacit.errors import ConvergenceWarning, DataError

LEAST_PEOPLE = 8
"""Fewer people say too little about others."""

_FORMAT = "tacit.bayes.Population"
_ROUNDS = 2000
_LIKE_OTHERS = 0.5
"""How much of the belief about a new person follows the shares of people of each kind.

The rest is spread evenly over all kinds, since people may come from elsewhere. Whoever does not
loses log 2 of evidence at most by that.
"""


def _like_others() -> Floats:
    return np.array([MIXTURE_SCALES == 1.0, np.zeros(len(MIXTURE_SCALES))], dtype=np.float64)


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
    shares : ndarray of shape (2, n_scales)
        Share of people whose weights are best told by this Gaussian, at each of
        `tacit.ddm.MIXTURE_SCALES`, and by one that knows nothing about others, found by leaving
        people out in turn. By default all are of the first kind, at scale 1.

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
    shares: Floats = field(default_factory=_like_others)

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
        """Return what is believed about a new person who is like the others.

        The covariance includes that the mean was learned from a limited number of people.

        Parameters
        ----------
        covariates : array_like of shape (n_covariates,), optional
            All 0 when absent.
        """
        spread = (1 + 1 / self.n_people) * self.covariance
        return GaussianPrior(mean=self.mean(covariates), covariance=spread)

    def mixture(self, covariates: ArrayLike | None = None) -> WeightsMixture:
        """Return what is believed about a new person whose own answers tell how like others.

        Half of the belief follows `shares`; the other half takes all kinds for equally probable.

        Parameters
        ----------
        covariates : array_like of shape (n_covariates,), optional
            All 0 when absent.
        """
        spread = (1 + 1 / self.n_people) * self.covariance
        shares = _LIKE_OTHERS * self.shares + (1 - _LIKE_OTHERS) / self.shares.size
        return WeightsMixture(self.mean(covariates), spread, shares)

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
        data = people_data(statistics, nondecision_time, barrier, covariates)
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
            "shares": self.shares.tolist(),
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
            names = ("coefficients", "covariance", "shares")
            arrays = {name: np.array(stored.pop(name)) for name in names}
            return cls(
                arrays["coefficients"],
                arrays["covariance"],
                float(stored["barrier"]),
                float(stored["nondecision_time"]),
                int(stored["n_people"]),
                tuple(stored["log_evidence"]),
                arrays["shares"],
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
    n_rounds: int = _ROUNDS,
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
        At the maximum of the evidence. Its shares come from populations of four fifths of people,
        by which the others are judged (of 1,000 people at most).

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
    n_used, d = int(answered.sum()), statistics.n_features
    _check(n_used, d, rank)
    people = statistics.take(answered)
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), answered.shape)[answered]
    a = first_barriers(people, t0) if barrier is None else as_floats("barrier", barrier)[answered]
    given = np.empty((n_used, 0)) if covariates is None else np.asarray(covariates)[answered]
    crowd = People(people, t0, a, barrier is not None, given)
    regressors = crowd.data().regressors
    n_regressors = regressors.shape[1]
    if np.linalg.matrix_rank(regressors) < n_regressors or n_used <= n_regressors:
        raise DataError(
            f"{n_used} people do not determine the effects of {n_regressors - 1} covariates; is "
            "one the sum of others, or the same for everybody?"
        )
    made_up = float(d if shrinkage is None else shrinkage)
    found, a = search(crowd, rank=rank, shrinkage=made_up, n_rounds=n_rounds, tolerance=tolerance)
    if not found.converged:
        warn(_unfinished(n_rounds), ConvergenceWarning, stacklevel=2)
    return Population(
        found.coefficients,
        found.covariance,
        float(np.median(a)),
        float(np.median(t0)),
        n_used,
        found.log_evidence,
        learn_shares(crowd, rank=rank, shrinkage=made_up),
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
    a, d = first_barriers(statistics, t0), statistics.n_features
    answered = np.flatnonzero(statistics.n_trials + statistics.n_censored)
    people = People(statistics, t0, a, True, np.empty((len(a), 0))).take(answered)
    fold = np.arange(len(answered)) % n_folds
    (np.random.default_rng(0) if rng is None else rng).shuffle(fold)
    total = dict.fromkeys(ranks, 0.0)
    for left_out in range(n_folds):
        own = people.take(np.flatnonzero(fold != left_out))
        out = people.take(np.flatnonzero(fold == left_out))
        for rank in ranks:
            _check(len(own.barrier), d, rank)
            found, _ = search(
                own, rank=rank, shrinkage=float(d), n_rounds=_ROUNDS, tolerance=tolerance
            )
            if not found.converged:
                warn(_unfinished(_ROUNDS), ConvergenceWarning, stacklevel=2)
            spread = (1 + 1 / len(own.barrier)) * found.covariance
            judged = posteriors_of(out.data(), found.coefficients, spread)
            total[rank] += float(judged.log_evidence.sum()) / len(answered)
    return total


def _check(n_people: int, n_features: int, rank: int | None) -> None:
    if n_people < LEAST_PEOPLE:
        raise DataError(
            f"a population is learned from at least {LEAST_PEOPLE} people with answers, got "
            f"{n_people}; use a GaussianPrior until there are more"
        )
    if rank is not None and not 1 <= rank < n_features:
        raise DataError(
            f"`rank` must be at least 1 and below the number of features ({n_features})"
        )


def _unfinished(n_rounds: int) -> str:
    return (
        f"the evidence of the population still grows after {n_rounds} rounds; the population "
        "is the best found"
    )
