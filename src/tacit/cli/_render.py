"""What commands print: tables for people, JSON for programs, messages on stderr."""

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shlex import quote
from unicodedata import category

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

WIDTH_OF_FILES = 160
"""Columns of a table that is printed to a file or a pipe, which have no width of their own."""


# Messages of the library name its keywords; on the command line these are options.
_KEYWORD = re.compile(
    r"""\b(?P<name>on_invalid|choice_coding|time_unit|allow_identical|delimiter)
    =(?P<quote>["']?)(?P<value>\w+|(?<=["'])[^"']+)(?P=quote)
    (?:\ or\ (?:choice|seconds)_from_\w+)?""",
    re.VERBOSE,
)
_OTHER_NAMES = {
    "person None: ": "",
    "allow_void_times=True": "`tacit fit --robust`",
    "GaussianPrior": "--prior-sd",
    "nondecision_time as a number": "--nondecision-time",
}


def console() -> Console:
    """Return the console of results: stdout as it is now."""
    return Console(width=None if sys.stdout.isatty() else WIDTH_OF_FILES, highlight=False)


def say(message: str, *, style: str = "") -> None:
    """Print a message beside the results, on stderr."""
    Console(stderr=True, highlight=False).print(message, style=style, markup=False, soft_wrap=True)


def describe(problem: BaseException | str) -> str:
    """Write an error or a warning for the command line, where keywords are options."""
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.filename or 'the output'}: {problem.strerror.lower()}"
    message = str(problem)
    for name, option in _OTHER_NAMES.items():
        message = message.replace(name, option)
    return _KEYWORD.sub(_as_option, message)


def _as_option(keyword: re.Match[str]) -> str:
    option = "--" + keyword["name"].replace("_", "-")
    return option if keyword["value"] == "True" else f"{option} {quote(keyword['value'])}"


def wants_json(choice: bool | None) -> bool:
    """Tell whether to print JSON: as chosen, else tables on a terminal and JSON elsewhere."""
    return not sys.stdout.isatty() if choice is None else choice


def print_json(record: Mapping[str, object]) -> None:
    """Print a record as one line of JSON; numbers that are not finite become null."""
    sys.stdout.write(json_line(record))


def json_line(record: Mapping[str, object]) -> str:
    """Return a record as one line of JSON, ended; numbers that are not finite become null."""
    return json.dumps(_plain(record), ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    # NumPy's numbers know how to become Python's.
    return _plain(value.item()) if hasattr(value, "item") else value


def print_table(
    columns: Sequence[str] | None,
    rows: Sequence[Sequence[str]],
    *,
    text_columns: int = 1,
    caption: str = "",
) -> None:
    """Print a table whose first columns hold text and whose others hold numbers.

    Without names of columns, it has no heading.
    """
    table = Table(box=None, pad_edge=False, show_header=columns is not None, header_style="bold")
    for position, name in enumerate(columns or [""] * len(rows[0])):
        table.add_column(name, justify="left" if position < text_columns else "right")
    for row in rows:
        table.add_row(*(Text(_visible(cell)) for cell in row))
    console().print(table)
    print_text(caption, style="dim")


def _visible(text: str) -> str:
    """Write out control characters, which would steer the terminal."""
    return "".join(
        repr(character)[1:-1] if category(character) == "Cc" and character != "\n" else character
        for character in text
    )


def print_text(text: str, *, style: str = "") -> None:
    """Print a paragraph among the results."""
    console().print(Text(text, style=style))


def plus_minus(value: float, sd: float, digits: int = 2) -> str:
    """Write a value with its standard deviation: ``1.23 ± 0.04``."""
    if not math.isfinite(sd):
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} ± {sd:.{digits}f}"


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr while it is a terminal; yields what is told how much is done.

    Where the total is not known beforehand, it is None.
    """
    if (total is not None and total < 2) or not sys.stderr.isatty():
        yield _ignore
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)


def _ignore(done: int) -> None:
    """Take note of nothing."""
