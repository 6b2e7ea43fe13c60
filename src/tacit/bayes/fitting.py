"""From timed choices to the exact posterior of one person."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._person import box_of, check_determined, integrate_person, likelihood_of
from tacit.bayes.posterior import Posterior
from tacit.bayes.priors import FlatPrior, Prior
from tacit.errors import ConvergenceWarning, DataError, DataWarning

_NOTICEABLE = 1e-3
"""Posterior probability outside the prior's box from which `fit` warns."""

_PAPER_PRIOR = FlatPrior()

_EDGE = 0.01
"""Share of the barrier's range next to its ends in which half of the posterior is suspect."""


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
        Bound on the quadrature error that must be reached, see `Posterior.quadrature_error`. It
        is the error of every other node alone; that of all nodes is usually far smaller. Bounds
        below about 1e-6 are out of reach, because densities below 1e-8 of the peak are left out.

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
        If weights noticeably exceed a flat prior's box where it cannot be applied exactly, or the
        barrier piles up at an end of its range.

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
    likelihood = likelihood_of(X, choice, response_time, sample_weight, prior=prior)
    if not 0 < tolerance < 1:
        raise DataError(f"`tolerance` must lie between 0 and 1, got {tolerance}")
    box = box_of(likelihood, prior, start_bias=start_bias)
    check_determined(likelihood, box, prior)
    lattice = integrate_person(likelihood, box, prior, tolerance)
    if not (lattice.complete and lattice.error <= tolerance):
        reach = "" if lattice.complete else ", before it reached all of the posterior"
        warnings.warn(
            f"the quadrature ended with {len(lattice.index)} nodes and an error bound of "
            f"{lattice.error:.2g}{reach} ({tolerance:.2g} was asked for); are there too few "
            f"trials ({likelihood.n_trials}), or times that do not fit the model?",
            ConvergenceWarning,
            stacklevel=2,
        )
    posterior = Posterior(prior, likelihood, box, lattice)
    _warn_outside(posterior)
    _warn_of_the_edge(posterior)
    return posterior


def _warn_outside(posterior: Posterior) -> None:
    outside = posterior.outside_prior
    worst = int(np.argmax(outside))
    if outside[worst] > _NOTICEABLE:
        warnings.warn(
            f"weight {worst} lies outside the prior's range with probability "
            f"{outside[worst]:.2g}, where this posterior treats it as unbounded; rescale the "
            "features or use GaussianPrior",
            DataWarning,
            stacklevel=3,
        )


def _warn_of_the_edge(posterior: Posterior) -> None:
    if posterior.barrier.known:
        return
    low, high = posterior.box.low[0], posterior.box.high[0]
    margin = _EDGE * (high - low)
    below_low, below_high = posterior.barrier.cdf([low + margin, high - margin])
    for end, share, cause in (
        (low, below_low, "are the response times all the same, or not in seconds?"),
        (
            high,
            1 - below_high,
            "was `response_time` recorded in milliseconds, or is the range too narrow?",
        ),
    ):
        if share > 0.5:
            warnings.warn(
                f"the barrier lies at the end of the prior's range ({end:.3g}) with probability "
                f"{share:.2g}; {cause}",
                DataWarning,
                stacklevel=3,
            )
