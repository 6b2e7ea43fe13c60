"""The sums of `SufficientStatistics` for many people at once, and their estimates in one go.

Censored answers (slower than tau) are kept apart: the slowest mode of the survival function says
that they enter as c = 0, t = tau - t0 - (1 - 8 / pi^2) a^2, which depends on the barrier a.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.ddm._checks import Floats, check_timed_choices
from tacit.ddm._many_linear import pseudo_inverses
from tacit.ddm._products import SumsOfProducts
from tacit.ddm.statistics import NO_RESIDUAL, SufficientStatistics
from tacit.errors import DataError

Ints = NDArray[np.int64]

_CENSORED_SHARE = 1 - 8 / np.pi**2
"""Squared evidence of those who have not decided for long, in units of the squared barrier."""

_ROUNDS = 100
_CLOSE = 1e-12


class PeopleEstimates(NamedTuple):
    """Exact estimates of many people, given the non-decision time of each.

    Attributes
    ----------
    weights_over_barrier : ndarray of shape (n_people, n_features)
        Estimates of theta / a, 0 along directions that a person's queries do not explore.
    barrier : ndarray of shape (n_people,)
        Infinite where the weights explain every trial exactly; NaN without a trial.
    inverse_information : ndarray of shape (n_people, n_features, n_features)
        (V + r I)^-1, the covariance of the weights theta.
    rank : ndarray of int64, shape (n_people,)
        Dimension of what a person's queries (and the ridge) determine.
    condition : ndarray of shape (n_people,)
        Bound on the condition of V + r I; infinite where the rank is not full.
    converged : ndarray of bool, shape (n_people,)
        False where the barrier that censored answers depend on was not found.
    """

    weights_over_barrier: Floats
    barrier: Floats
    inverse_information: Floats
    rank: Ints
    condition: Floats
    converged: NDArray[np.bool_]

    @property
    def weights(self) -> Floats:
        """Estimates of the weights, shape (n_people, n_features); NaN without a barrier."""
        known = np.where(np.isfinite(self.barrier), self.barrier, np.nan)
        return np.asarray(self.weights_over_barrier * known[:, None])


class Residuals(NamedTuple):
    """Sums over the answers of each person that tell the barrier.

    Attributes
    ----------
    time : ndarray of shape (n_people,)
        Sum of the decision times, seconds.
    square : ndarray of shape (n_people,)
        Sum of (c - t x'beta)^2; 0 where it is nothing but rounding.
    squared_time_gram : ndarray of shape (n_people, n_features, n_features)
        Sum of t^2 x x'.
    """

    time: Floats
    square: Floats
    squared_time_gram: Floats


@dataclass(frozen=True, eq=False)
class PeopleStatistics:
    """Sums over the timed choices of each of many people.

    All arrays have a leading axis of people. Censored answers are in the last four only.

    Attributes
    ----------
    n_trials : ndarray of int64, shape (n_people,)
        Number of answers whose time counts.
    time_sum, fastest : ndarray of shape (n_people,)
        Sum and smallest of the response times, seconds; infinite without an answer.
    choice_total : ndarray of shape (n_people,)
        Sum of the choices.
    choice_sum, choice_time_sum : ndarray of shape (n_people, n_features)
        Sums of c x and c RT x.
    vector_sum, time_vector_sum : ndarray of shape (n_people, n_features)
        Sums of x and RT x.
    gram, time_gram, squared_time_gram : ndarray of shape (n_people, n_features, n_features)
        Sums of x x', RT x x' and RT^2 x x'.
    n_censored : ndarray of int64, shape (n_people,)
        Number of answers slower than `censor_above`.
    censored_choice_total : ndarray of shape (n_people,)
        Sum of their choices, which do not count for the weights.
    censored_vector_sum, censored_gram : ndarray
        Their sums of x and of x x'.
    censor_above : float or None
        Seconds above which an answer counts as not given yet.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.ddm import PeopleStatistics
    >>> X = np.array([[1.0], [0.5], [1.0], [2.0], [1.0]])
    >>> choice, response_time = [1, -1, 1, 1, -1], [0.9, 1.4, 1.1, 0.6, 1.5]
    >>> sums = PeopleStatistics.from_trials(X, choice, response_time, [0, 0, 0, 1, 1])
    >>> sums.n_trials
    array([3, 2])
    >>> sums.estimate([0.3, 0.3]).weights_over_barrier.round(3)
    array([[0.896],
           [0.417]])
    """

    n_trials: Ints
    time_sum: Floats
    fastest: Floats
    choice_total: Floats
    choice_sum: Floats
    choice_time_sum: Floats
    vector_sum: Floats
    time_vector_sum: Floats
    gram: Floats
    time_gram: Floats
    squared_time_gram: Floats
    n_censored: Ints
    censored_choice_total: Floats
    censored_vector_sum: Floats
    censored_gram: Floats
    censor_above: float | None = None

    @classmethod
    def from_trials(
        cls,
        X: ArrayLike,
        choice: ArrayLike,
        response_time: ArrayLike,
        person: ArrayLike,
        *,
        n_people: int | None = None,
        censor_above: float | None = None,
    ) -> Self:
        """Sum over the trials of each person.

        Parameters
        ----------
        X : array_like of shape (n_trials, n_features)
            Query vectors, first option minus second.
        choice : array_like of shape (n_trials,)
            +1 (first) or -1 (second).
        response_time : array_like of shape (n_trials,)
            Seconds, positive.
        person : array_like of int, shape (n_trials,)
            Who answered, from 0; fastest where equal numbers follow each other.
        n_people : int, optional
            Number of people, some of whom may have no trial; the largest number plus 1 if absent.
        censor_above : float, optional
            Seconds; slower answers count as censored.
        """
        vectors, c, rt, _ = check_timed_choices(X, choice, response_time)
        who = np.asarray(person, dtype=np.int64)
        n = int(who.max(initial=-1)) + 1 if n_people is None else n_people
        if who.shape != c.shape or (who < 0).any() or (who >= n).any():
            raise DataError(f"`person` must number the person of each trial, from 0 to {n - 1}")
        if (np.diff(who) < 0).any():
            order = np.argsort(who, kind="stable")
            vectors, c, rt, who = vectors[order], c[order], rt[order], who[order]
        timed = slice(None) if censor_above is None else rt <= censor_above
        slow = slice(0) if censor_above is None else rt > censor_above
        # Columns of W, of whose products W'W the sums are parts.
        table = np.column_stack([vectors, vectors * rt[:, None], c, np.ones(len(c))])
        d = vectors.shape[1]
        sums = SumsOfProducts(table[timed], who[timed], n)
        late = SumsOfProducts(
            np.column_stack([vectors[slow], c[slow], np.ones(len(c[slow]))]), who[slow], n
        )
        fastest = np.full(n, np.inf)
        np.minimum.at(fastest, who, rt)
        x, tx, one = slice(d), slice(d, 2 * d), 2 * d + 1
        blocks = {
            "choice_total": (2 * d, one),
            "choice_sum": (x, 2 * d),
            "choice_time_sum": (tx, 2 * d),
            "vector_sum": (x, one),
            "time_vector_sum": (tx, one),
            "gram": (x, x),
            "time_gram": (x, tx),
            "squared_time_gram": (tx, tx),
        }
        late_blocks = {
            "censored_choice_total": (d, d + 1),
            "censored_vector_sum": (x, d + 1),
            "censored_gram": (x, x),
        }
        arrays: dict[str, Any] = {
            "n_trials": sums.count,
            "time_sum": np.bincount(who[timed], rt[timed], n),
            "fastest": fastest,
            "n_censored": late.count,
            **sums.parts(blocks),
            **late.parts(late_blocks),
        }
        return cls(**arrays, censor_above=censor_above)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Return the statistics of different people, one part after the other."""
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS
        }
        return replace(parts[0], **arrays)

    def take(self, people: ArrayLike | slice) -> Self:
        """Return the statistics of some people, by position or mask."""
        where = people if isinstance(people, slice) else np.asarray(people)
        arrays: dict[str, Any] = {name: getattr(self, name)[where] for name in ARRAYS}
        return replace(self, **arrays)

    def grouped(self, group: ArrayLike, n_groups: int) -> Self:
        """Add up rows that are parts of the same person's trials.

        Parameters
        ----------
        group : array_like of int, shape (n_people,)
            To which of the people of the result each row belongs.
        n_groups : int
            Number of people in the result.
        """
        index = np.asarray(group, dtype=np.int64)
        arrays: dict[str, Any] = {}
        for name in ARRAYS:
            values = getattr(self, name)
            add, start = (np.minimum, np.inf) if name == "fastest" else (np.add, 0)
            arrays[name] = np.full((n_groups, *values.shape[1:]), start, values.dtype)
            add.at(arrays[name], index, values)
        return replace(self, **arrays)

    @property
    def n_people(self) -> int:
        """Number of people."""
        return len(self.n_trials)

    @property
    def n_features(self) -> int:
        """Length of a query vector."""
        return int(self.choice_sum.shape[1])

    def person(self, position: int) -> SufficientStatistics:
        """Return the sums of one person, censored answers left out."""
        count = int(self.n_trials[position])
        return SufficientStatistics(
            count,
            float(count),
            float(self.time_sum[position]),
            self.choice_sum[position],
            self.choice_time_sum[position],
            self.gram[position],
            self.time_gram[position],
            self.squared_time_gram[position],
        )

    def information(self, nondecision_time: ArrayLike, barrier: ArrayLike | None = None) -> Floats:
        """Return V = sum t x x' of each person, (n_people, n_features, n_features).

        Parameters
        ----------
        nondecision_time : array_like of shape (n_people,)
            Seconds.
        barrier : array_like of shape (n_people,), optional
            Needed where answers were censored.
        """
        t0 = np.asarray(nondecision_time, dtype=np.float64)
        timed = self.time_gram - t0[:, None, None] * self.gram
        if barrier is None or self.censor_above is None:
            return np.asarray(timed)
        late = self._late_time(t0, np.asarray(barrier, dtype=np.float64))
        return np.asarray(timed + late[:, None, None] * self.censored_gram)

    def estimate(
        self,
        nondecision_time: ArrayLike,
        *,
        ridge: float = 0.0,
        barrier: ArrayLike | None = None,
    ) -> PeopleEstimates:
        """Return the estimates that `tacit.estimators.Likelihood` has for each person.

        Parameters
        ----------
        nondecision_time : array_like of shape (n_people,)
            Seconds, at least 0 and below the fastest answer of each person.
        ridge : float, default 0
            Precision of a Gaussian prior on the weights around 0.
        barrier : array_like of shape (n_people,), optional
            The barriers if they are known; by the second Wald identity otherwise.
        """
        t0 = np.broadcast_to(np.asarray(nondecision_time, dtype=np.float64), self.fastest.shape)
        bad = np.flatnonzero(~((t0 >= 0) & (t0 < self.fastest)))
        if bad.size:
            raise DataError(
                f"`nondecision_time` must be at least 0 and below the fastest answer "
                f"({self.fastest[bad[0]]:g} s), got {t0[bad[0]]:g} s for person {bad[0]}"
            )
        if barrier is not None:
            known = np.broadcast_to(np.asarray(barrier, dtype=np.float64), t0.shape)
            return _solve(self, t0, known, ridge)[0]
        start = np.zeros(self.n_people)
        found, wald = _solve(self, t0, start, ridge)
        found = found._replace(barrier=wald)
        todo = np.flatnonzero((self.n_censored > 0) & np.isfinite(wald))
        for _ in range(_ROUNDS):
            if not todo.size:
                break
            before = found.barrier[todo]
            some, wald = _solve(self.take(todo), t0[todo], before, ridge)
            some = some._replace(barrier=wald)
            for whole, part in zip(found[:-1], some[:-1], strict=True):
                whole[todo] = part
            todo = todo[np.abs(wald - before) > _CLOSE * before]
        found.converged[todo] = False
        return found

    def residuals(self, beta: Floats, t0: Floats, barrier: Floats) -> Residuals:
        """Return the sums of the second Wald identity, E[t] = E[(a c - t u)^2].

        Parameters
        ----------
        beta : ndarray of shape (n_people, n_features)
            Estimates of theta / a.
        t0 : ndarray of shape (n_people,)
            Seconds.
        barrier : ndarray of shape (n_people,)
            The barriers that the times of censored answers depend on.
        """
        column = t0[:, None]
        time = self.time_sum - t0 * self.n_trials
        gram = self.squared_time_gram - (2 * column)[:, :, None] * self.time_gram
        gram += (column**2)[:, :, None] * self.gram
        if self.censor_above is not None:
            late = self._late_time(t0, barrier)
            time = time + late * self.n_censored
            gram += (late**2)[:, None, None] * self.censored_gram
        cross = 2 * _dot(beta, self.choice_time_sum - column * self.choice_sum)
        fitted = _dot(beta, np.einsum("nij,nj->ni", gram, beta))
        square = self.n_trials - cross + fitted
        rounding = NO_RESIDUAL * (self.n_trials + np.abs(cross) + fitted)
        return Residuals(time, np.where(square <= rounding, 0.0, square), gram)

    def _late_time(self, t0: Floats, barrier: Floats) -> Floats:
        """Return the decision time at which a censored answer counts, at least 0."""
        if self.censor_above is None:
            return np.zeros_like(t0)
        size = np.where(np.isfinite(barrier), barrier, 0.0)
        return np.maximum(censored_time(self.censor_above, t0, size), 0.0)


def censored_time(censor_above: float, nondecision_time: Floats, barrier: Floats) -> Floats:
    """Return tau - t0 - (1 - 8 / pi^2) a^2, at which an answer slower than tau counts."""
    return np.asarray(censor_above - nondecision_time - _CENSORED_SHARE * barrier**2)


ARRAYS = tuple(f.name for f in fields(PeopleStatistics) if f.name != "censor_above")
MATRICES = tuple(name for name in ARRAYS if name.endswith("gram"))
VECTORS = (
    *("choice_sum", "choice_time_sum"),
    *("vector_sum", "time_vector_sum", "censored_vector_sum"),
)


def _solve(
    people: PeopleStatistics, t0: Floats, barrier: Floats, ridge: float
) -> tuple[PeopleEstimates, Floats]:
    """Return the estimates at a barrier, and the barrier that these imply."""
    inverse, rank, condition = pseudo_inverses(
        people.information(t0, barrier) + ridge * np.eye(people.n_features)
    )
    beta = np.einsum("nij,nj->ni", inverse, people.choice_sum)
    converged = np.ones(people.n_people, dtype=bool)
    return (
        PeopleEstimates(beta, barrier, inverse, rank, condition, converged),
        _wald_barrier(people, people.residuals(beta, t0, barrier)),
    )


def _wald_barrier(people: PeopleStatistics, sums: Residuals) -> Floats:
    """Return the barrier at which choices and times agree; see `SufficientStatistics.barrier`."""
    explained = sums.square == 0
    ratio = np.divide(sums.time, sums.square, out=np.full_like(sums.time, np.inf), where=~explained)
    return np.where(people.n_trials > 0, np.sqrt(ratio), np.nan)


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("ni,ni->n", a, b))
