"""Respondents by name, and as stored."""

from collections.abc import Callable, Mapping
from typing import Any

from tacit.datasets import PersonParameters
from tacit.errors import DataError
from tacit.simulate._configuration import class_name
from tacit.simulate.collapsing import CollapsingBarrier
from tacit.simulate.diffusion import Biased, Diffusion
from tacit.simulate.race import Race
from tacit.simulate.respondent import Respondent
from tacit.simulate.ssms import SSMS
from tacit.simulate.variability import Lapsing, VariableDrift, VariableNondecision

_CLASSES: dict[str, Callable[..., Respondent]] = {
    class_name(cls): cls
    for cls in (
        Diffusion,
        Biased,
        CollapsingBarrier,
        Race,
        SSMS,
        Lapsing,
        VariableDrift,
        VariableNondecision,
    )
}
_SSMS = "ssms:"


def _diffusion(person: PersonParameters) -> Diffusion:
    return Diffusion(person.weights, person.barrier, person.nondecision_time)


def _lapses(person: PersonParameters) -> Lapsing:
    return Lapsing(_diffusion(person))


def _variable_drift(person: PersonParameters) -> VariableDrift:
    return VariableDrift(_diffusion(person), drift_sd=0.6 / person.barrier)


def _biased(person: PersonParameters) -> Biased:
    return Biased(person.weights, person.barrier, person.nondecision_time, start=0.25)


def _variable_nondecision(person: PersonParameters) -> VariableNondecision:
    fastest = Diffusion(person.weights, person.barrier, 0.7 * person.nondecision_time)
    return VariableNondecision(fastest, width=0.6 * person.nondecision_time)


def _collapsing(person: PersonParameters) -> CollapsingBarrier:
    return CollapsingBarrier(
        person.weights,
        1.3 * person.barrier,
        person.nondecision_time,
        collapse_time=3 * person.barrier**2,
    )


def _race(person: PersonParameters) -> Race:
    return Race(
        person.weights,
        1.5 * person.barrier,
        person.nondecision_time,
        base_drift=1 / person.barrier,
    )


def _levy(person: PersonParameters) -> SSMS:
    own = {"a": person.barrier, "t": person.nondecision_time, "alpha": 1.6}
    return SSMS(person.weights, "levy", own)


RESPONDENTS: dict[str, Callable[[PersonParameters], Respondent]] = {
    "diffusion": _diffusion,
    "lapses": _lapses,
    "variable-drift": _variable_drift,
    "biased": _biased,
    "variable-nondecision": _variable_nondecision,
    "collapsing": _collapsing,
    "race": _race,
    "levy": _levy,
}
"""Respondents by name, made from a person's parameters.

- ``diffusion``: as the model says.
- ``lapses``: 5% fast guesses (0.1 to 0.3 s) and 5% slow ones (2 to 8 s), by coin toss.
- ``variable-drift``: utility differences vary with a standard deviation of 0.6 / barrier.
- ``biased``: evidence starts at a quarter of the barrier, on the side of the first option.
- ``variable-nondecision``: a nondecision time uniform from 0.7 to 1.3 times the person's.
- ``collapsing``: barriers start at 1.3 times the person's and meet after 3 barrier^2 seconds.
- ``race``: two accumulators to 1.5 barriers, each drifting at 1 / barrier when the items are equal.
- ``levy``: evidence jumps, a Levy flight of stability 1.6; by ssm-simulators.
"""


def make_respondent(name: str, person: PersonParameters) -> Respondent:
    """Return a respondent by name.

    Parameters
    ----------
    name : str
        A name in `RESPONDENTS`; or ``ssms:MODEL``, a model of two choices of ssm-simulators, which
        takes the person's barrier as ``a`` and nondecision time as ``t`` where it has them.
    person : PersonParameters
        Barrier, nondecision time and weights.

    Returns
    -------
    Respondent

    Examples
    --------
    >>> from tacit.datasets import PersonParameters
    >>> from tacit.simulate import make_respondent
    >>> make_respondent("lapses", PersonParameters(1.2, 0.4, [0.5, 1.0])).person.barrier
    1.2
    """
    if name.startswith(_SSMS):
        model = name.removeprefix(_SSMS)
        has = SSMS(person.weights, model).parameters
        own = {"a": person.barrier, "t": person.nondecision_time}
        return SSMS(person.weights, model, {key: own[key] for key in own if key in has})
    if name not in RESPONDENTS:
        raise DataError(
            f"no respondent {name!r}; there are {', '.join(RESPONDENTS)} and {_SSMS}MODEL"
        )
    return RESPONDENTS[name](person)


def respondent_from_config(config: Mapping[str, Any]) -> Respondent:
    """Return the respondent that its `config` describes.

    Parameters
    ----------
    config : mapping
        What `Respondent.config` returned, or the same from JSON.

    Returns
    -------
    Respondent

    Examples
    --------
    >>> from tacit.simulate import Diffusion, Lapsing, respondent_from_config
    >>> person = Lapsing(Diffusion([0.5], 1.2), fast_share=0.1)
    >>> respondent_from_config(person.config()) == person
    True
    """
    name = config.get("class")
    if name not in _CLASSES:
        raise DataError(f"no respondent of class {name!r}; there are {', '.join(_CLASSES)}")
    arguments = {
        key: respondent_from_config(value) if key == "person" else value
        for key, value in config.items()
        if key != "class"
    }
    try:
        return _CLASSES[name](**arguments)
    except TypeError as error:
        raise DataError(f"not the configuration of a {name}: {error}") from error
