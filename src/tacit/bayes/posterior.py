"""The posterior of one person: predictions, draws, pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes import _predict
from tacit.bayes._arrays import Floats
from tacit.bayes._draws import draw_points
from tacit.bayes._storage import from_json, to_json
from tacit.bayes._summaries import Summaries
from tacit.bayes.predictive import PredictiveCheck, predictive_check, simulate
from tacit.bayes.scores import PredictiveScore, leave_one_out, widely_applicable
from tacit.errors import DataError


class Draws(NamedTuple):
    """Joint draws from a posterior.

    Attributes
    ----------
    barrier, nondecision_time : ndarray of shape (n_draws,)
        Evidence units and seconds.
    start : ndarray of shape (n_draws,)
        Evidence at the start; 0 without a start bias.
    weights : ndarray of shape (n_draws, n_features)
        Weights.
    """

    barrier: Floats
    nondecision_time: Floats
    start: Floats
    weights: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Summaries):
    """What one person's timed choices say about the person. Made by `fit`.

    Attributes
    ----------
    prior : FlatPrior or GaussianPrior
        What was believed before.
    likelihood : TimedLikelihood
        The likelihood of the person's trials.
    barrier, nondecision_time : Marginal
        Posteriors in evidence units and seconds.
    start_share : Marginal
        Posterior of the start as a share of the barrier; known to be 0 without a start bias.
    weights : LinearMarginals
        Posterior of the weights.
    log_evidence : float
        Log of the probability density of the data under model and prior.
    quadrature_error : float
        Bound on the relative error of the evidence, on the errors of all means in standard
        deviations, and on the relative errors of all standard deviations.
    n_features : int
        Number of weights.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes
    >>> X = [[1, 0], [0, 1], [1, 0], [0, 1], [1, 1], [1, -1]]
    >>> posterior = bayes.fit(X, [1, -1, 1, 1, 1, 1], [0.9, 1.7, 1.1, 1.8, 0.9, 0.7])
    >>> print(posterior)
    Posterior(barrier=1.55 +- 0.5, nondecision_time=0.456 +- 0.12 s, n_features=2)
    >>> print(posterior.predict_choice([[1, -1]]).round(2))
    [0.99]
    >>> posterior.sample(1000, np.random.default_rng(0)).weights.shape
    (1000, 2)
    """

    def probability_best(self, features: ArrayLike) -> Floats:
        """Return each item's posterior probability of having the highest utility.

        Deterministic: two items are compared exactly, more by 16,384 quasi-random draws, to
        about 0.001. Equal items share their probability.

        Parameters
        ----------
        features : array_like of shape (n_items, n_features)
            One item per row.

        Returns
        -------
        ndarray of shape (n_items,)
            Probabilities summing to 1.
        """
        rows = self._check_vectors("features", features)
        if len(rows) == 0:
            raise DataError("the best of no items is not defined; pass at least one row")
        nodes = (self._points, self.lattice.probability)
        return _predict.probability_best(rows, self._weights, *nodes)

    def predict_choice(self, X: ArrayLike) -> Floats:
        """Return the posterior predictive probability that the first option is chosen.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries,)
            Probabilities in [0, 1].
        """
        return self._expect(_predict.prob_first, X)

    def predict_time(self, X: ArrayLike) -> Floats:
        """Return the posterior predictive mean response time.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.

        Returns
        -------
        ndarray of shape (n_queries,)
            Seconds.
        """
        return self._expect(_predict.mean_response_time, X)

    def loo(self) -> PredictiveScore:
        """Return the exact leave-one-out predictive density of every trial.

        Each trial is predicted by all the others, under the same prior (whose range of the
        non-decision time still ends at the fastest response time of all trials).

        Returns
        -------
        PredictiveScore
            Sum, standard error and pointwise values.
        """
        return leave_one_out(self.prior, self.likelihood, self.box, self.lattice)

    def waic(self) -> PredictiveScore:
        """Return Watanabe's widely applicable information criterion, on the scale of `loo`.

        Returns
        -------
        PredictiveScore
            Sum, standard error and pointwise values.
        """
        return widely_applicable(self.prior, self.likelihood, self.box, self.lattice)

    def sample(self, n_draws: int, rng: np.random.Generator) -> Draws:
        """Return independent joint draws.

        Parameters
        ----------
        n_draws : int
            How many.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        Draws
            Barrier, non-decision time, start and weights.
        """
        if n_draws < 0:
            raise DataError(f"`n_draws` must be at least 0, got {n_draws}")
        points = self.box.points(draw_points(self.lattice, n_draws, rng))
        normal = rng.standard_normal((n_draws, len(self._weights.low)))
        barrier, nondecision_time, share = points.T
        weights = self._weights.draw(points, normal)
        return Draws(barrier, nondecision_time, share * barrier, weights)

    def simulate(
        self, X: ArrayLike, n_draws: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return answers that the posterior predicts, each set from its own joint draw.

        Parameters
        ----------
        X : array_like of shape (n_queries, n_features)
            Query vectors.
        n_draws : int
            How many answers to each query.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        choice, response_time : ndarray of shape (n_draws, n_queries)
            +1 (first) or -1 (second); seconds.
        """
        draws = self.sample(n_draws, rng)
        drift = draws.weights @ self._check_vectors("X", X).T
        barrier, nondecision_time, start, _ = draws
        return simulate(drift, barrier[:, None], nondecision_time[:, None], start[:, None], rng)

    def predictive_check(
        self,
        rng: np.random.Generator,
        *,
        n_draws: int = 500,
        n_groups: int = 4,
        level: float = 0.95,
    ) -> PredictiveCheck:
        """Compare the trials with what the posterior predicts for them.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        n_draws : int, default 500
            Number of replicated data sets.
        n_groups : int, default 4
            Number of groups of equal size, by strength of preference.
        level : float, default 0.95
            Probability between the ends of each prediction.

        Returns
        -------
        PredictiveCheck
            Choice shares and quantiles of times, observed and predicted.
        """
        if n_draws < 1:
            raise DataError(f"`n_draws` must be at least 1, got {n_draws}")
        X = self.likelihood.vectors
        replicates = self.simulate(X, n_draws, rng)
        drift = X @ self.weights.mean
        return predictive_check(self.likelihood, drift, replicates, n_groups=n_groups, level=level)

    def plot(
        self,
        rng: np.random.Generator,
        *,
        features: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        level: float = 0.95,
    ) -> Any:
        """Return a picture of barrier, non-decision time, weights, and predicted answers.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness of the predicted answers.
        features : array_like of shape (n_items, n_features), optional
            Items whose utilities are shown instead of the weights.
        names : sequence of str, optional
            Name of each weight, or of each item.
        level : float, default 0.95
            Probability inside the intervals.

        Returns
        -------
        matplotlib.figure.Figure
            Save it with ``savefig``. Needs the extra ``plot``.
        """
        from tacit.bayes._plot import plot

        return plot(self, self.predictive_check(rng, level=level), features, names, level)

    def to_arviz(self, rng: np.random.Generator, *, n_draws: int = 1000) -> Any:
        """Return draws, log-likelihood and data for ArviZ.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        n_draws : int, default 1000
            Number of independent draws in each of four chains.

        Returns
        -------
        arviz.InferenceData
            Groups posterior, log_likelihood and observed_data. Needs the extra ``arviz``.
        """
        from tacit.bayes._arviz import to_arviz

        return to_arviz(self, n_draws, rng)

    def to_json(self) -> str:
        """Return the posterior and its trials as JSON text, exact to the last bit."""
        return to_json(self.prior, self.likelihood, self.box, self.lattice)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the posterior that `to_json` wrote.

        Parameters
        ----------
        text : str
            JSON text.

        Returns
        -------
        Posterior
            The same posterior.
        """
        return cls(*from_json(text))

    def _expect(self, function: _predict.OfDrift, X: ArrayLike) -> Floats:
        rows = self._check_vectors("X", X)
        nodes = (self._points, self.lattice.probability)
        return _predict.expectation(function, rows, self._weights, *nodes)
