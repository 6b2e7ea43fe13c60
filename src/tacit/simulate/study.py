"""Much work: in parallel, on one machine or a cluster, resumed where it was left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from tacit.errors import DataError
from tacit.simulate.running import Progress
from tacit.simulate.store import Store
from tacit.simulate.work import T, Work

_ROUNDS = 4
"""Cells per process that are handed out at once where results do not come one by one."""


@dataclass(frozen=True, eq=False)
class Results(Generic[T]):
    """The outcomes of several cells, or of other work.

    Attributes
    ----------
    cells : tuple of Work
        In the order given.
    outcomes : tuple of Columns
        Of each; `Outcomes` of a `Cell`.
    """

    cells: tuple[Work[T], ...]
    outcomes: tuple[T, ...]

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return one tidy table of all outcomes, as columns by name: labels, then outcomes."""
        sizes = [len(own) for own in self.outcomes]
        names = dict.fromkeys(name for cell in self.cells for name in cell.labels)
        labels = {
            name: np.repeat(
                np.array([cell.labels.get(name) for cell in self.cells], dtype=object), sizes
            )
            for name in names
        }
        tables = [own.columns() for own in self.outcomes]
        return labels | {
            name: np.concatenate([table[name] for table in tables]) for name in tables[0]
        }


def run_many(
    cells: Sequence[Work[T]],
    *,
    out: str | PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Results[T]:
    """Run every cell, or read what is stored of it.

    The outcomes of a cell do not depend on the other cells, on their order, on the number of
    processes or on the machine's cores. The cells are spread by joblib, so that
    ``joblib.parallel_config(backend="dask")``, or ``"ray"``, spreads them over a cluster.

    Parameters
    ----------
    cells : sequence of Work
        What to run; all different. Most often, each is a `Cell`.
    out : path, optional
        A folder for a `Store`. Each cell is stored as soon as it is run, and cells that are there
        are not run again. A changed cell is another cell.
    n_jobs : int, optional
        Number of processes, -1 for one on each core; by default one, or what
        ``joblib.parallel_config`` says.
    progress : callable, optional
        Called with the number of cells known and their number in all.

    Returns
    -------
    Results
        Outcomes in the order of the cells.

    Examples
    --------
    >>> from tacit import Items, Problem, QuerySpace
    >>> from tacit.learners import TopTwo
    >>> from tacit.simulate import Cell, Diffusion, run_many
    >>> tea = Items.one_hot(["green", "black"])
    >>> problem = Problem(tea, QuerySpace.all_pairs(tea))
    >>> cells = [
    ...     Cell(
    ...         problem=problem,
    ...         learner=TopTwo(),
    ...         respondent=Diffusion([0.0, liking], barrier=1.2, nondecision_time=0.4),
    ...         time_budgets=[10.0, 20.0],
    ...         n_runs=50,
    ...         labels={"person": name},
    ...     )
    ...     for name, liking in [("eve", 0.5), ("bob", 1.5)]
    ... ]
    >>> columns = run_many(cells).columns()
    >>> list(columns)[:4], len(columns["person"])
    (['person', 'run', 'time_budget', 'item'], 200)
    """
    _check_different(cells)
    store = None if out is None else Store(out)
    outcomes: dict[int, T] = {}
    if store is not None:
        outcomes = {i: store.read(cell) for i, cell in enumerate(cells) if cell in store}
    report = progress or (lambda _done, _total: None)
    report(len(outcomes), len(cells))
    missing = [i for i in range(len(cells)) if i not in outcomes]
    for i, own in _run_all([(i, cells[i]) for i in missing], n_jobs):
        if store is not None:
            store.write(cells[i], own)
        outcomes[i] = own
        report(len(outcomes), len(cells))
    return Results(tuple(cells), tuple(outcomes[i] for i in range(len(cells))))


def _run_all(cells: Sequence[tuple[int, Work[T]]], n_jobs: int | None) -> Iterator[tuple[int, T]]:
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import get_active_backend

    tasks = [delayed(_run_one)(i, cell) for i, cell in cells]
    backend, _ = get_active_backend()
    if backend.supports_return_generator:
        yield from Parallel(n_jobs, return_as="generator_unordered")(tasks)
        return
    # Ray and multiprocessing hand over nothing before all is done: they get a part at a time.
    parallel = Parallel(n_jobs, return_as="list")
    size = _ROUNDS * effective_n_jobs(n_jobs)
    for start in range(0, len(tasks), size):
        yield from parallel(tasks[start : start + size])


def _run_one(number: int, cell: Work[T]) -> tuple[int, T]:
    try:
        return number, cell.run()
    except Exception as error:
        error.add_note(f"in cell {number}, {dict(cell.labels)}")
        raise


def _check_different(cells: Sequence[Work[Any]]) -> None:
    if not cells:
        raise DataError("`cells` must hold at least one cell, got none")
    seen: dict[str, int] = {}
    for i, cell in enumerate(cells):
        if (first := seen.setdefault(cell.key, i)) != i:
            raise DataError(
                f"cells {first} and {i} are the same, with labels {dict(cell.labels)}; give "
                "another seed, or more runs"
            )
