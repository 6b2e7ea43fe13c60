"""Barriers that come down while the person thinks."""

from dataclasses import dataclass

import numpy as np

from tacit.simulate._checks import as_weights, check_not_negative, check_positive
from tacit.simulate.respondent import Answers, Floats, Respondent


@dataclass(frozen=True, eq=False)
class CollapsingBarrier(Respondent):
    """A person who needs less and less evidence: both barriers fall linearly to the middle.

    Nobody thinks longer than `collapse_time`.

    Parameters
    ----------
    weights : array_like of float, shape (n_features,)
        What each feature adds to utility.
    barrier : float
        Evidence needed for an answer at once, positive.
    nondecision_time : float, default 0
        Seconds that seeing and answering take, at least 0.
    collapse_time : float, default 5
        Seconds after which the barriers meet, positive.

    Notes
    -----
    Drawn without a grid: steps of a sixteenth of the squared barrier at most, in each of which
    the probability and the time of a crossing are those of a Brownian bridge at a straight
    barrier, which is exact. What is left out is a path that touches both barriers in one step,
    with a probability below 1e-11.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import CollapsingBarrier
    >>> person = CollapsingBarrier([1.0], barrier=2.0, collapse_time=3.0)
    >>> _, time = person.answer(np.zeros((1000, 1)), np.random.default_rng(0))
    >>> bool(time.max() < 3.0)
    True
    """

    weights: Floats
    barrier: float
    nondecision_time: float = 0.0
    collapse_time: float = 5.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        check_positive("barrier", self.barrier)
        check_not_negative("nondecision_time", self.nondecision_time)
        check_positive("collapse_time", self.collapse_time)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        from tacit.simulate._collapse import fill  # compiled on first use

        time, choice = np.empty(len(drift)), np.empty(len(drift), dtype=np.int8)
        u = np.ascontiguousarray(drift, dtype=np.float64)
        fill(rng, u, (self.barrier, self.barrier / self.collapse_time), time, choice)
        return choice, time + self.nondecision_time
