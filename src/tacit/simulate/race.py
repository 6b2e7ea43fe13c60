"""Two accumulators race, one for each option: no comparison of evidence at all."""

from dataclasses import dataclass

import numpy as np

from tacit.simulate._checks import as_weights, check_not_negative, check_positive
from tacit.simulate.respondent import Answers, Floats, Respondent


@dataclass(frozen=True, eq=False)
class Race(Respondent):
    """A person in whom independent accumulators of evidence race to a threshold; drawn exactly.

    Each is a unit Brownian motion; with utility difference u the first one drifts at
    ``base_drift + u / 2``, the second one at ``base_drift - u / 2``, and their first passages
    are inverse Gaussian (a racing diffusion; Tillman, Van Zandt & Logan 2020). A loser whose drift
    is negative may never arrive.

    Parameters
    ----------
    weights : array_like of float, shape (n_features,)
        What each feature adds to utility.
    threshold : float
        Evidence that an option needs, positive.
    nondecision_time : float, default 0
        Seconds that seeing and answering take, at least 0.
    base_drift : float, default 1
        Evidence per second of either option when they are equal, positive.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.simulate import Race
    >>> person = Race([1.0], threshold=1.5)
    >>> choice, _ = person.answer(np.full((20_000, 1), 2.0), np.random.default_rng(0))
    >>> print(round(float((choice > 0).mean()), 2))
    0.92
    """

    weights: Floats
    threshold: float
    nondecision_time: float = 0.0
    base_drift: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))
        check_positive("threshold", self.threshold)
        check_not_negative("nondecision_time", self.nondecision_time)
        check_positive("base_drift", self.base_drift)

    def respond(self, drift: Floats, rng: np.random.Generator) -> Answers:
        """Return an answer to each query, given its utility difference; see `Respondent`."""
        half = 0.5 * drift
        first = _arrival(self.base_drift + half, self.threshold, rng)
        second = _arrival(self.base_drift - half, self.threshold, rng)
        choice = np.where(first < second, 1, -1).astype(np.int8)
        return choice, np.minimum(first, second) + self.nondecision_time


def _arrival(drift: Floats, threshold: float, rng: np.random.Generator) -> Floats:
    """Return first-passage times at a single threshold, infinite where it is never passed.

    Michael, Schucany & Haas (1976), in a form without cancellation.
    """
    rate = np.abs(drift) / threshold
    y = (rng.standard_normal(len(drift)) / threshold) ** 2
    s = 2.0 / (2.0 * rate + y + np.sqrt(y * (y + 4.0 * rate)))
    late = rng.random(len(drift)) * (1.0 + rate * s) > 1.0
    s[late] = 1.0 / (rate[late] ** 2 * s[late])
    # Against its drift, evidence ever gets this high with probability exp(2 threshold drift).
    never = rng.standard_exponential(len(drift)) < -2.0 * threshold * drift
    return np.asarray(np.where(never, np.inf, s))
