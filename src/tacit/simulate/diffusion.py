"""The person that the paper assumes: evidence diffuses to one of two fixed barriers."""

from dataclasses import dataclass

import numpy as np

from tacit import ddm
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
