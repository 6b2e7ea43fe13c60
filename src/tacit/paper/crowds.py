"""The people of a data set as bandit problems: who they are, and what GSE is told about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from tacit import bayes
from tacit.datasets import Dataset, PersonParameters, load, published_fits
from tacit.paper.settings import SETTINGS, Setting
from tacit.records import Problem


@dataclass(frozen=True)
class Subject:
    """A person to find the favourite of.

    Parameters
    ----------
    name : str
        Who it is, different for everybody.
    parameters : PersonParameters
        How the person decides, with weights for the items of the problem.
    problem : Problem
        What may be asked.
    phase_buffer : float
        Of GSE: seconds.
    """

    name: str
    parameters: PersonParameters
    problem: Problem
    phase_buffer: float


@dataclass(frozen=True)
class Crowd:
    """People to find the favourites of, with what is usual for them.

    Parameters
    ----------
    name : str
        Where the people come from.
    people : tuple of Subject
        At least one.
    setting : Setting
        Of the data set that they are in, or like.
    citation : str
        Whom to cite.
    """

    name: str
    people: tuple[Subject, ...]
    setting: Setting
    citation: str

    def gse_options(self, person: Subject, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return what GSE is told about a person in the paper, before options that are given."""
        design = options.get("design", "transductive")
        estimator = options.get("estimator", "choice-decision-time")
        return {
            "eta": self.setting.eta_of(design, estimator),
            "phase_buffer": person.phase_buffer,
            "nondecision_time": person.parameters.nondecision_time,
        }


def crowd(
    name: str,
    folder: str | PathLike[str] | None = None,
    *,
    n_people: int | None = None,
    published: bool = False,
) -> Crowd:
    """Return people of a data set, simulated with the parameters that fit them.

    Parameters
    ----------
    name : {"food-risk", "clithero", "krajbich"}
        Which data set.
    folder : path, optional
        Where its files are; see `tacit.datasets.load`.
    n_people : int, optional
        The first so many; all by default.
    published : bool, default False
        Take the posterior means that the paper's authors published, instead of exact ones.

    Returns
    -------
    Crowd

    Examples
    --------
    >>> crowd("chocolate")
    Traceback (most recent call last):
    tacit.errors.DataError: the data sets are 'food-risk', 'clithero', 'krajbich', got 'chocolate'
    """
    dataset = load(name, folder)
    dataset = Dataset(dataset.name, dataset.people[:n_people], dataset.citation)
    setting = SETTINGS[name]
    if published:
        parameters = published_fits(name, folder)[:n_people]
    else:
        parameters = tuple(
            PersonParameters(own.barrier.mean, own.nondecision_time.mean, own.weights.mean)
            for own in exact_fits(dataset)
        )
    people = tuple(
        Subject(
            person.name,
            PersonParameters(
                own.barrier, own.nondecision_time, person.problem_weights(own.weights)
            ),
            person.problem,
            setting.slow_people.get(position, setting.phase_buffer),
        )
        for position, (person, own) in enumerate(zip(dataset.people, parameters, strict=True))
    )
    return Crowd(name, people, setting, dataset.citation)


def exact_fits(dataset: Dataset) -> list[bayes.Posterior]:
    """Return the exact posterior of everybody, under the paper's flat priors."""
    fits = bayes.fit_many(person.trials for person in dataset.people)
    for error in fits.errors.values():
        raise error
    return list(fits.posteriors.values())
