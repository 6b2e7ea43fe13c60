"""``tacit demo``: the main idea, in a terminal and as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command
from tacit.cli._options import Seed


@command
def demo(
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Where to save the picture; needs the extra plot."),
    ] = Path("out/tacit-demo.png"),
    people: Annotated[int, typer.Option(min=2, help="How many people are simulated.")] = 240,
    seconds: Annotated[
        float, typer.Option(min=5, max=600, help="How long each person answers.")
    ] = 60.0,
    seed: Seed = 0,
) -> None:
    """Watch choices and response times race choices alone.

    Simulated people, like those of a published study, say which snacks they like. Two
    learners see the same answers and look for everybody's favourite: one sees the choices, the
    other also how long they took.

    [bold]Example[/bold]: tacit demo --seed 7

    [bold]Exit codes[/bold]: 0 if the race was run, 2 if not.
    """
    from tacit.cli._show import Show

    Show(out, people, seconds, seed).run()
