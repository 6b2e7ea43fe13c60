"""From people's trials to what is known about them, in one form whatever the method."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tacit import bayes
from tacit.bayes import FlatPrior, GaussianPrior, Posterior
from tacit.cli._reading import THE_MEAN_ITEM, PersonTrials, for_each
from tacit.errors import DataError, TacitError
from tacit.records import REFERENCE, Items

if TYPE_CHECKING:
    from tacit.estimators import RobustLikelihood

Floats = npt.NDArray[np.float64]
Progress = Callable[[int], None]

_DRAWS = 20_000


@dataclass(frozen=True)
class Estimate:
    """What is known about one person.

    Parameters
    ----------
    barrier, nondecision_time : tuple of mean and standard deviation
        In evidence units and seconds; a standard deviation that is not known is NaN.
    weights, utilities : tuple of means and standard deviations
        Arrays with one value for each feature, and for each item.
    probability_best : array of float, shape (n_items,)
        Probability that an item has the highest utility.
    contamination : dict
        What a robust fit found out about answers that are no decisions.
    """

    barrier: tuple[float, float]
    nondecision_time: tuple[float, float]
    weights: tuple[Floats, Floats]
    utilities: tuple[Floats, Floats]
    probability_best: Floats
    contamination: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Fitted:
    """A person with the outcome of the fit; `posterior` only where the fit was exact."""

    person: PersonTrials
    outcome: Estimate | TacitError
    posterior: Posterior | None = None

    @property
    def method(self) -> str:
        """How the person was fitted."""
        return "robust likelihood" if self.posterior is None else "exact posterior"


@dataclass(frozen=True)
class Settings:
    """What is assumed about everybody.

    Parameters
    ----------
    nondecision_time : float or None
        Seconds; None if it is to be estimated.
    prior_sd : float or None
        Standard deviation of a Gaussian prior on the weights around 0; None for a flat prior.
    """

    nondecision_time: float | None = None
    prior_sd: float | None = None

    @property
    def prior(self) -> FlatPrior | GaussianPrior:
        """The prior of an exact fit."""
        prior: FlatPrior | GaussianPrior = FlatPrior()
        if self.prior_sd is not None:
            prior = GaussianPrior(covariance=self.prior_sd**2)
        if self.nondecision_time is None:
            return prior
        return replace(prior, nondecision_time=self.nondecision_time)


def fit_exactly(
    people: Sequence[PersonTrials], settings: Settings, n_jobs: int | None, progress: Progress
) -> list[Fitted]:
    """Return the exact posterior of everybody."""
    checked = for_each(
        people, lambda person: check_comparable(person, settings), lambda _done: None
    )
    fits = bayes.fit_many(
        {person.name: person.trials for person in checked if isinstance(person, PersonTrials)},
        prior=settings.prior,
        n_jobs=_useful_jobs(n_jobs, len(people)),
        progress=lambda done, _total: progress(done),
    )
    fitted = []
    for person, error in zip(people, checked, strict=True):
        if isinstance(error, TacitError):
            fitted.append(Fitted(person, error))
        elif person.name in fits.errors:
            fitted.append(Fitted(person, fits.errors[person.name]))
        else:
            fitted.append(_exact(person, fits.posteriors[person.name]))
    return fitted


def _useful_jobs(n_jobs: int | None, n_people: int) -> int | None:
    """Bound the number of processes by those that have something to do."""
    return n_jobs if n_jobs is None else min(n_jobs, n_people, os.cpu_count() or 1)


def _exact(person: PersonTrials, posterior: Posterior) -> Fitted:
    items = person.trials.items
    utilities = posterior.utilities(items.features)
    estimate = Estimate(
        (posterior.barrier.mean, posterior.barrier.sd),
        (posterior.nondecision_time.mean, posterior.nondecision_time.sd),
        (posterior.weights.mean, posterior.weights.sd),
        (utilities.mean, utilities.sd),
        posterior.probability_best(items.features),
    )
    return Fitted(person, estimate, posterior)


def fit_robustly(
    people: Sequence[PersonTrials], settings: Settings, progress: Progress
) -> list[Fitted]:
    """Return the estimates of everybody that doubt every answer.

    Standard deviations are asymptotic, and take the barrier as known.
    """
    # Only this loads scikit-learn, which takes longer than many fits.
    from tacit.estimators import RobustLikelihood

    model = RobustLikelihood(
        "fit" if settings.nondecision_time is None else settings.nondecision_time,
        ridge=0.0 if settings.prior_sd is None else settings.prior_sd**-2,
    )
    outcomes = for_each(people, lambda p: _robust(check_comparable(p, settings), model), progress)
    return [Fitted(*both) for both in zip(people, outcomes, strict=True)]


def _robust(person: PersonTrials, model: "RobustLikelihood") -> Estimate:
    trials = person.trials
    if np.isnan(trials.response_time).all():
        raise DataError("no answer has a response time, which the barrier is learned from")
    model.fit(trials.vectors, trials.choice, response_time=trials.response_time)
    barrier = model.barrier_
    weights, covariance = model.coef_ * barrier, model.covariance_ * barrier**2
    features = trials.items.features
    return Estimate(
        (barrier, nan),
        (model.nondecision_time_, nan),
        (weights, np.sqrt(np.diag(covariance))),
        (features @ weights, np.sqrt(np.diag(features @ covariance @ features.T))),
        _probability_best(trials.items, weights, covariance),
        _contamination(model),
    )


def _contamination(model: "RobustLikelihood") -> dict[str, float]:
    kinds = {name.replace(" ", "_"): share for name, share in model.contaminant_shares_.items()}
    return {"contaminant_share": model.contaminant_share_, **kinds, "n_void": model.n_void_}


def _probability_best(items: Items, weights: Floats, covariance: Floats) -> Floats:
    draws = np.random.default_rng(0).multivariate_normal(weights, covariance, _DRAWS, method="eigh")
    best = np.argmax(items.utilities(draws), axis=1)
    return np.bincount(best, minlength=items.n_items) / _DRAWS


def check_comparable(person: PersonTrials, settings: Settings) -> PersonTrials:
    """Return a person whose answers compare all items, directly or through others.

    The utilities of items without features are otherwise not determined, except by a prior.
    Items with features compare through these.
    """
    if person.has_features or settings.prior_sd is not None:
        return person
    trials, nodes = person.trials, list(person.trials.items.names)
    second = trials.second
    if person.zero != THE_MEAN_ITEM:
        if person.zero not in nodes:
            nodes.append(person.zero)
        second = np.where(second == REFERENCE, nodes.index(person.zero), second)
    ones, size = np.ones(trials.n_trials), len(nodes)
    links = coo_array((ones, (trials.first, second)), shape=(size, size))
    n_groups, group = connected_components(links, directed=False)
    if n_groups == 1:
        return person
    apart = nodes[int(np.argmax(group != group[0]))]
    raise DataError(
        f"nothing compares {nodes[0]!r} with {apart!r}, not even through other items "
        f"({n_groups} such groups); ask more, or give utilities a prior with --prior-sd"
    )
