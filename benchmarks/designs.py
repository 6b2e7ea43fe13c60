"""Speed of designs: the solver of tacit.designs against the paper's Frank-Wolfe, in one run.

    python -m benchmarks.designs [--repeats N]

Both solve the same problems on the same processor. The accuracy of Frank-Wolfe is measured by the
solver's certified bound; the solver is then timed at that accuracy, and at 1e-3. Closed forms are
switched off. The first problem has the size of the largest one of the paper: 95 items with the
features of its risky foods.
"""

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from tacit.designs import Design, choice_information, frank_wolfe_of_the_paper, solve
from tacit.records import Items, QuerySpace

TIGHT = 1e-3


class Case(NamedTuple):
    """One design problem."""

    name: str
    queries: QuerySpace
    active: np.ndarray
    query_weights: np.ndarray | None = None


def cases(rng: np.random.Generator) -> list[Case]:
    """Return problems of the sizes of the paper, made up."""
    up, down = rng.integers(-10, 11, (2, 95)) / 10
    foods = Items(np.column_stack([up, down, up**2, down**2, up * down]))
    all_foods = QuerySpace.all_pairs(foods)
    some = rng.permutation(95)
    rated = QuerySpace.all_pairs(Items.one_hot(21))
    hard = choice_information(rated, 2.0 * np.linspace(-2.5, 2.5, 21))
    return [
        Case("95 items, 4,465 queries, d = 5", all_foods, some),
        Case("the same, 24 items active", all_foods, some[:24]),
        Case("the same, 3 items active", all_foods, some[:3]),
        Case("21 items, 210 queries, d = 21", rated, np.arange(21)),
        Case("the same, weak-preference", rated, np.arange(21), hard),
        Case("the same, 6 items active", rated, np.arange(8, 14), hard),
    ]


def fastest(function: Callable[[], Design], repeats: int) -> tuple[float, Design]:
    """Return the shortest time in milliseconds, and the result."""
    times = []
    result = function()
    for _ in range(repeats):
        start = perf_counter()
        result = function()
        times.append(perf_counter() - start)
    return 1e3 * min(times), result


def measure(case: Case, repeats: int) -> list[str]:
    """Return the row of one problem."""

    def ours(tolerance: float) -> Callable[[], Design]:
        return lambda: solve(
            case.queries,
            case.active,
            query_weights=case.query_weights,
            tolerance=tolerance,
            use_closed_forms=False,
        )

    exact = ours(1e-6)()
    paper_time, paper = fastest(
        lambda: frank_wolfe_of_the_paper(
            case.queries, case.active, query_weights=case.query_weights
        ),
        max(1, repeats // 5),
    )
    accuracy = paper.objective / exact.objective * (1 + exact.gap) - 1
    same_time, _ = fastest(ours(accuracy), repeats)
    tight_time, tight = fastest(ours(TIGHT), repeats)
    return [
        case.name,
        f"{paper_time:.1f}",
        f"{accuracy:.1e}",
        f"{same_time:.1f}",
        f"{paper_time / same_time:.0f}x",
        f"{tight_time:.1f}",
        f"{tight.gap:.1e}",
        str(len(tight.indices)),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=20, help="take the fastest of so many")
    repeats = parser.parse_args().repeats
    table = Table(title="Designs (ms)")
    for heading in (
        "problem",
        "Frank-Wolfe",
        "its gap",
        "tacit, same gap",
        "ratio",
        "tacit, gap 1e-3",
        "certified",
        "support",
    ):
        table.add_column(heading, justify="left" if heading == "problem" else "right")
    for case in cases(np.random.default_rng(1)):
        table.add_row(*measure(case, repeats))
    Console().print(table)


if __name__ == "__main__":
    main()
