"""The log-density of one person's barrier, non-decision time and start, and its quadrature."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Integrand, Lattice, integrate
from tacit.bayes._weights import BoxedWeights
from tacit.bayes.priors import FlatPrior, GaussianPrior, Prior, as_range
from tacit.ddm import TimedLikelihood
from tacit.errors import DataError


def likelihood_of(
    X: ArrayLike,
    choice: ArrayLike,
    response_time: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    prior: Prior,
) -> TimedLikelihood:
    """Return the likelihood of timed choices, with a Gaussian prior's law of the weights."""
    if not isinstance(prior, FlatPrior | GaussianPrior):
        raise DataError(f"`prior` must be a FlatPrior or a GaussianPrior, got {prior!r}")
    vectors = as_floats("X", X)
    if vectors.ndim == 2 and vectors.shape[1] == 0:
        raise DataError(f"`X` must have at least one feature, got shape {vectors.shape}")
    weights_prior = None
    if isinstance(prior, GaussianPrior) and vectors.ndim == 2:
        weights_prior = prior.weights_prior(vectors.shape[1])
    return TimedLikelihood(
        vectors,
        as_floats("choice", choice),
        as_floats("response_time", response_time),
        None if sample_weight is None else as_floats("sample_weight", sample_weight),
        prior=weights_prior,
    )


def integrand_of(likelihood: TimedLikelihood, box: Coordinates, prior: Prior) -> Integrand:
    """Return likelihood times prior, the weights integrated out, in coordinates of the box."""
    weights = BoxedWeights.of(likelihood, prior)
    log_volume = 0.0
    if isinstance(prior, FlatPrior):
        # Inside a box that is applied exactly, a weight that no trial informs integrates to 1.
        n_integrated = likelihood.rank if weights.boxed else likelihood.n_features
        log_volume = n_integrated * np.log(prior.weights[1] - prior.weights[0])

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


def integrate_person(
    likelihood: TimedLikelihood, box: Coordinates, prior: Prior, tolerance: float
) -> Lattice:
    """Integrate likelihood times prior over everything."""
    return integrate(integrand_of(likelihood, box, prior), len(box.free), tolerance)


def of_those_that_count(likelihood: TimedLikelihood) -> str:
    """Return how a message numbers trials where some of them may weigh nothing."""
    return "" if likelihood.sample_weight is None else " of those with weight"


def box_of(likelihood: TimedLikelihood, prior: Prior, *, start_bias: bool) -> Coordinates:
    """Return the prior's box for a person, or say which answer came before any it allows."""
    low, fastest = as_range(prior.nondecision_time)[0], int(np.argmin(likelihood.response_time))
    if low >= likelihood.fastest:
        raise DataError(
            f"`response_time` must exceed the prior's smallest nondecision_time ({low:.6g} s), "
            f"got {likelihood.fastest:.6g} s at trial {fastest}"
            f"{of_those_that_count(likelihood)}; was the answer an anticipation?"
        )
    return Coordinates.of(prior, likelihood.fastest, start_bias=start_bias)


def check_determined(likelihood: TimedLikelihood, box: Coordinates, prior: Prior) -> None:
    """Refuse data for which a flat prior over unbounded weights has no proper posterior."""
    if not isinstance(prior, FlatPrior):
        return
    remedy = "use GaussianPrior, or fewer features"
    conditional = likelihood.conditional
    if likelihood.rank < likelihood.n_features:
        unseen = np.flatnonzero(~conditional.basis.any(axis=1))
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
    left = 1 - box.high[1] * conditional.rates.max(initial=0.0)
    if left < 1e-9 and not BoxedWeights.of(likelihood, prior).boxed:
        fastest = int(np.argmin(likelihood.response_time))
        raise DataError(
            f"a flat prior needs more than the fastest trial (trial {fastest}"
            f"{of_those_that_count(likelihood)}, {likelihood.fastest:.6g} s) to determine each "
            f"combination of weights; {remedy}"
        )
