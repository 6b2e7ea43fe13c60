"""A race between two ways of learning what people like best, from the same answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacit import ddm
from tacit.datasets import look_alike
from tacit.estimators import ChoiceOnly, Likelihood, QueryClassifier
from tacit.records import Items, QuerySpace

Floats = npt.NDArray[np.float64]

ITEMS = Items.one_hot(
    ["almonds", "bagel", "carrots", "crisps", "figs", "fudge", "grapes", "olives", "pear", "toast"]
)
"""What people are asked about: ten snacks without features."""

QUESTIONS: dict[str, QuerySpace] = {
    "yes or no": QuerySpace.against_reference(ITEMS),
    "which of two": QuerySpace.all_pairs(ITEMS),
}
"""The kinds of questions, each with a race of its own."""

CHOICES, TIMES = "choices alone", "choices and times"
LEARNERS = (CHOICES, TIMES)
"""The two ways of learning."""

CHANCE = 1 - 1 / ITEMS.n_items
"""How often a guess without any answer is wrong."""

_CHECKPOINTS = np.array([1, 2, 3, 4, 6, 9, 12, 18, 24]) / 24
_RESAMPLES = 1000


@dataclass(frozen=True)
class Session:
    """Everything that one person was asked and answered.

    Parameters
    ----------
    favourite : int
        The item that this person likes best.
    query : array of int, shape (n_trials,)
        What was asked.
    vectors : array of float, shape (n_trials, n_features)
        The vectors of these queries.
    choice : array of int8, shape (n_trials,)
        +1 (yes, or the first) or -1 (no, or the second).
    response_time : array of float, shape (n_trials,)
        Seconds.
    """

    favourite: int
    query: npt.NDArray[np.int64]
    vectors: Floats
    choice: npt.NDArray[np.int8]
    response_time: Floats

    @cached_property
    def elapsed(self) -> Floats:
        """Seconds from the first question to each answer."""
        return np.cumsum(self.response_time)

    def n_answered(self, seconds: float) -> int:
        """Return how many answers were given by then."""
        return int(np.searchsorted(self.elapsed, seconds, "right"))

    def guess(self, learner: str, n_trials: int) -> int:
        """Return the item that a learner takes for the favourite after some of the answers."""
        if n_trials == 0:
            return 0
        response_time = self.response_time[:n_trials]
        # Neither does noticeably better with any other ridge between 0.03 and 0.3.
        model: QueryClassifier
        if learner == CHOICES:
            model = ChoiceOnly("ridge", ridge=0.3)
        else:
            model = Likelihood(0.9 * response_time.min(), ridge=0.1)
        model.fit(self.vectors[:n_trials], self.choice[:n_trials], response_time=response_time)
        return int(np.argmax(ITEMS.utilities(model.coef_)))


@dataclass(frozen=True)
class Curves:
    """How often each learner errs, against the seconds that people spent answering.

    Parameters
    ----------
    seconds : array of float, shape (n_checkpoints,)
        Seconds of answering, the same for everybody.
    questions : array of float, shape (n_checkpoints,)
        Mean number of questions answered by then.
    wrong : dict of arrays of bool, shape (n_people, n_checkpoints)
        For each learner, whose favourite it did not find.
    """

    seconds: Floats
    questions: Floats
    wrong: dict[str, npt.NDArray[np.bool_]]

    def error(self, learner: str) -> tuple[Floats, Floats, Floats]:
        """Return the share of wrong guesses with its 95% confidence interval (Wilson 1927)."""
        wrong = self.wrong[learner]
        n, share, z = len(wrong), wrong.mean(axis=0), 1.96
        centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
        return share, centre - half, centre + half


class Advantage(NamedTuple):
    """What response times save.

    Attributes
    ----------
    right : float
        Share of the favourites that choices alone find in the end.
    seconds, questions : float
        Effort after which choices and times find as many.
    ratio : float
        Seconds of choices alone over seconds of choices and times.
    low, high : float
        95% confidence interval of the ratio, over people.
    """

    right: float
    seconds: float
    questions: float
    ratio: float
    low: float
    high: float


def hold_sessions(
    queries: QuerySpace, n_people: int, seconds: float, rng: np.random.Generator
) -> list[Session]:
    """Let people like those of Clithero (2018) answer for a while.

    Everybody gets every question once before any of them again, in an order of their own.
    """
    people = [person.parameters for person in look_alike("clithero", n_people, rng=rng)]
    sessions = []
    for person in people:
        weights = person.weights[: ITEMS.n_features]
        query = np.empty(0, dtype=np.int64)
        choice, response_time = np.empty(0, dtype=np.int8), np.empty(0)
        while response_time.sum() <= seconds:
            asked = rng.permutation(queries.n_queries)
            answered, took = ddm.sample(
                queries.vectors(asked) @ weights,
                person.barrier,
                nondecision_time=person.nondecision_time,
                rng=rng,
            )
            query = np.append(query, asked)
            choice, response_time = np.append(choice, answered), np.append(response_time, took)
        favourite = int(np.argmax(ITEMS.utilities(weights)))
        sessions.append(Session(favourite, query, queries.vectors(query), choice, response_time))
    return sessions


def race(sessions: list[Session], seconds: float) -> Iterator[Curves]:
    """Let both learners guess everybody's favourite, later and later; yields what is known."""
    checkpoints = seconds * _CHECKPOINTS
    questions: list[float] = []
    wrong: dict[str, list[list[bool]]] = {learner: [] for learner in LEARNERS}
    for now in checkpoints:
        answered = [session.n_answered(now) for session in sessions]
        questions.append(float(np.mean(answered)))
        for learner in LEARNERS:
            wrong[learner].append(
                [
                    session.guess(learner, n) != session.favourite
                    for session, n in zip(sessions, answered, strict=True)
                ]
            )
        yield Curves(
            checkpoints[: len(questions)],
            np.array(questions),
            {learner: np.array(found).T for learner, found in wrong.items()},
        )


def advantage(curves: Curves, rng: np.random.Generator) -> Advantage:
    """Return how much sooner times find as many favourites as choices alone do in the end."""
    choices, times = curves.wrong[CHOICES], curves.wrong[TIMES]
    everybody = np.arange(len(choices))
    again = rng.integers(len(choices), size=(_RESAMPLES, len(choices)))
    seconds = np.array(
        [
            _seconds_to_catch_up(curves.seconds, choices[who].mean(axis=0), times[who].mean(axis=0))
            for who in (everybody, *again)
        ]
    )
    # Choices that are no better than a guess are caught up with at once.
    ratio = np.divide(
        curves.seconds[-1], seconds, out=np.full_like(seconds, np.inf), where=seconds > 0
    )
    low, high = np.quantile(ratio[1:], [0.025, 0.975], method="inverted_cdf")
    return Advantage(
        right=float(1 - choices[:, -1].mean()),
        seconds=float(seconds[0]),
        questions=float(np.interp(seconds[0], [0, *curves.seconds], [0, *curves.questions])),
        ratio=float(ratio[0]),
        low=float(low),
        high=float(high),
    )


def _seconds_to_catch_up(seconds: Floats, choices: Floats, times: Floats) -> float:
    """Return when times first err as rarely as choices do in the end; infinite if never.

    Before the first answer, either is a guess among all items.
    """
    best_so_far = np.minimum.accumulate([CHANCE, *times])
    if best_so_far[-1] > choices[-1]:
        return float("inf")
    return float(np.interp(-choices[-1], -best_so_far, [0.0, *seconds]))
