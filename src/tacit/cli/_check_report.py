"""What ``tacit check`` prints: a record for programs, the reasons for people."""

from collections.abc import Sequence

from tacit.bayes import ModelReport
from tacit.cli._reading import PersonTrials
from tacit.cli._render import describe, print_table, print_text
from tacit.errors import TacitError

Outcome = ModelReport | TacitError


def check_record(person: PersonTrials, outcome: Outcome) -> dict[str, object]:
    """Return the report on a person as a JSON object."""
    if isinstance(outcome, TacitError):
        return person.record() | {"error": describe(outcome)}
    return person.record() | {
        "ok": outcome.ok,
        "level": outcome.level,
        "reasons": [finding.meaning for finding in outcome.findings],
        "checks": [
            {
                "name": check.name,
                "z": check.z,
                "p_value": check.p_value,
                "failed": check in outcome.findings,
            }
            for check in outcome.checks
        ],
    }


def print_checks(people: Sequence[PersonTrials], outcomes: Sequence[Outcome]) -> None:
    """Print one person's report in full, or a line for each of several people."""
    if len(people) == 1 and isinstance(outcomes[0], ModelReport):
        print_text(str(outcomes[0]))
        return
    rows = [
        (person.label, person.counts, _verdict(outcome))
        for person, outcome in zip(people, outcomes, strict=True)
    ]
    print_table(("person", "trials", "do the answers fit the model?"), rows, text_columns=3)


def _verdict(outcome: Outcome) -> str:
    if isinstance(outcome, TacitError):
        return f"not checked: {describe(outcome)}"
    if outcome.ok:
        return "yes"
    return "no: " + "; ".join(finding.meaning for finding in outcome.findings)
