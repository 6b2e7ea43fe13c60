"""Runs of a benchmark that are kept, so that an interrupted one goes on where it was left."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tacit.simulate import Cell, Outcomes, Results, run_many


def run_kept(what: str, cells: Sequence[Cell], kept: Path, n_jobs: int) -> Results[Outcomes]:
    """Run what is missing of cells, with a progress bar, and return the results of all."""
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=len(cells))
        return run_many(
            cells,
            out=kept,
            n_jobs=n_jobs,
            progress=lambda done, _total: bar.update(task, completed=done),
        )
