"""Speed of designs: the solver of tacit.designs against the paper's Frank-Wolfe, in one run.

    python -m benchmarks.designs [--quick] [--seed N]

prints a table and appends the run to benchmarks/results/designs.json. Both solve the same problems,
in turns on one core. The accuracy of Frank-Wolfe is measured by the
solver's certified bound; the solver is then timed at that accuracy, and at 1e-3. Closed forms are
switched off. The first problem has the size of the largest one of the paper: 95 items with the
features of its risky foods.
"""

import argparse
from typing import Any, NamedTuple

import numpy as np

from benchmarks._timing import append, provenance, ratio, show, take_turns, use_one_core
from tacit.designs import Design, choice_information, frank_wolfe_of_the_paper, solve
from tacit.records import Items, QuerySpace

Row = dict[str, Any]

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


def measure(case: Case, repeats: int) -> Row:
    """Return the row of one problem."""

    def ours(tolerance: float) -> Design:
        return solve(
            case.queries,
            case.active,
            query_weights=case.query_weights,
            tolerance=tolerance,
            use_closed_forms=False,
        )

    def theirs() -> Design:
        return frank_wolfe_of_the_paper(case.queries, case.active, query_weights=case.query_weights)

    exact, tight = ours(1e-6), ours(TIGHT)
    accuracy = theirs().objective / exact.objective * (1 + exact.gap) - 1
    ours(accuracy)  # what is compiled for coarse designs is compiled at the first call
    seconds = take_turns(
        {"paper": theirs, "same gap": lambda: ours(accuracy), "tight": lambda: ours(TIGHT)},
        repeats,
    )
    return {
        "problem": case.name,
        "Frank-Wolfe, ms": 1e3 * float(np.median(seconds["paper"])),
        "its gap": float(accuracy),
        "tacit at this gap, ms": 1e3 * float(np.median(seconds["same gap"])),
        "Frank-Wolfe / tacit": ratio(seconds["paper"], seconds["same gap"]),
        "tacit at 1e-3, ms": 1e3 * float(np.median(seconds["tight"])),
        "certified gap": float(tight.gap),
        "support": len(tight.indices),
    }


def main() -> None:
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one round, nothing stored")
    parser.add_argument("--seed", type=int, default=1, help="of the made-up problems")
    arguments = parser.parse_args()
    use_one_core()
    repeats = 1 if arguments.quick else 11
    rows = [measure(case, repeats) for case in cases(np.random.default_rng(arguments.seed))]
    show("Designs: ratios are medians (range over rounds)", rows)
    if not arguments.quick:
        ran = provenance(
            ("numba", "numpy", "scipy", "tacit"), seed=arguments.seed, n_repeats=repeats
        )
        append("designs", {"provenance": ran, "designs": rows})


if __name__ == "__main__":
    main()
