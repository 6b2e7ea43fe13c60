"""``tacit study``: check a study, rehearse it."""

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import SOME_FAILED, command
from tacit.cli._options import Seed

study = typer.Typer(
    name="study",
    no_args_is_help=True,
    help="Check the file of a live study, and rehearse it with simulated people.",
)

Json = Annotated[bool, typer.Option("--json", help="Print nothing but one JSON object.")]


@study.command()
@command
def check(
    *,
    path: Annotated[Path, typer.Argument(metavar="STUDY", help="TOML file of the study.")],
) -> None:
    """Check the file of a study; every problem in it is named.

    [bold]Example[/bold]: tacit study check study.toml

    [bold]Exit codes[/bold]: 0 if it can be served, 2 if not.
    """
    from tacit.study import read_study

    found = read_study(path)
    typer.echo(f"{path}: {found.title}")
    typer.echo(f"{len(found.items)} items, {found.problem.queries.n_queries} questions")
    typer.echo(f"stages: {', '.join(found.stages)}")
    if found.population is not None:
        typer.echo(f"prior: a population of {found.population.n_people} people")
    typer.echo(f"next: tacit serve {path}")


@study.command()
@command
def simulate(
    *,
    url: Annotated[
        str,
        typer.Option(help="A participant's link, or the address of a server for one of its demos."),
    ] = "http://127.0.0.1:8000",
    demo: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Which demo, if --url is no link; the first otherwise."),
    ] = None,
    participants: Annotated[int, typer.Option(min=1, help="How many, all at once.")] = 10,
    rate: Annotated[
        float | None,
        typer.Option(min=0.001, help="Answers per second of each; without it, no pauses."),
    ] = None,
    patience: Annotated[
        float, typer.Option(min=0, help="Seconds to try again when the server fails.")
    ] = 60.0,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Let simulated people take part through the real API: a rehearsal, or a load test.

    Prints one JSON object in the end: sessions completed; answers sent, acknowledged,
    conflicting, and lost (acknowledged, but not on the server in the end); why anybody could not go
    on; and percentiles of the time from answer to next question. With the preview link that tacit
    serve prints, nothing of it counts as data.

    [bold]Example[/bold]: tacit study simulate --url http://lab:8000/s/LINK --participants 20

    [bold]Exit codes[/bold]: 0 if everybody came through and no answer was lost, 1 if not, 2 if it
    could not begin.
    """
    import gc

    from tacit._extras import require
    from tacit.cli._render import print_json, progress_bar

    require("httpx", extra="web")
    from tacit.client.rehearsal import Rehearsal

    plan = Rehearsal(url, participants, rate=rate, seed=seed, patience=patience, demo=demo)
    # What is loaded now stays: looking through it for garbage would stop everybody's clock.
    gc.freeze()
    if json:
        told = plan.run()
    else:
        with progress_bar("people", participants) as progress:
            told = plan.run(progress)
    print_json(told)
    if told["sessions_completed"] < participants or told["answers_lost"]:
        raise typer.Exit(SOME_FAILED)
