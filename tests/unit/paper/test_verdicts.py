import numpy as np
import pytest

from tacit.paper.verdicts import above, below, exactly, mean_interval, verdict, within


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [
        ((1.0, 0.5, 1.5), "holds"),
        ((0.4, -0.1, 0.9), "undecided"),
        ((-1.0, -1.5, -0.5), "does not hold"),
        ((0.0, 0.0, 0.0), "does not hold"),
        ((0.3, -np.inf, np.inf), "undecided"),
    ],
)
def test_a_number_is_above_when_its_interval_is(interval, outcome):
    assert above("", interval).outcome == outcome
    estimate, low, high = interval
    assert below("", (-estimate, -high, -low)).outcome == outcome


def test_below_keeps_the_interval_as_it_is():
    finding = below("", (0.2, 0.1, 0.3), than=0.5)
    assert (finding.estimate, finding.low, finding.high) == (0.2, 0.1, 0.3)
    assert finding.outcome == "holds"


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [
        ((0.0, -0.04, 0.04), "holds"),
        ((0.0, -0.06, 0.04), "undecided"),
        ((0.08, 0.06, 0.1), "does not hold"),
        ((-0.08, -0.1, -0.06), "does not hold"),
    ],
)
def test_a_number_is_near_zero_when_its_interval_lies_within_the_margin(interval, outcome):
    assert within("", interval, margin=0.05).outcome == outcome


def test_interval_of_a_mean_is_students():
    # t(0.975, 3) = 3.1824; sd = sqrt(20 / 3), mean 5 of 2, 4, 6, 8.
    mean, low, high = mean_interval([2.0, 4.0, 6.0, 8.0])
    half = 3.182446 * np.sqrt(20 / 3) / 2
    np.testing.assert_allclose([mean, low, high], [5, 5 - half, 5 + half], rtol=1e-6)
    assert mean_interval([0.3]) == (0.3, -np.inf, np.inf)


def test_the_verdict_is_what_all_findings_say():
    holds, unclear = above("", exactly(1.0)), above("", (0.0, -1.0, 1.0))
    fails = above("", exactly(-1.0))
    assert verdict([holds, holds]) == "holds"
    assert verdict([holds, fails]) == verdict([holds, unclear]) == "holds partly"
    assert verdict([fails, unclear]) == verdict([unclear]) == "undecided"
    assert verdict([fails, fails]) == "does not hold"
