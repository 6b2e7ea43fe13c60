"""The posterior of a person with one weight by product quadrature: nothing integrated by formula.

Gauss-Legendre nodes over a box of barrier, nondecision time, weight and start share; the
log-likelihood is a plain sum of `ddm.logpdf`, which tests of its own compare with mpmath.
"""

from dataclasses import dataclass

import numpy as np

from tacit import ddm

NAMES = ("barrier", "nondecision_time", "weight", "start_share")


@dataclass
class BruteForce:
    """Parameters at all nodes, and the posterior mass there."""

    values: dict[str, np.ndarray]
    mass: np.ndarray
    log_evidence: float

    def mean(self, value):
        return float((self.mass * value).sum())

    def sd(self, value):
        return float(np.sqrt(self.mean((value - self.mean(value)) ** 2)))


def integrate(trials, box, log_prior, n_nodes):
    """Integrate trials (x, choice, response_time) over a box: a range or a value for each name."""
    axes, weights = [], []
    for name in NAMES:
        ends = box[name]
        if not isinstance(ends, tuple):
            axes.append(np.array([ends]))
            weights.append(np.ones(1))
            continue
        node, weight = np.polynomial.legendre.leggauss(n_nodes)
        half = (ends[1] - ends[0]) / 2
        axes.append(ends[0] + half * (node + 1))
        weights.append(half * weight)
    grid = np.meshgrid(*axes, indexing="ij", sparse=True)
    a, t0, theta, share = grid
    log_density = log_prior(theta) + np.zeros(np.broadcast_shapes(*(g.shape for g in grid)))
    for x_i, c, rt in zip(*trials, strict=True):
        log_density += ddm.logpdf(c, rt, x_i * theta, a, nondecision_time=t0, start=share * a)
    volume = np.ones(1)
    for k, weight in enumerate(weights):
        volume = volume * weight.reshape([-1 if j == k else 1 for j in range(len(weights))])
    top = log_density.max()
    mass = volume * np.exp(log_density - top)
    log_evidence = float(top + np.log(mass.sum()))
    return BruteForce(dict(zip(NAMES, grid, strict=True)), mass / mass.sum(), log_evidence)
