"""Whom learners race for: people of a data set, made-up ones, or the paper's sphere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacit import bayes
from tacit.cli._options import SphereOptions
from tacit.datasets import (
    Dataset,
    LookAlike,
    PersonParameters,
    load,
    look_alike,
    published_fits,
    sphere_people,
)
from tacit.records import Problem

MADE_UP = 20
"""How many people are drawn where there are no data."""

_PREFIX = "look-alike"
_SPHERE = "sphere"


@dataclass(frozen=True)
class Setting:
    """What the paper's experiments on a data set have in common.

    Parameters
    ----------
    time_budgets : tuple of float
        Seconds.
    phase_buffer : float
        Seconds, of GSE.
    eta : dict
        Of GSE: by design and estimator where the paper tuned it for these.
    usual_eta : float
        For any other design and estimator.
    slow_people : dict
        Other phase buffers, by position of the person.
    """

    time_budgets: tuple[float, ...]
    phase_buffer: float
    usual_eta: float = 2.0
    eta: Mapping[tuple[str, str], float] = field(default_factory=dict)
    slow_people: Mapping[int, float] = field(default_factory=dict)


_TIMED, _CHOICES = "choice-decision-time", "choice-only"
_LOGIT, _TIMED_LOGIT = "choice-logit", "choice-decision-time-logit"

SETTINGS = {
    "food-risk": Setting((250, 500, 1000, 1500, 2500, 5000), 20, slow_people={14: 50.0, 17: 30.0}),
    "clithero": Setting(
        (50, 75, 100, 125, 150, 200, 250, 300),
        10,
        usual_eta=6,
        eta={
            ("transductive", _CHOICES): 9,
            ("weak-preference", _CHOICES): 9,
            ("transductive", _LOGIT): 9,
            ("transductive", _TIMED_LOGIT): 5,
        },
    ),
    "krajbich": Setting(
        (150, 200, 250, 300, 350, 400, 450, 500),
        20,
        usual_eta=4,
        eta={
            ("weak-preference", _CHOICES): 2,
            ("transductive", _LOGIT): 5,
            ("transductive", _TIMED_LOGIT): 5,
        },
    ),
    _SPHERE: Setting((25, 50, 100, 200, 400), 5),
}
"""Budgets, buffers and rates of elimination of the paper; of the sphere, which has none, ours."""


@dataclass(frozen=True)
class Racer:
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
class Course:
    """People to race for, with what is usual for them.

    Parameters
    ----------
    data : str
        Where the people come from.
    people : tuple of Racer
        At least one.
    setting : Setting
        Of the data set that they are in, or like.
    citation : str
        Whom to cite.
    """

    data: str
    people: tuple[Racer, ...]
    setting: Setting
    citation: str

    def gse_options(self, racer: Racer, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return what GSE is told about a person in the paper, before options that are given."""
        design, estimator = options.get("design", "transductive"), options.get("estimator", _TIMED)
        return {
            "eta": self.setting.eta.get((design, estimator), self.setting.usual_eta),
            "phase_buffer": racer.phase_buffer,
            "nondecision_time": racer.parameters.nondecision_time,
        }


def course(
    data: str,
    n_people: int | None,
    sphere: SphereOptions,
    *,
    published: bool,
    folder: Path | None,
    seed: int,
) -> Course:
    """Return the people of a name that ``--data`` takes.

    Parameters
    ----------
    data : str
        The name.
    n_people : int or None
        The first so many of a data set, or how many to draw; None for all, or the usual number.
    sphere : SphereOptions
        Of the people on the sphere.
    published : bool
        Take the authors' published estimates of the people of a data set.
    folder : Path or None
        Where the files are.
    seed : int
        Of people who are drawn.
    """
    rng = np.random.default_rng(seed)
    if data == _SPHERE:
        drawn = sphere_people(
            n_people or MADE_UP,
            scale=sphere.scale,
            barrier=sphere.barrier,
            nondecision_time=sphere.nondecision_time,
            rng=rng,
        )
        cited = "made-up people; problems after Li et al. (2024), figure 3"
        return _drawn_course(data, drawn, SETTINGS[data], cited)
    if data.startswith(_PREFIX):
        model = data.removeprefix(_PREFIX).removeprefix("-") or "clithero"
        drawn = look_alike(model, n_people or MADE_UP, rng=rng)
        cited = f"made-up people like those of {model}, after Li et al. (2024)"
        return _drawn_course(data, drawn, SETTINGS[model], cited)
    dataset, setting = load(data, folder), SETTINGS[data]
    parameters = published_fits(data, folder) if published else _own_fits(dataset)
    people = [
        Racer(
            person.name,
            PersonParameters(
                own.barrier, own.nondecision_time, person.problem_weights(own.weights)
            ),
            person.problem,
            setting.slow_people.get(position, setting.phase_buffer),
        )
        for position, (person, own) in enumerate(zip(dataset.people, parameters, strict=True))
    ]
    return Course(data, tuple(people[:n_people]), setting, dataset.citation)


def _drawn_course(data: str, drawn: Sequence[LookAlike], setting: Setting, cited: str) -> Course:
    people = tuple(
        Racer(str(number), person.parameters, person.problem, setting.phase_buffer)
        for number, person in enumerate(drawn, 1)
    )
    return Course(data, people, setting, cited)


def _own_fits(dataset: Dataset) -> list[PersonParameters]:
    """Return the exact posterior means of everybody."""
    fits = bayes.fit_many(person.trials for person in dataset.people)
    for error in fits.errors.values():
        raise error
    return [
        PersonParameters(own.barrier.mean, own.nondecision_time.mean, own.weights.mean)
        for own in fits.posteriors.values()
    ]
