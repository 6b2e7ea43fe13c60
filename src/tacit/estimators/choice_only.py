"""Logistic regression on choices alone: the paper's baseline, and two fair ones."""

from typing import Literal
from warnings import warn

import numpy as np

from tacit.ddm._checks import Floats
from tacit.errors import ConvergenceWarning, DataError
from tacit.estimators._base import CoefScale, QueryClassifier
from tacit.estimators._logistic import LogisticData, LogisticFit, maximise_all, maximise_logistic
from tacit.estimators._queries import QuerySums
from tacit.estimators._validation import Answers, check_number


class ChoiceOnly(QueryClassifier):
    r"""Logistic maximum likelihood from choices alone, without an intercept.

    .. math:: \hat\theta = \arg\max \sum_i \log \mu(c_i x_i^\top \theta), \qquad
              \mu(v) = 1 / (1 + e^{-v})

    estimates 2 a theta: "(CH)" in Li et al. (2024, eq. 3). Response times are accepted and ignored.

    Parameters
    ----------
    penalty : None, "ridge" or "firth", default None
        None is the paper's estimator. "ridge" adds a Gaussian prior around 0 and is the fair
        baseline for small samples. "firth" adds Jeffreys' prior, which removes the first-order
        bias away from 0 and needs no strength (Firth 1993).
    ridge : float, default 1
        Precision of the Gaussian prior on 2 a theta, positive; used with ``penalty="ridge"``
        (scikit-learn's ``1 / C``).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of 2 a theta; of least norm where the queries do not determine it.
    coef_scale_ : CoefScale
        ``"2 barrier utility"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Inverse of the information (with a ridge, of the posterior precision) at `coef_`;
        0 along directions that no query explores.
    separable_ : bool
        Whether some weights explain every choice, so that the likelihood has no maximum; always
        False with a penalty, which always has one.
    n_iter_ : int
        Number of Newton steps.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    Notes
    -----
    On separable data the unpenalised likelihood increases for ever along some direction. As any
    optimiser must, the fit stops somewhere on the way, here where further steps gain less than
    1e-8 nats (times the sum of weights, if that is below 1), sets `separable_` and warns. The
    direction of `coef_` then still orders items, its length and `covariance_` mean nothing.

    References
    ----------
    D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80, 1993.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import ChoiceOnly
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> choice, _ = ddm.sample(X @ [0.5, -0.2], barrier=1.0, rng=rng)
    >>> print(ChoiceOnly().fit(X, choice).coef_.round(1))
    [ 1.  -0.4]
    """

    def __init__(
        self, penalty: Literal["ridge", "firth"] | None = None, *, ridge: float = 1.0
    ) -> None:
        self.penalty = penalty
        self.ridge = ridge

    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`."""
        first = 0.5 * (queries.n_answers + queries.choice_sum)
        second = queries.n_answers - first
        if first.ndim == 1:
            return self._maximise(queries.vectors, first, second).coef
        if self.penalty == "firth":
            raise DataError("Firth's penalty is not available for many people at once")
        rows = (-1, first.shape[-1])
        coef = maximise_all(
            queries.vectors, first.reshape(rows), second.reshape(rows), self._ridge()
        )
        return coef.reshape(*first.shape[:-1], -1)

    def _ridge(self) -> float:
        """Return the precision of the prior, 0 without one."""
        if self.penalty not in {None, "ridge", "firth"}:
            raise DataError(f'`penalty` must be None, "ridge" or "firth", got {self.penalty!r}')
        return check_number("ridge", self.ridge, above=0) if self.penalty == "ridge" else 0.0

    def _maximise(self, vectors: Floats, first: Floats, second: Floats) -> LogisticFit:
        return maximise_logistic(
            LogisticData(vectors, first, second, self._ridge(), self.penalty == "firth")
        )

    def _estimate(self, answers: Answers) -> None:
        is_first = answers.choice > 0
        found = self._maximise(
            answers.vectors,
            np.where(is_first, answers.weight, 0.0),
            np.where(is_first, 0.0, answers.weight),
        )
        self.coef_scale_ = CoefScale.TWICE_BARRIER_UTILITY
        self.coef_, self.covariance_ = found.coef, found.covariance
        self.separable_, self.n_iter_ = found.separable, found.n_iterations
        if found.separable:
            warn(
                "the choices are separable: some weights explain all of them, and no finite ones "
                'are the most likely; use penalty="ridge" or penalty="firth"',
                ConvergenceWarning,
                stacklevel=3,
            )
        elif not found.converged:
            warn(
                f"the search for weights stopped after {found.n_iterations} steps; do features "
                "differ in scale by many orders of magnitude?",
                ConvergenceWarning,
                stacklevel=3,
            )
