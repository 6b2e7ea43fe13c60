"""A design: in which shares to ask which queries, and how good that is."""

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._directions import Floats, Ints
from tacit.designs.rounding import apportion
from tacit.errors import ConvergenceWarning, DataError

Status = Literal["optimal", "closed form", "iteration limit", "stalled", "heuristic"]


@dataclass(frozen=True, eq=False)
class Design:
    """Shares over queries, with a certificate of how good they are.

    Parameters
    ----------
    indices : ndarray of int, shape (n_support,)
        Numbers of the queries that are asked, ascending.
    shares : ndarray of float, shape (n_support,)
        Their shares, positive and summing to one.
    n_queries : int
        Number of queries that could be asked.
    objective : float
        Largest squared length of a difference of active items, measured by the inverse of the
        information that one unit of the design brings.
    gap : float
        Certified relative gap: no design has an objective below ``objective / (1 + gap)``.
    status : {"optimal", "closed form", "iteration limit", "stalled", "heuristic"}
        How the solver ended. The first two keep their promise.
    n_iterations : int
        Steps of the solver; 0 for a closed form.
    message : str
        The same in words.

    Examples
    --------
    >>> from tacit import Items, QuerySpace
    >>> from tacit.designs import solve
    >>> design = solve(QuerySpace.against_reference(Items.one_hot(4)), active=[0, 2])
    >>> design.indices, design.shares, design.objective
    (array([0, 2]), array([0.5, 0.5]), 4.0)
    """

    indices: Ints
    shares: Floats
    n_queries: int
    objective: float
    gap: float
    status: Status
    n_iterations: int
    message: str

    def __post_init__(self) -> None:
        for column in (self.indices, self.shares):
            column.flags.writeable = False

    @property
    def converged(self) -> bool:
        """Whether the gap is certified to be as small as was asked for."""
        return self.status in ("optimal", "closed form")

    def dense(self) -> Floats:
        """Return the share of every query.

        Returns
        -------
        ndarray of shape (n_queries,)
            Zero outside of the support.

        Examples
        --------
        >>> from tacit import Items, QuerySpace
        >>> from tacit.designs import solve
        >>> solve(QuerySpace.against_reference(Items.one_hot(3)), active=[0, 2]).dense()
        array([0.5, 0. , 0.5])
        """
        every = np.zeros(self.n_queries)
        every[self.indices] = self.shares
        return every

    def counts(self, n_trials: int) -> Ints:
        """Round to whole numbers of trials; see `apportion`.

        Parameters
        ----------
        n_trials : int
            Number of trials, at least the size of the support.

        Returns
        -------
        ndarray of int, shape (n_support,)
            Trials of each query of `indices`; they sum to `n_trials`.

        Examples
        --------
        >>> from tacit import Items, QuerySpace
        >>> from tacit.designs import solve
        >>> solve(QuerySpace.against_reference(Items.one_hot(3))).counts(7)
        array([3, 2, 2])
        """
        return apportion(self.shares, n_trials)

    def sample(self, size: int | tuple[int, ...], *, rng: np.random.Generator) -> Ints:
        """Draw queries independently, each with its share as probability.

        Parameters
        ----------
        size : int or tuple of int
            Shape of the result.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of int, shape `size`
            Numbers of queries.

        Examples
        --------
        >>> from tacit import Items, QuerySpace
        >>> from tacit.designs import solve
        >>> design = solve(QuerySpace.against_reference(Items.one_hot(3)), active=[0, 2])
        >>> np.unique(design.sample(100, rng=np.random.default_rng(1)))
        array([0, 2])
        """
        ladder = np.cumsum(self.shares)
        # The last step of the ladder may round to less than one.
        steps = np.searchsorted(ladder[:-1], rng.random(size) * ladder[-1], side="right")
        return np.asarray(self.indices[steps])

    def per_trial(self, seconds: ArrayLike) -> "Design":
        """Turn shares of time into shares of trials.

        Parameters
        ----------
        seconds : array_like of shape (n_queries,)
            Mean response time of each query, positive.

        Returns
        -------
        Design
            Trial shares proportional to share over seconds; everything else as it was, so that
            the objective is still that of a unit of time.

        Examples
        --------
        >>> from tacit import Items, QuerySpace
        >>> from tacit.designs import solve
        >>> design = solve(QuerySpace.against_reference(Items.one_hot(2)))
        >>> design.per_trial([1.0, 3.0]).shares
        array([0.75, 0.25])
        """
        times = np.asarray(seconds, dtype=float)
        if times.shape != (self.n_queries,):
            raise DataError(
                f"`seconds` must hold one mean response time for each of the {self.n_queries} "
                f"queries, got shape {times.shape}"
            )
        used = times[self.indices]
        for place in np.flatnonzero(~(np.isfinite(used) & (used > 0)))[:1]:
            raise DataError(
                f"`seconds` must be positive and finite, got {used[place]} for query "
                f"{self.indices[place]}"
            )
        trials = self.shares / used
        return Design(
            self.indices,
            trials / trials.sum(),
            self.n_queries,
            self.objective,
            self.gap,
            self.status,
            self.n_iterations,
            self.message,
        )


def announce(design: Design) -> Design:
    """Warn, at the caller of the public function, if a design does not keep its promise."""
    if not design.converged:
        warnings.warn(design.message, ConvergenceWarning, stacklevel=3)
    return design
