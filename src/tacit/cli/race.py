"""``tacit race``: which learner finds people's favourites sooner?"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import INTERRUPTED, command
from tacit.cli._options import Seed, SphereOptions, Workers
from tacit.errors import DataError


class Data(StrEnum):
    """Whom learners race for."""

    LOOK_ALIKE = "look-alike"
    LOOK_ALIKE_KRAJBICH = "look-alike-krajbich"
    LOOK_ALIKE_FOOD_RISK = "look-alike-food-risk"
    SPHERE = "sphere"
    CLITHERO = "clithero"
    KRAJBICH = "krajbich"
    FOOD_RISK = "food-risk"


REAL = {Data.CLITHERO, Data.KRAJBICH, Data.FOOD_RISK}


@command
def race(
    *,
    data: Annotated[
        Data,
        typer.Option(
            help="Whose favourites are sought: people of a published data set, simulated with "
            "the parameters that fit them; made-up people like them ([bold]look-alike[/bold]: "
            "like those of clithero), which needs no data; or the paper's problems with two best "
            "items that nearly agree."
        ),
    ] = Data.LOOK_ALIKE,
    learners: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,...]",
            help="Who races, separated by commas or with the option repeated: TopTwo, "
            "ChoiceTopTwo, StopWhenSure, FixedDesign, RandomPairs, GSE, SequentialHalving, Oracle, "
            "with parameters of their classes in Python as options (GSE:eta=6,phase_buffer=10; "
            "TopTwo:prior.drift_sd=2). GSE is told what the paper tells it about each person: the "
            "nondecision time, and eta and the buffer of the data set. Oracle knows the person, "
            "and asks in the fixed shares that are best. "
            "[dim]default: TopTwo,ChoiceTopTwo,GSE,RandomPairs[/dim]",
        ),
    ] = None,
    budgets: Annotated[
        str | None,
        typer.Option(
            metavar="SECONDS,...",
            help="Time budgets, increasing. [dim]default: those of the paper for these "
            "people[/dim]",
        ),
    ] = None,
    runs: Annotated[
        int, typer.Option(min=1, help="How often each learner questions each person.")
    ] = 20,
    people: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many people: the first ones of a data set, or so many made-up ones. "
            "[dim]default: all, or 20[/dim]",
        ),
    ] = None,
    respondent: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How people answer: diffusion (as the model says), lapses, variable-drift, "
            "biased, variable-nondecision, collapsing, race, levy, or ssms:MODEL of "
            "ssm-simulators.",
        ),
    ] = "diffusion",
    sphere: SphereOptions,
    published_fits: Annotated[
        bool,
        typer.Option(
            "--published-fits",
            help="Simulate people of a data set with the parameters that its paper published, "
            "instead of fitting them here.",
        ),
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with the files of the data sets. [dim]default: the variable TACIT_DATA, "
            "else they are downloaded[/dim]",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder for the outcomes of every run (cells/, Parquet; needs the extra tables), "
            "the results (results.jsonl) and a picture (race.png). What is there is not run again, "
            "so that the same command goes on after an interruption.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to save a picture; needs the extra plot.",
        ),
    ] = None,
    jobs: Workers = None,
    seed: Seed = 0,
    json: Annotated[
        bool | None,
        typer.Option(
            "--json/--table",
            help="One JSON object for each learner and time budget, or a table. "
            "[dim]default: a table on a terminal, JSON elsewhere[/dim]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Let learners race for simulated people's favourites: who errs less within the same seconds?

    Each learner questions each person in several runs, and recommends an item at every time
    budget. An error is an item that is not the person's best one.

    [bold]JSON[/bold]: data, learner, time_budget (seconds), people, runs (of each person),
    error_mean (share of runs that err, averaged over people), error_se (its standard error over
    people, null for one person), seconds_used_mean, answers_mean.

    [bold]Example[/bold]: tacit race --learners TopTwo,GSE:eta=4 --budgets 50,100 --plot race.png

    [bold]Exit codes[/bold]: 0 if the race was run, 2 if not, 130 if it was interrupted.
    """
    from tacit.cli import _race
    from tacit.cli._fit_picture import check_picture
    from tacit.cli._race_people import course
    from tacit.cli._race_report import Report, board, interrupted
    from tacit.cli._render import wants_json

    if data is not Data.SPHERE and sphere != SphereOptions():
        raise DataError(f"people of {data.value} have their own parameters; use --data sphere")
    if data not in REAL and (published_fits or folder is not None):
        raise DataError(f"{data.value} needs no files; leave out --published-fits and --folder")
    if plot is not None:
        check_picture(plot)
    takes_part = _race.entries(learners or [_race.DEFAULT])
    field = course(data.value, people, sphere, published=published_fits, folder=folder, seed=seed)
    seconds = _race.budgets(budgets) if budgets else field.setting.time_budgets
    cells = _race.cells(field, takes_part, seconds, respondent, n_runs=runs, seed=seed)
    tally = _race.Tally([entry.label for entry in takes_part], seconds)
    report = Report(field, tally, n_runs=runs, respondent=respondent)
    try:
        with board(tally, len(cells)) as progress:
            _race.run(cells, tally, out=out, n_jobs=jobs, progress=progress)
    except KeyboardInterrupt:
        interrupted(cells, out)
        raise typer.Exit(INTERRUPTED) from None
    report.show(as_json=wants_json(json))
    report.save(out, plot)
