"""``tacit worth``: are these people's response times worth using?"""

from tacit.cli._command import command, report_failures
from tacit.cli._options import Folds, Json, Seed, TrialFile


@command
def worth(*, file: TrialFile, folds: Folds = 5, seed: Seed = 0, json: Json = None) -> None:
    """Tell whether response times are worth using, by predicting choices with and without.

    For each person, choices that were left out are predicted from the other answers: from
    choices alone, with the ridge that suits them best, and from choices and times. The
    information ratio says how many untimed answers one timed answer replaces if times
    follow the model; it is large where preferences are strong.

    TRIALS is a file as for [bold]tacit fit[/bold].

    [bold]JSON[/bold]: person, n_people, n_trials, excluded, information_ratio, time_weights
    (compared weights of the times: 0 for choices alone, 1 for the exact likelihood) with the
    log_losses and accuracies of each, log_loss_gain and accuracy_gain (of weight 1 over weight 0:
    mean, low and high of the 95% interval), best_time_weight, verdict, answer; or error. After
    several people comes one object for all of them, with person null.

    [bold]Example[/bold]: tacit worth trials.csv

    [bold]Exit codes[/bold]: 0 if there is an answer for everybody, 1 if not, 2 if for nobody, or
    if the data or options cannot be used.
    """
    from tacit.cli._reading import PersonTrials, for_each, read_people
    from tacit.cli._render import print_json, progress_bar, wants_json
    from tacit.cli._worth_report import print_worth, worth_records
    from tacit.estimators.worth import TimesWorth, times_worth

    def compare(person: PersonTrials) -> TimesWorth:
        own = person.trials
        return times_worth(own.vectors, own.choice, own.response_time, n_folds=folds, seed=seed)

    people = read_people(file)
    with progress_bar("comparing predictions", len(people)) as progress:
        reports = for_each(people, compare, progress)
    as_json = wants_json(json)
    if as_json:
        for record in worth_records(people, reports):
            print_json(record)
    else:
        print_worth(people, reports)
    report_failures([person.name for person in people], reports, seen=not as_json)
