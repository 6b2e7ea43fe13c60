"""What a session tells about the person: the favourite, the ranking, what the times added."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.learners import (
    Belief,
    BeliefState,
    BelievingLearner,
    ChoiceTopTwo,
    Recommendation,
    StoppingState,
    StopWhenSure,
    TopTwo,
)
from tacit.study.session import Answer, Session, Trial, choice_of

_N_DRAWS = 4096
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class _ChoiceListener(ChoiceTopTwo):
    """Learns from choices and never asks, which is most of the work."""

    def _choose(self, state: BeliefState, _rng: np.random.Generator) -> NDArray[np.int64]:
        return np.zeros(state.n_runs, dtype=np.int64)


def recommendation(session: Session) -> tuple[str, float | None]:
    """Return the item that the learner recommends, and its probability of being the best."""
    return _named(session, session.study.learner.recommend(session.learner_state))


def estimate(session: Session) -> dict[str, Any]:
    """Return what the result page shows, as JSON values.

    The favourite is the learner's recommendation; the ranking comes from a `TopTwo` belief about
    the same answers, with utilities relative to the average item. Apart from the favourite's
    probability, which is the learner's, probabilities come from draws of that belief.

    Parameters
    ----------
    session : Session
        At any stage.
    """
    favourite, probability = recommendation(session)
    belief = _belief(session)
    choice_only = _ChoiceListener()
    by_choices = _named(session, choice_only.recommend(retold(choice_only, session)))
    times = [answer.seconds for _, answer in session.main if answer.seconds is not None]
    timed = [pair for pair in session.main if pair[1].seconds is not None]
    timed.sort(key=lambda pair: pair[1].seconds or 0.0)
    return {
        "favourite": favourite,
        "probability": probability,
        "ranking": _ranking(session, belief, favourite, probability),
        "n_answers": len(session.main),
        "n_timed": len(times),
        "barrier": float(belief.barrier[0]),
        "nondecision_time": float(belief.nondecision_time[0]),
        "choice_only": dict(zip(("favourite", "probability"), by_choices, strict=True)),
        "median_response_time": float(np.median(times)) if times else None,
        "fastest": _shown(timed[0]) if timed else None,
        "slowest": _shown(timed[-1]) if timed else None,
    }


def retold(learner: BelievingLearner, session: Session) -> BeliefState:
    """Return what a learner knows that was told the answers, whoever asked."""
    state = learner.start(session.study.problem, np.random.default_rng(session.seed))
    for trial, answer in session.main:
        time = np.nan if answer.seconds is None else answer.seconds
        asked = replace(state, query=np.array([trial.query]))
        state = learner.tell(asked, asked.query, [choice_of(trial, answer)], [time])
    return state


def _belief(session: Session) -> Belief:
    """Return what `TopTwo` believes; where it asked itself, that is known already."""
    learner, state = session.study.learner, session.learner_state
    if isinstance(learner, StopWhenSure) and isinstance(state, StoppingState):
        learner, state = learner.learner, state.inner
    if type(learner) is not TopTwo:
        state = retold(TopTwo(), session)
    if not isinstance(state, BeliefState) or not isinstance(state.belief, Belief):
        raise TypeError("TopTwo believes in choices and times")
    return state.belief


def _ranking(
    session: Session, belief: Belief, favourite: str, probability: float | None
) -> list[dict[str, Any]]:
    items = session.study.problem.items
    relative = items.features - items.features.mean(axis=0)
    mean, covariance = belief.mean[0], belief.covariance[0]
    utility = relative @ mean
    variance = np.einsum("ki,ij,kj->k", relative, covariance, relative)
    shares = _probabilities(relative, mean, covariance, session.seed)
    place = items.index(favourite)
    if probability is not None:
        rest = 1.0 - shares[place]
        scale = (1.0 - probability) / rest if rest > 0 else 0.0
        shares = np.where(np.arange(len(shares)) == place, probability, shares * scale)
    # The favourite leads, whatever ties or another learner's model make of it.
    order = sorted(range(len(utility)), key=lambda k: (k != place, -utility[k]))
    return [
        {
            "item_id": items.names[k],
            "utility": float(utility[k]),
            "sd": float(np.sqrt(max(variance[k], 0.0))),
            "probability_best": float(shares[k]),
        }
        for k in order
    ]


def _probabilities(features: Floats, mean: Floats, covariance: Floats, seed: int) -> Floats:
    """Return the share of draws in which each item is the best."""
    noise = np.random.default_rng(seed).standard_normal((_N_DRAWS, len(mean)))
    weights = mean + noise @ np.linalg.cholesky(covariance).T
    best = np.argmax(weights @ features.T, axis=1)
    return np.bincount(best, minlength=len(features)) / _N_DRAWS


def _named(session: Session, found: Recommendation) -> tuple[str, float | None]:
    item, probability = found
    sure = float(probability[0])
    return session.study.problem.items.names[int(item[0])], sure if np.isfinite(sure) else None


def _shown(pair: tuple[Trial, Answer]) -> dict[str, Any]:
    trial, answer = pair
    return {
        "trial_id": trial.trial_id,
        "sequence": trial.sequence,
        "left": trial.left,
        "right": trial.right,
        "choice": answer.choice,
        "response_time": answer.seconds,
    }
