"""``tacit fit``: what people like, and how they decide."""

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli._command import command, report_failures
from tacit.cli._options import Jobs, Json, PriorSd, TrialFile
from tacit.errors import DataError


@command
def fit(
    *,
    file: TrialFile,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust",
            help="Doubt every answer: allow for guesses, lapses, and missing times.",
        ),
    ] = False,
    nondecision_time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Take the nondecision time as known. [dim]default: estimated[/dim]",
        ),
    ] = None,
    prior_sd: PriorSd = None,
    json: Json = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT",
            help="Save a picture of the fit, with several people one for each of them "
            "(OUT-PERSON); needs the extra plot.",
        ),
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Learn from timed choices what people like, and how they decide.

    TRIALS has a row for each answered question, with the columns [bold]first[/bold],
    [bold]second[/bold] (items), [bold]choice[/bold] (1 for the first, -1 for the second),
    [bold]response_time[/bold] (seconds) and perhaps [bold]person[/bold]. Columns may have
    other names, codings and units: see the options.

    The fit is the exact posterior of everybody's barrier, nondecision time and weights, without
    sampling; means are reported, each with its standard deviation.

    [bold]JSON[/bold]: person, n_trials, excluded (rows by reason), method, barrier, barrier_sd,
    nondecision_time, nondecision_time_sd, weights and weights_sd (by feature, or by item),
    utility_zero (what utilities are measured from), items (ranked: item, utility, sd,
    probability_best), contamination (of a robust fit), error (why there is nothing else).

    [bold]Example[/bold]: tacit fit trials.csv --choice-coding zero_one --time-unit ms

    [bold]Exit codes[/bold]: 0 if all people were fitted, 1 if not all, 2 if none, or if the data
    or options cannot be used.
    """
    from tacit.cli._fit_picture import check_picture, save_pictures
    from tacit.cli._fit_report import fit_record, print_fits
    from tacit.cli._fitting import Settings, fit_exactly, fit_robustly
    from tacit.cli._reading import read_people
    from tacit.cli._render import print_json, progress_bar, say, wants_json

    if robust and plot is not None:
        raise DataError("--plot shows the exact posterior; leave out --plot or --robust")
    if plot is not None:
        check_picture(plot)
    fastest = 0.0 if robust else nondecision_time or 0.0
    people = read_people(file, nondecision_time=fastest, allow_void_times=robust)
    settings = Settings(nondecision_time, prior_sd)
    with progress_bar("fitting people", len(people)) as progress:
        if robust:
            fits = fit_robustly(people, settings, progress)
        else:
            fits = fit_exactly(people, settings, jobs, progress)
    as_json = wants_json(json)
    if as_json:
        for fitted in fits:
            print_json(fit_record(fitted))
    else:
        print_fits(fits)
    if plot is not None:
        for path in save_pictures(plot, fits):
            say(f"picture: {path}")
    names = [person.name for person in people]
    report_failures(names, [fitted.outcome for fitted in fits], seen=not as_json)
