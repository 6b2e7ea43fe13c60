"""A population whose release says almost nothing about anyone in it."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes.population import LEAST_PEOPLE, Population
from tacit.ddm import PeopleStatistics
from tacit.errors import DataError

_SENSITIVITY = np.sqrt(4.5)
"""Largest change of (v, v v') when v moves inside the unit ball: 2 - 2c + 2 - 2c^2 at c = -1/2."""


def release_population(
    statistics: PeopleStatistics,
    *,
    epsilon: float,
    delta: float,
    clip: float,
    prior_sd: float,
    nondecision_time: ArrayLike,
    barrier: float,
    public_nondecision_time: float,
    rng: np.random.Generator,
) -> Population:
    r"""Return a population with a stated bound on what it says about anyone in it.

    Each person gives one vector: the posterior mean of the weights under N(0, `prior_sd`^2 I) from
    that person's answers alone, shortened to the length `clip`. The mean of these vectors and the
    mean of their outer products are released with Gaussian noise, whose size follows from `epsilon`
    and `delta` (the exact condition of Balle & Wang 2018); mean and covariance follow from the two.

    Parameters
    ----------
    statistics : PeopleStatistics
        Sums of the answers of people.
    epsilon, delta : float
        The budget, both positive and `delta` below 1; see Notes.
    clip : float
        Longest vector of weights that counts in full, chosen without looking at these people.
    prior_sd : float
        Standard deviation of the prior, chosen in the same way.
    nondecision_time : array_like of shape () or (n_people,)
        Seconds, each person's from that person's answers alone.
    barrier : float
        Barrier of everybody, in evidence units, known from elsewhere.
    public_nondecision_time : float
        Seconds; the typical value to release, known from elsewhere.
    rng : numpy.random.Generator
        Source of the noise. Whoever knows its seed can take the noise away.

    Returns
    -------
    Population
        Without the log evidence, which would tell more.

    Notes
    -----
    Guaranteed is (epsilon, delta)-differential privacy for one release, where one person's
    answers are replaced by any others and the number of people is known: whatever is concluded
    from the release is at most exp(epsilon) times as probable with anybody's answers as with
    others in their place, up to delta. Not covered are other releases from the same people,
    whose budgets add up, the choice of the options by looking at the data, and attacks on how
    computers round numbers.

    The covariance contains the uncertainty of each person's weights, and noise: it is wider than
    that of `learn_population`, and a new person's own answers count for more.

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(0)
    >>> person, X = np.repeat(np.arange(5000), 10), rng.normal(size=(50000, 2))
    >>> choice, time = ddm.sample(X @ [1.0, -0.5], 1.2, nondecision_time=0.3, rng=rng)
    >>> sums = ddm.PeopleStatistics.from_trials(X, choice, time, person)
    >>> bayes.release_population(
    ...     sums,
    ...     epsilon=1.0,
    ...     delta=1e-6,
    ...     clip=3.0,
    ...     prior_sd=2.0,
    ...     nondecision_time=0.3,
    ...     barrier=1.2,
    ...     public_nondecision_time=0.3,
    ...     rng=rng,
    ... ).mean().round(1)
    array([ 1.1, -0.5])
    """
    n, d = statistics.n_people, statistics.n_features
    if n < LEAST_PEOPLE:
        raise DataError(f"a population is learned from at least {LEAST_PEOPLE} people, got {n}")
    for name, value in (("clip", clip), ("prior_sd", prior_sd), ("barrier", barrier)):
        if not 0 < value < np.inf:
            raise DataError(f"`{name}` must be a positive number, got {value}")
    t0 = np.broadcast_to(as_floats("nondecision_time", nondecision_time), (n,))
    found = statistics.estimate(t0, ridge=prior_sd**-2, barrier=np.full(n, barrier))
    vectors = found.weights / clip
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1), 1.0)[:, None]
    sd = _SENSITIVITY / n * noise_of(epsilon, delta)
    mean = vectors.mean(axis=0) + sd * rng.standard_normal(d)
    noise = rng.standard_normal((d, d))
    # Symmetric, with variance 1 on the diagonal and in each pair of equal entries together.
    noise = np.triu(noise, 1) / np.sqrt(2)
    noise = noise + noise.T + np.diag(rng.standard_normal(d))
    second = vectors.T @ vectors / n + sd * noise
    covariance = clip**2 * _positive(second - np.outer(mean, mean), sd * np.sqrt(d))
    return Population(clip * mean[None], covariance, barrier, public_nondecision_time, n)


def noise_of(epsilon: float, delta: float) -> float:
    """Return the standard deviation of the noise for a change of length 1.

    Parameters
    ----------
    epsilon, delta : float
        The budget.

    Returns
    -------
    float
        The smallest s with Phi(1/2s - epsilon s) - exp(epsilon) Phi(-1/2s - epsilon s) <= delta.

    Examples
    --------
    >>> round(noise_of(1.0, 1e-5), 2)
    3.73
    """
    if not (0 < epsilon < np.inf and 0 < delta < 1):
        raise DataError(
            f"`epsilon` must be positive and `delta` between 0 and 1, got {epsilon} and {delta}"
        )

    def excess(log_sd: float) -> float:
        s = np.exp(log_sd)
        other = np.exp(epsilon + log_ndtr(-0.5 / s - epsilon * s))
        return float(ndtr(0.5 / s - epsilon * s) - other - delta)

    return float(np.exp(brentq(excess, -25.0, 25.0, xtol=1e-12)))


def _positive(matrix: Floats, least: float) -> Floats:
    """Return the nearest symmetric matrix whose eigenvalues are at least so large."""
    size, axes = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return np.asarray((axes * np.maximum(size, least)) @ axes.T)
