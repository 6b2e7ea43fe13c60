"""Fresh randomness for every run, and a bound on how often the suite cries wolf."""

import os

import numpy as np
import pytest

FAMILY_FALSE_ALARM_RATE = 1e-6
"""Bound on the probability that any test with fresh randomness fails although nothing is wrong."""


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "statistical(false_alarm_rate): how often the test may fail without cause"
    )


def pytest_collection_modifyitems(items):
    rates = [declared_rate(item) for item in items if item.get_closest_marker("statistical")]
    if sum(rates) > FAMILY_FALSE_ALARM_RATE:
        raise pytest.UsageError(
            f"{len(rates)} statistical tests have false alarms at a total rate of "
            f"{sum(rates):.2g}, above {FAMILY_FALSE_ALARM_RATE:g}"
        )


def declared_rate(item):
    return item.get_closest_marker("statistical").kwargs["false_alarm_rate"]


@pytest.fixture
def false_alarm_rate(request):
    """Return the rate that the test declares for all of its assertions together."""
    return declared_rate(request.node)


@pytest.fixture
def fresh_rng(request):
    """Return a newly seeded generator; the report of a failure says how to repeat it."""
    seed = int(os.environ.get("TACIT_SEED", "0")) or np.random.SeedSequence().entropy
    request.node.add_report_section("setup", "seed", f"repeat with TACIT_SEED={seed}")
    return np.random.default_rng(seed)
