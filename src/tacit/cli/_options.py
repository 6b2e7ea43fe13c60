"""The options that several commands share."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class TimeUnit(StrEnum):
    """Unit of response times in a file."""

    SECONDS = "s"
    MILLISECONDS = "ms"


class OnInvalid(StrEnum):
    """What to do with rows that cannot be used."""

    RAISE = "raise"
    EXCLUDE = "exclude"


COLUMNS = "Columns of the file"
ROWS = "Rows of the file"
POPULATION = "People of your own design"
SPHERE = "People on the sphere"

Json = Annotated[
    bool | None,
    typer.Option(
        "--json/--table",
        help="One JSON object for each person and line, or a table. "
        "[dim]default: a table on a terminal, JSON elsewhere[/dim]",
        show_default=False,
    ),
]


def _some_jobs(jobs: int | None) -> int | None:
    if jobs == 0:
        raise typer.BadParameter("there is no work without a process; 1 is the least")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(
        min=-1,
        callback=_some_jobs,
        help="Processes for exact fits; -1 is one for each core. [dim]default: more than one "
        "for many people[/dim]",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=-1,
        callback=_some_jobs,
        help="Processes that share the work; -1 is one for each core. The numbers are the same. "
        "[dim]default: one[/dim]",
    ),
]
Seed = Annotated[
    int, typer.Option(min=0, help="Seed of the random numbers: the same seed, the same result.")
]
PriorSd = Annotated[
    float | None,
    typer.Option(
        metavar="SD",
        min=1e-6,
        max=1e6,
        help="Expect weights to be around 0 with this standard deviation, for people with few "
        "answers. [dim]default: any weight is as likely[/dim]",
    ),
]
Folds = Annotated[
    int, typer.Option(min=3, help="Parts of the answers that take turns in being left out.")
]


@dataclass(frozen=True)
class TrialColumns:
    """Where trials are, how they are written, and which count."""

    trials: Annotated[
        Path,
        typer.Argument(
            metavar="TRIALS",
            help="CSV, TSV or Parquet file with one row for each answered question.",
        ),
    ]
    items: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with a column [bold]item[/bold] and a column for each feature. "
            "Without it every item has a utility of its own.",
        ),
    ] = None
    first: Annotated[
        str, typer.Option(metavar="COLUMN", rich_help_panel=COLUMNS, help="Item shown first.")
    ] = "first"
    second: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            rich_help_panel=COLUMNS,
            help="Item shown second; an empty cell stands for the reference, as in a yes/no "
            'question. "" if there is no such column: every row is a yes/no question.',
        ),
    ] = "second"
    choice: Annotated[
        str, typer.Option(metavar="COLUMN", rich_help_panel=COLUMNS, help="What was chosen.")
    ] = "choice"
    response_time: Annotated[
        str,
        typer.Option(metavar="COLUMN", rich_help_panel=COLUMNS, help="How long the answer took."),
    ] = "response_time"
    person: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            rich_help_panel=COLUMNS,
            help='Who answered. "" takes all rows as one person\'s. '
            "[dim]default: person, if there is such a column[/dim]",
        ),
    ] = None
    choice_coding: Annotated[
        str,
        typer.Option(
            metavar="CODING",
            rich_help_panel=COLUMNS,
            help="plus_minus (1, -1), zero_one (1, 0), one_two (1, 2), left_right, or the two "
            "values that mean first and second, such as yes/no.",
        ),
    ] = "plus_minus"
    time_unit: Annotated[
        TimeUnit, typer.Option(rich_help_panel=COLUMNS, help="Unit of the response times.")
    ] = TimeUnit.SECONDS
    delimiter: Annotated[
        str | None,
        typer.Option(
            metavar="CHARACTER",
            rich_help_panel=COLUMNS,
            help="What separates the cells. [dim]default: a comma, in .tsv files a tab[/dim]",
        ),
    ] = None
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="ITEM",
            rich_help_panel=COLUMNS,
            help="Item whose utility is taken as zero, and that empty cells of "
            "[bold]second[/bold] stand for.",
        ),
    ] = None
    allow_identical: Annotated[
        bool,
        typer.Option(
            "--allow-identical",
            rich_help_panel=ROWS,
            help="Keep rows with the same item twice, which only tell how fast the person is.",
        ),
    ] = False
    drop_fast: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", min=0, rich_help_panel=ROWS, help="Leave out faster answers."
        ),
    ] = None
    drop_slow: Annotated[
        float | None,
        typer.Option(
            metavar="SDS",
            min=0,
            rich_help_panel=ROWS,
            help="Leave out answers slower than the person's mean plus this many "
            "standard deviations.",
        ),
    ] = None


@dataclass(frozen=True)
class TrialFile(TrialColumns):
    """Where trials are and how they are written: the options of commands that read a file."""

    on_invalid: Annotated[
        OnInvalid,
        typer.Option(
            rich_help_panel=ROWS,
            help="Stop at rows that cannot be used, or leave them out and count them.",
        ),
    ] = OnInvalid.RAISE


@dataclass(frozen=True)
class Population:
    """What people made up by ``tacit simulate`` have in common."""

    items: Annotated[
        int, typer.Option(min=1, rich_help_panel=POPULATION, help="How many items there are.")
    ] = 10
    features: Annotated[
        int,
        typer.Option(
            min=0,
            rich_help_panel=POPULATION,
            help="How many features an item has; with 0 every item has a utility of its own.",
        ),
    ] = 0
    spread: Annotated[
        float,
        typer.Option(
            min=0, rich_help_panel=POPULATION, help="Standard deviation of utilities of items."
        ),
    ] = 1.0
    barrier: Annotated[
        float,
        typer.Option(
            min=0.1,
            rich_help_panel=POPULATION,
            help="Evidence they need; times grow with its square.",
        ),
    ] = 1.2
    nondecision_time: Annotated[
        float,
        typer.Option(min=0, rich_help_panel=POPULATION, help="Seconds to see and to answer."),
    ] = 0.4
    yes_no: Annotated[
        bool,
        typer.Option(
            "--yes-no",
            rich_help_panel=POPULATION,
            help="Ask about single items, yes or no, instead of pairs.",
        ),
    ] = False


@dataclass(frozen=True)
class SphereOptions:
    """What people on the sphere, of ``tacit race --data sphere``, have in common."""

    scale: Annotated[
        float,
        typer.Option(
            min=1e-3,
            rich_help_panel=SPHERE,
            help="Length of the items: how strong all preferences are.",
        ),
    ] = 10.0
    barrier: Annotated[
        float,
        typer.Option(
            min=0.01,
            rich_help_panel=SPHERE,
            help="Evidence they need; times grow with its square.",
        ),
    ] = 1.0
    nondecision_time: Annotated[
        float, typer.Option(min=0, rich_help_panel=SPHERE, help="Seconds to see and to answer.")
    ] = 0.4
