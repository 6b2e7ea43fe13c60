"""What is believed about a person before the first answer."""

from dataclasses import dataclass
from math import inf
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats, as_floats
from tacit.ddm import WeightsPrior
from tacit.errors import DataError

Range = tuple[float, float]


@dataclass(frozen=True)
class FlatPrior:
    """Every value inside a box is equally likely: the paper's prior.

    Parameters
    ----------
    barrier : tuple of two floats, or float, default (5e-6, 7.5)
        Smallest and largest barrier, positive; a single number is taken as known.
    nondecision_time : tuple of two floats, or float, default (1e-3, inf)
        Smallest and largest non-decision time in seconds, at least 0; a single number is taken as
        known. The upper end never exceeds the fastest response time.
    weights : tuple of two floats, default (-15, 15)
        Smallest and largest weight. The box cuts the posterior exactly where each query shows one
        weight, as for one-hot items against a reference. Elsewhere
        weights are unbounded, and `fit` warns when that matters.

    Examples
    --------
    >>> from tacit.bayes import FlatPrior
    >>> FlatPrior(nondecision_time=0.3)
    FlatPrior(barrier=(5e-06, 7.5), nondecision_time=0.3, weights=(-15.0, 15.0))
    """

    barrier: Range | float = (5e-6, 7.5)
    nondecision_time: Range | float = (1e-3, inf)
    weights: Range = (-15.0, 15.0)

    def __post_init__(self) -> None:
        _check_person(self.barrier, self.nondecision_time)
        ends = np.asarray(self.weights)
        if not (ends.shape == (2,) and np.isfinite(ends).all() and ends[0] < ends[1]):
            raise DataError(
                f"the prior's `weights` must be a finite range (low, high), got {self.weights!r}"
            )


@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """Weights are Gaussian; barrier and non-decision time are flat inside a box.

    Parameters
    ----------
    mean : array_like of shape () or (n_features,), default 0
        Mean of the weights.
    covariance : array_like of shape (), (n_features,) or (n_features, n_features), default 25
        Covariance of the weights: one variance for all of them, one for each, or a positive
        definite matrix. The default is vague: with a barrier near 1, a drift of 5 leaves one
        choice in 20,000 to chance.
    barrier, nondecision_time : tuple of two floats, or float
        As in `FlatPrior`.

    Examples
    --------
    >>> from tacit.bayes import GaussianPrior
    >>> GaussianPrior(covariance=[4.0, 1.0]).weights_prior(2).precision
    array([[0.25, 0.  ],
           [0.  , 1.  ]])
    """

    mean: ArrayLike = 0.0
    covariance: ArrayLike = 25.0
    barrier: Range | float = (5e-6, 7.5)
    nondecision_time: Range | float = (1e-3, inf)

    def __post_init__(self) -> None:
        _check_person(self.barrier, self.nondecision_time)

    def weights_prior(self, n_features: int) -> WeightsPrior:
        """Return mean and precision for this number of weights.

        Parameters
        ----------
        n_features : int
            Number of weights.

        Returns
        -------
        WeightsPrior
            Mean of shape (n_features,), precision of shape (n_features, n_features).

        Raises
        ------
        DataError
            If the shapes do not fit or the covariance is not positive definite.

        Examples
        --------
        >>> GaussianPrior(mean=0.5).weights_prior(2).mean
        array([0.5, 0.5])
        """
        mean = as_floats("mean", self.mean)
        covariance = as_floats("covariance", self.covariance)
        if mean.shape not in ((), (n_features,)):
            raise DataError(
                f"the prior's `mean` must have one value for each of {n_features} weights, "
                f"got shape {mean.shape}"
            )
        if covariance.shape not in ((), (n_features,), (n_features, n_features)):
            raise DataError(
                f"the prior's `covariance` must fit {n_features} weights, got shape "
                f"{covariance.shape}"
            )
        matrix = covariance if covariance.ndim == 2 else covariance * np.eye(n_features)
        if not (np.isfinite(mean).all() and _is_positive_definite(matrix)):
            raise DataError(
                "the prior's `mean` must be finite and its `covariance` positive definite and "
                "symmetric; use variances above 0"
            )
        precision = np.linalg.inv(matrix)
        return WeightsPrior(np.broadcast_to(mean, (n_features,)), (precision + precision.T) / 2)


Prior = FlatPrior | GaussianPrior


def _is_positive_definite(matrix: Floats) -> bool:
    finite = bool(np.isfinite(matrix).all())
    symmetric = finite and np.allclose(matrix, matrix.T, rtol=1e-8, atol=0)
    return symmetric and bool(np.linalg.eigvalsh(matrix)[0] > 0)


def as_range(value: Range | float) -> Range:
    """Return a range, of no width where a single number is taken as known."""
    low, high = value if isinstance(value, tuple) else (value, value)
    return float(low), float(high)


def _check_range(name: str, value: object, limit: float) -> None:
    """Raise unless `value` is a number from `limit` up, or a tuple of two of them in order."""
    ends = value if isinstance(value, tuple) else (value, value)
    numbers = len(ends) == 2 and all(isinstance(end, Real) for end in ends)
    if not (
        numbers and limit <= ends[0] < inf and (ends[0] < ends[1] or not isinstance(value, tuple))
    ):
        raise DataError(
            f"the prior's `{name}` must be a tuple (low, high) or one number, "
            f"{'above' if limit else 'at least'} 0, got {value!r}"
        )


def _check_person(barrier: Range | float, nondecision_time: Range | float) -> None:
    _check_range("barrier", barrier, np.nextafter(0, 1))
    _check_range("nondecision_time", nondecision_time, 0.0)
    if as_range(barrier)[1] == inf:
        raise DataError("the prior's `barrier` needs a finite upper end, got inf")
