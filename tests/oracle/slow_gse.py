"""Algorithm 1 of Li et al. (2024) for one person, in plain loops, on answers that were given.

It draws nothing: told what was asked and answered, it says in which phase the learner is, which
items are left, and what the weights are. Estimates are written out as in the paper's section 3.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize


@dataclass
class SlowGSE:
    """The paper's learner as bookkeeping."""

    features: np.ndarray
    time_budget: float
    eta: float
    phase_buffer: float
    nondecision_time: float
    estimator: str = "choice-decision-time"
    ridge: float = 0.0
    n_burn_in: int = 0
    reuse: bool = False
    phase: int = 0
    answers: list = field(default_factory=list)
    left: float = 0.0
    spent: float = 0.0

    def __post_init__(self):
        self.active = set(range(len(self.features)))
        n, self.n_phases = len(self.features), 0
        while self.eta**self.n_phases < n * (1 - 1e-12):
            self.n_phases += 1
        self.n_phases += self.n_burn_in
        self.left = self.time_budget / self.n_phases
        self.weights = np.zeros(self.features.shape[1])

    @property
    def done(self):
        return self.phase == self.n_phases

    def tell(self, x, choice, response_time):
        """Take in an answer to the query of vector x."""
        self.left -= response_time
        self.spent += response_time
        decision_time = response_time - self.nondecision_time
        usable = decision_time > 0 or self.estimator == "choice-only"
        in_time = self.phase_buffer > 0 or self.spent <= self.time_budget
        if usable and in_time:
            self.answers.append((tuple(x), choice, decision_time))
        if self.left <= self.phase_buffer:
            self._end_phase()

    def _end_phase(self):
        self.weights = self._estimate()
        if self.phase >= self.n_burn_in:
            last = self.phase + 1 == self.n_phases
            n_kept = 1 if last else math.ceil(len(self.active) / self.eta - 1e-9)
            utility = self.features @ self.weights
            self.active = set(sorted(self.active, key=lambda z: -utility[z])[:n_kept])
        self.phase += 1
        share = self.time_budget / self.n_phases
        # Without a buffer there is one clock: a phase that overran shortens the next.
        self.left = share + (self.left if self.phase_buffer == 0 else 0.0)
        if not self.reuse:
            self.answers = []

    def _estimate(self):
        x = np.array([a[0] for a in self.answers])
        c, t = (np.array([a[k] for a in self.answers]) for k in (1, 2))
        n_features = self.features.shape[1]
        if self.estimator == "choice-decision-time":
            gram, total = np.zeros((n_features, n_features)), np.zeros(n_features)
            for vector in {a[0] for a in self.answers}:
                own = (x == vector).all(axis=1)
                gram += own.sum() * np.outer(vector, vector)
                total += own.sum() * np.array(vector) * c[own].mean() / t[own].mean()
            return np.linalg.pinv(gram) @ total
        if self.estimator == "likelihood":
            information = (x.T * t) @ x + self.ridge * np.eye(n_features)
            return np.linalg.solve(information, x.T @ c)
        found = minimize(
            lambda w: np.logaddexp(0, -c * (x @ w)).sum() + 0.5 * self.ridge * w @ w,
            np.zeros(n_features),
            tol=1e-12,
        )
        return found.x
