"""What ``tacit fit`` prints: a record for programs, tables for people."""

from collections.abc import Sequence

import numpy as np

from tacit.cli._fitting import Estimate, Fitted
from tacit.cli._reading import PersonTrials
from tacit.cli._render import describe, plus_minus, print_table


def fit_record(fitted: Fitted) -> dict[str, object]:
    """Return what is known about a person as a JSON object; an error where nothing is."""
    person, estimate = fitted.person, fitted.outcome
    record = person.record()
    if not isinstance(estimate, Estimate):
        return record | {"error": describe(estimate)}
    items = person.trials.items
    names, weights = items.names, estimate.utilities
    if person.has_features:
        names, weights = items.feature_names, estimate.weights
    mean, sd = (dict(zip(names, values.tolist(), strict=True)) for values in weights)
    return record | {
        "method": fitted.method,
        "barrier": estimate.barrier[0],
        "barrier_sd": estimate.barrier[1],
        "nondecision_time": estimate.nondecision_time[0],
        "nondecision_time_sd": estimate.nondecision_time[1],
        "weights": mean,
        "weights_sd": sd,
        "utility_zero": person.zero,
        "items": [
            {
                "item": items.names[index],
                "utility": estimate.utilities[0][index],
                "sd": estimate.utilities[1][index],
                "probability_best": estimate.probability_best[index],
            }
            for index in _ranked(estimate)
        ],
        "contamination": estimate.contamination or None,
    }


def print_fits(fits: Sequence[Fitted]) -> None:
    """Print one person in full, or several in a line each."""
    if len(fits) == 1 and isinstance(fits[0].outcome, Estimate):
        _print_person(fits[0].person, fits[0].outcome, _meaning(fits))
    else:
        _print_people(fits)


def _print_person(person: PersonTrials, estimate: Estimate, meaning: str) -> None:
    items, utility = person.trials.items, estimate.utilities
    facts = [
        ("trials", person.counts),
        ("barrier", plus_minus(*estimate.barrier)),
        ("nondecision time", f"{plus_minus(*estimate.nondecision_time, digits=3)} s"),
        *((label, f"{value:.3g}") for label, value in _contamination(estimate)),
    ]
    print_table(None, facts, text_columns=2)
    if person.has_features:
        weights = zip(items.feature_names, *estimate.weights, strict=True)
        rows = [(name, plus_minus(mean, sd)) for name, mean, sd in weights]
        print_table(("feature", "weight"), rows)
    print_table(
        ("item", "utility", "probability of being the best"),
        [
            (
                items.names[index],
                plus_minus(utility[0][index], utility[1][index]),
                f"{estimate.probability_best[index]:.3f}",
            )
            for index in _ranked(estimate)
        ],
        caption=f"{meaning}. Utilities: {person.zero} has 0.",
    )


def _print_people(fits: Sequence[Fitted]) -> None:
    rows = []
    for fitted in fits:
        person, estimate = fitted.person, fitted.outcome
        row = [person.label, person.counts]
        if isinstance(estimate, Estimate):
            best = _ranked(estimate)[0]
            name, probability = person.trials.items.names[best], estimate.probability_best[best]
            row += [
                f"{name} ({probability:.2f})",
                plus_minus(*estimate.barrier),
                f"{plus_minus(*estimate.nondecision_time)} s",
            ]
        else:
            row += [f"not fitted: {describe(estimate)}", "", ""]
        rows.append(row)
    print_table(
        ("person", "trials", "likes best (probability)", "barrier", "nondecision time"),
        rows,
        text_columns=3,
        caption=f"{_meaning(fits)}. All items and weights: --json",
    )


def _meaning(fits: Sequence[Fitted]) -> str:
    if any(fitted.posterior is not None for fitted in fits):
        return "Posterior means ± standard deviations"
    return "Estimates ± standard errors"


def _contamination(estimate: Estimate) -> list[tuple[str, float]]:
    labels = {"n_void": "void times"}
    return [(labels.get(k, k.replace("_", " ")), v) for k, v in estimate.contamination.items()]


def _ranked(estimate: Estimate) -> list[int]:
    """Return the items from the best to the worst."""
    return [int(index) for index in np.argsort(-estimate.utilities[0], kind="stable")]
