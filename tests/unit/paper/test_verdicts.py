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
    # t(0.975, 4) = 2.776445; sd = sqrt(10), mean 6 of 2, 4, 6, 8, 10.
    mean, low, high = mean_interval([2.0, 4.0, 6.0, 8.0, 10.0])
    half = 2.776445 * np.sqrt(10 / 5)
    np.testing.assert_allclose([mean, low, high], [6, 6 - half, 6 + half], rtol=1e-6)
    # t(0.975, 4) at a half of the level is t(0.9875, 4) = 3.495406.
    wider = mean_interval([2.0, 4.0, 6.0, 8.0, 10.0], n_looks=2)
    np.testing.assert_allclose(wider[2], 6 + 3.495406 * np.sqrt(10 / 5), rtol=1e-6)


def test_a_few_people_do_not_decide():
    assert mean_interval([0.3]) == (0.3, -np.inf, np.inf)
    assert mean_interval([-0.5, -0.5]) == (-0.5, -np.inf, np.inf)


def test_the_verdict_is_what_all_findings_say():
    holds, unclear = above("", exactly(1.0)), above("", (0.0, -1.0, 1.0))
    fails = above("", exactly(-1.0))
    assert verdict([holds, holds]) == "holds"
    assert verdict([holds, fails]) == verdict([holds, unclear]) == "holds partly"
    assert verdict([fails, unclear]) == verdict([unclear]) == "undecided"
    assert verdict([fails, fails]) == "does not hold"
