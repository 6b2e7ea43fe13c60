"""From timed choices to the exact posterior of one person."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from tacit.bayes._coordinates import Coordinates
from tacit.bayes._person import check_determined, integrate_person, likelihood_of
from tacit.bayes.posterior import Posterior
from tacit.bayes.priors import FlatPrior, Prior
from tacit.errors import ConvergenceWarning, DataWarning

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
        Bound on the quadrature error that must be reached, see `Posterior.quadrature_error`. It
        is the error of every other node alone; that of all nodes is usually far smaller.

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
    likelihood = likelihood_of(X, choice, response_time, sample_weight, prior=prior)
    box = Coordinates.of(prior, likelihood.fastest, start_bias=start_bias)
    check_determined(likelihood, box, prior)
    lattice = integrate_person(likelihood, box, prior, tolerance)
    if not (lattice.complete and lattice.error <= tolerance):
        warnings.warn(
            f"the quadrature of {likelihood.n_trials} trials reached an error bound of "
            f"{lattice.error:.2g}, not the {tolerance:.2g} asked for, with {len(lattice.index)} "
            "nodes; do the times fit the model?",
            ConvergenceWarning,
            stacklevel=2,
        )
    posterior = Posterior(prior, likelihood, box, lattice)
    _warn_outside(posterior)
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
