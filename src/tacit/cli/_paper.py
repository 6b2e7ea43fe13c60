"""The work of ``tacit paper``: figures are run, drawn, judged, and put on a shelf."""

import csv
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from joblib import effective_n_jobs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import tacit
from tacit._extras import require
from tacit.cli._render import json_line, print_table, say
from tacit.datasets import load
from tacit.errors import DataError
from tacit.paper import FIGURES, SCALES, Desk, Entry, Figure, page, save, styled, verdict
from tacit.records._whole_file import whole_file

_TIMES = "times.json"


@dataclass(frozen=True)
class Shelf:
    """The folder of what was drawn at one scale.

    Parameters
    ----------
    out : Path
        Folder of all results.
    scale : str
        Name of the scale.
    published : bool
        Whether people have the published parameters.
    """

    out: Path
    scale: str
    published: bool = False

    @property
    def folder(self) -> Path:
        """Where figures and verdicts are."""
        return self.out / (self.scale + "-published" * self.published)

    def path(self, name: str, suffix: str) -> Path:
        """Return the file of a figure."""
        return self.folder / f"{name}{suffix}"

    def record(self, name: str) -> dict[str, Any] | None:
        """Return claim, findings and verdict of a figure, None if it was not drawn."""
        return _read_json(self.path(name, ".json"))

    def times(self) -> dict[str, Any]:
        """Return what each figure took."""
        return _read_json(self.folder / _TIMES) or {}

    def took(self, name: str, seconds: float, n_run: int, n_jobs: int) -> None:
        """Add a sitting to what a figure took, unless it only drew what was there."""
        times = self.times()
        if n_run == 0 and name in times:
            return
        before = times.get(name, {"seconds": 0.0, "pieces": 0, "sittings": 0})
        times[name] = {
            "seconds": before["seconds"] + round(seconds, 1),
            "pieces": before["pieces"] + n_run,
            "sittings": before["sittings"] + 1,
            "jobs": n_jobs,
        }
        _write(self.folder / _TIMES, json.dumps(times, indent=1) + "\n")

    def command(self, name: str) -> str:
        """Return the command that regenerates a figure."""
        options = ["--scale", self.scale, "--out", quote(str(self.out))]
        return " ".join(["tacit paper run", name, *options, *["--published-fits"] * self.published])


class Bars:
    """Progress on a terminal, and a count of what was run."""

    def __init__(self, bars: Progress | None) -> None:
        self._bars = bars
        self._tasks: dict[str, Any] = {}
        self._before: dict[str, int] = {}
        self.n_run = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Take note of how much is done."""
        self.n_run += done - self._before.get(what, done)
        self._before[what] = done
        if self._bars is None:
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
        self._bars.update(self._tasks[what], completed=done)
        if done == total:
            self._bars.remove_task(self._tasks.pop(what))

    def restart(self) -> None:
        """Forget what was counted: another figure begins."""
        self._before, self.n_run = {}, 0


def chosen(names: Sequence[str]) -> list[str]:
    """Return the figures meant by what was typed, in the order of the list."""
    if "all" in names:
        return list(FIGURES)
    found = {f"figure-{name}" if name.isdigit() else name for name in names}
    if unknown := found - FIGURES.keys():
        raise DataError(f"no figure {min(unknown)!r}; there are {', '.join(FIGURES)}, and all")
    return [name for name in FIGURES if name in found]


def produce(names: Sequence[str], shelf: Shelf, *, data: Path | None, n_jobs: int | None) -> None:
    """Run, draw and judge figures, one after the other."""
    require("pyarrow", extra="tables")
    require("matplotlib", extra="plot")
    # Before long work: are the files there, or can they be had?
    for data_set in sorted({own for name in names for own in FIGURES[name].data_sets}):
        load(data_set, data)
    with _bars() as bars:
        desk = Desk(
            scale=SCALES[shelf.scale],
            out=shelf.out,
            data=data,
            published=shelf.published,
            n_jobs=n_jobs,
            progress=bars,
        )
        for name in names:
            bars.restart()
            start = time.perf_counter()
            try:
                record = _produce(FIGURES[name], desk, shelf)
            finally:
                seconds = time.perf_counter() - start
                shelf.took(name, seconds, bars.n_run, effective_n_jobs(n_jobs))
            say(f"{name}: {record['verdict']} ({seconds:.1f} s), {shelf.path(name, '.pdf')}")


def _produce(figure: Figure[Any], desk: Desk, shelf: Shelf) -> dict[str, Any]:
    found = figure.collect(desk)
    with styled():
        drawn = figure.draw(found)
        for suffix in (".pdf", ".png"):
            with whole_file(shelf.path(figure.name, suffix), overwrite=True) as draft:
                save(drawn, draft)
    findings = figure.judge(found)
    rows = [dict(row) for row in figure.rows(found)]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    _write(shelf.path(figure.name, ".csv"), table.getvalue())
    record = {
        "figure": figure.name,
        "title": figure.title,
        "claim": figure.claim,
        "beyond_the_paper": figure.beyond,
        "scale": asdict(desk.scale),
        "published_fits": desk.published,
        "verdict": verdict(findings),
        "findings": [asdict(finding) for finding in findings],
        "command": shelf.command(figure.name),
        "tacit": tacit.__version__,
    }
    _write(shelf.path(figure.name, ".json"), json_line(record))
    return record


def shown(shelf: Shelf) -> None:
    """Print every figure, and its verdict at this scale."""
    times = shelf.times()
    rows = []
    for name, figure in FIGURES.items():
        record = shelf.record(name)
        took = f"{times[name]['seconds']:.0f} s" if name in times else ""
        rows.append([name, figure.title, record["verdict"] if record else "not drawn", took])
    caption = f"Verdicts at the scale {shelf.scale}, in {shelf.folder}."
    print_table(
        ["figure", "what it shows", "verdict", "took"], rows, text_columns=3, caption=caption
    )


def write_report(shelf: Shelf) -> Path:
    """Put everything that was drawn at a scale on one page; return the page."""
    times, entries, missing = shelf.times(), [], []
    for name in FIGURES:
        record = shelf.record(name)
        if record is None:
            missing.append(name)
            continue
        took = times.get(name, {})
        picture = shelf.path(name, ".png").read_bytes()
        entries.append(
            Entry(
                record,
                picture,
                took.get("seconds"),
                took.get("pieces", 0),
                took.get("jobs", 1),
            )
        )
    if not entries:
        raise DataError(
            f"nothing was drawn in {shelf.folder}; run: tacit paper run all --scale {shelf.scale}"
        )
    path = shelf.folder / "report.html"
    _write(path, page(entries, shelf.scale, missing))
    return path


@contextmanager
def _bars() -> Iterator[Bars]:
    if not sys.stderr.isatty():
        yield Bars(None)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        yield Bars(progress)


def _write(path: Path, text: str) -> None:
    with whole_file(path, overwrite=True) as draft:
        draft.write_text(text, encoding="utf-8")


def _read_json(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise DataError(f"{path} is not JSON: {error}; remove it and run again") from error
    return found
