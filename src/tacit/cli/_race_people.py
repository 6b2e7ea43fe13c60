"""Whom learners race for: people of a data set, made-up ones, or the paper's sphere."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacit.cli._options import SphereOptions
from tacit.datasets import LookAlike, look_alike, sphere_people
from tacit.paper import SETTINGS, Crowd, Setting, Subject, crowd

MADE_UP = 20
"""How many people are drawn where there are no data."""

_PREFIX = "look-alike"
_SPHERE = "sphere"

_SPHERE_SETTING = Setting((25, 50, 100, 200, 400), 5)
"""The paper races nobody on the sphere: these seconds and this buffer are ours."""


def course(
    data: str,
    n_people: int | None,
    sphere: SphereOptions,
    *,
    published: bool,
    folder: Path | None,
    seed: int,
) -> Crowd:
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
        return _drawn(data, drawn, _SPHERE_SETTING, cited)
    if data.startswith(_PREFIX):
        model = data.removeprefix(_PREFIX).removeprefix("-") or "clithero"
        drawn = look_alike(model, n_people or MADE_UP, rng=rng)
        cited = f"made-up people like those of {model}, after Li et al. (2024)"
        return _drawn(data, drawn, SETTINGS[model], cited)
    return crowd(data, folder, n_people=n_people, published=published)


def _drawn(data: str, drawn: Sequence[LookAlike], setting: Setting, cited: str) -> Crowd:
    people = tuple(
        Subject(str(number), person.parameters, person.problem, setting.phase_buffer)
        for number, person in enumerate(drawn, 1)
    )
    return Crowd(data, people, setting, cited)
