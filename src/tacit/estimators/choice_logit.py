"""Least squares on the empirical log-odds of every query."""

import numpy as np
from scipy.special import expit
from sklearn.utils import Tags

from tacit.ddm._checks import Floats
from tacit.estimators._base import CoefScale
from tacit.estimators._per_query import PerQueryClassifier
from tacit.estimators._queries import QuerySums


class ChoiceLogit(PerQueryClassifier):
    r"""Least squares on the empirical log-odds of every query, from choices alone.

    .. math::
        \hat\theta = \Bigl(\sum_x n_x x x^\top\Bigr)^{+} \sum_x n_x x \operatorname{logit}(p_x)

    estimates 2 a theta, with p_x the share of first choices among the n_x answers to query x
    (Wagenmakers et al. 2007, eq. 5; "(CH, logit)" in Li et al. 2024). A share of 1 or 0 is replaced
    by 1 - 1 / (2 n_x) or 1 / (2 n_x). Response times are accepted and ignored.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Estimate of 2 a theta; of least norm where the queries do not determine it.
    coef_scale_ : CoefScale
        ``"2 barrier utility"``.
    covariance_ : ndarray of shape (n_features, n_features)
        Asymptotic covariance of `coef_`, from V[logit p_x] = 1 / (n_x p_x (1 - p_x)) with the
        fitted p_x, kept 1 / (2 n_x) away from 0 and 1.
    queries_ : QuerySums
        Sums of the answers to each different query.
    classes_ : ndarray of shape (2,)
        Labels of the second option and of the first.
    n_features_in_ : int
        Length of a query vector.

    Notes
    -----
    A query asked once has replaced share 1/2, log-odds 0, and says nothing: this estimator needs
    repeated queries. x and -x are one query, with the choice reversed.

    References
    ----------
    E.-J. Wagenmakers, H. L. J. van der Maas and R. P. P. P. Grasman, "An EZ-diffusion model for
    response time and accuracy", Psychonomic Bulletin & Review 14, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> from tacit.estimators import ChoiceLogit
    >>> rng = np.random.default_rng(0)
    >>> X = np.tile([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]], (500, 1))
    >>> choice, _ = ddm.sample(X @ [0.5, -0.2], barrier=1.0, rng=rng)
    >>> print(ChoiceLogit().fit(X, choice).coef_.round(1))
    [ 1.1 -0.5]
    """

    def coefficients(self, queries: QuerySums) -> Floats:
        """Return the estimate from sums over queries alone, unchecked; see `QuerySums`."""
        return queries.regress(log_odds(queries.n_answers, queries.choice_sum))

    def _solve(self) -> None:
        queries = self.queries_
        self.coef_scale_ = CoefScale.TWICE_BARRIER_UTILITY
        self.coef_ = self.coefficients(queries)
        variance = log_odds_variance(queries.n_answers, queries.vectors @ self.coef_)
        self.covariance_ = queries.sandwich(variance)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # where queries do not repeat
        return tags


def log_odds(n_answers: Floats, choice_sum: Floats) -> Floats:
    """Return logit of the share of first choices, kept 1 / (2 n) away from 0 and 1.

    Weighted data can have n below 1; less than one answer moves a share as one answer does.
    """
    mean = choice_sum / n_answers
    unanimous = np.abs(mean) >= 1 - 4 * np.finfo(float).eps
    replaced = np.sign(mean) * (1 - 2 * _margin(n_answers))
    # logit of (1 + mean) / 2, to the last bit the opposite for opposite choices
    return np.asarray(2 * np.arctanh(np.where(unanimous, replaced, mean)))


def log_odds_variance(n_answers: Floats, fitted: Floats) -> Floats:
    """Return n V[log_odds] at the fitted log-odds, with shares kept off 0 and 1 in the same way.

    Without that, one query whose answer is certain would make the whole covariance infinite.
    """
    margin = _margin(n_answers)
    share = np.clip(expit(fitted), margin, 1 - margin)
    return np.asarray(1 / (share * (1 - share)))


def _margin(n_answers: Floats) -> Floats:
    return np.asarray(0.5 / np.maximum(n_answers, 1.0))
