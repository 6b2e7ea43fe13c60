"""Coordinates without edges for what is bounded: barrier, non-decision time and start."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, log_expit, logit

from tacit.bayes._arrays import Floats
from tacit.bayes.priors import Prior, as_range

NAMES = ("barrier", "nondecision_time", "start_share")


@dataclass(frozen=True, eq=False)
class Coordinates:
    """A box of persons, each free side of it mapped to the whole line by the logit.

    Attributes
    ----------
    low, high : ndarray of shape (3,)
        Ends of the box for barrier, non-decision time and the start as a share of the barrier;
        equal where the value is known.
    """

    low: Floats
    high: Floats

    @classmethod
    def of(cls, prior: Prior, fastest: float, *, start_bias: bool) -> "Coordinates":
        """Return the box of a prior for a person whose fastest response took `fastest` seconds."""
        barrier, (low, high) = as_range(prior.barrier), as_range(prior.nondecision_time)
        share = (-1.0, 1.0) if start_bias else (0.0, 0.0)
        box = np.array([barrier, (low, min(high, fastest)), share])
        return cls(box[:, 0], box[:, 1])

    @cached_property
    def free(self) -> list[int]:
        """Which of the three are not known."""
        return [int(k) for k in np.flatnonzero(self.low < self.high)]

    def points(self, w: Floats) -> Floats:
        """Return barrier, non-decision time and start share, shape (n_points, 3)."""
        values = np.tile(self.low, (len(w), 1))
        values[:, self.free] += (self.high - self.low)[self.free] * expit(w)
        return values

    def log_density(self, w: Floats) -> Floats:
        """Return the log-density of the flat prior in these coordinates, the logistic one."""
        return np.asarray((log_expit(w) + log_expit(-w)).sum(axis=1))

    def line(self, k: int, value: Floats) -> Floats:
        """Return the coordinate at which variable `k` takes `value`."""
        share = (value - self.low[k]) / (self.high[k] - self.low[k])
        return np.asarray(logit(np.clip(share, 0.0, 1.0)))
