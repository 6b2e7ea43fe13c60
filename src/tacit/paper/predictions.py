"""People's held-out choices, predicted from few answers with and without their response times.

Clithero: yes/no answers to single snacks predict the same person's choices between two snacks.
Food-risk: randomly drawn answers predict the person's other answers. Ridges are tuned on the
other people's predictions: a person's own held-out choices are used for nothing but that
person's score.
"""

import hashlib
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import log_expit

import tacit
from tacit.datasets import Person
from tacit.ddm import TimedLikelihood, WeightsPrior
from tacit.errors import ConvergenceWarning, DataError, DataWarning
from tacit.estimators import ChoiceOnly, Likelihood, QueryClassifier
from tacit.simulate import Columns, Work
from tacit.simulate._one_thread import one_thread

Floats = npt.NDArray[np.float64]

SLOPES = np.geomspace(0.05, 20, 60)
"""Factors from scores to log-odds, to choose from."""
BARRIERS = np.geomspace(0.2, 8, 100)
"""To choose the likeliest from."""

_TIE = 1e-9
"""Score of a choice that is nothing but rounding."""


class Split(NamedTuple):
    """Trials to learn from, and queries whose choices are to be predicted."""

    X: Floats
    choice: Floats
    response_time: Floats
    test_vectors: Floats
    test_choice: Floats


@dataclass(frozen=True)
class Study:
    """What is predicted in one data set, and the ridges to choose from."""

    name: str
    unit: str
    sizes: tuple[int, ...]
    choice_ridges: tuple[float, ...]
    time_ridges: tuple[float, ...]
    fixed_ridge: float


STUDIES = (
    Study(
        name="clithero",
        unit="answers per item",
        sizes=(1, 2, 3, 5, 10),
        choice_ridges=(0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
        time_ridges=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
        fixed_ridge=0.1,
    ),
    Study(
        name="food-risk",
        unit="answers",
        sizes=(5, 10, 20, 40),
        choice_ridges=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
        time_ridges=(0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0),
        fixed_ridge=0.1,
    ),
)


def splits(person: Person, size: int, n_draws: int, seed: int) -> Iterator[Split]:
    """Draw trials to learn from; once if there is nothing to draw."""
    trials = person.trials
    X, choice, times = trials.vectors, trials.choice.astype(float), trials.response_time
    answers = np.bincount(trials.first)
    everything = person.held_out is not None and answers.max() <= size
    for draw in range(1 if everything else n_draws):
        rng = np.random.default_rng([seed, int(person.name), size, draw])
        order = rng.permutation(len(X))
        if person.held_out is not None:
            chosen = np.concatenate(
                [order[trials.first[order] == item][:size] for item in range(len(answers))]
            )
            test_vectors, test_choice = (
                person.held_out.vectors,
                person.held_out.choice.astype(float),
            )
        else:
            chosen, rest = order[:size], order[size:]
            # Between two identical options there is nothing to predict.
            rest = rest[X[rest].any(axis=1)]
            test_vectors, test_choice = X[rest], choice[rest]
        yield Split(X[chosen], choice[chosen], times[chosen], test_vectors, test_choice)


class Score(NamedTuple):
    """How well a fitted model predicts: as it is, and with the slope of its log-odds replaced."""

    accuracy: float
    log_loss: float
    sloped_log_loss: Floats

    @classmethod
    def of(cls, model: QueryClassifier, split: Split) -> "Score":
        """Score predictions; a tie counts half."""
        margin = split.test_choice * (split.test_vectors @ model.coef_)
        own = split.test_choice * model.decision_function(split.test_vectors)
        hit = np.where(np.abs(margin) < _TIE, 0.5, margin > 0)
        sloped = -log_expit(SLOPES[:, None] * margin).mean(axis=1)
        return cls(float(hit.mean()), float(-log_expit(own).mean()), sloped)


UNDEFINED = Score(np.nan, np.nan, np.full(len(SLOPES), np.nan))


def likeliest_barrier(split: Split, nondecision_time: float, ridge: float) -> float:
    """Return the barrier, of a grid, at which the trials to learn from are most likely."""
    n_features = split.X.shape[1]
    prior = WeightsPrior(np.zeros(n_features), ridge * np.eye(n_features))
    likelihood = TimedLikelihood(*split[:3], prior=prior)
    return float(BARRIERS[likelihood.log_profile(BARRIERS, nondecision_time).argmax()])


def score_split(study: Study, split: Split) -> dict[str, list[Score]]:
    """Fit every model to one split."""
    X, choice, times = split[:3]
    nondecision_time = 0.9 * float(times.min())

    def timed(model: Likelihood) -> Score:
        return Score.of(model.fit(X, choice, response_time=times), split)

    def ridged(ridge: float) -> Score:
        barrier = likeliest_barrier(split, nondecision_time, ridge)
        return timed(Likelihood(nondecision_time, barrier=barrier, ridge=ridge))

    try:
        default = timed(Likelihood())
    except DataError:
        default = UNDEFINED  # fewer answers than the non-decision time needs
    return {
        "choices": [
            Score.of(ChoiceOnly("ridge", ridge=ridge).fit(X, choice), split)
            for ridge in study.choice_ridges
        ],
        "times": [ridged(ridge) for ridge in study.time_ridges],
        "default": [default],
    }


def tuned_on_others(losses: Floats) -> Floats:
    """Return every person's loss at the setting that is best for all others together."""
    table = losses.reshape(len(losses), -1)
    best = (table.sum(axis=0) - table).argmin(axis=1)
    return np.asarray(table[np.arange(len(table)), best])


METHODS = ("choices", "times", "default")


@dataclass(frozen=True, eq=False)
class Predictions(Columns):
    """How well one person's held-out choices are predicted, a row for each method and ridge.

    Attributes
    ----------
    method : ndarray of int64
        Position in `METHODS`.
    ridge : ndarray of float
        Of the method; NaN for its default.
    accuracy, log_loss : ndarray of float
        Means over draws; NaN where some draw has too few answers for the method.
    """

    method: npt.NDArray[np.int64]
    ridge: Floats
    accuracy: Floats
    log_loss: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class PersonToPredict(Work[Predictions]):
    """Predict one person's held-out choices from a number of answers.

    Parameters
    ----------
    person : Person
        With trials.
    study : Study
        What is predicted.
    size : int
        Answers to learn from.
    n_draws : int
        How often these are drawn.
    seed : int, default 0
        Of the draws.
    """

    person: Person
    study: Study
    size: int
    n_draws: int
    seed: int = 0
    labels: Mapping[str, str] = field(init=False)

    noun: ClassVar[str] = "prediction"

    def __post_init__(self) -> None:
        labels = {"data": self.study.name, "person": self.person.name, "answers": str(self.size)}
        object.__setattr__(self, "labels", labels)

    @property
    def table(self) -> type[Predictions]:
        """The class of the predictions."""
        return Predictions

    def config(self) -> dict[str, Any]:
        """Return everything that the predictions rest on as JSON values."""
        content = hashlib.sha256()
        for trials in (self.person.trials, self.person.held_out):
            if trials is not None:
                for column in (trials.vectors, trials.choice, trials.response_time):
                    content.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
        return {
            "work": "held-out choices",
            "labels": dict(self.labels),
            "trials": content.hexdigest()[:32],
            "choice_ridges": list(self.study.choice_ridges),
            "time_ridges": list(self.study.time_ridges),
            "n_draws": self.n_draws,
            "seed": self.seed,
            "tacit": tacit.__version__,
        }

    def run(self) -> Predictions:
        """Return the predictions, the same ones at any time, in any process, on one core."""
        with one_thread, warnings.catch_warnings():
            # Few answers often leave the barrier or the non-decision time undetermined.
            warnings.simplefilter("ignore", DataWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            draws = [
                score_split(self.study, split)
                for split in splits(self.person, self.size, self.n_draws, self.seed)
            ]
        ridges = (self.study.choice_ridges, self.study.time_ridges, (np.nan,))
        rows = [
            (
                place,
                ridge,
                np.mean([draw[method][column].accuracy for draw in draws]),
                np.mean([draw[method][column].log_loss for draw in draws]),
            )
            for place, (method, own) in enumerate(zip(METHODS, ridges, strict=True))
            for column, ridge in enumerate(own)
        ]
        method, ridge, accuracy, log_loss = (np.array(column) for column in zip(*rows, strict=True))
        return Predictions(method, ridge, accuracy, log_loss)
