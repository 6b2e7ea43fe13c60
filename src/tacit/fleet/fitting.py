"""From a log of any size to one row of estimates for each person."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal
from warnings import warn

import numpy as np
from threadpoolctl import threadpool_limits

from tacit._extras import require
from tacit.errors import DataError, DataWarning
from tacit.fleet._blocks import Block
from tacit.fleet._query import query
from tacit.fleet._rows import Rows, rows_of
from tacit.fleet._sources import Engine, Source, check_source, failures_named, open_source
from tacit.fleet._stages import Stages
from tacit.fleet._statistics_file import (
    TableWriter,
    check_addable,
    check_same_people,
    header_for,
    notes_of,
    read_header,
    stored,
    write_blocks,
)
from tacit.fleet._stream import stream
from tacit.fleet._tables import block_table, estimates_table
from tacit.fleet.log import REASONS, Log
from tacit.fleet.model import Estimates, Model, estimate
from tacit.fleet.retrieval import top_items
from tacit.records import Items, Trials
from tacit.records._whole_file import make_room, whole_file
from tacit.records.reading import one_hot_of
from tacit.records.tables import as_table

AnyPath = str | PathLike[str]
How = Literal["stream", "query"]

MOST_FEATURES = 64
"""Weights of one person for which sums are kept: their number grows with its square."""


_RIVALS = 32


@dataclass(frozen=True)
class FleetFit:
    """What a fit of many people did.

    Attributes
    ----------
    n_people, n_trials : int
        Numbers of people, and of rows that count.
    excluded : dict
        Numbers of rows that do not count, by reason.
    flags : dict
        Numbers of people of whom something is odd, by what it is.
    seconds : dict
        Where the time went, by stage.
    table : pyarrow.Table or None
        The estimates, unless they were written to a file.
    notes : tuple of str
        What holds for everybody, such as that weights are only told up to a common level.

    Examples
    --------
    >>> FleetFit(2, 40, {}, {"constant choices": 1}, {}).flags
    {'constant choices': 1}
    """

    n_people: int
    n_trials: int
    excluded: Mapping[str, int]
    flags: Mapping[str, int]
    seconds: Mapping[str, float]
    table: Any = field(default=None, repr=False)
    notes: tuple[str, ...] = ()


def fit(
    trials: object,
    items: Items | None = None,
    *,
    log: Log | None = None,
    model: Model | None = None,
    out: AnyPath | None = None,
    statistics: AnyPath | None = None,
    add: AnyPath | None = None,
    how: How | None = None,
    engine: Engine | None = None,
    progress: Callable[[int], None] | None = None,
) -> FleetFit:
    """Estimate the weights of everybody in a log, larger than memory or not.

    Parameters
    ----------
    trials : path, ibis table, Trials, dict of columns, pandas, polars or Arrow table
        A Parquet, CSV or TSV file, a folder or pattern of such files, a DuckDB database, a table
        in memory, or a table in any database that ibis reaches.
    items : Items, optional
        What was chosen among. When absent, the log holds the query vectors (`log.features`), or
        every item has a utility of its own.
    log : Log, optional
        How the log is written and which rows count.
    model : Model, optional
        What is assumed about everybody.
    out : path, optional
        Parquet file for the estimates, written whole or not at all; `table` of the result holds
        them when absent.
    statistics : path, optional
        Parquet file for the sums, which later logs can be added to.
    add : path, optional
        Such a file of an earlier log, whose trials count, too.
    how : {"stream", "query"}, optional
        Add up in this process what the database sorts, or let the database add up ("query"). By
        default the former if the data are in DuckDB, and the latter elsewhere.
    engine : Engine, optional
        How much of this machine the embedded database may use.
    progress : callable, optional
        Called with the number of people done so far.

    Returns
    -------
    FleetFit
        Counts, and the estimates unless `out` was given. One row for each person, with the
        columns `person`, `n_trials`, `n_censored`, `excluded_...` (by reason), `barrier`,
        `nondecision_time`, `weights`, `covariance` (upper triangle, row by row), `side_bias`,
        `flags` (see :data:`FLAGS`), and with items `best_items`, `best_utilities` and
        `best_probabilities`.

    Raises
    ------
    DataError
        Before any work, if a file is corrupt, a column is missing, or choices are in another
        coding than said.

    Notes
    -----
    Given the non-decision time, the estimates are those of :class:`tacit.estimators.Likelihood`
    on the rows of each person. The maximum of the likelihood over the non-decision time needs
    every single time, not only sums; a share of the fastest answer that counts takes its place.

    Examples
    --------
    >>> log = {
    ...     "first": ["tea", "tea", "milk", "tea"],
    ...     "second": ["milk", "milk", "tea", "milk"],
    ...     "choice": [1, 1, -1, -1],
    ...     "response_time": [0.9, 0.7, 0.8, 1.9],
    ...     "person": ["ann", "ann", "ann", "ann"],
    ... }
    >>> found = fit(log, model=Model(nondecision_time=0.3))
    >>> found.table["best_items"].to_pylist()
    [['tea', 'milk']]
    """
    log, model, engine = log or Log(), model or Model(), engine or Engine()
    stages = Stages(progress)
    for path in (out, statistics):
        if path is not None:
            _check_output(Path(path))
    earlier = {} if add is None else {str(add): read_header(Path(add))}
    with engine.connect() as connection:
        source = open_source(trials, connection, log)
        with failures_named(source.name), TemporaryDirectory(dir=engine.folder) as folder:
            check_source(source, log)
            items = _items(trials, items, source, log)
            bound = model.nondecision_time or 0.0
            rows = rows_of(source.table, log, items, bound)
            _check_features(rows)
            header = header_for(rows, log, bound)
            check_addable({"the trials": header, **earlier})
            blocks = _sums(rows, source, how, log.censor_above, stages)
            if statistics is not None or add is not None:
                sums = Path(folder) / "sums.parquet"
                with threadpool_limits(1):
                    write_blocks(blocks, sums, header)
                paths = [sums] if add is None else [Path(add), sums]
                check_same_people(paths)
                blocks = stored(paths, connection, stages)
            return _solve(blocks, model, items, _Outputs(header, statistics, out), stages)


def fit_statistics(
    statistics: AnyPath,
    items: Items | None = None,
    *,
    model: Model | None = None,
    out: AnyPath | None = None,
    engine: Engine | None = None,
    progress: Callable[[int], None] | None = None,
) -> FleetFit:
    """Estimate the weights of everybody in a file of sums.

    Parameters
    ----------
    statistics : path
        What `fit` or `merge` wrote.
    items : Items, optional
        A catalogue with the features of the sums, to name the best items of each person.
    model, out, engine, progress
        As in `fit`.

    Returns
    -------
    FleetFit
        As from `fit`.

    Examples
    --------
    >>> log = {"x": [1.0, 1.0, 1.0], "choice": [1, 1, -1], "response_time": [0.9, 0.8, 1.2]}
    >>> with TemporaryDirectory() as folder:
    ...     rules = Log(features=("x",), person=None)
    ...     _ = fit(log, log=rules, statistics=folder + "/sums.parquet")
    ...     found = fit_statistics(folder + "/sums.parquet")
    >>> found.n_trials
    3
    """
    model, stages = model or Model(), Stages(progress)
    path, header = Path(statistics), read_header(Path(statistics))
    bound = header["rules"]["nondecision_time"]
    if model.nondecision_time is None and bound:
        model = replace(model, nondecision_time=bound)
    if items is not None and list(items.feature_names) != header["features"]:
        raise DataError(
            f"`items` must have the features of the sums, {header['features']}, got "
            f"{list(items.feature_names)}"
        )
    if out is not None:
        _check_output(Path(out))
    with (engine or Engine()).connect() as connection, failures_named(str(path)):
        blocks = stored([path], connection, stages)
        return _solve(blocks, model, items, _Outputs(header, out=out), stages)


def _sums(
    rows: Rows, source: Source, how: How | None, censor_above: float | None, stages: Stages
) -> Iterator[Block]:
    if how not in {None, "stream", "query"}:
        raise DataError(f'`how` must be "stream" or "query", got {how!r}')
    embedded = source.backend.name == "duckdb"
    add_up = stream if how == "stream" or (how is None and embedded) else query
    return add_up(rows, source.backend, censor_above, stages)


def _items(trials: object, items: Items | None, source: Source, log: Log) -> Items | None:
    """Return what was chosen among, as seen from the reference."""
    if items is None and isinstance(trials, Trials):
        items = trials.items
    if log.features is not None:
        if items is not None:
            raise DataError("`items` and `log.features` say the same in two ways; leave one out")
        return None
    if items is not None:
        if log.reference is None:
            return items
        origin = items.features[items.index(log.reference)]
        return Items(items.features - origin, items.names, items.feature_names)
    columns = [column for column in (log.first, log.second) if column is not None]
    found = [source.table.select(c).distinct().limit(2 * MOST_FEATURES + 2) for c in columns]
    labels = [
        as_table(names.to_pyarrow()).labels(c) for names, c in zip(found, columns, strict=True)
    ]
    one_hot = one_hot_of(*labels)
    if one_hot.n_items > MOST_FEATURES:
        raise DataError(
            f"{source.name} names more than {MOST_FEATURES} items, too many for a utility of "
            "their own each; give `items` with features"
        )
    return one_hot if log.reference is None else _against(one_hot, log.reference)


def _against(one_hot: Items, reference: str) -> Items:
    """Return items without features of which one has utility zero."""
    at = one_hot.index(reference)
    if one_hot.n_items == 1:
        raise DataError(f"there is no item beside the reference, {reference!r}")
    others = [name for name in one_hot.names if name != reference]
    return Items(np.delete(one_hot.features, at, axis=1), one_hot.names, others)


def _check_features(rows: Rows) -> None:
    if len(rows.feature_names) > MOST_FEATURES:
        raise DataError(
            f"sums are kept for at most {MOST_FEATURES} features, got {len(rows.feature_names)}"
        )


def _check_output(path: Path) -> None:
    if path.suffix.lower() != ".parquet":
        raise DataError(f"expected a .parquet file to write to, got {path.name!r}")
    make_room(path, overwrite=True)


@dataclass(frozen=True)
class _Outputs:
    """Where sums and estimates are written, if they are."""

    header: dict[str, Any]
    statistics: AnyPath | None = None
    out: AnyPath | None = None


def _solve(
    blocks: Iterator[Block], model: Model, items: Items | None, outputs: _Outputs, stages: Stages
) -> FleetFit:
    """Estimate block by block, and write the results whole or not at all."""
    totals = _Totals()
    with ExitStack() as files:
        # The matrices are small: more threads would only wait for each other.
        files.enter_context(threadpool_limits(1))
        sums = _writer(outputs.statistics, outputs.header, files)
        found = _writer(outputs.out, outputs.header | {"kind": "estimates"}, files)
        tables = []
        for block in blocks:
            if sums is not None:
                with stages.timed("write"):
                    sums.write(block_table(block))
            with stages.timed("estimate"):
                estimates = estimate(block, model, outputs.header["n_open"])
            totals.add(estimates)
            table = _with_best(estimates, model, items, stages)
            with stages.timed("write"):
                if found is None:
                    tables.append(table)
                else:
                    found.write(table)
            stages.done(block.n_people)
        if not totals.n_people:
            raise DataError("there is nobody: no row names a person")
        for writer in (sums, found):
            if writer is not None:
                writer.close()
    if stages.n_nobody:
        message = f"rows that name no person and were left out: {stages.n_nobody}"
        warn(message, DataWarning, stacklevel=3)
    arrow = require("pyarrow", extra="fleet")
    table = arrow.concat_tables(tables) if outputs.out is None else None
    return totals.result(stages, table, notes_of(outputs.header))


def _writer(path: AnyPath | None, header: dict[str, Any], files: ExitStack) -> TableWriter | None:
    if path is None:
        return None
    return TableWriter(files.enter_context(whole_file(Path(path), overwrite=True)), header)


def _with_best(found: Estimates, model: Model, items: Items | None, stages: Stages) -> Any:
    top = None
    if items is not None and model.n_best:
        with stages.timed("rank items"):
            top = top_items(
                found.weights, found.covariance, items, n_top=model.n_best, n_rivals=_RIVALS
            )
    with stages.timed("write"):
        return estimates_table(found, top, items)


class _Totals:
    """What is counted over all blocks."""

    def __init__(self) -> None:
        self.n_people = self.n_trials = 0
        self.excluded, self.flags = Counter[str](), Counter[str]()

    def add(self, found: Estimates) -> None:
        """Count another block."""
        self.n_people += len(found.person)
        self.n_trials += int((found.n_trials + found.n_censored).sum())
        counts = found.excluded.sum(axis=0).tolist()
        self.excluded.update(dict(zip(REASONS.values(), counts, strict=True)))
        self.flags.update({name: int(raised.sum()) for name, raised in found.flags.items()})

    def result(self, stages: Stages, table: Any, notes: tuple[str, ...]) -> FleetFit:
        """Return the counts that are not zero."""
        excluded, flags = +self.excluded, +self.flags
        if stages.n_nobody:
            excluded["missing person"] = stages.n_nobody
        return FleetFit(
            self.n_people, self.n_trials, dict(excluded), dict(flags), stages.seconds, table, notes
        )
