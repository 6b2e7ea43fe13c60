"""People who are not the same from trial to trial, whoever they are otherwise."""

from dataclasses import dataclass, field

import numpy as np

from tacit.errors import DataError
from tacit.simulate._checks import check_not_negative
from tacit.simulate.respondent import Answers, Floats, Respondent


@dataclass(frozen=True, eq=False)
class Lapsing(Respondent):
    """A person who now and then answers without thinking, too soon or too late.

    Either way the answer is a coin toss, and its time is uniform over a range.

    Parameters
    ----------
    person : Respondent
        How the person answers otherwise.
    fast_share : float, default 0.05
        Share of fast guesses, in [0, 1].
    slow_share : float, default 0.05
        Share of answers after the mind has wandered, in [0, 1].
    fast_range : (float, float), default (0.1, 0.3)
        Seconds that a fast guess takes, from and to.
    slow_range : (float, float), default (2.0, 8.0)
        Seconds that the other lapses take, from and to.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Diffusion, Lapsing
    >>> person = Lapsing(Diffusion([1.0], 1.2, nondecision_time=0.4), fast_share=0.1)
    >>> _, time = person.answer(np.ones((10_000, 1)), np.random.default_rng(0))
    >>> print(round(float((time < 0.4).mean()), 2))
    0.1
    """

    person: Respondent
    fast_share: float = 0.05
    slow_share: float = 0.05
    fast_range: tuple[float, float] = (0.1, 0.3)
    slow_range: tuple[float, float] = (2.0, 8.0)
    weights: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", self.person.weights)
        for name in ("fast_share", "slow_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise DataError(f"`{name}` must be between 0 and 1, got {getattr(self, name)}")
        if self.fast_share + self.slow_share > 1:
            raise DataError(
                "`fast_share` and `slow_share` must not exceed 1 together, got "
                f"{self.fast_share} and {self.slow_share}"
            )
        for name in ("fast_range", "slow_range"):
            low, high = getattr(self, name)
            if not 0 < low <= high < np.inf:
                raise DataError(
                    f"`{name}` must be two positive numbers of seconds in order, got "
                    f"({low}, {high})"
                )
            object.__setattr__(self, name, (float(low), float(high)))

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        choice, time = self.person.respond(drift, rng)
        kind, side, part = rng.random((3, len(drift)))
        fast = kind < self.fast_share
        slow = ~fast & (kind < self.fast_share + self.slow_share)
        choice = np.where(fast | slow, np.where(side < 0.5, 1, -1), choice).astype(np.int8)
        for lapse, (low, high) in ((fast, self.fast_range), (slow, self.slow_range)):
            time = np.where(lapse, low + (high - low) * part, time)
        return choice, time


@dataclass(frozen=True, eq=False)
class VariableDrift(Respondent):
    """A person whose utility difference is another one on each trial, normal around its mean.

    Parameters
    ----------
    person : Respondent
        How the person answers, given the utility difference of the trial.
    drift_sd : float, default 0.5
        Standard deviation of the utility difference, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Diffusion, VariableDrift
    >>> steady = Diffusion([1.0], barrier=1.2)
    >>> x, rng = np.full((20_000, 1), 2.0), np.random.default_rng(0)
    >>> print(round(float((steady.answer(x, rng)[0] < 0).mean()), 3))
    0.008
    >>> print(round(float((VariableDrift(steady, 1.0).answer(x, rng)[0] < 0).mean()), 2))
    0.05
    """

    person: Respondent
    drift_sd: float = 0.5
    weights: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", self.person.weights)
        check_not_negative("drift_sd", self.drift_sd)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its mean utility difference; see `Respondent`."""
        return self.person.respond(drift + self.drift_sd * rng.standard_normal(len(drift)), rng)


@dataclass(frozen=True, eq=False)
class VariableNondecision(Respondent):
    """A person who takes a varying extra time to see and answer, uniform from zero on.

    Parameters
    ----------
    person : Respondent
        How the person answers at the fastest.
    width : float, default 0.2
        The longest extra time, seconds, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Diffusion, VariableNondecision
    >>> person = VariableNondecision(Diffusion([1.0], 1e-3, nondecision_time=0.3), width=0.2)
    >>> _, time = person.answer(np.ones((10_000, 1)), np.random.default_rng(0))
    >>> print(round(float(time.mean()), 2))
    0.4
    """

    person: Respondent
    width: float = 0.2
    weights: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", self.person.weights)
        check_not_negative("width", self.width)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        choice, time = self.person.respond(drift, rng)
        return choice, time + self.width * rng.random(len(drift))
