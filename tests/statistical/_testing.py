"""Statistical assertions with stated error rates, for tests that draw afresh on every run.

Thresholds come from inequalities that hold for every sample size, so a correct program fails an
assertion with probability at most `false_alarm_rate`. Sample sizes come from the same inequalities:
a program that is wrong by `discrepancy` or more passes with probability at most that rate too.
That makes negative controls (a broken program must fail) as reliable as the tests themselves.
"""

import math

import numpy as np


def n_for_distribution(discrepancy, *, false_alarm_rate):
    """Sample size at which distribution functions `discrepancy` apart are told apart."""
    return math.ceil(2 * math.log(2 / false_alarm_rate) / discrepancy**2)


def assert_distribution(values, cdf, *, false_alarm_rate):
    """Fail unless `values` may be draws from `cdf` (Dvoretzky-Kiefer-Wolfowitz, Massart 1990)."""
    probability = np.sort(cdf(values))
    n = len(probability)
    rank = np.arange(n + 1) / n
    distance = max((rank[1:] - probability).max(), (probability - rank[:-1]).max())
    allowed = math.sqrt(math.log(2 / false_alarm_rate) / (2 * n))
    assert distance <= allowed, (
        f"distribution: {n} draws are {distance:.3g} from their cdf, {allowed:.3g} is allowed"
    )


def n_for_mean(discrepancy, *, variance, scale, false_alarm_rate):
    """Sample size at which means `discrepancy` apart are told apart; see `assert_mean`."""
    log_rate = math.log(2 / false_alarm_rate)
    # Solve sqrt(2 v L / n) + c L / n = discrepancy / 2 for 1 / sqrt n.
    spread = 2 * variance * log_rate
    root = (
        math.sqrt(spread) + math.sqrt(spread + 2 * scale * log_rate * discrepancy)
    ) / discrepancy
    return math.ceil(root**2)


def assert_mean(what, values, mean, *, variance, scale, false_alarm_rate):
    """Fail unless the mean of `values` may be `mean` (Bernstein's inequality).

    Each value is independent, has at most this `variance`, and is sub-gamma with this `scale`: a
    third of the bound for bounded values, the longest mean for sums of exponentials.
    """
    n, log_rate = len(values), math.log(2 / false_alarm_rate)
    allowed = math.sqrt(2 * variance * log_rate / n) + scale * log_rate / n
    off = abs(float(np.mean(values, dtype=np.float64)) - mean)
    assert off <= allowed, (
        f"{what}: mean of {n} draws is off by {off:.3g}, {allowed:.3g} is allowed"
    )
