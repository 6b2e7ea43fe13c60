"""``tacit paper``: every figure and claim of the paper, run, drawn and judged."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import INTERRUPTED, command
from tacit.cli._options import Workers

paper = typer.Typer(
    name="paper",
    no_args_is_help=True,
    help="Regenerate every figure and claim of the paper (Li et al., NeurIPS 2024), and go beyond.",
)


class Scale(StrEnum):
    """How much to do."""

    SMOKE = "smoke"
    QUICK = "quick"
    FULL = "full"


class Backend(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    DASK = "dask"


@dataclass(frozen=True)
class Place:
    """Which results are meant: the options that all three commands share."""

    scale: Annotated[
        Scale,
        typer.Option(
            help="A few people and runs ([bold]smoke[/bold], under a minute on two cores), enough "
            "to see the shapes ([bold]quick[/bold], some minutes), or all that the paper did."
        ),
    ] = Scale.SMOKE
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder of all results. What is there is not run again, so that the same command "
            "goes on after an interruption, and draws anew what is complete.",
        ),
    ] = Path("paper")
    published_fits: Annotated[
        bool,
        typer.Option(
            "--published-fits",
            help="Simulate people with the parameters that the paper published, instead of "
            "fitting the raw answers here.",
        ),
    ] = False


@paper.command("list")
@command
def list_figures(*, place: Place) -> None:
    """Show which figures and tables there are, and what came of them so far.

    [bold]Exit codes[/bold]: 0, or 2 if results cannot be read.
    """
    from tacit.cli._paper import Shelf, shown

    shown(Shelf(place.out, place.scale.value, published=place.published_fits))


@paper.command()
@command
def run(
    *,
    figures: Annotated[
        list[str],
        typer.Argument(
            metavar="FIGURE...", help="Names of [bold]tacit paper list[/bold], or [bold]all[/bold]."
        ),
    ],
    place: Place,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with the files of the data sets. [dim]default: the variable TACIT_DATA, "
            "else they are downloaded[/dim]",
        ),
    ] = None,
    jobs: Workers = None,
    backend: Annotated[
        Backend,
        typer.Option(
            help="Where the work is done: processes of this machine, or the workers of a cluster. "
            "The numbers are the same."
        ),
    ] = Backend.LOCAL,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Of the cluster's scheduler. [dim]default: a cluster of --jobs workers on this "
            "machine[/dim]",
        ),
    ] = None,
) -> None:
    """Run what is missing of figures, draw them, and judge the paper's claims by the numbers.

    For each figure, a PDF, a PNG, a table (CSV) and the verdict (JSON) are in a subfolder of DIR
    named after the scale; every run is in DIR/cells (Parquet).

    [bold]Example[/bold]: tacit paper run figure-4 figure-5 --scale quick --jobs 2

    [bold]Exit codes[/bold]: 0 if all figures were drawn, 2 if not, 130 if interrupted.
    """
    from tacit.cli._paper import Shelf, chosen, produce
    from tacit.cli._paper_backend import working
    from tacit.cli._render import say

    names = chosen(figures)
    shelf = Shelf(place.out, place.scale.value, published=place.published_fits)
    try:
        with working(backend.value, jobs, scheduler):
            produce(names, shelf, data=data, n_jobs=jobs)
    except KeyboardInterrupt:
        say("interrupted; what was run is kept: the same command goes on", style="yellow")
        raise typer.Exit(INTERRUPTED) from None


@paper.command()
@command
def report(*, place: Place) -> None:
    """Write one HTML page: every figure that was drawn, its claim, the verdict, and the command.

    The page (DIR/SCALE/report.html) needs no other file and no network.

    [bold]Exit codes[/bold]: 0 if written, 2 if nothing was drawn at this scale.
    """
    from tacit.cli._paper import Shelf, write_report
    from tacit.cli._render import print_text

    shelf = Shelf(place.out, place.scale.value, published=place.published_fits)
    print_text(f"report: {write_report(shelf)}")
