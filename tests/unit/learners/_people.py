"""Problems and states that the tests of learners share."""

import numpy as np

from tacit import Items, Problem, QuerySpace, ddm

BARRIER, TIME = 1.1, 0.35


def featured(n_items: int, n_features: int = 3, seed: int = 3) -> Problem:
    """Return all pairs of items with normal features."""
    items = Items(np.random.default_rng(seed).normal(size=(n_items, n_features)))
    return Problem(items, QuerySpace.all_pairs(items))


def against_reference(n_items: int) -> Problem:
    """Return questions about single items."""
    items = Items.one_hot(n_items)
    return Problem(items, QuerySpace.against_reference(items))


def answered(state, weights, rng, n_answers):
    """Return the learner's state after answers of a person, by a pair (learner, state)."""
    learner, now = state
    for _ in range(n_answers):
        now = learner.tell(now, now.query, *answer(now, weights, rng))
    return now


def answer(state, weights, rng):
    """Return an answer to each pending query; to whatever query in runs that are done."""
    drift = state.problem.queries.vectors(np.maximum(state.query, 0)) @ weights
    return ddm.sample(drift, BARRIER, nondecision_time=TIME, rng=rng)
