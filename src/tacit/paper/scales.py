"""How much of the paper's work to do: enough to see that it runs, to see the shape, or all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Scale:
    """How many people, runs and settings there are.

    Parameters
    ----------
    name : str
        What it is called.
    n_people : int or None
        The first so many people of each data set; None for all.
    n_runs, n_tuning_runs : int
        Runs of a learner with a person, and while rates of elimination are compared.
    n_budgets : int or None
        How many of the paper's time budgets to take, every other one from the smallest on; None for
        all.
    n_etas, n_scales, n_barriers : int or None
        How many rates of elimination, and points on the axes of figure 3, to take, evenly
        spread; None for all.
    n_instances, n_repeats : int
        Problems of figure 3, and how often each is answered.
    n_draws : int
        How often answers are drawn from which others are predicted.
    n_spoilt : int
        Made-up people of each kind some of whose answers are spoilt.

    Examples
    --------
    >>> SCALES["full"].n_runs
    300
    """

    name: str
    n_people: int | None
    n_runs: int
    n_tuning_runs: int
    n_budgets: int | None
    n_etas: int | None
    n_scales: int | None
    n_barriers: int | None
    n_instances: int
    n_repeats: int
    n_draws: int
    n_spoilt: int

    def budgets(self, all_of_them: Sequence[float]) -> list[float]:
        """Return the time budgets to take.

        Examples
        --------
        >>> SCALES["smoke"].budgets([50, 75, 100, 125, 150])
        [50, 100]
        """
        if self.n_budgets is None:
            return list(all_of_them)
        return list(all_of_them[::2][: self.n_budgets])


SCALES: Mapping[str, Scale] = {
    scale.name: scale
    for scale in (
        Scale("smoke", 2, 4, 2, 2, 2, 7, 5, 4, 20, 1, 1),
        Scale("quick", 8, 20, 8, 3, 4, 13, 9, 20, 40, 3, 8),
        Scale("full", None, 300, 50, None, None, None, None, 100, 100, 20, 100),
    )
}
"""The scales by name: less than a minute, some minutes, and all that the paper did."""


def spread(values: Sequence[T], count: int | None) -> list[T]:
    """Return so many of the values, evenly spread, both ends among them; all for None.

    Examples
    --------
    >>> spread([1, 2, 3, 4, 5], 3)
    [1, 3, 5]
    """
    if count is None or count >= len(values):
        return list(values)
    last = len(values) - 1
    return [values[round(place * last / (count - 1))] for place in range(count)]
