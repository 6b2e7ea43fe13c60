"""Models of the ssm-simulators package as respondents: people that nobody here wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tacit._extras import require
from tacit.errors import DataError
from tacit.simulate._checks import as_weights, check_positive
from tacit.simulate.respondent import Answers, Floats, Respondent

_SEEDS = 2**31


@dataclass(frozen=True, eq=False)
class SSMS(Respondent):
    """A person who answers as a model of two choices in ssm-simulators says (Fengler et al.).

    Parameters
    ----------
    weights : array_like of float, shape (n_features,)
        What each feature adds to utility.
    model : str, default "angle"
        Name of the model there.
    parameters : mapping of str to float, optional
        Its parameters, with its names and units; those left out keep its defaults.
    drift : mapping of str to float, optional
        What the utility difference adds to which parameters, per unit. By default 1 to ``v``, or
        half to ``v1`` and minus half to ``v0`` in a race; there the option of number 1 is the
        first one.
    time_step : float, default 0.001
        Seconds of a step of its Euler scheme. Plain diffusion comes out a few percent too slow.
    max_time : float, default 20
        Seconds of thinking after which most of its models answer at once, come what may.

    Notes
    -----
    Needs ``pip install 'tacit[ssms]'``. An answer that nobody can give, none at all or one before
    the query, is an error: a study cannot go on with it. In version 0.12 some models
    (``race_no_z_2`` is one) write beyond their memory when thinking lasts until `max_time`, which
    may end the process: leave it far above the times that matter.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import SSMS
    >>> person = SSMS([1.0], "levy", {"a": 1.2, "t": 0.4, "alpha": 1.6})
    >>> choice, time = person.answer(np.full((500, 1), 2.0), np.random.default_rng(0))
    >>> bool(choice.mean() > 0.8 and time.min() > 0.4)
    True
    """

    weights: Floats
    model: str = "angle"
    parameters: Mapping[str, float] = field(default_factory=dict)
    drift: Mapping[str, float] = field(default_factory=dict)
    time_step: float = 1e-3
    max_time: float = 20.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        check_positive("time_step", self.time_step)
        check_positive("max_time", self.max_time)
        known = require("ssms.config", extra="ssms").model_config
        if self.model not in known or known[self.model]["nchoices"] != 2:
            two = sorted(name for name, model in known.items() if model["nchoices"] == 2)
            raise DataError(
                f"`model` must be one of two choices in ssm-simulators, got {self.model!r}; there "
                f"are {', '.join(two)}"
            )
        config = known[self.model]
        defaults = dict(zip(config["params"], map(float, config["default_params"]), strict=True))
        drift = dict(self.drift) or _usual_drift(self.model, defaults)
        for name in (*self.parameters, *drift):
            if name not in defaults:
                raise DataError(
                    f"{self.model!r} has no parameter {name!r}; it has {', '.join(defaults)}"
                )
        object.__setattr__(self, "parameters", defaults | dict(self.parameters))
        object.__setattr__(self, "drift", drift)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        simulator = require("ssms.basic_simulators.simulator", extra="ssms").simulator
        theta = np.tile(list(self.parameters.values()), (len(drift), 1))
        for column, name in enumerate(self.parameters):
            theta[:, column] += self.drift.get(name, 0.0) * drift
        drawn = simulator(
            theta=theta,
            model=self.model,
            n_samples=1,
            delta_t=self.time_step,
            max_t=self.max_time,
            random_state=int(rng.integers(_SEEDS)),
        )
        time = np.asarray(drawn["rts"], dtype=np.float64).reshape(-1)
        side = np.asarray(drawn["choices"]).reshape(-1)
        known = np.isin(side, drawn["metadata"]["possible_choices"])
        if not (usable := known & (time > 0) & (time < np.inf)).all():
            at = int(np.argmin(usable))
            raise DataError(
                f"{self.model!r} gave no usable answer to a utility difference of {drift[at]:g}: "
                f"choice {side[at]} after {time[at]:g} s (-999 is its mark of no answer); raise "
                "`max_time` or change its parameters"
            )
        choice = np.where(side > 0, 1, -1)
        return choice.astype(np.int8), time


def _usual_drift(model: str, defaults: Mapping[str, float]) -> dict[str, float]:
    if "v" in defaults:
        return {"v": 1.0}
    if {"v0", "v1"} <= defaults.keys():
        return {"v0": -0.5, "v1": 0.5}
    raise DataError(
        f"{model!r} has no drift of a usual name; say in `drift` what the utility difference adds "
        f"to which of {', '.join(defaults)}"
    )
