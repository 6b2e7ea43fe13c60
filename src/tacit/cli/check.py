"""``tacit check``: do these people decide as the model says?"""

from typing import Annotated

import typer

from tacit.cli._command import UNUSABLE, command
from tacit.cli._options import Json, PriorSd, TrialFile

MISFIT = 1
"""Exit code when somebody's answers do not fit the model."""


@command
def check(
    *,
    file: TrialFile,
    level: Annotated[
        float,
        typer.Option(
            min=1e-6,
            max=0.5,
            help="Probability of reporting anybody at all if everybody fits the model.",
        ),
    ] = 0.01,
    prior_sd: PriorSd = None,
    json: Json = None,
) -> None:
    """Check whether people decide as the model says, and if not, in which way they differ.

    Choices and times of each person are compared with what the fitted model implies: among
    others, that times do not depend on the choice, that nothing drifts over the session, and that
    no answer is too fast or too slow. What is to be expected comes from people simulated like them.

    TRIALS is a file as for [bold]tacit fit[/bold], with the rows in the order in which the
    questions were answered.

    [bold]JSON[/bold]: person, n_trials, excluded, ok, level (for this person alone), reasons (what
    is wrong), checks (the most surprising first: name, z, p_value, failed; null where the
    questions cannot tell); or error.

    [bold]Example[/bold]: tacit check trials.csv

    [bold]Exit codes[/bold]: 0 if the answers fit the model, 1 if somebody's do not, 2 if the data
    or options cannot be used, or too few answers to check somebody.
    """
    from tacit import bayes
    from tacit.bayes import ModelReport
    from tacit.cli._check_report import check_record, print_checks
    from tacit.cli._fitting import Settings, check_comparable
    from tacit.cli._reading import PersonTrials, for_each, read_people
    from tacit.cli._render import print_json, progress_bar, wants_json
    from tacit.errors import TacitError

    people, settings = read_people(file), Settings(prior_sd=prior_sd)

    def compare(person: PersonTrials) -> ModelReport:
        own = check_comparable(person, settings).trials
        columns = (own.vectors, own.choice, own.response_time)
        posterior = bayes.fit(*columns, prior=settings.prior)
        return bayes.model_checks(*columns, posterior, level=level / len(people))

    with progress_bar("checking people", len(people)) as progress:
        reports = for_each(people, compare, progress)
    if wants_json(json):
        for person, report in zip(people, reports, strict=True):
            print_json(check_record(person, report))
    else:
        print_checks(people, reports)
    if any(isinstance(report, ModelReport) and not report.ok for report in reports):
        raise typer.Exit(MISFIT)
    if any(isinstance(report, TacitError) for report in reports):
        raise typer.Exit(UNUSABLE)
