"""What ``tacit race`` shows: the board while it runs, then a table, or a record for programs."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tacit.cli._race import Standing, Tally, store_of
from tacit.cli._race_picture import save_picture
from tacit.cli._render import json_line, plus_minus, print_json, print_table, say
from tacit.errors import MissingExtra
from tacit.paper import Crowd
from tacit.records._whole_file import whole_file
from tacit.simulate import Cell, Store

_RESULTS, _PICTURE = "results.jsonl", "race.png"


@dataclass(frozen=True)
class Report:
    """What became of a race.

    Parameters
    ----------
    crowd : Crowd
        Whom learners raced for.
    tally : Tally
        The results.
    n_runs : int
        How often each learner questioned each person.
    respondent : str
        How people answered.
    """

    crowd: Crowd
    tally: Tally
    n_runs: int
    respondent: str

    def records(self) -> Iterator[dict[str, object]]:
        """Go through learners and time budgets as JSON objects."""
        for one in self.tally.standings():
            for column, budget in enumerate(self.tally.time_budgets):
                yield {
                    "data": self.crowd.name,
                    "learner": one.learner,
                    "time_budget": budget,
                    "people": one.n_people,
                    "runs": self.n_runs,
                    "error_mean": one.error[column],
                    "error_se": one.error_se[column],
                    "seconds_used_mean": one.seconds[column],
                    "answers_mean": one.answers[column],
                }

    def show(self, *, as_json: bool) -> None:
        """Print records, or a table."""
        if as_json:
            for record in self.records():
                print_json(record)
            return
        columns, rows = _table(self.tally)
        caption = (
            "Share of runs whose recommendation is not the person's best item: mean over "
            f"people ± standard error over people.\n{self._title()}. {self.crowd.citation}"
        )
        print_table(columns, rows, text_columns=0, caption=caption)

    def save(self, out: Path | None, plot: Path | None) -> None:
        """Save results and picture to a folder, or the picture alone."""
        picture = plot
        if out is not None:
            with whole_file(out / _RESULTS, overwrite=True) as draft:
                draft.write_text("".join(map(json_line, self.records())), encoding="utf-8")
            say(f"results: {out / _RESULTS}")
            picture = plot or out / _PICTURE
        if picture is None:
            return
        try:
            with whole_file(picture, overwrite=True) as draft:
                save_picture(draft, self.tally, title=self._title(), citation=self.crowd.citation)
        except MissingExtra as missing:
            say(f"no picture was saved: {missing}", style="yellow")
        else:
            say(f"picture: {picture}")

    def _title(self) -> str:
        people, runs = _counted(len(self.crowd.people), "person", "people"), self.n_runs
        how = "" if self.respondent == "diffusion" else f", answering by {self.respondent}"
        return f"{self.crowd.name}: {people}, {_counted(runs, 'run', 'runs')} each{how}"


def interrupted(cells: Sequence[Cell], out: Path | None) -> None:
    """Say what is left of a race that was interrupted, and how to go on."""
    if out is None:
        message = "interrupted; nothing was stored: with --out DIR, what is done would be kept"
    else:
        store = Store(store_of(out))
        done = sum(cell in store for cell in cells)
        message = (
            f"interrupted; {done} of {len(cells)} cells (a learner with a person) are kept in "
            f"{store.folder}: the same command goes on from there"
        )
    say(message, style="yellow")


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _table(tally: Tally) -> tuple[list[str], list[list[str]]]:
    standings = list(tally.standings())
    rows = [
        [f"{budget:g}", *(_cell(one, column) for one in standings)]
        for column, budget in enumerate(tally.time_budgets)
    ]
    return ["seconds", *(one.learner for one in standings)], rows


def _cell(one: Standing, column: int) -> str:
    if np.isnan(one.error[column]):
        return ""
    return plus_minus(one.error[column], one.error_se[column], digits=3)


@contextmanager
def board(tally: Tally, total: int) -> Iterator[Callable[[int], None]]:
    """Show the errors so far and a bar on stderr while it is a terminal.

    Yields what is told how many cells are done.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    progress = Progress(
        TextColumn("people by learners"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    )
    task = progress.add_task("", total=total)

    def shown() -> Group:
        columns, rows = _table(tally)
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in columns:
            table.add_column(name, justify="right")
        for row in rows:
            table.add_row(*row)
        return Group(table, progress)

    with Live(shown(), console=Console(stderr=True), transient=True) as live:

        def report(done: int) -> None:
            progress.update(task, completed=done)
            live.update(shown())

        yield report
