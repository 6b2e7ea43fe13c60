"""Tables and the figure of held_out.py."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tacit._extras import require

Outcome = dict[str, Any]


def print_tables(outcome: Outcome, differences: Iterable[str], console: Console) -> None:
    """Print one data set's accuracy and log-loss, with the differences whose names are given."""
    study = outcome["study"]
    for measure in ("accuracy", "log-loss"):
        table = Table(title=f"{study['name']}, {outcome['n_people']} people: {measure}")
        columns = [n for n in outcome["results"][0]["scores"] if n.startswith(measure)]
        gains = [name for name in differences if name.startswith(measure)]
        table.add_column(study["unit"], justify="right")
        for name in columns:
            table.add_column(name.removeprefix(f"{measure}, "), justify="right")
        for name in gains:
            table.add_column(f"times - choices{name.removeprefix(measure)}", justify="right")
        for row in outcome["results"]:
            table.add_row(
                str(row["size"]),
                *(cell(row["scores"][name], ".3f") for name in columns),
                *(cell(row["differences"][name], "+.3f") for name in gains),
            )
        console.print(table)
    for name in differences:
        console.print(f"{study['name']}, {name}: {where(outcome, name)}")
    fewer = outcome["fewer_answers"]
    console.print(
        f"{study['name']}: accuracy of {fewer['with_times']} {study['unit']} with times minus "
        f"{fewer['choices_only']} without: {cell(fewer['accuracy'], '+.3f')}\n"
    )


def where(outcome: Outcome, name: str) -> str:
    """Say for which numbers of answers a difference is clear, and which way."""
    sign = -1 if name.startswith("log-loss") else 1
    better, worse = [], []
    for row in outcome["results"]:
        low, high = sorted(sign * row["differences"][name][end] for end in ("low", "high"))
        if low > 0:
            better.append(str(row["size"]))
        elif high < 0:
            worse.append(str(row["size"]))
    if not better + worse:
        return "no clear difference between times and choices only"
    parts = [
        f"times clearly {word} at {', '.join(sizes)} {outcome['study']['unit']}"
        for word, sizes in (("better", better), ("worse", worse))
        if sizes
    ]
    return "; ".join(parts)


def cell(estimate: dict[str, float] | None, form: str) -> str:
    """Return a mean with its interval."""
    if estimate is None:
        return "-"
    mean, low, high = (
        re.sub(r"(?<!\d)0\.", ".", f"{estimate[key]:{form}}") for key in ("mean", "low", "high")
    )
    return f"{mean} [{low} {high}]"


def draw_figure(outcomes: list[Outcome], path: Path) -> None:
    """Draw accuracy against the number of answers, one panel for each data set."""
    pyplot = require("matplotlib.pyplot", extra="plot")
    titles = {
        "clithero": "Snacks: yes/no answers predict choices",
        "food-risk": "Risky food: answers predict answers",
    }
    series = (
        ("accuracy, with times", "choices and times", "#0072B2", "o"),
        ("accuracy, choices only", "choices only", "#D55E00", "s"),
    )

    def shown(row: Outcome) -> list[dict[str, float]]:
        return [row["scores"][name] for name, *_ in series]

    figure, axes = pyplot.subplots(1, len(outcomes), figsize=(8.0, 3.6), layout="constrained")
    for axis, outcome in zip(axes, outcomes, strict=True):
        sizes = [row["size"] for row in outcome["results"]]
        for shift, (name, label, colour, marker) in zip((0.97, 1.03), series, strict=True):
            estimates = [row["scores"][name] for row in outcome["results"]]
            mean, low, high = (
                100 * np.array([e[key] for e in estimates]) for key in ("mean", "low", "high")
            )
            axis.errorbar(
                shift * np.array(sizes),
                mean,
                (mean - low, high - mean),
                color=colour,
                marker=marker,
                label=label,
                capsize=2,
            )
        study = outcome["study"]
        axis.set_xscale("log")
        axis.set_xticks(sizes, sizes)
        axis.set_xticks([], minor=True)
        axis.set_xlabel(f"{study['unit']} ({outcome['n_people']} people)")
        axis.set_title(titles[study["name"]], fontsize=11)
        middle = np.mean([e["mean"] for row in outcome["results"] for e in shown(row)])
        axis.set_ylim(100 * middle - 8, 100 * middle + 8)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", alpha=0.3)
    axes[0].set_ylabel("held-out choices predicted, %\n(95% interval over people)")
    axes[0].legend(frameon=False, loc="upper left")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=200)
