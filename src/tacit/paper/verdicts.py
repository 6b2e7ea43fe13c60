"""What the data say about a claim: findings with their uncertainty, and a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import t as student

Floats = NDArray[np.float64]

Outcome = Literal["holds", "undecided", "does not hold"]
_FEWEST = 5
"""People from which on their spread says how uncertain a mean is."""

Verdict = Literal["holds", "holds partly", "does not hold", "undecided"]


@dataclass(frozen=True)
class Finding:
    """A part of a claim that one number decides.

    Parameters
    ----------
    statement : str
        What should be so.
    estimate, low, high : float
        The number, and its 95% confidence interval; equal for what is computed without sampling.
    outcome : {"holds", "undecided", "does not hold"}
        What the interval says.

    Examples
    --------
    >>> Finding("times are positive", 1.2, 1.1, 1.3, "holds").is_exact
    False
    """

    statement: str
    estimate: float
    low: float
    high: float
    outcome: Outcome

    @property
    def is_exact(self) -> bool:
        """Whether there is no uncertainty."""
        return self.low == self.high


def above(statement: str, interval: tuple[float, float, float], than: float = 0.0) -> Finding:
    """Return the finding that a number is above another.

    Parameters
    ----------
    statement : str
        What should be so.
    interval : tuple of float
        Estimate, and both ends of its interval.
    than : float, default 0
        What it should be above.

    Examples
    --------
    >>> above("people prefer cake", (0.2, -0.1, 0.5)).outcome
    'undecided'
    """
    estimate, low, high = interval
    outcome: Outcome = "undecided"
    if low > than:
        outcome = "holds"
    elif high < than or low == high:
        outcome = "does not hold"
    return Finding(statement, estimate, low, high, outcome)


def below(statement: str, interval: tuple[float, float, float], than: float = 0.0) -> Finding:
    """Return the finding that a number is below another; see `above`.

    Examples
    --------
    >>> below("people prefer figs", (-0.2, -0.3, -0.1)).outcome
    'holds'
    """
    estimate, low, high = interval
    mirrored = above(statement, (-estimate, -high, -low), -than)
    return Finding(statement, estimate, low, high, mirrored.outcome)


def within(statement: str, interval: tuple[float, float, float], margin: float) -> Finding:
    """Return the finding that a number is next to zero: its interval lies within a margin.

    Examples
    --------
    >>> within("both are the same", (0.01, -0.01, 0.03), margin=0.05).outcome
    'holds'
    """
    estimate, low, high = interval
    outcome: Outcome = "undecided"
    if -margin <= low and high <= margin:
        outcome = "holds"
    elif low > margin or high < -margin:
        outcome = "does not hold"
    return Finding(statement, estimate, low, high, outcome)


def mean_interval(values: ArrayLike, *, n_looks: int = 1) -> tuple[float, float, float]:
    """Return the mean over people with its 95% confidence interval, by Student's t.

    Parameters
    ----------
    values : array_like of shape (n_people,)
        A number for each person. The interval of fewer than five is endless: shares of a few runs
        may agree by chance.
    n_looks : int, default 1
        Out of how many means this one was picked by its size; the interval is as much wider as
        Bonferroni's inequality demands.

    Examples
    --------
    >>> print(np.round(mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]), 2))
    [3.   1.04 4.96]
    """
    x = np.asarray(values, dtype=np.float64)
    mean = float(x.mean())
    if len(x) < _FEWEST:
        return mean, -np.inf, np.inf
    half = float(student.ppf(1 - 0.025 / n_looks, len(x) - 1) * x.std(ddof=1) / np.sqrt(len(x)))
    return mean, mean - half, mean + half


def mean_bars(values: Floats) -> tuple[Floats, Floats]:
    """Return means over people and the lengths of their error bars, as matplotlib takes them.

    Parameters
    ----------
    values : ndarray of shape (n_people, n_columns)
        A number for each person in each column.

    Returns
    -------
    mean : ndarray of shape (n_columns,)
        Of each column.
    lengths : ndarray of shape (2, n_columns)
        Down and up to the ends of the 95% interval; NaN where it is endless, and no bar is drawn.

    Examples
    --------
    >>> mean_bars(np.ones((2, 3)))[1].shape
    (2, 3)
    """
    mean, low, high = np.array([mean_interval(column) for column in values.T]).T
    lengths = np.stack([mean - low, high - mean])
    return mean, np.where(np.isfinite(lengths), lengths, np.nan)


def exactly(value: float) -> tuple[float, float, float]:
    """Return the interval of a number that is known without uncertainty.

    Examples
    --------
    >>> exactly(2.0)
    (2.0, 2.0, 2.0)
    """
    return value, value, value


def verdict(findings: Sequence[Finding]) -> Verdict:
    """Return what findings come to together.

    Examples
    --------
    >>> verdict([above("a", (1.0, 0.5, 1.5)), above("b", (0.0, -0.5, 0.5))])
    'holds partly'
    """
    outcomes = {finding.outcome for finding in findings}
    if outcomes == {"holds"}:
        return "holds"
    if "holds" in outcomes:
        return "holds partly"
    return "undecided" if "undecided" in outcomes else "does not hold"
