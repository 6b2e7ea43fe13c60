"""Logs as companies keep them: many people, some of whom are odd."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import ddm
from tacit.records import Items


def answers(rng, *, n_people=12, n_trials=900, d=3, n_items=20, names="text"):
    """Return a log of pairs as columns, in no order, and its items."""
    labels = [f"item{i}" for i in range(n_items)] if names == "text" else list(range(n_items))
    items = Items(rng.normal(size=(n_items, d)), [str(label) for label in labels])
    person = rng.integers(n_people, size=n_trials)
    first = rng.integers(n_items, size=n_trials)
    second = (first + rng.integers(1, n_items, size=n_trials)) % n_items
    weights = rng.normal(size=(n_people, d))
    drift = np.einsum("ij,ij->i", items.differences(first, second), weights[person])
    choice, time = ddm.sample(drift, 1.2, nondecision_time=0.3, rng=rng)
    columns = {
        "first": [labels[i] for i in first],
        "second": [labels[i] for i in second],
        "choice": choice.astype(int).tolist(),
        "response_time": time.tolist(),
        "person": [f"p{i:02}" for i in person],
    }
    return columns, items


def spoil(columns):
    """Make every thirtieth row unusable, in every way; some second items are the reference."""
    spoilt = {name: list(values) for name, values in columns.items()}
    spoilt["choice"] = [str(value) for value in spoilt["choice"]]
    spoilt["response_time"] = [repr(value) for value in spoilt["response_time"]]
    ways = [
        ("first", "nothing"),
        ("second", "nothing"),
        ("choice", "0"),
        ("response_time", "soon"),
        ("response_time", ""),
        ("response_time", "inf"),
        ("response_time", "-1"),
        ("response_time", "0.05"),
        ("second", ""),
        ("person", ""),
    ]
    for row in range(0, len(spoilt["choice"]), 3):
        name, value = ways[row // 3 % len(ways)]
        spoilt[name][row] = value
    spoilt["second"][1] = spoilt["first"][1]
    return spoilt


@pytest.fixture
def log(rng):
    return answers(rng)


@pytest.fixture
def write(tmp_path):
    """Write columns to a Parquet file in the test's folder."""

    def write(columns, name="trials.parquet"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), path)
        return path

    return write


def by_person(table):
    """Return the rows of a table of estimates by person."""
    return {row["person"]: row for row in table.to_pylist()}
