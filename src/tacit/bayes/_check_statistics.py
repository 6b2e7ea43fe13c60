"""What the model implies about choices and times, as statistics that are near 0 when it holds."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri_exp

from tacit import ddm
from tacit.bayes._arrays import Floats

CHECKS = (
    (
        "time of unlikely choices",
        "unlikely choices are slower than likely ones (preferences vary, or attention lapses late)",
        "unlikely choices are faster than likely ones (hasty answers, or a varying start)",
    ),
    (
        "time by side",
        "choices of the first option take longer than choices of the second",
        "choices of the second option take longer than choices of the first",
    ),
    (
        "side bias",
        "the first option is favoured whatever it is (fit with start_bias=True)",
        "the second option is favoured whatever it is (fit with start_bias=True)",
    ),
    (
        "consistency of choices",
        "choices are more consistent than their times imply",
        "choices are less consistent than their times imply (careless or swapped answers)",
    ),
    (
        "time by strength",
        "strong preferences are decided more slowly, next to weak ones, than they should be",
        "strong preferences are decided faster, next to weak ones, than they should be",
    ),
    (
        "spread of times",
        "times of the same question spread more than they should",
        "times of the same question spread less than they should",
    ),
    (
        "tails of times",
        "there are too many very slow answers and too few very fast ones",
        "there are too many very fast answers and too few very slow ones",
    ),
    (
        "speed over the session",
        "answers get slower over the session (fatigue)",
        "answers get faster over the session (practice)",
    ),
    (
        "preferences over the session",
        "preferences get stronger over the session",
        "preferences get weaker, or change, over the session",
    ),
    (
        "fast guesses",
        "the fastest answers are too fast for a decision (guesses or anticipations)",
        "the fastest answers are slower than they should be",
    ),
    (
        "slow outliers",
        "the slowest answers are too slow for a decision (lapses or interruptions)",
        "the slowest answers are faster than they should be (a deadline?)",
    ),
)
"""Name of each check, and what it means to be above and below what the model implies."""


class Answers(NamedTuple):
    """Choices and decision times next to the parameters that are taken to have made them."""

    choice: Floats
    decision_time: Floats
    drift: Floats
    barrier: float
    nondecision_time: float


def statistics(answers: Answers) -> Floats:
    """Return one number for each of `CHECKS`, in their order.

    Under the model the cumulative probability of each time is uniform and independent of the
    choice; its Legendre polynomials have mean 0 and variance 1 (Neyman's smooth tests). The
    residuals a c - t u are a stopped Brownian motion: mean 0, variance E[t].
    """
    c, t, u, a = answers.choice, answers.decision_time, answers.drift, answers.barrier
    n = len(c)
    z = a * u
    below, above = ddm.cdf(t, u, a), ddm.sf(t, u, a)
    level = below - above
    slowness = np.sqrt(3) * level
    spread = np.sqrt(5) / 2 * (3 * level**2 - 1)
    tails = np.sqrt(7) / 2 * (5 * level**3 - 3 * level)
    surprise = c - np.tanh(z)
    residual = a * c - t * u
    order = np.linspace(-1, 1, n) * np.sqrt(3)
    sums = [
        -np.sign(u) * surprise * slowness,
        surprise * slowness,
        residual,
        surprise * z,
        slowness * (np.abs(z) - np.abs(z).mean()),
        spread,
        tails,
        slowness * order,
        residual * u * order,
    ]
    extremes = [_extreme(below.min(), n), _extreme(above.min(), n)]
    return np.array([term.sum() / np.sqrt(n) for term in sums] + extremes)


def _extreme(smallest: float, n: int) -> float:
    """Return the normal score of the smallest of `n` uniform variables, large when it is small."""
    log_all_larger = n * np.log1p(-min(smallest, 1 - 1e-16))
    return float(ndtri_exp(log_all_larger))
