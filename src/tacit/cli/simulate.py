"""``tacit simulate``: draw people and their answers to a file."""

import shlex
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command
from tacit.cli._options import Population, Seed
from tacit.cli._render import json_line
from tacit.errors import DataError


class Imitated(StrEnum):
    """The data sets that made-up people can be like."""

    CLITHERO = "clithero"
    FOOD_RISK = "food-risk"
    KRAJBICH = "krajbich"


@command
def simulate(
    *,
    output: Annotated[
        Path, typer.Argument(metavar="OUT", help="File to write: .csv, .tsv or .parquet.")
    ],
    population: Population,
    people: Annotated[int, typer.Option(min=1, help="How many people.")] = 1,
    trials: Annotated[int, typer.Option(min=1, help="How many questions each answers.")] = 200,
    look_alike: Annotated[
        Imitated | None,
        typer.Option(
            help="Draw people like those of a published data set, with its items and questions."
        ),
    ] = None,
    seed: Seed = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")] = False,
) -> None:
    """Draw people and their answers to a file: to try things out, or to plan a study.

    Next to OUT, [bold].truth.jsonl[/bold] says what is true: one JSON object for each person,
    with the names of [bold]tacit fit --json[/bold]. Where items have features,
    [bold].items.csv[/bold] holds them.

    [bold]Example[/bold]: tacit simulate study.csv --people 5 --trials 150 --seed 7

    [bold]Exit codes[/bold]: 0 if written, 2 if not.
    """
    import numpy as np

    from tacit.cli._people import all_items, answers, draw_people, truth
    from tacit.datasets import look_alike as draw_look_alikes
    from tacit.records._whole_file import make_room, whole_file
    from tacit.records.tables import checked_format, write_columns

    if look_alike is not None and population != Population():
        raise DataError(
            f"people like those of {look_alike.value} come with their own items, barriers and "
            "questions; leave out --look-alike or the options of your own design"
        )
    checked_format(output)
    make_room(output, overwrite=force)
    rng = np.random.default_rng(seed)
    if look_alike is None:
        crowd = draw_people(population, people, rng)
    else:
        crowd = draw_look_alikes(look_alike.value, people, rng=rng)
    items = all_items(crowd)
    paths = {"answers": output, "truth": output.with_suffix(".truth.jsonl")}
    if items is not None:
        paths["items"] = output.with_suffix(".items.csv")
    with ExitStack() as whole:
        drafts = {
            name: whole.enter_context(whole_file(path, overwrite=force))
            for name, path in paths.items()
        }
        write_columns(answers(crowd, trials, rng), drafts["answers"])
        truths = (json_line(truth(number, person)) for number, person in enumerate(crowd, 1))
        drafts["truth"].write_text("".join(truths), encoding="utf-8")
        if items is not None:
            items.write(drafts["items"])
    for name, path in paths.items():
        typer.echo(f"{name}: {path}")
    arguments = [output, "--items", paths["items"]] if "items" in paths else [output]
    typer.echo(f"next: tacit fit {shlex.join(map(str, arguments))}")
