"""Sums and estimates as Arrow tables, matrices as their upper triangles, row by row."""

import json
from typing import Any

import numpy as np

from tacit._extras import require
from tacit.ddm import PeopleStatistics
from tacit.ddm.people_statistics import ARRAYS, MATRICES, VECTORS
from tacit.errors import DataError
from tacit.fleet._blocks import Block, Floats
from tacit.fleet.log import REASONS
from tacit.fleet.model import Estimates
from tacit.fleet.retrieval import TopItems
from tacit.records import Items

_KEY = b"tacit"
_COUNTS = tuple(f"excluded_{name}" for name in REASONS)


def packed(matrices: Floats) -> Floats:
    """Return the upper triangles of symmetric matrices, row by row."""
    row, column = np.triu_indices(matrices.shape[1])
    return np.asarray(matrices[:, row, column])


def unpacked(triangles: Floats, n_features: int) -> Floats:
    """Return the symmetric matrices of upper triangles.

    Examples
    --------
    >>> import numpy as np
    >>> unpacked(packed(np.array([[[2.0, 1.0], [1.0, 3.0]]])), 2)
    array([[[2., 1.],
            [1., 3.]]])
    """
    row, column = np.triu_indices(n_features)
    matrices = np.empty((len(triangles), n_features, n_features))
    matrices[:, row, column] = matrices[:, column, row] = triangles
    return matrices


def block_table(block: Block) -> Any:
    """Return sums as a table."""
    columns = {"person": block.person}
    for name in ARRAYS:
        columns[name] = _column(getattr(block.statistics, name))
    return _table(columns | _counts(block.excluded))


def block_of(table: Any, censor_above: float | None) -> Block:
    """Return the sums in a table that `block_table` made."""
    arrays: dict[str, Any] = {}
    for name in ARRAYS:
        column = _whole(table, name)
        values = column.flatten() if hasattr(column, "flatten") else column
        arrays[name] = np.array(values.to_numpy(zero_copy_only=False))
    n, d = table.num_rows, len(arrays["choice_sum"]) // max(table.num_rows, 1)
    for name in VECTORS:
        arrays[name] = arrays[name].reshape(n, d)
    for name in MATRICES:
        arrays[name] = unpacked(arrays[name].reshape(n, -1), d)
    excluded = [_whole(table, name).to_numpy(zero_copy_only=False) for name in _COUNTS]
    return Block(
        _whole(table, "person"),
        PeopleStatistics(**arrays, censor_above=censor_above),
        np.stack(excluded, axis=1).astype(np.int64),
    )


def estimates_table(estimates: Estimates, top: TopItems | None, items: Items | None) -> Any:
    """Return estimates as a table; what is not known is null."""
    arrow = require("pyarrow", extra="fleet")
    flags = np.stack(list(estimates.flags.values()), axis=1)
    offsets = np.concatenate([[0], np.cumsum(flags.sum(axis=1))]).astype(np.int32)
    names = np.array(list(estimates.flags), dtype=object)[np.nonzero(flags)[1]]
    unknown = ~np.isfinite(estimates.weights).all(axis=1)
    columns = {
        "person": estimates.person,
        "n_trials": arrow.array(estimates.n_trials),
        "n_censored": arrow.array(estimates.n_censored),
        **_counts(estimates.excluded),
        "barrier": _nullable(estimates.barrier),
        "nondecision_time": _nullable(estimates.nondecision_time),
        "weights": _column(estimates.weights, unknown),
        "covariance": _column(estimates.covariance, unknown),
        "side_bias": _nullable(estimates.side_bias),
        "flags": arrow.ListArray.from_arrays(offsets, arrow.array(names, arrow.string())),
    }
    if top is not None and items is not None:
        known = np.array([*items.names, None], dtype=object)
        chosen = arrow.array(known[top.item.ravel()], arrow.string())
        columns["best_items"] = _lists(chosen, top.item.shape[1], unknown)
        columns["best_utilities"] = _column(top.utility, unknown)
        columns["best_probabilities"] = _column(top.probability, unknown)
    return _table(columns)


def with_header(schema: Any, header: dict[str, Any]) -> Any:
    """Return a schema that says what its table holds."""
    return schema.with_metadata({_KEY: json.dumps(header).encode()})


def header_of(schema: Any, path: object, kind: str) -> dict[str, Any]:
    """Return what `with_header` wrote, or say what else the file is."""
    text = (schema.metadata or {}).get(_KEY)
    header = {} if text is None else json.loads(text)
    if header.get("kind") != kind or header.get("version") != 1:
        raise DataError(f"{path} does not hold {kind} of tacit fleet fit")
    return dict(header)


def _whole(table: Any, name: str) -> Any:
    column = table.column(name)
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column


def _table(columns: dict[str, Any]) -> Any:
    arrow = require("pyarrow", extra="fleet")
    return arrow.table(columns)


def _counts(excluded: Any) -> dict[str, Any]:
    arrow = require("pyarrow", extra="fleet")
    return {name: arrow.array(excluded[:, i].copy()) for i, name in enumerate(_COUNTS)}


def _nullable(values: Floats) -> Any:
    arrow = require("pyarrow", extra="fleet")
    return arrow.array(values, mask=np.isnan(values))


def _column(values: Any, unknown: Any = None) -> Any:
    """Return numbers, vectors or triangles, one for each person."""
    arrow = require("pyarrow", extra="fleet")
    if values.ndim == 3:
        values = packed(values)
    if values.ndim == 1:
        return arrow.array(values)
    return _lists(arrow.array(np.ascontiguousarray(values).ravel()), values.shape[1], unknown)


def _lists(flat: Any, size: int, unknown: Any) -> Any:
    arrow = require("pyarrow", extra="fleet")
    mask = None if unknown is None else arrow.array(unknown)
    return arrow.FixedSizeListArray.from_arrays(flat, size, mask=mask)


def weights_of(table: Any) -> tuple[Floats, Floats]:
    """Return the weights in a table of estimates, with their covariances as matrices.

    Parameters
    ----------
    table : pyarrow.Table
        The `table` of a fit, or what is read from its file.

    Returns
    -------
    weights : ndarray of shape (n_people, n_features)
        NaN where they are not known.
    covariance : ndarray of shape (n_people, n_features, n_features)
        NaN where the weights are.

    Examples
    --------
    >>> from tacit import fleet
    >>> log = {"x": [1.0, 1.0, 1.0], "choice": [1, 1, -1], "response_time": [0.9, 0.8, 1.2]}
    >>> found = fleet.fit(log, log=fleet.Log(features=("x",), person=None))
    >>> [array.shape for array in weights_of(found.table)]
    [(1, 1), (1, 1, 1)]
    """
    column, triangle = _whole(table, "weights"), _whole(table, "covariance")
    known = column.is_valid().to_numpy(zero_copy_only=False)
    d = column.type.list_size
    weights, covariance = np.full((len(known), d), np.nan), np.full((len(known), d, d), np.nan)
    weights[known] = column.drop_null().flatten().to_numpy().reshape(-1, d)
    flat = triangle.drop_null().flatten().to_numpy().reshape(int(known.sum()), -1)
    covariance[known] = unpacked(flat, d)
    return weights, covariance
