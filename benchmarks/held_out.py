"""Predict people's held-out choices from few answers, with and without their response times.

Clithero: yes/no answers to single snacks predict the same person's choices between two snacks.
Food-risk: randomly drawn answers predict the person's other answers.

    python -m benchmarks.held_out [--data DIR] [--quick] [--figure [PATH]] [--seed 0]

prints a table and appends the run to benchmarks/results/held_out.json. Everything that is tuned
(ridges, and in one comparison the slope from scores to log-odds) is tuned on the other people's
predictions: a person's own held-out choices are used for nothing but that person's score.
"""

import argparse
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from benchmarks._held_out_report import Outcome, draw_figure, print_tables
from benchmarks._timing import append, need_data, provenance
from tacit import datasets
from tacit.errors import ConvergenceWarning, DataWarning
from tacit.paper.predictions import STUDIES, Score, Study, score_split, splits, tuned_on_others

Floats = npt.NDArray[np.float64]

FIGURE = Path(__file__).parents[1] / "docs" / "images" / "held-out.png"
LEVEL = 0.95


class Scores(NamedTuple):
    """Means over draws of one method: rows are people, columns ridges, then slopes."""

    accuracy: Floats
    log_loss: Floats
    sloped_log_loss: Floats

    @classmethod
    def collect(cls, scores: list[list[list[Score]]]) -> "Scores":
        """Average over draws, the middle one of the levels person, draw, ridge."""

        def means(name: str) -> Floats:
            return np.array(
                [
                    np.mean([[getattr(s, name) for s in ridges] for ridges in draws], axis=0)
                    for draws in scores
                ]
            )

        return cls(*map(means, cls._fields))


def compare(study: Study, scores: dict[str, Scores]) -> dict[str, Floats]:
    """Return every person's score under each method."""
    choices, times, default = scores["choices"], scores["times"], scores["default"]
    fixed = study.time_ridges.index(study.fixed_ridge)
    return {
        "accuracy, choices only": 1 - tuned_on_others(1 - choices.accuracy),
        "accuracy, with times": 1 - tuned_on_others(1 - times.accuracy),
        "accuracy, with times, fixed ridge": times.accuracy[:, fixed],
        "accuracy, with times, defaults": default.accuracy[:, 0],
        "log-loss, choices only": tuned_on_others(choices.log_loss),
        "log-loss, with times": tuned_on_others(times.log_loss),
        "log-loss, with times, defaults": default.log_loss[:, 0],
        "log-loss, choices only, slope of others": tuned_on_others(choices.sloped_log_loss),
        "log-loss, with times, slope of others": tuned_on_others(times.sloped_log_loss),
    }


DIFFERENCES = {
    "accuracy": ("accuracy, choices only", "accuracy, with times"),
    "accuracy, fixed ridge": ("accuracy, choices only", "accuracy, with times, fixed ridge"),
    "log-loss": ("log-loss, choices only", "log-loss, with times"),
    "log-loss, slope of others": (
        "log-loss, choices only, slope of others",
        "log-loss, with times, slope of others",
    ),
}
"""Pairs of methods whose difference, second minus first, is reported with its interval."""


@dataclass(frozen=True)
class Estimate:
    """A mean over people with its bootstrap interval."""

    mean: float
    low: float
    high: float


def bootstrap(values: Floats, seed: int, n_resamples: int = 10_000) -> Estimate | None:
    """Resample people; None if the method gave no answer for some of them."""
    if np.isnan(values).any():
        return None
    rng = np.random.default_rng(seed)
    means = values[rng.integers(len(values), size=(n_resamples, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(values.mean()), float(low), float(high))


def run_study(study: Study, arguments: argparse.Namespace) -> Outcome:
    """Score all people of a data set for every number of answers."""
    people = datasets.load(study.name, arguments.data).people
    by_size: dict[int, dict[str, Floats]] = {}
    for size in track(study.sizes, study.name, console=Console(stderr=True)):
        answers = [
            [
                score_split(study, split)
                for split in splits(person, size, arguments.draws, arguments.seed)
            ]
            for person in people
        ]
        by_size[size] = compare(
            study,
            {
                method: Scores.collect([[draw[method] for draw in draws] for draws in answers])
                for method in ("choices", "times", "default")
            },
        )
    return {
        "study": asdict(study),
        "n_people": len(people),
        "results": [summarise(size, scores, arguments.seed) for size, scores in by_size.items()],
        "fewer_answers": fewer_answers(by_size, arguments.seed),
    }


def summarise(size: int, scores: dict[str, Floats], seed: int) -> Outcome:
    """Return means and paired differences over people for one number of answers."""
    estimates = {name: bootstrap(values, seed) for name, values in scores.items()}
    differences = {
        name: bootstrap(scores[second] - scores[first], seed)
        for name, (first, second) in DIFFERENCES.items()
    }
    return {
        "size": size,
        "scores": {name: e and asdict(e) for name, e in estimates.items()},
        "differences": {name: e and asdict(e) for name, e in differences.items()},
    }


def fewer_answers(by_size: dict[int, dict[str, Floats]], seed: int) -> Outcome:
    """Compare the fewest answers with times to the most without."""
    few, many = min(by_size), max(by_size)
    difference = bootstrap(
        by_size[few]["accuracy, with times"] - by_size[many]["accuracy, choices only"], seed
    )
    return {"with_times": few, "choices_only": many, "accuracy": difference and asdict(difference)}


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", help="folder with the data sets; else TACIT_DATA or a download")
    parser.add_argument("--quick", action="store_true", help="2 draws, not 20; nothing stored")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--figure", type=Path, nargs="?", const=FIGURE, help="draw it, too")
    arguments = parser.parse_args()
    arguments.draws = 2 if arguments.quick else 20
    return arguments


def main() -> None:
    """Run both data sets, print, and store the results."""
    arguments = parse()
    need_data([study.name for study in STUDIES], arguments.data)
    console = Console(width=None if Console().is_terminal else 160)
    with warnings.catch_warnings():
        # Few answers often leave the barrier or the non-decision time undetermined.
        warnings.simplefilter("ignore", DataWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        outcomes = [run_study(study, arguments) for study in STUDIES]
    for outcome in outcomes:
        print_tables(outcome, DIFFERENCES, console)
    if not arguments.quick:
        ran = provenance(
            ("numpy", "scikit-learn", "scipy", "tacit"),
            seed=arguments.seed,
            draws=arguments.draws,
            interval=f"{LEVEL:.0%}, bootstrap over people",
            nondecision_time="0.9 of the fastest answer to learn from; estimated in the defaults",
            barrier="the likeliest for the answers to learn from",
        )
        append("held_out", {"provenance": ran, "data_sets": outcomes})
    if arguments.figure:
        draw_figure(outcomes, arguments.figure)


if __name__ == "__main__":
    main()
