"""Expectation-maximisation of a Gaussian population over people's exact statistics.

Given the population N(m_j, S), a person's weights are exactly Gaussian, with covariance
C_j = (V_j + S^-1)^-1 and mean mu_j = C_j (a_j s_j + S^-1 m_j). The maximum over the population
given these is closed: m_j by regression of mu_j, S the mean of C_j + (mu_j - m_j)(mu_j - m_j)'.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.bayes._arrays import Floats

_NUMBERS_AT_ONCE = 1 << 22


class PeopleData(NamedTuple):
    """What the answers of people say about their weights.

    Attributes
    ----------
    information : ndarray of shape (n_people, n_features, n_features)
        V_j, sums of t x x'.
    linear : ndarray of shape (n_people, n_features)
        a_j s_j, barrier times the sum of c x.
    regressors : ndarray of shape (n_people, n_regressors)
        What the mean depends on; the first is 1.
    """

    information: Floats
    linear: Floats
    regressors: Floats

    def portions(self) -> Iterator["PeopleData"]:
        """Yield the people in portions of limited size."""
        step = max(1, _NUMBERS_AT_ONCE // self.linear.shape[1] ** 2)
        for start in range(0, len(self.linear), step):
            yield self.take(slice(start, start + step))

    def take(self, people: NDArray[np.bool_] | slice) -> "PeopleData":
        """Return some of the people."""
        return PeopleData(*(values[people] for values in self))


class Posteriors(NamedTuple):
    """The weights of people given a population: means, covariances, log evidence."""

    mean: Floats
    covariance: Floats
    log_evidence: Floats


def posteriors(data: PeopleData, coefficients: Floats, precision: Floats) -> Posteriors:
    """Return what is known of people who come from a population.

    The log evidence is the log of the ratio between the probability of the answers under the
    population and under weights of zero.
    """
    prior_mean = data.regressors @ coefficients
    shift = prior_mean @ precision
    total = data.information + precision
    covariance = np.linalg.inv(total)
    covariance = 0.5 * (covariance + covariance.transpose(0, 2, 1))
    mean = np.einsum("nij,nj->ni", covariance, data.linear + shift)
    log_det = np.linalg.slogdet(precision)[1] - np.linalg.slogdet(total)[1]
    quadratic = np.einsum("ni,ni->n", data.linear + shift, mean)
    quadratic -= np.einsum("ni,ni->n", shift, prior_mean)
    return Posteriors(mean, covariance, 0.5 * (quadratic + log_det))


def posteriors_of(data: PeopleData, coefficients: Floats, covariance: Floats) -> Posteriors:
    """Return what is known of people who come from a population, in portions of limited size."""
    precision = _inverse(covariance)
    parts = [posteriors(part, coefficients, precision) for part in data.portions()]
    return Posteriors(*(np.concatenate(values) for values in zip(*parts, strict=True)))


class Fit(NamedTuple):
    """A population at the maximum of its evidence.

    Attributes
    ----------
    coefficients : ndarray of shape (n_regressors, n_features)
        Of the mean.
    covariance : ndarray of shape (n_features, n_features)
        S.
    log_evidence : tuple of float
        Total over people, before each round.
    converged : bool
        Whether further rounds gain nothing.
    """

    coefficients: Floats
    covariance: Floats
    log_evidence: tuple[float, ...]
    converged: bool


def fit_population(
    data: PeopleData, *, rank: int | None, shrinkage: float, n_rounds: int, tolerance: float
) -> Fit:
    """Return the population that makes the answers most probable.

    Parameters
    ----------
    data : PeopleData
        The people.
    rank : int or None
        Number of shared directions of a covariance that is low-rank plus diagonal; None for any
        covariance.
    shrinkage : float
        Number of made-up people, of equal and independent weights, that are added.
    n_rounds : int
        Most rounds.
    tolerance : float
        Gain of log evidence per person and round at which to stop.
    """
    n, d = data.linear.shape
    covariance = _start(data)
    coefficients = np.zeros((data.regressors.shape[1], d))
    factors = None if rank is None else _Factors(np.zeros((d, rank)), np.diag(covariance).copy())
    trace: list[float] = []
    for _ in range(n_rounds):
        parts = [posteriors(part, coefficients, _inverse(covariance)) for part in data.portions()]
        trace.append(float(sum(part.log_evidence.sum() for part in parts)))
        if len(trace) > 1 and abs(trace[-1] - trace[-2]) <= tolerance * n:
            return Fit(coefficients, covariance, tuple(trace), converged=True)
        mean = np.concatenate([part.mean for part in parts])
        coefficients = np.linalg.lstsq(data.regressors, mean, rcond=None)[0]
        deviation = mean - data.regressors @ coefficients
        scatter = sum(part.covariance.sum(axis=0) for part in parts) + deviation.T @ deviation
        target = np.trace(scatter) / (n * d) * np.eye(d)
        covariance = (scatter + shrinkage * target) / (n + shrinkage)
        if factors is not None:
            factors = factors.towards(covariance)
            covariance = factors.covariance
    return Fit(coefficients, covariance, tuple(trace), converged=False)


class _Factors(NamedTuple):
    """A covariance F F' + diag(D)."""

    loadings: Floats
    noise: Floats

    @property
    def covariance(self) -> Floats:
        return np.asarray(self.loadings @ self.loadings.T + np.diag(self.noise))

    def towards(self, scatter: Floats) -> "_Factors":
        """Return factors that explain a covariance better: one EM step of factor analysis."""
        if not self.loadings.any():
            size, axes = np.linalg.eigh(scatter)
            rank = self.loadings.shape[1]
            excess = np.clip(size[-rank:] - np.median(size), 0, None) + 1e-3 * size[-1]
            loadings = axes[:, -rank:] * np.sqrt(excess)
            floor = 1e-3 * np.diag(scatter)
            noise = np.maximum(np.diag(scatter) - (loadings**2).sum(axis=1), floor)
            return _Factors(loadings, noise)
        project = np.linalg.solve(self.covariance, self.loadings).T
        cross = scatter @ project.T
        second = np.eye(self.loadings.shape[1]) - project @ self.loadings + project @ cross
        loadings = np.linalg.solve(second, cross.T).T
        noise = np.diag(scatter) - (loadings * cross).sum(axis=1)
        return _Factors(loadings, np.maximum(noise, 1e-9 * np.diag(scatter)))


def _start(data: PeopleData) -> Floats:
    """Return the covariance to start from: as large as weights are when pulled a little to zero."""
    d = data.linear.shape[1]
    pull = 0.1 * np.einsum("nii->n", data.information) / d
    asked = pull > 0
    some = data.information[asked] + pull[asked, None, None] * np.eye(d)
    weights = np.linalg.solve(some, data.linear[asked][:, :, None])[:, :, 0]
    return np.asarray(max(float((weights**2).mean()), 1e-6) * np.eye(d))


def _inverse(matrix: Floats) -> Floats:
    inverse = np.linalg.inv(matrix)
    return np.asarray(0.5 * (inverse + inverse.T))
