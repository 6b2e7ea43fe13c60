"""What guesses and lapses do to the estimates: errors by kind and share of contamination.

    python -m benchmarks.robustness [--quick] [--seed N]

prints two tables for each kind of people and appends the run to benchmarks/results/robustness.json.
People, drawn like those of a published data set, answer every query ten times. Then some of the
answers, drawn by lot, become

- fast guesses: a coin, at a time between 0.1 s and 0.1 s after the non-decision time;
- slow lapses: the choice stands, the time grows by an exponential delay of 5 s on average;
- slow and random: the same delay, and a coin.

These are not the laws that `RobustLikelihood` assumes. What is estimated is theta over barrier;
from choices alone, 2 theta times barrier. The first table has squared errors over all queries that
the person could be asked, relative to the mean square of the truth over queries and people. The
second lets every estimate be scaled by what makes its error smallest, so that only the direction of
the weights counts, and is relative to the person's own truth. Errors relative to the person's own
truth without scaling are stored as well; indifferent people dominate them.

`Likelihood` and `RobustLikelihood` get the raw answers and estimate the non-decision time.
`ChoiceDecisionTime` gets the answers left by the usual cut-offs (0.2 s, mean + 5 sd) and subtracts
a share of the fastest one; `ChoiceOnly` has a ridge. Both get, in every row anew, the share or
ridge that turns out best there, which nobody who does not know the truth could choose. The columns
"t0" know the non-decision time; `ChoiceDecisionTime` then leaves out what is faster.
"""

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from benchmarks._timing import append, provenance, show, use_one_core
from tacit.datasets import look_alike
from tacit.errors import ConvergenceWarning, DataWarning
from tacit.paper.contamination import (
    CELLS,
    COLUMNS,
    MEAN_DELAY,
    N_ANSWERS,
    Error,
    answer,
    contaminate,
    errors,
)

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

LEVEL = 0.95
TITLES = {
    "RobustLikelihood": "Robust",
    "ChoiceDecisionTime": "ChoiceDT",
    "RobustLikelihood, t0 given": "Robust, t0",
    "ChoiceDecisionTime, t0 given": "ChoiceDT, t0",
}
"""Of columns, in a table that must fit the screen."""


MEASURES: dict[str, Callable[[list[Error]], Floats]] = {
    "squared error": lambda e: np.array([x.squared for x in e]) / np.mean([x.truth for x in e]),
    "own squared error": lambda e: np.array([x.squared / x.truth for x in e]),
    "squared error of the direction": lambda e: np.array([x.direction for x in e]),
}
"""From what one fit does for everybody to an error for each person."""


def run(name: str, n_people: int, seed: int) -> list[Row]:
    """Return a row for every kind and share; answers that stay genuine are the same in all."""
    crowd = look_alike(name, n_people, rng=np.random.default_rng(seed))
    answered = [answer(p, np.random.default_rng([seed, i])) for i, p in enumerate(crowd)]
    rows = []
    for kind, share in track(CELLS, name, console=Console(stderr=True)):
        found = []
        for i, genuine in enumerate(answered):
            lot = np.random.default_rng([seed, i, 1])
            found.append(errors(contaminate(genuine, kind, share, lot)))
        rows.append({"contamination": kind, "share": share} | summarise(found, seed))
    return rows


def summarise(found: list[dict[str, Error]], seed: int) -> Row:
    """Return the errors of every column, and the ratios that the claims are about."""
    summary: Row = {}
    for measure, normalised in MEASURES.items():
        by_fit = {name: normalised([person[name] for person in found]) for name in found[0]}
        chosen = {
            column: min((by_fit[name] for name in names), key=np.mean)
            for column, names in COLUMNS.items()
        }
        robust = chosen["RobustLikelihood"]
        summary[measure] = {
            "errors": {column: describe(values) for column, values in chosen.items()},
            "robust / exact": ratio_of_means(robust, chosen["Likelihood"], seed),
            "robust / average": ratio_of_means(robust, chosen["ChoiceDecisionTime"], seed),
            "robust / average, t0 given": ratio_of_means(
                chosen["RobustLikelihood, t0 given"], chosen["ChoiceDecisionTime, t0 given"], seed
            ),
        }
    return summary


def describe(values: Floats) -> Row:
    """Return mean with standard error, and median, over people."""
    return {
        "mean": float(values.mean()),
        "standard_error": float(values.std(ddof=1) / np.sqrt(len(values))),
        "median": float(np.median(values)),
    }


def ratio_of_means(one: Floats, other: Floats, seed: int, n_resamples: int = 4000) -> Row:
    """Return the ratio of mean errors, with its interval by a bootstrap over people."""
    drawn = np.random.default_rng(seed).integers(len(one), size=(n_resamples, len(one)))
    ratios = one[drawn].mean(axis=1) / other[drawn].mean(axis=1)
    low, high = np.quantile(ratios, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return {"ratio": float(one.mean() / other.mean()), "low": float(low), "high": float(high)}


def shown_rows(rows: list[Row], measure: str) -> list[Row]:
    """Return what the tables show."""
    out = []
    for row in rows:
        kind = row["contamination"].replace(" and ", ", ")
        cells: Row = {"hit": f"{kind} {row['share']:.0%}"}
        for column, error in row[measure]["errors"].items():
            spread = f"{error['standard_error']:.3f}".removeprefix("0")
            cells[TITLES.get(column, column)] = f"{error['mean']:.3f}±{spread}"
        ratio = row[measure]["robust / average"]
        cells["Robust / DT"] = f"{ratio['ratio']:.2f} ({ratio['low']:.2f}-{ratio['high']:.2f})"
        out.append(cells)
    return out


def main() -> None:
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="10 people, nothing stored")
    parser.add_argument("--seed", type=int, default=1, help="of people and answers")
    arguments = parser.parse_args()
    use_one_core()
    n_people = 10 if arguments.quick else 100
    results = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name in ("clithero", "food-risk"):
            results[name] = run(name, n_people, arguments.seed)
    for name, rows in results.items():
        for measure in ("squared error", "squared error of the direction"):
            title = f"{n_people} people like those of {name}: relative {measure}"
            show(f"{title}, mean ± standard error over people", shown_rows(rows, measure))
    if not arguments.quick:
        ran = provenance(
            ("numpy", "scikit-learn", "scipy", "tacit"),
            seed=arguments.seed,
            n_people=n_people,
            n_answers_per_query=N_ANSWERS,
            mean_delay=MEAN_DELAY,
            interval=f"{LEVEL:.0%}, bootstrap over people",
        )
        append("robustness", {"provenance": ran, "people_like": results})


if __name__ == "__main__":
    main()
