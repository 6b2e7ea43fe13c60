"""Are a person's response times worth using? The model's answer, and that of cross-validation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_expit, stdtrit

from tacit.ddm import mean_time, var_choice
from tacit.ddm._checks import Floats, check_timed_choices
from tacit.errors import DataError
from tacit.estimators._time_weights import TIME_WEIGHTS, TimeWeightFits, pick

_TIE = 1e-9
_WORTH_MENTIONING = 1.5
_NEGLIGIBLE_LOG_LOSS = 0.01
_NEGLIGIBLE_ACCURACY = 0.005

Verdict = Literal["help", "mislead", "no clear difference"]


class Gain(NamedTuple):
    """What the times add, positive where they help.

    Attributes
    ----------
    mean : float
        Mean gain for each predicted answer.
    low, high : float
        95% confidence interval; infinite if a single answer was predicted.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class TimesWorth:
    """Whether times are worth using, for one person or pooled over several.

    Attributes
    ----------
    n_people, n_trials : int
        Numbers of people and of their trials.
    information_ratio : float
        How many untimed answers tell as much about the weights as one timed answer, if the times
        follow the model; at least 1. A guess where trials hardly outnumber the weights.
    time_weights : tuple of float
        Weights of the times that were compared: 0 is choices only, 1 the exact likelihood.
    log_losses : tuple of float
        Mean log-loss of predicted choices for each of `time_weights`, nats; log 2 for a coin.
    accuracies : tuple of float
        Share of choices predicted, for each of `time_weights`; ties count half.
    log_loss_gain, accuracy_gain : Gain
        What the exact likelihood gains over choices only.

    Examples
    --------
    >>> report = TimesWorth(
    ...     n_people=1,
    ...     n_trials=200,
    ...     information_ratio=2.5,
    ...     time_weights=(0.0, 1.0),
    ...     log_losses=(0.43, 0.39),
    ...     accuracies=(0.80, 0.82),
    ...     log_loss_gain=Gain(0.04, 0.01, 0.07),
    ...     accuracy_gain=Gain(0.02, -0.01, 0.05),
    ... )
    >>> report.best_time_weight
    1.0
    >>> print(report.answer)
    The times help: they gain 0.040 nats of log-loss (95% interval 0.010 to 0.070) and 2.0 points
    of accuracy (-1.0 to 5.0) in each prediction, and one timed answer tells as much about the
    weights as 2.5 untimed ones.
    """

    n_people: int
    n_trials: int
    information_ratio: float
    time_weights: tuple[float, ...]
    log_losses: tuple[float, ...]
    accuracies: tuple[float, ...]
    log_loss_gain: Gain
    accuracy_gain: Gain

    @property
    def best_time_weight(self) -> float:
        """The weight of the times with the lowest log-loss."""
        return self.time_weights[int(np.argmin(self.log_losses))]

    @property
    def verdict(self) -> Verdict:
        """What the predictions say about the times.

        They help if one gain is clearly positive and none is clearly negative. A gain is clear
        if its interval excludes 0 and it is not negligible: 0.01 nats, half a percent of choices.
        """
        signs = {
            _sign(self.log_loss_gain, _NEGLIGIBLE_LOG_LOSS),
            _sign(self.accuracy_gain, _NEGLIGIBLE_ACCURACY),
        } - {0}
        if len(signs) != 1:
            return "no clear difference"
        return "help" if signs == {1} else "mislead"

    @property
    def answer(self) -> str:
        """Whether the times are worth using, in one sentence."""
        loss, accuracy = self.log_loss_gain, Gain(*(100 * x for x in self.accuracy_gain))
        gains = (
            f"{loss.mean:z.3f} nats of log-loss (95% interval {loss.low:z.3f} to {loss.high:z.3f}) "
            f"and {accuracy.mean:z.1f} points of accuracy ({accuracy.low:z.1f} to "
            f"{accuracy.high:z.1f})"
        )
        number = f"{float(f'{self.information_ratio:.2g}'):g}"
        ratio = "an untimed one" if number == "1" else f"{number} untimed ones"
        if self.verdict == "help":
            return (
                f"The times help: they gain {gains} in each prediction, and one timed answer tells "
                f"as much about the weights as {ratio}."
            )
        if self.verdict == "mislead":
            weight = self.best_time_weight
            advice = f"count them with weight {weight:g}" if weight > 0 else "leave them out"
            return (
                f"The times mislead: they gain {gains} in each prediction; find out why they do "
                f"not fit the model, or {advice}."
            )
        if self.information_ratio < _WORTH_MENTIONING:
            return (
                f"The times make no clear difference: they gain {gains} in each prediction, as is "
                f"to be expected where choices are close and a timed answer tells no more than "
                f"{ratio}."
            )
        return (
            f"The times make no clear difference to these predictions: they gain {gains} in each, "
            f"but if they follow the model one timed answer tells as much about the weights as "
            f"{ratio}."
        )


def information_ratio(strength: ArrayLike) -> Floats:
    """Return how many untimed answers to a query tell as much as one timed answer.

    The Fisher information about the strength z = a u is tanh(z) / z in choice and time together,
    1 - tanh(z)^2 in the choice alone: the ratio is sinh(2z) / (2z).

    Parameters
    ----------
    strength : array_like
        Barrier times utility difference, any finite number.

    Returns
    -------
    ndarray
        At least 1; infinite where `strength` is beyond 355 either way.

    Examples
    --------
    >>> print(information_ratio([0.0, 1.0, 2.0, 3.0]).round(1))
    [ 1.   1.8  6.8 33.6]
    """
    twice = 2 * np.abs(np.asarray(strength, dtype=np.float64))
    with np.errstate(over="ignore"):
        ratio = np.divide(np.sinh(twice), twice, out=np.ones_like(twice), where=twice > 0)
    return np.asarray(ratio)


def times_worth(
    X: ArrayLike,
    choice: ArrayLike,
    response_time: ArrayLike,
    *,
    held_out: tuple[ArrayLike, ArrayLike] | None = None,
    n_folds: int = 5,
    seed: int = 0,
) -> TimesWorth:
    """Compare predictions of one person's choices with and without their response times.

    Choices of trials that were left out are predicted by the tempered likelihood under several
    weights of the times. Each weight, choices only among them, has the ridge that predicts best
    in a cross-validation within the trials that were not left out; these also give the barrier
    and the non-decision time.

    Parameters
    ----------
    X : array_like of shape (n_trials, n_features)
        Query vectors, first option minus second.
    choice : array_like of shape (n_trials,)
        +1 (first) or -1 (second).
    response_time : array_like of shape (n_trials,)
        Seconds, positive.
    held_out : tuple of X and choice, optional
        Other choices of the person, to be predicted from all trials instead of one part of the
        trials from the rest. Choices of another kind show best what times tell about the weights:
        the same question again is predicted by how it was answered.
    n_folds : int, default 5
        Number of parts that take turns in being left out, at least 3.
    seed : int, default 0
        Determines which trials form a part.

    Returns
    -------
    TimesWorth
        Confidence intervals allow for the overlap of training trials (Nadeau & Bengio 2003).

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit import ddm
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 8))
    >>> choice, response_time = ddm.sample(X @ np.ones(8), 1.0, nondecision_time=0.3, rng=rng)
    >>> report = times_worth(X, choice, response_time)
    >>> print([round(loss, 2) for loss in report.log_losses])
    [0.36, 0.36, 0.34, 0.31, 0.3, 0.29]
    >>> print(report.verdict, round(report.information_ratio, 1))
    help 2.3
    """
    vectors, c, rt, _ = check_timed_choices(X, choice, response_time)
    _check_sizes(vectors, n_folds)
    fits = TimeWeightFits(vectors, c, rt)
    fold = np.random.default_rng(seed).permutation(np.arange(len(c)) % n_folds)
    margins, ridge = fits.cross_validate(fold, n_folds)
    gamma = pick(fits.fit(np.ones(len(c), dtype=bool)), ridge)
    if held_out is None:
        # Variance of a mean over folds whose training trials overlap (Nadeau & Bengio 2003).
        inflation = 1 + n_folds / (n_folds - 1)
    else:
        margins, inflation = _held_out_margins(gamma, *held_out), 1.0
    loss, hit = -log_expit(2 * margins), np.where(np.abs(margins) < _TIE, 0.5, margins > 0)
    return TimesWorth(
        n_people=1,
        n_trials=len(c),
        information_ratio=_mean_information_ratio(vectors, fits.strengths()),
        time_weights=TIME_WEIGHTS,
        log_losses=_as_tuple(loss.mean(axis=1)),
        accuracies=_as_tuple(hit.mean(axis=1)),
        log_loss_gain=_gain(loss[0] - loss[-1], inflation),
        accuracy_gain=_gain(hit[-1] - hit[0], inflation),
    )


def pool_worth(reports: Sequence[TimesWorth]) -> TimesWorth:
    """Pool reports on several people, each of whom counts the same.

    Parameters
    ----------
    reports : sequence of TimesWorth
        One for each person.

    Returns
    -------
    TimesWorth
        Means over people, geometric for the information ratio; confidence intervals are for the
        mean over the population that the people are a sample of.

    Examples
    --------
    >>> weak = Gain(0.00, -0.01, 0.01)
    >>> strong = Gain(0.05, 0.02, 0.08)
    >>> reports = [
    ...     TimesWorth(1, 90, 1.1, (0.0, 1.0), (0.68, 0.68), (0.6, 0.6), weak, weak),
    ...     TimesWorth(1, 110, 4.4, (0.0, 1.0), (0.40, 0.35), (0.8, 0.85), strong, strong),
    ... ]
    >>> pooled = pool_worth(reports)
    >>> print(pooled.n_trials, round(pooled.information_ratio, 1), pooled.log_losses)
    200 2.2 (0.54, 0.515)
    """
    if not reports:
        raise DataError("nothing to pool: got reports on no people")
    if len(reports) == 1:
        return reports[0]
    grids = {report.time_weights for report in reports}
    if len(grids) > 1:
        raise DataError(f"reports compare different weights of the times: {sorted(grids)}")

    def mean(values: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        return _as_tuple(np.mean(values, axis=0))

    return TimesWorth(
        n_people=sum(r.n_people for r in reports),
        n_trials=sum(r.n_trials for r in reports),
        information_ratio=float(np.exp(np.mean(np.log([r.information_ratio for r in reports])))),
        time_weights=reports[0].time_weights,
        log_losses=mean([r.log_losses for r in reports]),
        accuracies=mean([r.accuracies for r in reports]),
        log_loss_gain=_gain(np.array([r.log_loss_gain.mean for r in reports])),
        accuracy_gain=_gain(np.array([r.accuracy_gain.mean for r in reports])),
    )


def _held_out_margins(gamma: Floats, X: ArrayLike, choice: ArrayLike) -> Floats:
    vectors = np.asarray(X, dtype=np.float64)
    n_features = gamma.shape[-1]
    if vectors.ndim != 2 or vectors.shape[1] != n_features or not len(vectors):
        raise DataError(
            f"held-out queries must be vectors of {n_features} features like the trials, got shape "
            f"{vectors.shape}"
        )
    checked = check_timed_choices(vectors, choice, np.ones(len(vectors)))
    return np.asarray((gamma @ checked.vectors.T) * checked.choice)


def _mean_information_ratio(vectors: Floats, strength: Floats) -> float:
    """Return the ratio whose power is that of the determinants of the information matrices.

    With determinants, the answer does not depend on the units of the features; queries that are
    one-hot give the geometric mean of their ratios.
    """
    size, directions = np.linalg.eigh(vectors.T @ vectors)
    explored = vectors @ directions[:, size > size[-1] * len(size) * np.finfo(float).eps]

    def log_det(information: Floats) -> float:
        return float(np.linalg.slogdet((explored.T * information) @ explored)[1])

    gain = log_det(mean_time(strength, 1.0)) - log_det(var_choice(strength, 1.0))
    return float(np.exp(gain / explored.shape[1]))


def _gain(differences: Floats, inflation: float = 1.0) -> Gain:
    n = len(differences)
    mean = float(differences.mean())
    if n < 2:
        return Gain(mean, -np.inf, np.inf)
    error = float(np.sqrt(inflation * differences.var(ddof=1) / n))
    reach = float(stdtrit(n - 1, 0.975)) * error
    return Gain(mean, mean - reach, mean + reach)


def _sign(gain: Gain, negligible: float) -> int:
    """Return 1 or -1 for a gain that is clearly positive or negative, else 0."""
    return int(gain.low > 0 and gain.mean >= negligible) - int(
        gain.high < 0 and gain.mean <= -negligible
    )


def _as_tuple(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())


def _check_sizes(vectors: Floats, n_folds: int) -> None:
    if n_folds < 3:
        raise DataError(f"`n_folds` must be at least 3, got {n_folds}")
    if len(vectors) < 2 * n_folds:
        raise DataError(
            f"{n_folds} folds need at least {2 * n_folds} trials, got {len(vectors)}; collect more "
            "trials or use fewer folds"
        )
    if not vectors.any():
        raise DataError("all query vectors are zero: no trial compares different options")
