"""The ``tacit`` command."""

from typing import Annotated

import typer

import tacit
from tacit.cli.ask import ask
from tacit.cli.backup import backup
from tacit.cli.check import check
from tacit.cli.demo import demo
from tacit.cli.doctor import doctor
from tacit.cli.export import export
from tacit.cli.fit import fit
from tacit.cli.fleet import fleet
from tacit.cli.paper import paper
from tacit.cli.race import race
from tacit.cli.serve import serve
from tacit.cli.simulate import simulate
from tacit.cli.study import study
from tacit.cli.worth import worth

app = typer.Typer(
    name="tacit",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    # Exceptions that reach the user are bugs: the plain traceback is what a report needs.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tacit {tacit.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Learn what people prefer from what they choose [italic]and how long they hesitate[/italic].

    Start with [bold]tacit demo[/bold]. With a file of your own: is it worth it
    ([bold]worth[/bold]), does the model hold ([bold]check[/bold]), what do people like
    ([bold]fit[/bold])? Without one: [bold]tacit simulate trials.csv[/bold].
    """


for command in (fit, check, worth, simulate, race, ask, demo, serve, export, backup, doctor):
    app.command()(command)
for group in (study, fleet, paper):
    app.add_typer(group)
