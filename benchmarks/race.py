"""How often learners miss people's favourites, by the seconds that the questions took.

    python -m benchmarks.race [--data DIR] [--runs 300] [--other-runs 30] [--compared] [--quick]

simulates every person of the three data sets, with the parameters that fit them, as often as
--runs says for GSE and TopTwo, whose errors are compared with targets, and as --other-runs says
for the others: the ablation from GSE to TopTwo, and baselines. Learners have their defaults, the
same for all data; GSE is told what the paper tells it. What is simulated is kept in out/race, so
that an interrupted run goes on where it was left. Prints tables and appends the run to
benchmarks/results/race.json.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks._kept_runs import run_kept
from benchmarks._learner_tables import LONGEST, SEED_ERRORS, TOP_TWO_TARGETS
from benchmarks._timing import ROOT, append, need_data, provenance, show
from tacit.cli._options import SphereOptions
from tacit.cli._race import Tally, cells, entries
from tacit.cli._race_people import course

KEPT = ROOT / "out" / "race"

ABLATION = {
    "GSE": "GSE",
    "+ likelihood": "GSE:estimator=likelihood",
    "+ reuse": "GSE:estimator=likelihood,reuse=true",
    "+ no buffer": "GSE:estimator=likelihood,reuse=true,phase_buffer=0",
    "+ time-aware": "GSE:estimator=likelihood,reuse=true,phase_buffer=0,design=time-aware",
    "TopTwo": "TopTwo",
}
BASELINES = {
    "GSE, choices, ridge": "GSE:estimator=choice-only,ridge=0.1",
    "ChoiceTopTwo": "ChoiceTopTwo",
    "SequentialHalving": "SequentialHalving",
    "FixedDesign": "FixedDesign",
    "RandomPairs": "RandomPairs",
    "Oracle": "Oracle",
}
LEARNERS = ABLATION | BASELINES
COMPARED = ("GSE", "TopTwo")
SLOW = {"food-risk": 3}
"""With up to 95 items, the designs of GSE take long: its runs are divided by this."""


def standings(data, learners, budgets, n_runs, *, folder, n_jobs, people):
    """Return budgets, how each learner did with the people of a data set, and chance's error."""
    whole = course(data, people, SphereOptions(), published=False, folder=folder, seed=0)
    budgets = sorted(set(budgets) | set(whole.setting.time_budgets))
    if data == "food-risk":
        budgets = [seconds for seconds in budgets if seconds <= LONGEST[data]]
    work = []
    for name, text in learners.items():
        runs = runs_of(name, data, n_runs)
        work += cells(whole, entries([text]), budgets, "diffusion", n_runs=runs, seed=0)
    results = run_kept(data, work, KEPT, n_jobs)
    tally = Tally(list(learners.values()), budgets)
    for cell, outcomes in zip(results.cells, results.outcomes, strict=True):
        tally.add(cell, outcomes)
    by_chance = np.mean([1 - 1 / person.problem.items.n_items for person in whole.people])
    return budgets, dict(zip(learners, tally.standings(), strict=True)), float(by_chance)


def runs_of(learner, data, n_runs):
    """Return how often each person is simulated."""
    usual = n_runs["compared" if learner in COMPARED else "others"]
    return usual // SLOW.get(data, 1) if LEARNERS[learner].startswith("GSE") else usual


def seconds_to_reach(error, budgets, errors, by_chance):
    """Return when errors, interpolated between budgets, fall to `error`; NaN if they never do."""
    points = [(0.0, by_chance), *zip(budgets, errors, strict=True)]
    for (before, worse), (after, better) in pairwise(points):
        if better <= error:
            return before + (after - before) * (worse - error) / (worse - better)
    return np.nan


def tables(data, budgets, found, *, by_chance, n_runs):
    """Return one row for each learner: errors, their standard errors, seconds and their ratio."""
    paper = found["GSE"]
    aim = paper.error[-1]
    rows = []
    for name, own in found.items():
        reached = seconds_to_reach(aim, budgets, own.error, by_chance)
        errors = zip(budgets, own.error.tolist(), own.error_se.tolist(), strict=True)
        rows.append(
            {
                "data": data,
                "learner": name,
                "people": own.n_people,
                "runs": runs_of(name, data, n_runs),
                "errors": [{"s": s, "error": e, "se": se} for s, e, se in errors],
                "seconds to the paper's last error": reached,
                "times as fast": budgets[-1] / reached,
            }
        )
    return rows


def report(data, rows, n_people):
    """Print the table of one data set, and errors next to targets."""
    console = Console(width=140)
    shown = []
    for row in rows:
        errors = {f"{one['s']:g} s": f"{one['error']:.3f}" for one in row["errors"]}
        shown.append(
            {"learner": row["learner"]}
            | errors
            | {"s to GSE's last": row["seconds to the paper's last error"]}
            | {"times as fast": row["times as fast"]}
        )
    show(f"{data}: mean error over {n_people} people", shown)
    for name, targets in {"GSE": SEED_ERRORS, "TopTwo": TOP_TWO_TARGETS}.items():
        own = next(row for row in rows if row["learner"] == name)
        at = {one["s"]: one for one in own["errors"]}
        told = [f"{at[s]['error']:.3f} ({aim:g}) at {s} s" for s, aim in targets[data].items()]
        console.print(f"{name}, error (target): {', '.join(told)}")


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with the data sets")
    parser.add_argument("--runs", type=int, default=300, help="runs per person: GSE and TopTwo")
    parser.add_argument("--other-runs", type=int, default=30, help="runs per person: the others")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1: one on each core")
    parser.add_argument("--compared", action="store_true", help="GSE and TopTwo alone")
    parser.add_argument("--quick", action="store_true", help="3 people, few runs, nothing stored")
    arguments = parser.parse_args()
    need_data(TOP_TWO_TARGETS, arguments.data)
    n_runs = {"compared": arguments.runs, "others": arguments.other_runs}
    learners, people = LEARNERS, None
    if arguments.compared:
        learners = {name: LEARNERS[name] for name in COMPARED}
    if arguments.quick:
        n_runs, people = {"compared": 10, "others": 10}, 3
    rows = []
    for data, targets in TOP_TWO_TARGETS.items():
        budgets, found, by_chance = standings(
            data,
            learners,
            targets,
            n_runs,
            folder=arguments.data,
            n_jobs=arguments.jobs,
            people=people,
        )
        own = tables(data, budgets, found, by_chance=by_chance, n_runs=n_runs)
        report(data, own, found["GSE"].n_people)
        rows += own
    if not arguments.quick:
        ran = provenance(("numpy", "scipy"), n_runs=n_runs, seed=0, learners=learners)
        append("race", {"provenance": ran, "learners": rows})


if __name__ == "__main__":
    main()
