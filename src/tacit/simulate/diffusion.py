"""Evidence diffuses to one of two fixed barriers: from the middle, as the paper assumes, or not."""

from dataclasses import dataclass

import numpy as np

from tacit import ddm
from tacit.errors import DataError
from tacit.simulate._checks import as_weights, check_not_negative, check_positive
from tacit.simulate.respondent import Answers, Floats, Respondent


@dataclass(frozen=True, eq=False)
class Diffusion(Respondent):
    """A person who answers as the model says; drawn exactly, without a time step.

    Parameters
    ----------
    weights : array_like of float, shape (n_features,)
        What each feature adds to utility.
    barrier : float
        Evidence needed for an answer, from the start to either boundary; positive.
    nondecision_time : float, default 0
        Seconds that seeing and answering take, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Diffusion
    >>> person = Diffusion([1.0, 3.0], barrier=1.2, nondecision_time=0.4)
    >>> choice, response_time = person.answer([[-1.0, 1.0]] * 1000, np.random.default_rng(0))
    >>> bool(choice.mean() > 0.95 and response_time.min() > 0.4)
    True
    """

    weights: Floats
    barrier: float
    nondecision_time: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        check_positive("barrier", self.barrier)
        check_not_negative("nondecision_time", self.nondecision_time)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        return ddm.sample(drift, self.barrier, nondecision_time=self.nondecision_time, rng=rng)


@dataclass(frozen=True, eq=False)
class Biased(Respondent):
    """A person whose evidence starts nearer to one barrier than to the other; drawn exactly.

    Evidence first leaves the largest interval around it that fits between the barriers: a
    symmetric exit, of which choice and time are known exactly. It either is at a barrier then, or
    starts anew from the other end of the interval. A few exits are enough.

    Parameters
    ----------
    weights : array_like of float, shape (n_features,)
        What each feature adds to utility.
    barrier : float
        Distance from the middle to either barrier, positive.
    nondecision_time : float, default 0
        Seconds that seeing and answering take, at least 0.
    start : float, default 0.2
        Where the evidence starts, as a share of the barrier: between -1 (at the second option)
        and +1 (at the first).

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Biased
    >>> person = Biased([1.0], barrier=1.0, start=0.5)
    >>> choice, _ = person.answer(np.zeros((10_000, 1)), np.random.default_rng(0))
    >>> print(round(float((choice > 0).mean()), 2))
    0.75
    """

    weights: Floats
    barrier: float
    nondecision_time: float = 0.0
    start: float = 0.2

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        check_positive("barrier", self.barrier)
        check_not_negative("nondecision_time", self.nondecision_time)
        if not -1 < self.start < 1:
            raise DataError(f"`start` must lie between -1 and +1, got {self.start}")

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        choice = np.zeros(len(drift), dtype=np.int8)
        time = np.full(len(drift), self.nondecision_time)
        rows = np.arange(len(drift))
        evidence = np.full(len(drift), self.start * self.barrier)
        while rows.size:
            near = np.where(evidence < 0, -1, 1)
            room = self.barrier - np.abs(evidence)
            side, took = ddm.sample(drift[rows], room, rng=rng)
            time[rows] += took
            there = side == near
            choice[rows[there]] = side[there]
            evidence = (evidence + side * room)[~there]
            rows = rows[~there]
            # From the middle, both barriers are equally near: the exit is an answer.
            arrived = np.abs(evidence) >= self.barrier
            choice[rows[arrived]] = np.sign(evidence[arrived])
            evidence, rows = evidence[~arrived], rows[~arrived]
        return choice, time
