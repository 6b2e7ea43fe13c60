"""Sums that are sufficient for the weights of one person.

The log-likelihood of timed choices is exactly quadratic in the weights theta, namely
a theta's - theta'V theta / 2 with s = sum c x and V = sum t x x' (the loss of Echenique, Fallah
& Jordan 2025). Keeping the sums of RT x x' and of x x' apart leaves the non-decision time free:
V = sum RT x x' - t0 sum x x'. The same sums with RT^2 give the barrier without any optimisation.
"""

import json
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm._checks import Floats, TimedChoices, check_timed_choices
from tacit.ddm._linear import decompose
from tacit.errors import DataError

NO_RESIDUAL = 1e-12
"""Share of the sums it is a difference of, below which a residual is rounding."""


@dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """Sums over timed choices from which weights and barrier follow in closed form.

    Statistics of disjoint sets of trials add up, so they can be streamed, merged and computed by
    any engine that sums. All sums are weighted by the trials' weights (1 by default).

    Attributes
    ----------
    n_trials : int
        Number of trials added.
    weight_sum : float
        Sum of the trials' weights.
    time_sum : float
        Sum of response times, seconds.
    choice_sum : ndarray of shape (n_features,)
        Sum of choice times query vector, c x.
    choice_time_sum : ndarray of shape (n_features,)
        Sum of c RT x.
    gram : ndarray of shape (n_features, n_features)
        Sum of x x'.
    time_gram : ndarray of shape (n_features, n_features)
        Sum of RT x x'.
    squared_time_gram : ndarray of shape (n_features, n_features)
        Sum of RT^2 x x'.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.ddm import SufficientStatistics
    >>> X = np.array([[1.0, -1.0], [0.5, 2.0], [1.0, 0.0]])
    >>> choice, response_time = [1, -1, 1], [0.9, 1.4, 1.1]
    >>> whole = SufficientStatistics.from_trials(X, choice, response_time)
    >>> first = SufficientStatistics.from_trials(X[:2], choice[:2], response_time[:2])
    >>> both = first.add(X[2:], choice[2:], response_time[2:])
    >>> print(both.weights_over_barrier(nondecision_time=0.3).round(4))
    [ 1.1077 -0.7108]
    >>> np.allclose(both.time_gram, whole.time_gram)
    True
    """

    n_trials: int
    weight_sum: float
    time_sum: float
    choice_sum: Floats
    choice_time_sum: Floats
    gram: Floats
    time_gram: Floats
    squared_time_gram: Floats

    @classmethod
    def zeros(cls, n_features: int) -> Self:
        """Return the statistics of no trials."""
        vector, matrix = np.zeros(n_features), np.zeros((n_features, n_features))
        return cls(0, 0.0, 0.0, vector, vector, matrix, matrix, matrix)

    @classmethod
    def from_trials(
        cls,
        X: ArrayLike,
        choice: ArrayLike,
        response_time: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Sum over trials.

        Parameters
        ----------
        X : array_like of shape (n_trials, n_features)
            Query vectors, first option minus second.
        choice : array_like of shape (n_trials,)
            +1 (first) or -1 (second).
        response_time : array_like of shape (n_trials,)
            Seconds, positive.
        sample_weight : array_like of shape (n_trials,), optional
            Non-negative weight of each trial's log-likelihood; 1 by default.
        """
        return cls._sum(check_timed_choices(X, choice, response_time, sample_weight))

    @classmethod
    def _sum(cls, trials: TimedChoices) -> Self:
        X, c, rt, w = trials
        weighted = X if w is None else X * w[:, None]
        timed = weighted * rt[:, None]
        return cls(
            n_trials=len(c),
            weight_sum=float(len(c) if w is None else w.sum()),
            time_sum=float(rt.sum() if w is None else w @ rt),
            choice_sum=c @ weighted,
            choice_time_sum=c @ timed,
            gram=X.T @ weighted,
            time_gram=X.T @ timed,
            squared_time_gram=X.T @ (timed * rt[:, None]),
        )

    @property
    def n_features(self) -> int:
        """Length of a query vector."""
        return len(self.choice_sum)

    def add(
        self,
        X: ArrayLike,
        choice: ArrayLike,
        response_time: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Return the statistics with more trials added; arguments as in `from_trials`."""
        return self + self.from_trials(X, choice, response_time, sample_weight)

    def __add__(self, other: Self) -> Self:
        """Return the statistics of both sets of trials together."""
        self._check_same_features(other)
        return type(self)(
            **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        )

    def __sub__(self, other: Self) -> Self:
        """Return the statistics without the trials of `other`, which must be among them."""
        self._check_same_features(other)
        if other.n_trials > self.n_trials:
            raise DataError(
                f"cannot subtract {other.n_trials} trials from {self.n_trials}; "
                "only trials that were added before can be taken out"
            )
        rest = type(self)(
            **{f.name: getattr(self, f.name) - getattr(other, f.name) for f in fields(self)}
        )
        for name in ("weight_sum", "time_sum", "gram"):
            left, of = np.atleast_2d(getattr(rest, name)), np.atleast_2d(getattr(self, name))
            if (np.diag(left) < -NO_RESIDUAL * np.diag(of)).any():
                raise DataError(
                    f"cannot subtract trials that were not added before: their `{name}` is larger "
                    f"than that of all {self.n_trials}"
                )
        return rest

    def _check_same_features(self, other: Self) -> None:
        if self.n_features != other.n_features:
            raise DataError(
                "statistics of different feature spaces cannot be combined: "
                f"{self.n_features} and {other.n_features} features"
            )

    def information(self, nondecision_time: float) -> Floats:
        """Return V = sum t x x', t the decision times for this non-decision time (seconds)."""
        return np.asarray(self.time_gram - nondecision_time * self.gram)

    def weights_over_barrier(self, nondecision_time: float, *, ridge: float = 0.0) -> Floats:
        """Return the exact maximum-likelihood estimate (V + r I)^-1 s of theta / a.

        Parameters
        ----------
        nondecision_time : float
            Seconds, at least 0 and below every response time.
        ridge : float, default 0
            Precision r of a Gaussian prior on theta / a, divided by a^2. With 0 and query
            vectors that do not span the space, the estimate of least norm is returned.
        """
        precision = self.information(nondecision_time) + ridge * np.eye(self.n_features)
        return decompose(precision).solve(self.choice_sum)

    def barrier(self, weights_over_barrier: ArrayLike, nondecision_time: float) -> float:
        """Return the barrier at which choices and times agree (second Wald identity).

        a^2 = sum t / sum (c - t x'beta)^2, a moment estimate that needs no optimisation.

        Parameters
        ----------
        weights_over_barrier : array_like of shape (n_features,)
            beta, an estimate of theta / a.
        nondecision_time : float
            Seconds, at least 0 and below every response time.

        Returns
        -------
        float
            Infinite where the weights explain every trial exactly, as they can when there are no
            more trials than weights.
        """
        beta, t0 = np.asarray(weights_over_barrier, dtype=np.float64), nondecision_time
        time_sum = self.time_sum - t0 * self.weight_sum
        if not time_sum > 0:
            raise DataError(
                f"the decision times of {self.n_trials} trials sum to {time_sum:.3g} s; "
                "is nondecision_time below every response time?"
            )
        cross = 2 * float(beta @ (self.choice_time_sum - t0 * self.choice_sum))
        squared_gram = self.squared_time_gram - 2 * t0 * self.time_gram + t0**2 * self.gram
        square = float(beta @ squared_gram @ beta)
        residual = self.weight_sum - cross + square
        if residual <= NO_RESIDUAL * (self.weight_sum + abs(cross) + square):
            return np.inf
        return float(np.sqrt(time_sum / residual))

    def to_json(self) -> str:
        """Return the statistics as JSON text, exact to the last bit."""
        return json.dumps(
            {f.name: np.asarray(getattr(self, f.name)).tolist() for f in fields(self)}
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the statistics that `to_json` wrote."""
        try:
            stored = json.loads(text)
            n_trials = int(stored["n_trials"])
            sums = {
                f.name: np.array(stored[f.name], dtype=np.float64)
                for f in fields(cls)
                if f.name != "n_trials"
            }
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"not the JSON of SufficientStatistics: {error!r}") from error
        d = len(np.atleast_1d(sums["choice_sum"]))
        for (name, values), n_axes in zip(sums.items(), (0, 0, 1, 1, 2, 2, 2), strict=True):
            if values.shape != (d,) * n_axes:
                raise DataError(
                    f"not the JSON of SufficientStatistics: `{name}` must have shape "
                    f"{(d,) * n_axes}, got {values.shape}"
                )
            if not np.isfinite(values).all():
                raise DataError(f"not the JSON of SufficientStatistics: `{name}` must be finite")
        weight_sum, time_sum = float(sums.pop("weight_sum")), float(sums.pop("time_sum"))
        return cls(n_trials, weight_sum, time_sum, **sums)
