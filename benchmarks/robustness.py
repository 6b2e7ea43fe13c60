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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from benchmarks._timing import append, provenance, show, use_one_core
from tacit import ddm
from tacit.datasets import LookAlike, look_alike
from tacit.errors import ConvergenceWarning, DataWarning
from tacit.estimators import (
    ChoiceDecisionTime,
    ChoiceOnly,
    Likelihood,
    QueryClassifier,
    RobustLikelihood,
)

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

SHARES = (0.05, 0.1, 0.2, 0.3)
KINDS = ("fast guesses", "slow lapses", "slow and random")
N_ANSWERS = 10
N_ASKED = 20
"""Most queries to ask of one person, where there are more."""
EARLIEST_GUESS, LATEST_GUESS = 0.1, 0.1
"""Seconds after the question appears, and after the non-decision time."""
MEAN_DELAY = 5.0
TOO_FAST, TOO_SLOW_SD = 0.2, 5.0
SHARES_OF_FASTEST = (0.5, 0.7, 0.8, 0.9, 0.95)
RIDGES = (0.03, 0.1, 0.3, 1.0)
LEVEL = 0.95
COLUMNS = {
    "Likelihood": ("exact",),
    "RobustLikelihood": ("robust",),
    "ChoiceDecisionTime": tuple(f"average {share}" for share in SHARES_OF_FASTEST),
    "ChoiceOnly": tuple(f"choices {ridge}" for ridge in RIDGES),
    "RobustLikelihood, t0 given": ("robust, t0 given",),
    "ChoiceDecisionTime, t0 given": ("average, t0 given",),
}
"""Fits among which each column takes the one with the smallest mean error."""
TITLES = {
    "RobustLikelihood": "Robust",
    "ChoiceDecisionTime": "ChoiceDT",
    "RobustLikelihood, t0 given": "Robust, t0",
    "ChoiceDecisionTime, t0 given": "ChoiceDT, t0",
}
"""Of columns, in a table that must fit the screen."""


class Answered(NamedTuple):
    """Answers of one person, and what only a simulation knows."""

    X: Floats
    choice: Floats
    response_time: Floats
    nondecision_time: float
    barrier: float
    weights: Floats
    all_queries: Floats


class Error(NamedTuple):
    """Squared error and squared truth, means over queries, and squared sine of their angle."""

    squared: float
    truth: float
    direction: float


MEASURES: dict[str, Callable[[list[Error]], Floats]] = {
    "squared error": lambda e: np.array([x.squared for x in e]) / np.mean([x.truth for x in e]),
    "own squared error": lambda e: np.array([x.squared / x.truth for x in e]),
    "squared error of the direction": lambda e: np.array([x.direction for x in e]),
}
"""From what one fit does for everybody to an error for each person."""


def answer(person: LookAlike, rng: np.random.Generator) -> Answered:
    """Let a person answer, without contamination."""
    queries, who = person.problem.queries, person.parameters
    n_asked = min(queries.n_queries, N_ASKED)
    asked = np.repeat(rng.choice(queries.n_queries, n_asked, replace=False), N_ANSWERS)
    X, t0 = queries.vectors(asked), who.nondecision_time
    choice, times = ddm.sample(X @ who.weights, who.barrier, nondecision_time=t0, rng=rng)
    everything = queries.vectors(np.arange(queries.n_queries))
    return Answered(X, choice.astype(float), times, t0, who.barrier, who.weights, everything)


def contaminate(answers: Answered, kind: str, share: float, rng: np.random.Generator) -> Answered:
    """Replace answers drawn by lot; with equal `rng`, a larger share replaces more of the same."""
    n, t0 = len(answers.choice), answers.nondecision_time
    hit = rng.random(n) < share
    coin = rng.choice([-1.0, 1.0], n)
    guess = rng.uniform(EARLIEST_GUESS, t0 + LATEST_GUESS, n)
    delayed = answers.response_time + rng.exponential(MEAN_DELAY, n)
    times = guess if kind == "fast guesses" else delayed
    choice = answers.choice if kind == "slow lapses" else coin
    return answers._replace(
        choice=np.where(hit, choice, answers.choice),
        response_time=np.where(hit, times, answers.response_time),
    )


def within_cut_offs(times: Floats) -> npt.NDArray[np.bool_]:
    """Return which answers the usual rules keep."""
    return (times >= TOO_FAST) & (times <= times.mean() + TOO_SLOW_SD * times.std())


def errors(answers: Answered) -> dict[str, Error]:
    """Return the errors of every fit to one person's answers."""
    times, t0 = answers.response_time, answers.nondecision_time
    everything = np.ones(len(times), dtype=bool)
    kept, possible = within_cut_offs(times), times > t0
    fastest = times[kept].min()
    fits: dict[str, tuple[QueryClassifier, npt.NDArray[np.bool_]]] = {
        "exact": (Likelihood(), everything),
        "robust": (RobustLikelihood(), everything),
        "robust, t0 given": (RobustLikelihood(t0), everything),
        "average, t0 given": (ChoiceDecisionTime(t0), possible),
    }
    for share in SHARES_OF_FASTEST:
        fits[f"average {share}"] = ChoiceDecisionTime(share * fastest), kept
    for ridge in RIDGES:
        fits[f"choices {ridge}"] = ChoiceOnly("ridge", ridge=ridge), everything
    return {name: error_of(model, answers, used) for name, (model, used) in fits.items()}


def error_of(model: QueryClassifier, answers: Answered, used: npt.NDArray[np.bool_]) -> Error:
    """Fit the answers used, and compare with the truth over all queries of the person."""
    model.fit(answers.X[used], answers.choice[used], response_time=answers.response_time[used])
    a = answers.barrier
    scale = 2 * a if isinstance(model, ChoiceOnly) else 1 / a
    truth = answers.all_queries @ (scale * answers.weights)
    estimate = answers.all_queries @ model.coef_
    cosine = truth @ estimate / np.linalg.norm(truth) / np.linalg.norm(estimate)
    return Error(
        squared=float(((estimate - truth) ** 2).sum() / len(truth)),
        truth=float((truth**2).sum() / len(truth)),
        direction=float(1 - max(cosine, 0.0) ** 2),
    )


def run(name: str, n_people: int, seed: int) -> list[Row]:
    """Return a row for every kind and share; answers that stay genuine are the same in all."""
    crowd = look_alike(name, n_people, rng=np.random.default_rng(seed))
    answered = [answer(p, np.random.default_rng([seed, i])) for i, p in enumerate(crowd)]
    cells = [("none", 0.0), *((kind, share) for kind in KINDS for share in SHARES)]
    rows = []
    for kind, share in track(cells, name, console=Console(stderr=True)):
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
