"""How many people are like the others, and at what scale: told by leaving people out in turn."""

import numpy as np

from tacit.bayes._arrays import Floats
from tacit.bayes._population_people import People, search
from tacit.ddm import WeightsMixture

_N_FOLDS = 5
_MOST_PEOPLE = 1000
"""More people tell the shares of a few kinds no better."""

_SEARCH_ROUNDS = 500
_SEARCH_TOLERANCE = 1e-3
_BARRIER_ROUNDS = 3
_SHARE_ROUNDS = 200


def learn_shares(people: People, *, rank: int | None, shrinkage: float) -> Floats:
    """Return the share of people of each kind, as `WeightsMixture` has them.

    Each is judged by a population learned from others: the people it was learned from always look
    like it. The shares are those of greatest evidence, by expectation-maximisation.
    """
    n_people = len(people.barrier)
    chosen = np.random.default_rng(0).permutation(n_people)[:_MOST_PEOPLE]
    fold = np.arange(len(chosen)) % _N_FOLDS
    parts = [
        _evidence(
            people.take(chosen[fold != out]), people.take(chosen[fold == out]), rank, shrinkage
        )
        for out in range(_N_FOLDS)
    ]
    evidence = np.concatenate(parts)
    likelihood = np.exp(evidence - evidence.max(axis=(1, 2), keepdims=True))
    shares = np.full(evidence.shape[1:], 1 / evidence[0].size)
    for _ in range(_SHARE_ROUNDS):
        total = (likelihood * shares).sum(axis=(1, 2), keepdims=True)
        shares = shares * (likelihood / total).mean(axis=0)
    return np.asarray(shares)


def _evidence(own: People, out: People, rank: int | None, shrinkage: float) -> Floats:
    """Return the evidence of each kind in people who were left out, given the others."""
    learned, _ = search(
        own,
        rank=rank,
        shrinkage=shrinkage,
        n_rounds=_SEARCH_ROUNDS,
        tolerance=_SEARCH_TOLERANCE,
    )
    for _ in range(_BARRIER_ROUNDS):
        out = out.with_barriers(learned)
    data = out.data()
    mean = data.regressors @ learned.coefficients
    kinds = WeightsMixture(mean, (1 + 1 / len(own.barrier)) * learned.covariance)
    return kinds.log_evidence(data.information, data.linear)
