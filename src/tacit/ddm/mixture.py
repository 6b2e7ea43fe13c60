"""A prior that does not take for granted that a person is like others.

A population's Gaussian may be too narrow for somebody, or say nothing about them at all. So the
weights come from one of several kinds of Gaussian, and the person's own answers tell which: given
sums V of t x x' and b = a s, the evidence of N(m, q S) against weights of zero is closed, as in
linear regression (Bishop 2006, "Pattern Recognition and Machine Learning", section 3.5). With
S = L L', the eigenvalues l_i of L'V L and r = U'L'(b - V m) in their coordinates it is

    m'b - m'V m / 2 + sum_i [q r_i^2 / (1 + q l_i) - log(1 + q l_i)] / 2,

so that one decomposition serves all scales q.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MIXTURE_SCALES: Floats = np.exp2(np.arange(-2.0, 6.0))
"""Scales q of the covariance: from half the standard deviation to more than five times it."""


def _even() -> Floats:
    return np.full((2, len(MIXTURE_SCALES)), 0.5 / len(MIXTURE_SCALES))


@dataclass(frozen=True, eq=False)
class WeightsMixture:
    """Gaussian weights of several kinds: like others or not, at several scales.

    Attributes
    ----------
    mean : ndarray of shape (n_features,) or (n_people, n_features)
        m of those who are like others.
    covariance : ndarray of shape (n_features, n_features)
        S, positive definite. Those who are not like others have independent weights around 0 of
        the same mean square.
    shares : ndarray of shape (2, n_scales), optional
        Probability of each kind before the first answer: like others, then not, at each of
        `MIXTURE_SCALES`. All the same when absent.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.ddm import WeightsMixture
    >>> crowd = WeightsMixture(np.array([2.0, 0.0]), np.diag([0.1, 0.1]))
    >>> against = crowd.log_evidence(20.0 * np.eye(2)[None], np.array([[-60.0, 30.0]]))
    >>> mean, covariance = crowd.matched(against)
    >>> mean.round(1)
    array([[0., 0.]])
    """

    mean: Floats
    covariance: Floats
    shares: Floats = field(default_factory=_even)

    @cached_property
    def _root(self) -> Floats:
        return np.asarray(np.linalg.cholesky(self.covariance))

    @property
    def mean_square(self) -> Floats:
        """Mean square of a weight, shape () or (n_people,)."""
        total = np.trace(self.covariance) + (self.mean**2).sum(axis=-1)
        return np.asarray(total / len(self.covariance))

    def laws(self) -> tuple[Floats, Floats, Floats]:
        """Return the Gaussians of one population, and their probability before any answer.

        Kinds that nobody is of are left out.

        Returns
        -------
        mean : ndarray of shape (n_laws, n_features)
        covariance : ndarray of shape (n_laws, n_features, n_features)
        share : ndarray of shape (n_laws,)
        """
        d, n = len(self.covariance), len(MIXTURE_SCALES)
        mean = np.concatenate([np.tile(self.mean, (n, 1)), np.zeros((n, d))])
        shape = np.stack([self.covariance, self.mean_square * np.eye(d)])
        covariance = (shape[:, None] * MIXTURE_SCALES[:, None, None]).reshape(2 * n, d, d)
        share = self.shares.ravel()
        some = share > 0
        return mean[some], covariance[some], share[some]

    def log_evidence(self, information: Floats, linear: Floats) -> Floats:
        """Return how well each kind explains the answers of people.

        Parameters
        ----------
        information : ndarray of shape (n_people, n_features, n_features)
            Sums of t x x'.
        linear : ndarray of shape (n_people, n_features)
            Barrier times the sums of c x.

        Returns
        -------
        ndarray of shape (n_people, 2, n_scales)
            Log evidence against weights of zero.
        """
        mean = np.broadcast_to(self.mean, linear.shape)
        pulled = np.matmul(information, mean[:, :, None])[:, :, 0]
        known = np.einsum("ni,ni->n", mean, linear - 0.5 * pulled)
        like = self._over_scales(
            np.matmul(self._root.T, np.matmul(information, self._root)),
            (linear - pulled) @ self._root,
        )
        size = np.broadcast_to(self.mean_square, known.shape)
        unlike = self._over_scales(
            size[:, None, None] * information, np.sqrt(size)[:, None] * linear
        )
        return np.stack([known[:, None] + like, unlike], axis=1)

    def matched(self, log_evidence: Floats | None = None) -> tuple[Floats, Floats]:
        """Return the Gaussian of the same mean and covariance as the mixture.

        Parameters
        ----------
        log_evidence : ndarray of shape (n_people, 2, n_scales), optional
            Of each person's answers, by which the kinds are weighed; none when absent.

        Returns
        -------
        mean : ndarray of shape (n_people, n_features)
        covariance : ndarray of shape (n_people, n_features, n_features)
        """
        weight = self.shares[None]
        if log_evidence is not None:
            top = log_evidence.max(axis=(1, 2), keepdims=True)
            weight = weight * np.exp(log_evidence - top)
            weight /= weight.sum(axis=(1, 2), keepdims=True)
        like = weight[:, 0].sum(axis=1)[:, None]
        scale = weight @ MIXTURE_SCALES
        d = len(self.covariance)
        spread = scale[:, 0, None, None] * self.covariance
        spread = spread + (scale[:, 1] * self.mean_square)[:, None, None] * np.eye(d)
        mean = np.broadcast_to(self.mean, (len(weight), d))
        between = (like * (1 - like))[:, :, None] * mean[:, :, None] * mean[:, None, :]
        return like * mean, spread + between

    @staticmethod
    def _over_scales(information: Floats, linear: Floats) -> Floats:
        """Return the log evidence of N(0, q I) at every scale q, shape (n_people, n_scales)."""
        value, axes = np.linalg.eigh(information)
        # Sums of t x x' have no negative eigenvalues but by rounding.
        told = MIXTURE_SCALES[:, None] * np.maximum(value, 0.0)[:, None, :]
        along = np.matmul(linear[:, None, :], axes) ** 2
        gain = MIXTURE_SCALES[:, None] * along / (1 + told) - np.log1p(told)
        return np.asarray(0.5 * gain.sum(axis=2))
