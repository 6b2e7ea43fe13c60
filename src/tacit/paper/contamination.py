"""What guesses and lapses do to the estimates: people like those of a data set, answers spoilt.

People answer every query ten times. Then some of the answers, drawn by lot, become

- fast guesses: a coin, at a time between 0.1 s and 0.1 s after the non-decision time;
- slow lapses: the choice stands, the time grows by an exponential delay of 5 s on average;
- slow and random: the same delay, and a coin.

These are not the laws that `RobustLikelihood` assumes.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

import tacit
from tacit import ddm
from tacit.datasets import LookAlike, look_alike
from tacit.errors import ConvergenceWarning, DataWarning
from tacit.estimators import (
    ChoiceDecisionTime,
    ChoiceOnly,
    Likelihood,
    QueryClassifier,
    RobustLikelihood,
)
from tacit.simulate import Columns, Work
from tacit.simulate._one_thread import one_thread

Floats = npt.NDArray[np.float64]

SHARES = (0.05, 0.1, 0.2, 0.3)
KINDS = ("fast guesses", "slow lapses", "slow and random")
N_ANSWERS = 10
N_ASKED = 20
"""Most queries to ask of one person, where there are more."""
EARLIEST_GUESS, LATEST_GUESS = 0.1, 0.1
"""Seconds after the question appears, and after the non-decision time."""
MEAN_DELAY = 5.0
TOO_FAST, TOO_SLOW_SD = 0.2, 5.0
SHARES_OF_FASTEST = (0.5, 0.7, 0.8, 0.9, 0.95)
RIDGES = (0.03, 0.1, 0.3, 1.0)
COLUMNS = {
    "Likelihood": ("exact",),
    "RobustLikelihood": ("robust",),
    "ChoiceDecisionTime": tuple(f"average {share}" for share in SHARES_OF_FASTEST),
    "ChoiceOnly": tuple(f"choices {ridge}" for ridge in RIDGES),
    "RobustLikelihood, t0 given": ("robust, t0 given",),
    "ChoiceDecisionTime, t0 given": ("average, t0 given",),
}
"""Fits among which each column takes the one with the smallest mean error."""
CELLS = (("none", 0.0), *((kind, share) for kind in KINDS for share in SHARES))
"""Kinds and shares of contamination, none first."""


class Answered(NamedTuple):
    """Answers of one person, and what only a simulation knows."""

    X: Floats
    choice: Floats
    response_time: Floats
    nondecision_time: float
    barrier: float
    weights: Floats
    all_queries: Floats


class Error(NamedTuple):
    """Squared error and squared truth, means over queries, and squared sine of their angle."""

    squared: float
    truth: float
    direction: float


def answer(person: LookAlike, rng: np.random.Generator) -> Answered:
    """Let a person answer, without contamination."""
    queries, who = person.problem.queries, person.parameters
    n_asked = min(queries.n_queries, N_ASKED)
    asked = np.repeat(rng.choice(queries.n_queries, n_asked, replace=False), N_ANSWERS)
    X, t0 = queries.vectors(asked), who.nondecision_time
    choice, times = ddm.sample(X @ who.weights, who.barrier, nondecision_time=t0, rng=rng)
    everything = queries.vectors(np.arange(queries.n_queries))
    return Answered(X, choice.astype(float), times, t0, who.barrier, who.weights, everything)


def contaminate(answers: Answered, kind: str, share: float, rng: np.random.Generator) -> Answered:
    """Replace answers drawn by lot; with equal `rng`, a larger share replaces more of the same."""
    n, t0 = len(answers.choice), answers.nondecision_time
    hit = rng.random(n) < share
    coin = rng.choice([-1.0, 1.0], n)
    guess = rng.uniform(EARLIEST_GUESS, t0 + LATEST_GUESS, n)
    delayed = answers.response_time + rng.exponential(MEAN_DELAY, n)
    times = guess if kind == "fast guesses" else delayed
    choice = answers.choice if kind == "slow lapses" else coin
    return answers._replace(
        choice=np.where(hit, choice, answers.choice),
        response_time=np.where(hit, times, answers.response_time),
    )


def within_cut_offs(times: Floats) -> npt.NDArray[np.bool_]:
    """Return which answers the usual rules keep."""
    return np.asarray((times >= TOO_FAST) & (times <= times.mean() + TOO_SLOW_SD * times.std()))


def errors(answers: Answered) -> dict[str, Error]:
    """Return the errors of every fit to one person's answers."""
    times, t0 = answers.response_time, answers.nondecision_time
    everything = np.ones(len(times), dtype=bool)
    kept, possible = within_cut_offs(times), times > t0
    fastest = times[kept].min()
    fits: dict[str, tuple[QueryClassifier, npt.NDArray[np.bool_]]] = {
        "exact": (Likelihood(), everything),
        "robust": (RobustLikelihood(), everything),
        "robust, t0 given": (RobustLikelihood(t0), everything),
        "average, t0 given": (ChoiceDecisionTime(t0), possible),
    }
    for share in SHARES_OF_FASTEST:
        fits[f"average {share}"] = ChoiceDecisionTime(share * fastest), kept
    for ridge in RIDGES:
        fits[f"choices {ridge}"] = ChoiceOnly("ridge", ridge=ridge), everything
    return {name: error_of(model, answers, used) for name, (model, used) in fits.items()}


def error_of(model: QueryClassifier, answers: Answered, used: npt.NDArray[np.bool_]) -> Error:
    """Fit the answers used, and compare with the truth over all queries of the person."""
    model.fit(answers.X[used], answers.choice[used], response_time=answers.response_time[used])
    a = answers.barrier
    scale = 2 * a if isinstance(model, ChoiceOnly) else 1 / a
    truth = answers.all_queries @ (scale * answers.weights)
    estimate = answers.all_queries @ model.coef_
    cosine = truth @ estimate / np.linalg.norm(truth) / np.linalg.norm(estimate)
    return Error(
        squared=float(((estimate - truth) ** 2).sum() / len(truth)),
        truth=float((truth**2).sum() / len(truth)),
        direction=float(1 - max(cosine, 0.0) ** 2),
    )


FITS = tuple(name for names in COLUMNS.values() for name in names)
"""Every fit, by its position in a table."""


@dataclass(frozen=True, eq=False)
class FitErrors(Columns):
    """Errors of every fit to one person's answers, a row for each contamination and fit.

    Attributes
    ----------
    kind : ndarray of int64
        Position in `KINDS`; -1 without contamination.
    share : ndarray of float
        Of answers that are spoilt.
    fit : ndarray of int64
        Position in `FITS`.
    squared, truth : ndarray of float
        Mean squared error, and mean square of the truth, over queries.
    """

    kind: npt.NDArray[np.int64]
    share: Floats
    fit: npt.NDArray[np.int64]
    squared: Floats
    truth: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class SpoiltPerson(Work[FitErrors]):
    """Fit one made-up person's answers, spoilt in every way.

    Parameters
    ----------
    like : {"clithero", "food-risk"}
        Data set whose people they are like.
    number : int
        Which one.
    seed : int, default 1
        Of people and answers.
    """

    like: str
    number: int
    seed: int = 1
    labels: Mapping[str, str] = field(init=False)

    noun: ClassVar[str] = "person"

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", {"like": self.like, "person": str(self.number)})

    @property
    def table(self) -> type[FitErrors]:
        """The class of the errors."""
        return FitErrors

    def config(self) -> dict[str, Any]:
        """Return everything that the errors rest on as JSON values."""
        return {
            "work": "contamination",
            "labels": dict(self.labels),
            "seed": self.seed,
            "tacit": tacit.__version__,
        }

    def run(self) -> FitErrors:
        """Return the errors, the same ones at any time, in any process, on one core."""
        crowd = look_alike(self.like, self.number + 1, rng=np.random.default_rng(self.seed))
        genuine = answer(crowd[self.number], np.random.default_rng([self.seed, self.number]))
        rows = []
        with one_thread, warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            for kind, share in CELLS:
                lot = np.random.default_rng([self.seed, self.number, 1])
                found = errors(contaminate(genuine, kind, share, lot))
                place = KINDS.index(kind) if share else -1
                rows += [
                    (place, share, FITS.index(fit), error.squared, error.truth)
                    for fit, error in found.items()
                ]
        return FitErrors(*(np.array(column) for column in zip(*rows, strict=True)))
