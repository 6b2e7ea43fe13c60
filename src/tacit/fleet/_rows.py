"""The rows of a log as one table expression: query, choice, seconds, and why a row does not count.

Nothing here computes: the expression runs wherever ibis runs it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.fleet.log import REASONS, Log
from tacit.records import Items
from tacit.records.coding import signs_of
from tacit.records.tables import NOT_A_NUMBER

Expression = Any
"""Tables and columns of ibis, which is imported when it is used."""

_CODES = {name: code for code, name in enumerate(REASONS)}
_LARGEST = 1e50
_TRUTHS = {"1": "true", "0": "false"}


@dataclass(frozen=True)
class Rows:
    """Rows of a log in tacit's own form.

    Parameters
    ----------
    table : ibis table
        Columns `person`, `choice` (1.0 or -1.0), `response_time` (seconds), `reason` (a number
        in `REASONS`, null where the row counts), the query vector `x0`, `x1`, ..., and with
        items `first_index` and `second_index` (null: the reference).
    items : Items or None
        What the indices mean; None where the log itself holds the query vectors.
    feature_names : tuple of str
        Names of the weights.
    """

    table: Expression
    items: Items | None
    feature_names: tuple[str, ...]

    @property
    def vector(self) -> list[str]:
        """The columns of the query vector."""
        return [f"x{k}" for k in range(len(self.feature_names))]


def n_open(items: Items | None, *, pairs: bool) -> int:
    """Return how many directions of the weights no query can tell of, whoever answers.

    Pairs of items tell nothing of what all items share, such as the common level of utilities.
    """
    if items is None:
        return 0
    features = items.features - items.features.mean(axis=0) if pairs else items.features
    size = np.abs(items.features).max(axis=0)
    return items.n_features - int(np.linalg.matrix_rank(features / np.where(size > 0, size, 1.0)))


def rows_of(table: Expression, log: Log, items: Items | None, nondecision_time: float) -> Rows:
    """Return the rows of a log.

    Parameters
    ----------
    table : ibis table
        The log; its columns are there.
    log : Log
        How it is written.
    items : Items or None
        What was chosen among; None if the log holds the query vectors.
    nondecision_time : float
        Seconds that every response time must exceed.
    """
    ibis = require("ibis", extra="fleet")
    seconds, unreadable = _number(table[log.response_time])
    columns = {
        "person": ibis.literal("everybody") if log.person is None else _key(table[log.person]),
        "choice": _choice(table[log.choice], log),
        "response_time": seconds / 1000.0 if log.time_unit == "ms" else seconds,
        "unreadable": unreadable,
    }
    if items is None:
        names = tuple(log.features or ())
        vector = {f"x{k}": _number(table[name])[0] for k, name in enumerate(names)}
        rows = table.select(**columns, **vector)
        defects = _vector_defects(rows, list(vector), log)
    else:
        names = items.feature_names
        rows, defects = _joined(table, columns, log, items)
    time = rows.response_time
    checks = [
        *defects,
        ("invalid_choice", rows.choice.isnull()),
        ("unreadable_time", rows.unreadable),
        ("missing_time", time.isnull()),
        ("infinite_time", _infinite(time)),
        ("short_time", time <= nondecision_time),
    ]
    if log.drop_fast is not None:
        checks.append(("fast", time < log.drop_fast))
    kept = [name for name in rows.columns if name not in {"unreadable", "wrong"}]
    rows = rows.mutate(reason=_first(checks)).select(*kept, "reason")
    if log.drop_slow is not None:
        rows = _without_slow(rows, log.drop_slow)
    return Rows(rows, items, names)


def _first(checks: Sequence[tuple[str, Expression]]) -> Expression:
    """Return the code of the first check that finds something, null if none does."""
    ibis = require("ibis", extra="fleet")
    branches = [(bad.fill_null(False), ibis.literal(_CODES[name], "int8")) for name, bad in checks]
    return ibis.cases(*branches, else_=ibis.null("int8"))


def _without_slow(rows: Expression, n_sd: float) -> Expression:
    ibis = require("ibis", extra="fleet")
    own = ibis.window(group_by="person")
    rows = rows.mutate(counted=rows.reason.isnull().ifelse(rows.response_time, None))
    rows = rows.mutate(mean=rows.counted.mean().over(own), sd=rows.counted.std(how="pop").over(own))
    slow = (rows.counted - rows["mean"] > n_sd * rows.sd).fill_null(False)
    code = ibis.literal(_CODES["slow"], "int8")
    return rows.mutate(reason=slow.ifelse(code, rows.reason)).drop("counted", "mean", "sd")


def _infinite(column: Expression) -> Expression:
    """Return where numbers are infinite, or so large that sums of their products would be."""
    return column.abs() > _LARGEST


def _key(column: Expression) -> Expression:
    """Return names without the empty ones."""
    if column.type().is_string():
        return column.nullif("")
    if column.type().is_floating():
        return column.isnan().ifelse(None, column)
    return column


def _number(column: Expression) -> tuple[Expression, Expression]:
    """Return a column as numbers, null where missing, and where it cannot be read as such."""
    ibis = require("ibis", extra="fleet")
    if not column.type().is_string():
        values = column.cast("float64")
        return values.isnan().ifelse(None, values), ibis.literal(False)
    text = column.strip().lower()
    text = text.isin(sorted(NOT_A_NUMBER)).ifelse(None, text)
    # Some engines read "1_0" as 10; in data it is more likely a slip.
    values = text.contains("_").ifelse(None, text).try_cast("float64")
    return values, text.notnull() & values.isnull()


def _choice(column: Expression, log: Log) -> Expression:
    """Return choices as 1.0 and -1.0, null where they are neither."""
    ibis = require("ibis", extra="fleet")
    signs = signs_of(log.choice_coding)
    text = column.type().is_string()
    number = column.strip().try_cast("float64") if text else column.cast("float64")
    branches = []
    for sign in (1, -1):
        labels = [label for label in signs if signs[label] == sign]
        meant = number.isin([float(label) for label in labels if _is_number(label)])
        if text:
            spelt = [*labels, *(_TRUTHS[label] for label in labels if label in _TRUTHS)]
            meant = meant.fill_null(False) | column.strip().lower().isin(spelt)
        branches.append((meant, ibis.literal(float(sign))))
    return ibis.cases(*branches, else_=ibis.null("float64"))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _vector_defects(
    rows: Expression, vector: Sequence[str], log: Log
) -> list[tuple[str, Expression]]:
    ibis = require("ibis", extra="fleet")
    unusable = ibis.or_(*(rows[x].isnull() | _infinite(rows[x]) for x in vector))
    if log.allow_identical:
        return [("unusable_feature", unusable)]
    alike = ibis.and_(*(rows[x] == 0 for x in vector))
    return [("identical_items", alike), ("unusable_feature", unusable)]


def _joined(
    table: Expression, columns: dict[str, Expression], log: Log, items: Items
) -> tuple[Expression, list[tuple[str, Expression]]]:
    """Look the items up; return the rows with their vectors, and what is wrong with items."""
    ibis = require("ibis", extra="fleet")
    first = _key(table[log.first])
    second = ibis.null(first.type()) if log.second is None else _key(table[log.second])
    rows = table.select(**columns, first_key=first, second_key=second)
    for side in ("first", "second"):
        lookup = _lookup(items, rows[f"{side}_key"].type(), side)
        if lookup is None:
            missing = {f"{side}_z{k}": ibis.null("float64") for k in range(items.n_features)}
            rows = rows.mutate(ibis.null("int64").name(f"{side}_index"), **missing)
            continue
        rows = rows.left_join(lookup, rows[f"{side}_key"] == lookup[f"{side}_match"])
    alone = rows.second_key.isnull()
    vector = {
        f"x{k}": rows[f"first_z{k}"] - alone.ifelse(float(origin), rows[f"second_z{k}"])
        for k, origin in enumerate(items.reference)
    }
    wrong = rows.first_index.isnull() | (~alone & rows.second_index.isnull())
    rows = rows.select(*columns, "first_index", "second_index", wrong=wrong, **vector)
    found = [("unknown_item", rows.wrong)]
    if not log.allow_identical:
        found.append(("identical_items", rows.first_index == rows.second_index))
    return rows, found


def _lookup(items: Items, key_type: Expression, side: str) -> Expression | None:
    """Return a table of the items by name, in the type of the log's column; None for no column."""
    ibis, arrow = require("ibis", extra="fleet"), require("pyarrow", extra="fleet")
    if key_type.is_null():
        return None
    kept, names = list(range(items.n_items)), list[Any](items.names)
    if not key_type.is_string():
        kept = [i for i, name in enumerate(names) if _is_number(name)]
        names = [
            int(names[i]) if names[i].lstrip("-").isdecimal() else float(names[i]) for i in kept
        ]
        if key_type.is_integer():
            whole = [position for position, name in enumerate(names) if isinstance(name, int)]
            kept, names = [kept[p] for p in whole], [names[p] for p in whole]
    kind = arrow.string() if key_type.is_string() else key_type.to_pyarrow()
    columns = {
        f"{side}_match": arrow.array(names, kind),
        f"{side}_index": arrow.array(kept, arrow.int64()),
        **{f"{side}_z{k}": items.features[kept, k] for k in range(items.n_features)},
    }
    return ibis.memtable(arrow.table(columns))
