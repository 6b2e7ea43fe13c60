"""Sums of people as one grouping query, for engines to which trials should not be moved."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.ddm import PeopleStatistics
from tacit.ddm.people_statistics import MATRICES, VECTORS
from tacit.fleet._blocks import Block, Floats, people_at_once
from tacit.fleet._rows import Expression, Rows
from tacit.fleet._stages import Stages
from tacit.fleet._stream import batches
from tacit.fleet.log import REASONS


def grouped_sums(rows: Rows, censor_above: float | None) -> Expression:
    """Return the table of sums, one row for each person, matrices as their upper triangles."""
    ibis = require("ibis", extra="fleet")
    table, vector = rows.table, rows.vector
    used = table.reason.isnull()
    late = ibis.literal(False)
    if censor_above is not None:
        late = used & (table.response_time > censor_above)
    timed = used & ~late
    table = table.mutate(
        used=used,
        late=late,
        timed=timed,
        c=timed.ifelse(table.choice, 0.0),
        t=timed.ifelse(table.response_time, 0.0),
        **{x: timed.ifelse(table[x], 0.0) for x in vector},
        **{f"late_{x}": late.ifelse(table[x], 0.0) for x in vector if censor_above is not None},
    )
    table = table.mutate(**{f"t{x}": table.t * table[x] for x in vector})
    pairs = list(combinations_with_replacement(vector, 2))
    sums = {
        "n_trials": table.timed.cast("int64"),
        "time_sum": table.t,
        "choice_total": table.c,
        **{f"choice_sum_{i}": table.c * table[x] for i, x in enumerate(vector)},
        **{f"choice_time_sum_{i}": table.c * table[f"t{x}"] for i, x in enumerate(vector)},
        **{f"vector_sum_{i}": table[x] for i, x in enumerate(vector)},
        **{f"time_vector_sum_{i}": table[f"t{x}"] for i, x in enumerate(vector)},
        **{f"gram_{i}": table[x] * table[y] for i, (x, y) in enumerate(pairs)},
        **{f"time_gram_{i}": table[f"t{x}"] * table[y] for i, (x, y) in enumerate(pairs)},
        **{
            f"squared_time_gram_{i}": table[f"t{x}"] * table[f"t{y}"]
            for i, (x, y) in enumerate(pairs)
        },
        "n_censored": table.late.cast("int64"),
        "censored_choice_total": table.late.ifelse(table.choice, 0.0),
    }
    if censor_above is not None:
        sums |= {f"censored_vector_sum_{i}": table[f"late_{x}"] for i, x in enumerate(vector)}
        sums |= {
            f"censored_gram_{i}": table[f"late_{x}"] * table[f"late_{y}"]
            for i, (x, y) in enumerate(pairs)
        }
    counts = {
        f"excluded_{name}": (table.reason == code).fill_null(False).cast("int64")
        for code, name in enumerate(REASONS)
    }
    fastest = table.used.ifelse(table.response_time, None).min()
    totals = {name: column.sum() for name, column in (sums | counts).items()}
    return table.group_by("person").agg(n_rows=table.count(), fastest=fastest, **totals)


def query(rows: Rows, backend: Any, censor_above: float | None, stages: Stages) -> Iterator[Block]:
    """Yield the sums of everybody, in no particular order; parameters as in `stream`."""
    d = len(rows.feature_names)
    sums = grouped_sums(rows, censor_above)
    for batch in batches(sums, backend, people_at_once(d), stages):
        with stages.timed("sum"):
            block, n_nobody = _block(batch, d, censor_above)
        stages.n_nobody += n_nobody
        yield block


def _block(batch: Any, d: int, censor_above: float | None) -> tuple[Block, int]:
    compute = require("pyarrow.compute", extra="fleet")
    nobody = compute.is_null(batch.column("person"))
    n_nobody = compute.sum(batch.filter(nobody).column("n_rows")).as_py() or 0
    batch = batch.filter(compute.invert(nobody))
    n = batch.num_rows

    def column(name: str) -> Floats:
        if name not in batch.schema.names:  # nothing was censored
            return np.zeros(n)
        return np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=np.float64)

    arrays: dict[str, Any] = {
        name: column(name).astype(np.int64) for name in ("n_trials", "n_censored")
    }
    for name in ("time_sum", "choice_total", "censored_choice_total"):
        arrays[name] = column(name)
    fastest = column("fastest")
    arrays["fastest"] = np.where(np.isnan(fastest), np.inf, fastest)
    for name in VECTORS:
        arrays[name] = np.stack([column(f"{name}_{i}") for i in range(d)], axis=1)
    upper = np.triu_indices(d)
    for name in MATRICES:
        matrix = np.zeros((n, d, d))
        for i, (row, other) in enumerate(zip(*upper, strict=True)):
            matrix[:, row, other] = matrix[:, other, row] = column(f"{name}_{i}")
        arrays[name] = matrix
    excluded = np.stack([column(f"excluded_{name}") for name in REASONS], axis=1).astype(np.int64)
    statistics = PeopleStatistics(**arrays, censor_above=censor_above)
    return Block(batch.column("person"), statistics, excluded), n_nobody
