"""Sums of people from rows that come sorted by person, a batch at a time.

An embedded database sorts far faster than it adds up hundreds of columns for each person, and
matrix products of this process add them up: see docs/decisions.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.ddm import PeopleStatistics
from tacit.fleet._blocks import Block, Floats, changes, joined, people_at_once
from tacit.fleet._rows import Expression, Rows
from tacit.fleet._stages import Stages
from tacit.fleet.log import REASONS
from tacit.records import REFERENCE

_ROWS_AT_ONCE = 1 << 16


def stream(rows: Rows, backend: Any, censor_above: float | None, stages: Stages) -> Iterator[Block]:
    """Yield the sums of everybody, people in order; rows without a person are counted.

    Parameters
    ----------
    rows : Rows
        The rows.
    backend : ibis backend
        What sorts them.
    censor_above : float or None
        Seconds above which answers are censored.
    stages : Stages
        Where time is accounted for.
    """
    return joined(_parts(rows, backend, censor_above, stages))


def _parts(rows: Rows, backend: Any, censor_above: float | None, stages: Stages) -> Iterator[Block]:
    query = ["first_index", "second_index"] if rows.items is not None else rows.vector
    wanted = rows.table.select("person", *query, "choice", "response_time", "reason")
    at_once = min(_ROWS_AT_ONCE, people_at_once(len(rows.feature_names)))
    for batch in batches(wanted.order_by("person"), backend, at_once, stages):
        with stages.timed("sum"):
            block = _block(batch, rows, censor_above)
        stages.n_nobody += batch.num_rows - int(block.excluded.sum())
        stages.n_nobody -= int((block.statistics.n_trials + block.statistics.n_censored).sum())
        yield block


def batches(
    expression: Expression, backend: Any, rows_at_once: int, stages: Stages
) -> Iterator[Any]:
    """Yield the result of an expression in parts of limited size."""
    with stages.timed("read and sort"):
        reader = backend.to_pyarrow_batches(expression, chunk_size=rows_at_once)
    while True:
        with stages.timed("read and sort"):
            batch = next(reader, None)
        if batch is None:
            return
        for start in range(0, batch.num_rows, rows_at_once):
            yield batch.slice(start, rows_at_once)


def _block(batch: Any, rows: Rows, censor_above: float | None) -> Block:
    compute = require("pyarrow.compute", extra="fleet")
    batch = batch.filter(compute.is_valid(batch.column("person")))
    person = batch.column("person")
    new = changes(person)
    who = np.cumsum(new) - 1
    n_people = int(new.sum())
    reason = _numbers(batch, "reason", -1).astype(np.int64)
    used = reason < 0
    excluded = np.zeros((n_people, len(REASONS)), dtype=np.int64)
    np.add.at(excluded, (who[~used], reason[~used]), 1)
    statistics = PeopleStatistics.from_trials(
        _vectors(batch, rows, used),
        _numbers(batch, "choice", 0.0)[used],
        _numbers(batch, "response_time", 0.0)[used],
        who[used],
        n_people=n_people,
        censor_above=censor_above,
    )
    return Block(person.take(np.flatnonzero(new)), statistics, excluded)


def _vectors(batch: Any, rows: Rows, used: Any) -> Floats:
    if rows.items is None:
        return np.column_stack([_numbers(batch, name, 0.0)[used] for name in rows.vector])
    first, second = (
        _numbers(batch, f"{side}_index", REFERENCE)[used].astype(np.int64)
        for side in ("first", "second")
    )
    return rows.items.differences(first, second)


def _numbers(batch: Any, name: str, missing: float) -> Floats:
    column = batch.column(name)
    if column.null_count:
        column = column.fill_null(missing)
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
