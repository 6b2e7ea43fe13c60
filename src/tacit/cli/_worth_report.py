"""What ``tacit worth`` prints: records for programs, a table and a sentence for people."""

from collections import Counter
from collections.abc import Sequence

from tacit.cli._reading import PersonTrials
from tacit.cli._render import describe, print_table, print_text
from tacit.errors import TacitError
from tacit.estimators.worth import TimesWorth, pool_worth

Outcome = TimesWorth | TacitError


def worth_records(
    people: Sequence[PersonTrials], outcomes: Sequence[Outcome]
) -> list[dict[str, object]]:
    """Return a JSON object for each person, and one for several people together."""
    records = [
        person.record() | _fields(outcome) for person, outcome in zip(people, outcomes, strict=True)
    ]
    reports = _reports(outcomes)
    if len(people) == 1 or not reports:
        return records
    excluded: Counter[str] = Counter()
    for person in people:
        excluded.update(person.trials.excluded)
    pooled = pool_worth(reports)
    head = {"person": None, "n_trials": pooled.n_trials, "excluded": excluded}
    return [*records, head | _fields(pooled)]


def _fields(outcome: Outcome) -> dict[str, object]:
    if isinstance(outcome, TacitError):
        return {"error": describe(outcome)}
    return {
        "n_people": outcome.n_people,
        "information_ratio": outcome.information_ratio,
        "time_weights": outcome.time_weights,
        "log_losses": outcome.log_losses,
        "accuracies": outcome.accuracies,
        "log_loss_gain": outcome.log_loss_gain._asdict(),
        "accuracy_gain": outcome.accuracy_gain._asdict(),
        "best_time_weight": outcome.best_time_weight,
        "verdict": outcome.verdict,
        "answer": outcome.answer,
    }


def print_worth(people: Sequence[PersonTrials], outcomes: Sequence[Outcome]) -> None:
    """Print a line for each person, and the answer for all of them."""
    reports = _reports(outcomes)
    rows = [
        [person.label, person.counts, *_cells(outcome)]
        for person, outcome in zip(people, outcomes, strict=True)
    ]
    if len(reports) > 1:
        pooled = pool_worth(reports)
        rows.append(["all", str(pooled.n_trials), *_cells(pooled)])
    print_table(
        (
            "person",
            "trials",
            "information\nratio",
            "log-loss:\nchoices",
            "and\ntimes",
            "accuracy:\nchoices",
            "and\ntimes",
            "best time\nweight",
        ),
        rows,
        text_columns=2,
    )
    if reports:
        print_text(pool_worth(reports).answer)


def _cells(outcome: Outcome) -> list[str]:
    if isinstance(outcome, TacitError):
        return [f"not compared: {describe(outcome)}"]
    return [
        f"{outcome.information_ratio:.1f}",
        f"{outcome.log_losses[0]:.3f}",
        f"{outcome.log_losses[-1]:.3f}",
        f"{outcome.accuracies[0]:.3f}",
        f"{outcome.accuracies[-1]:.3f}",
        f"{outcome.best_time_weight:g}",
    ]


def _reports(outcomes: Sequence[Outcome]) -> list[TimesWorth]:
    return [outcome for outcome in outcomes if isinstance(outcome, TimesWorth)]
