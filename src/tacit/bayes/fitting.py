"""From timed choices to the exact posterior of one person."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Integrand, integrate
from tacit.bayes._weights import BoxedWeights
from tacit.bayes.posterior import Posterior
from tacit.bayes.priors import FlatPrior, GaussianPrior, Prior
from tacit.ddm import TimedLikelihood
from tacit.errors import ConvergenceWarning, DataError, DataWarning

_NOTICEABLE = 1e-3
"""Posterior probability outside the prior's box from which `fit` warns."""

_PAPER_PRIOR = FlatPrior()


def fit(
    X: ArrayLike,
    choice: ArrayLike,
    response_time: ArrayLike,
    *,
    prior: Prior = _PAPER_PRIOR,
    start_bias: bool = False,
    sample_weight: ArrayLike | None = None,
    tolerance: float = 1e-3,
) -> Posterior:
    """Return the exact posterior of barrier, non-decision time and weights.

    Given the other two the weights are Gaussian, so they integrate out in closed form; the two
    dimensions that remain are integrated by quadrature. Nothing is sampled, and the same data
    give the same posterior to the last bit.

    Parameters
    ----------
    X : array_like of shape (n_trials, n_features)
        Query vectors, first option minus second.
    choice : array_like of shape (n_trials,)
        +1 (first) or -1 (second).
    response_time : array_like of shape (n_trials,)
        Seconds, positive.
    prior : FlatPrior or GaussianPrior
        By default the paper's flat boxes.
    start_bias : bool, default False
        Whether evidence may start off the middle: adds the start as a share of the barrier, flat
        between -1 and 1, positive towards the first option.
    sample_weight : array_like of shape (n_trials,), optional
        Non-negative weight of each trial's log-likelihood; 1 by default.
    tolerance : float, default 1e-3
        Bound on the quadrature error that must be reached, see `Posterior.quadrature_error`.
        The bound is that of every other node: the error itself is about its square.

    Returns
    -------
    Posterior
        Summaries, predictions and draws.

    Raises
    ------
    DataError
        If the data are unusable, or a flat prior leaves weights undetermined.

    Warns
    -----
    ConvergenceWarning
        If the quadrature does not reach `tolerance`.
    DataWarning
        If weights noticeably exceed a flat prior's box where it cannot be applied exactly.

    References
    ----------
    Li, Zhang, Ren, Liang, Li & Shah (2024), Enhancing Preference-based Linear Bandits via Human
    Response Time, NeurIPS. Trefethen & Weideman (2014), The Exponentially Convergent
    Trapezoidal Rule, SIAM Review 56.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(7)
    >>> X = rng.normal(size=(200, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.0, -0.5], barrier=1.2, nondecision_time=0.3, rng=rng
    ... )
    >>> posterior = bayes.fit(X, choice, response_time)
    >>> print(posterior.weights.mean.round(2), posterior.weights.sd.round(2))
    [ 1.   -0.55] [0.1  0.08]
    >>> low, high = posterior.barrier.interval(0.95)
    >>> low < 1.2 < high
    True
    """
    vectors = np.asarray(X, dtype=np.float64)
    weights_prior = None
    if isinstance(prior, GaussianPrior) and vectors.ndim == 2:
        weights_prior = prior.weights_prior(vectors.shape[1])
    likelihood = TimedLikelihood(vectors, choice, response_time, sample_weight, prior=weights_prior)
    box = Coordinates.of(prior, likelihood.fastest, start_bias=start_bias)
    weights = BoxedWeights.of(likelihood.conditional, prior)
    if isinstance(prior, FlatPrior):
        _check_determined(likelihood, weights, box)
    lattice = integrate(_target(likelihood, box, weights, prior), len(box.free), tolerance)
    if not (lattice.complete and lattice.error <= tolerance):
        warnings.warn(
            f"the quadrature of {likelihood.n_trials} trials reached an error bound of "
            f"{lattice.error:.2g}, not the {tolerance:.2g} asked for, with {len(lattice.index)} "
            "nodes; do the times fit the model?",
            ConvergenceWarning,
            stacklevel=2,
        )
    posterior = Posterior(prior=prior, box=box, lattice=lattice, conditional=weights)
    if isinstance(prior, FlatPrior) and not weights.boxed:
        _warn_outside(posterior, prior)
    return posterior


def _target(
    likelihood: TimedLikelihood, box: Coordinates, weights: BoxedWeights, prior: Prior
) -> Integrand:
    log_volume = 0.0
    if isinstance(prior, FlatPrior):
        log_volume = likelihood.n_features * np.log(prior.weights[1] - prior.weights[0])

    def log_density(w: Floats) -> Floats:
        points = box.points(w)
        barrier, nondecision_time, share = points.T
        # At the very end of the box, decision times of 0 divide 0 by 0; the density there is 0.
        with np.errstate(all="ignore"):
            value = likelihood.log_integral(barrier, nondecision_time, share * barrier)
            value += weights.log_mass(points) + box.log_density(w) - log_volume
        return np.where(np.isnan(value), -np.inf, value)

    def moments(w: Floats) -> tuple[Floats, Floats]:
        points = box.points(w)
        with np.errstate(all="ignore"):
            mean, variance = weights.moments(points)
        return np.hstack([points, mean]), np.hstack([np.zeros_like(points), variance])

    return Integrand(log_density, moments)


def _check_determined(likelihood: TimedLikelihood, weights: BoxedWeights, box: Coordinates) -> None:
    """Refuse data for which a flat prior over unbounded weights has no proper posterior."""
    remedy = "use GaussianPrior, or fewer features"
    if likelihood.rank < likelihood.n_features:
        unseen = np.flatnonzero(~weights.conditional.basis.any(axis=1))
        reason = (
            f"feature {unseen[0]} is in no query"
            if len(unseen)
            else "one-hot items that are only compared with each other, for example, have "
            "utilities up to a constant"
        )
        raise DataError(
            f"a flat prior needs queries that determine every weight, got rank {likelihood.rank} "
            f"for {likelihood.n_features} features: {reason}; {remedy}"
        )
    # V(t0) = sum (RT - t0) x x' is singular at the fastest response time if that trial alone
    # informs some direction, and the density then grows like 1 / (RT - t0)^2.
    most = likelihood.conditional.rates.max(initial=0.0)
    if not weights.boxed and 1 - box.high[1] * most < 1e-9:
        at = int(np.argmin(likelihood.response_time))
        raise DataError(
            f"a flat prior needs more than the fastest trial (trial {at}, "
            f"{likelihood.fastest:.6g} s) to determine each combination of weights; {remedy}"
        )


def _warn_outside(posterior: Posterior, prior: FlatPrior) -> None:
    low, high = (np.full(posterior.n_features, end) for end in prior.weights)
    weights = posterior.weights
    outside = weights.cdf(low) + 1 - weights.cdf(high)
    worst = int(np.argmax(outside))
    if outside[worst] > _NOTICEABLE:
        warnings.warn(
            f"weight {worst} lies outside the prior's range {prior.weights} with probability "
            f"{outside[worst]:.2g}, where the posterior treats weights as unbounded; "
            "rescale the features or use GaussianPrior",
            DataWarning,
            stacklevel=3,
        )
