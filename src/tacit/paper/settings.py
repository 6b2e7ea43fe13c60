"""What the paper's experiments on each data set have in common."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setting:
    """Budgets, buffers and rates of elimination of one data set.

    Parameters
    ----------
    time_budgets : tuple of float
        Seconds.
    phase_buffer : float
        Seconds, of GSE.
    usual_eta : float
        Of GSE, for any design and estimator that is not in `eta`.
    eta : mapping
        Of GSE: by design and estimator where the paper tuned it for these.
    slow_people : mapping
        Other phase buffers, by position of the person.
    tuned_over : tuple of int
        Rates of elimination that the paper compared; empty if it compared none.

    Examples
    --------
    >>> Setting((50, 100), phase_buffer=10).eta_of("transductive", "choice-only")
    2.0
    """

    time_budgets: tuple[float, ...]
    phase_buffer: float
    usual_eta: float = 2.0
    eta: Mapping[tuple[str, str], float] = field(default_factory=dict)
    slow_people: Mapping[int, float] = field(default_factory=dict)
    tuned_over: tuple[int, ...] = ()

    def eta_of(self, design: str, estimator: str) -> float:
        """Return the rate of elimination that the paper uses with a design and an estimator."""
        return self.eta.get((design, estimator), self.usual_eta)


_CHOICES, _LOGIT, _TIMED_LOGIT = "choice-only", "choice-logit", "choice-decision-time-logit"

SETTINGS: Mapping[str, Setting] = {
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
        tuned_over=tuple(range(2, 10)),
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
        tuned_over=tuple(range(2, 12)),
    ),
}
"""The settings of Li et al. (2024), appendix D, by data set."""
