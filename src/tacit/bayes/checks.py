"""Do the answers of a person fit the model? Eleven checks of what the model implies.

Each check is a statistic that is near 0 under the model and moves away from it in a known way.
Its null distribution comes from data simulated at the fitted parameters and fitted again in the
same way, so that what fitting takes up is accounted for.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from tacit import ddm
from tacit.bayes._arrays import Floats, as_floats
from tacit.bayes._check_statistics import CHECKS, Answers, statistics
from tacit.bayes._coordinates import Coordinates
from tacit.bayes._person import integrand_of, likelihood_of
from tacit.bayes._weights import BoxedWeights
from tacit.bayes.fitting import fit
from tacit.bayes.posterior import Posterior
from tacit.bayes.priors import Prior
from tacit.ddm import TimedLikelihood
from tacit.ddm._peak import find_peak
from tacit.errors import DataError

_SPARE_TRIALS = 10
"""Trials beyond the number of features that are needed to check anything."""

_CONSTANT = 1e-8
"""Spread of a statistic under the null that is rounding only."""


@dataclass(frozen=True)
class Check:
    """One check of the model.

    Attributes
    ----------
    name : str
        What was checked.
    z : float
        Standard deviations from what the model implies; NaN where the queries leave nothing to
        check, such as a side bias when each item has its own weight.
    p_value : float
        Two-sided; NaN where z is.
    meaning : str
        What a deviation in this direction means.

    Examples
    --------
    >>> Check("slow outliers", 4.2, 6e-5, "the slowest answers are too slow").z
    4.2
    """

    name: str
    z: float
    p_value: float
    meaning: str


@dataclass(frozen=True)
class ModelReport:
    """Whether a person's answers fit the model, and if not, why not.

    Attributes
    ----------
    checks : tuple of Check
        Every check, the most surprising one first.
    level : float
        Probability that a person who does fit the model is reported all the same.

    Examples
    --------
    >>> report = ModelReport((Check("slow outliers", 4.2, 6e-5, "the slowest are too slow"),), 0.01)
    >>> report.ok
    False
    >>> print(report)
    The answers do not fit the model because the slowest are too slow.
                        z  p-value
    slow outliers    4.2    6e-05  *
    """

    checks: tuple[Check, ...]
    level: float

    @property
    def findings(self) -> tuple[Check, ...]:
        """The checks that failed, by Holm's procedure at `level` over all of them."""
        tested = [check for check in self.checks if np.isfinite(check.z)]
        failed = []
        for rank, check in enumerate(tested):
            if check.p_value > self.level / (len(tested) - rank):
                break
            failed.append(check)
        return tuple(failed)

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return not self.findings

    def __str__(self) -> str:
        findings = self.findings
        if findings:
            reasons = "; ".join(check.meaning for check in findings)
            verdict = f"The answers do not fit the model because {reasons}."
        else:
            verdict = f"The answers fit the model: no check fails at level {self.level:g}."
        width = max(len(check.name) for check in self.checks)
        lines = [verdict, f"{'':{width}}      z  p-value"]
        for check in self.checks:
            if np.isfinite(check.z):
                mark = "  *" if check in findings else ""
                lines.append(f"{check.name:{width}}  {check.z:5.1f}  {check.p_value:7.2g}{mark}")
            else:
                lines.append(f"{check.name:{width}}      -  these queries cannot tell")
        return "\n".join(lines)


def model_checks(
    X: ArrayLike,
    choice: ArrayLike,
    response_time: ArrayLike,
    posterior: Posterior | None = None,
    *,
    level: float = 0.01,
    n_replicates: int = 99,
    rng: np.random.Generator | None = None,
) -> ModelReport:
    """Check what the model implies about a person's choices and times.

    Parameters
    ----------
    X : array_like of shape (n_trials, n_features)
        Query vectors, first option minus second, in the order of the session.
    choice : array_like of shape (n_trials,)
        +1 (first) or -1 (second).
    response_time : array_like of shape (n_trials,)
        Seconds, positive.
    posterior : Posterior, optional
        The fit of these trials, if it is there already; its prior is used.
    level : float, default 0.01
        Probability, over all checks together, of reporting somebody who fits the model.
    n_replicates : int, default 99
        Number of simulated data sets that calibrate the checks, at least 20.
    rng : numpy.random.Generator, optional
        Source of randomness for them; by default the same one every time, so that the same
        trials give the same report.

    Returns
    -------
    ModelReport
        Verdict, reasons, and every check.

    Raises
    ------
    DataError
        If the data are unusable or too few, or `posterior` is not a fit of these trials.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import bayes, ddm
    >>> rng = np.random.default_rng(2)
    >>> X = rng.normal(size=(150, 2))
    >>> choice, response_time = ddm.sample(
    ...     X @ [1.0, -0.5], barrier=1.2, nondecision_time=0.3, rng=rng
    ... )
    >>> bayes.model_checks(X, choice, response_time).ok
    True
    >>> response_time[::15] *= 8
    >>> report = bayes.model_checks(X, choice, response_time)
    >>> report.findings[0].name
    'slow outliers'
    """
    if posterior is None:
        posterior = fit(X, choice, response_time)
    trials = posterior.likelihood
    _check_same(trials, X, choice, response_time)
    n_needed = trials.n_features + _SPARE_TRIALS
    if not posterior.start_share.known:
        raise DataError("the checks are of the model without start bias; fit without start_bias")
    if not 0 < level < 1:
        raise DataError(f"`level` must lie strictly between 0 and 1, got {level}")
    if n_replicates < 20:
        raise DataError(f"`n_replicates` must be at least 20, got {n_replicates}")
    if trials.n_trials < n_needed:
        raise DataError(
            f"checking {trials.n_features} weights needs at least {n_needed} trials, "
            f"got {trials.n_trials}"
        )
    start = posterior.lattice.probability @ posterior.lattice.points
    observed = _plug_in(trials, posterior.prior, start)
    choices, times = ddm.sample(
        np.broadcast_to(observed.drift, (n_replicates, trials.n_trials)),
        observed.barrier,
        nondecision_time=observed.nondecision_time,
        rng=np.random.default_rng(0) if rng is None else rng,
    )
    null = np.array(
        [
            statistics(
                _plug_in(
                    likelihood_of(trials.vectors, c, rt, prior=posterior.prior),
                    posterior.prior,
                    start,
                )
            )
            for c, rt in zip(choices, times, strict=True)
        ]
    )
    spread = null.std(axis=0, ddof=1) * np.sqrt(1 + 1 / n_replicates)
    spread[spread < _CONSTANT] = np.nan
    z = (statistics(observed) - null.mean(axis=0)) / spread
    p_value = 2 * stdtr(n_replicates - 1, -np.abs(z))
    checks = [
        Check(name, float(score), float(p), above if score > 0 else below)
        for (name, above, below), score, p in zip(CHECKS, z, p_value, strict=True)
    ]
    return ModelReport(tuple(sorted(checks, key=lambda c: -np.nan_to_num(abs(c.z)))), level)


def _check_same(
    trials: TimedLikelihood, X: ArrayLike, choice: ArrayLike, response_time: ArrayLike
) -> None:
    """Raise unless a fit is one of these trials, each counted once."""
    if trials.sample_weight is not None:
        raise DataError("the checks are of trials that count once each; fit without sample_weight")
    given = {"X": X, "choice": choice, "response_time": response_time}
    fitted = (trials.vectors, trials.choice, trials.response_time)
    for (name, column), own in zip(given.items(), fitted, strict=True):
        if not np.array_equal(as_floats(name, column), own):
            raise DataError(
                f"`posterior` must be the fit of the trials that are checked, but its {name} "
                "differs; fit these trials, in this order"
            )


def _plug_in(likelihood: TimedLikelihood, prior: Prior, start: Floats) -> Answers:
    """Return the answers next to the most probable parameters."""
    box = Coordinates.of(prior, likelihood.fastest, start_bias=False)
    # Nothing is left to climb for where barrier and nondecision time are known.
    if len(start):
        start = find_peak(integrand_of(likelihood, box, prior).log_density, start).point
    point = box.points(start[None])
    mean, _ = BoxedWeights.of(likelihood, prior).moments(point)
    weights = likelihood.conditional.basis @ mean[0]
    return Answers(
        choice=likelihood.choice,
        decision_time=likelihood.response_time - point[0, 1],
        drift=likelihood.vectors @ weights,
        barrier=float(point[0, 0]),
        nondecision_time=float(point[0, 1]),
    )
