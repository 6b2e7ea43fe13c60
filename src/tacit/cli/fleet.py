"""``tacit fleet``: the estimates of everybody in a log of any size."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli._command import command
from tacit.cli._options import ROWS, Json, PriorSd, TrialColumns

if TYPE_CHECKING:
    from tacit.fleet import FleetFit, Log

MACHINE = "This machine"

fleet = typer.Typer(
    name="fleet",
    no_args_is_help=True,
    help="Estimate everybody in a log of any size, and keep the sums that it takes.",
)

Statistics = Annotated[
    Path, typer.Argument(metavar="SUMS", help="File that --statistics or merge wrote.")
]
Person = Annotated[str, typer.Argument(metavar="PERSON", help="Who, as named in the file.")]


@fleet.command("fit")
@command
def fit_log(
    *,
    file: TrialColumns,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Parquet file for one row for each person.")
    ],
    features: Annotated[
        str,
        typer.Option(
            metavar="COLUMNS",
            help="Columns with features of the first item minus those of the second, "
            "separated by commas, instead of items.",
        ),
    ] = "",
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Table, where TRIALS is a DuckDB database.")
    ] = None,
    nondecision_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Take the nondecision time as known. "
            "[dim]default: a share of each person's fastest answer[/dim]",
        ),
    ] = None,
    fastest_share: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=0.99, help="That share.")
    ] = 0.85,
    prior_sd: PriorSd = None,
    best: Annotated[
        int, typer.Option(min=0, help="How many of each person's best items to name.")
    ] = 3,
    censor_above: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=1e-3,
            rich_help_panel=ROWS,
            help="Take slower answers as not given by then, whatever they are.",
        ),
    ] = None,
    statistics: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the sums, too, to add later logs to."),
    ] = None,
    add: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Sums of earlier logs, which count as well."),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE", rich_help_panel=MACHINE, help="Memory for sorting; more goes to disk."
        ),
    ] = "2GB",
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            rich_help_panel=MACHINE,
            help="Threads for sorting. [dim]default: one for each core[/dim]",
        ),
    ] = None,
    json: Json = None,
) -> None:
    """Estimate everybody in a log of any size.

    TRIALS is a file, a folder or a quoted pattern of Parquet, CSV or TSV files, or a DuckDB
    database, with columns as for [bold]tacit fit[/bold]; [bold]person[/bold] is needed. Rows that
    cannot be used are left out, and counted by reason for each person.

    The estimates are those of maximum likelihood given the nondecision time. OUT has
    person, n_trials, n_censored, excluded_... (by reason), barrier, nondecision_time, weights,
    covariance (upper triangle, row by row), side_bias, flags (what is odd), and best_items with
    best_utilities and best_probabilities. It is written whole or not at all.

    [bold]JSON[/bold]: n_people, n_trials, excluded, flags (number of people), notes (what holds for
    everybody), seconds (by stage).

    [bold]Example[/bold]: tacit fleet fit logs/ --items items.parquet --out estimates.parquet

    [bold]Exit codes[/bold]: 0 if the estimates were written, 2 if not.
    """
    from tacit import fleet as room
    from tacit.cli._render import progress_bar
    from tacit.records import Items

    delimiter = "\t" if file.delimiter == r"\t" else file.delimiter
    items = None if file.items is None else Items.read(file.items, delimiter=delimiter)
    model = room.Model(
        nondecision_time=nondecision_time,
        fastest_share=fastest_share,
        prior_sd=prior_sd,
        n_best=best,
    )
    columns = tuple(name for name in features.split(",") if name)
    with progress_bar("people", None) as progress:
        found = room.fit(
            file.trials,
            items,
            log=_log(file, columns, table, censor_above),
            model=model,
            out=out,
            statistics=statistics,
            add=add,
            engine=room.Engine(memory=memory, threads=threads),
            progress=progress,
        )
    _print(found, out, json)


def _log(
    file: TrialColumns, features: tuple[str, ...], table: str | None, censor_above: float | None
) -> "Log":
    from tacit.fleet import Log

    return Log(
        first=file.first,
        second=file.second or None,
        choice=file.choice,
        response_time=file.response_time,
        person="person" if file.person is None else file.person or None,
        features=features or None,
        choice_coding=file.choice_coding,
        time_unit=file.time_unit.value,
        reference=file.reference,
        allow_identical=file.allow_identical,
        drop_fast=file.drop_fast,
        drop_slow=file.drop_slow,
        censor_above=censor_above,
        table=table,
        delimiter="\t" if file.delimiter == r"\t" else file.delimiter,
    )


def _print(found: "FleetFit", out: Path, json: bool | None) -> None:
    from tacit.cli._render import print_json, print_table, wants_json
    from tacit.fleet import FLAGS

    if wants_json(json):
        names = ("n_people", "n_trials", "excluded", "flags", "notes", "seconds")
        print_json({name: getattr(found, name) for name in names})
        return
    facts = [("people", f"{found.n_people:,}"), ("trials", f"{found.n_trials:,}")]
    facts += [(f"left out: {reason}", f"{n:,}") for reason, n in found.excluded.items()]
    facts += [("estimates", str(out))]
    print_table(None, facts, text_columns=2)
    if found.flags:
        rows = [(name, FLAGS[name], f"{n:,}") for name, n in found.flags.items()]
        print_table(("flag", "meaning", "people"), rows, text_columns=2)
    for note in found.notes:
        typer.echo(f"note: {note}")


@fleet.command("merge")
@command
def merge_sums(
    *,
    files: Annotated[list[Path], typer.Argument(metavar="SUMS...", help="Files of sums.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Parquet file for the sums of all.")],
) -> None:
    """Add up files of sums, person by person.

    [bold]Example[/bold]: tacit fleet merge monday.parquet tuesday.parquet --out week.parquet

    [bold]Exit codes[/bold]: 0 if written, 2 if not.
    """
    from tacit import fleet as room

    typer.echo(f"people: {room.merge(files, out):,}")


@fleet.command("export")
@command
def export_sums(*, statistics: Statistics, person: Person) -> None:
    """Print everything that a file of sums holds about one person, as JSON.

    [bold]Example[/bold]: tacit fleet export sums.parquet ann

    [bold]Exit codes[/bold]: 0 if there is such a person, 2 if not.
    """
    from tacit import fleet as room

    typer.echo(room.export_person(statistics, person))


@fleet.command("delete")
@command
def delete_sums(*, statistics: Statistics, person: Person) -> None:
    """Take one person out of a file of sums.

    [bold]Example[/bold]: tacit fleet delete sums.parquet ann

    [bold]Exit codes[/bold]: 0 if done, 2 if there is no such person.
    """
    from tacit import fleet as room

    room.delete_person(statistics, person)
    typer.echo(f"{statistics} holds nobody named {person} any more")
