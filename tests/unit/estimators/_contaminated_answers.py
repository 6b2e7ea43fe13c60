"""Answers of a known person, clean and contaminated."""

import numpy as np

from tacit import ddm

WEIGHTS, BARRIER, NONDECISION_TIME = np.array([1.2, -0.7]), 1.3, 0.35


def clean(rng, n=200):
    X = rng.normal(size=(n, 2))
    choice, time = ddm.sample(X @ WEIGHTS, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
    return X, choice, time


def contaminated(rng, n=200):
    """Return answers with 10% fast guesses, slow guesses and slow lapses each, in this order."""
    X, choice, time = clean(rng, n)
    k = n // 10
    coins = rng.choice([-1, 1], size=2 * k)
    choice[: 2 * k] = coins
    time[:k] = rng.uniform(0.05, NONDECISION_TIME, k)
    time[k : 3 * k] += rng.exponential(8.0, 2 * k)
    return X, choice, time


def fitted(model, X, choice, time, **columns):
    return model.fit(X, choice, response_time=time, **columns)
