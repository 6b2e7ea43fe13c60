"""How often learners that stop because they are sure are wrong, the model right or broken.

    python -m benchmarks.stopping [--data DIR] [--runs 180] [--other-runs 30] [--quick] [--jobs 2]

simulates the 112 people of the three data sets, with the parameters that fit them, until
`StopWhenSure` stops at a confidence of 95% or the paper's largest time budget, 1500 s for
food-risk, is over. Barrier and non-decision time are unknown to it, except under the rule
"confidence set"; "lapses left out" is with a `lapse_share` of 0.1. --runs are those per person who
answers as the model says, --other-runs those of every third person under the other rules and for
every other kind of respondent. What is simulated is kept in out/stopping, so that an interrupted
run goes on where it was left. Prints a table and appends the run to
benchmarks/results/stopping.json.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.stats import beta

from benchmarks._kept_runs import run_kept
from benchmarks._learner_tables import DOUBT, LONGEST, POSTERIOR, RULES, SET
from benchmarks._timing import ROOT, append, need_data, provenance, show
from tacit.cli._options import SphereOptions
from tacit.cli._race_people import course
from tacit.learners import StopWhenSure, TopTwo
from tacit.simulate import RESPONDENTS, Cell, make_respondent

KEPT = ROOT / "out" / "stopping"
CONFIDENCE = 0.95
EVERY = 3


def learner(rule, who):
    """Return who asks; the exact rule is told what it needs to know about the person."""
    if rule == POSTERIOR:
        return StopWhenSure(confidence=CONFIDENCE)
    if rule == DOUBT:
        return StopWhenSure(learner=TopTwo(lapse_share=0.1), confidence=CONFIDENCE)
    return StopWhenSure(
        confidence=CONFIDENCE,
        rule=SET,
        barrier=who.barrier,
        nondecision_time=who.nondecision_time,
        weights_norm=float(np.linalg.norm(who.weights)),
    )


def cells(people, n_runs, kinds):
    """Return one cell for every person and kind of respondent, and for the exact rule."""
    work = []
    for data, racers in people.items():
        doubtful = [(kind, DOUBT) for kind in ("lapses", "diffusion")]
        ruled = [*((kind, POSTERIOR) for kind in kinds), *doubtful, ("diffusion", SET)]
        for kind, rule in ruled:
            usual = kind == "diffusion" and rule == POSTERIOR
            for racer in racers if usual else racers[::EVERY]:
                labels = {"data": data, "person": racer.name, "respondent": kind, "rule": rule}
                cell = Cell(
                    problem=racer.problem,
                    learner=learner(rule, racer.parameters),
                    respondent=make_respondent(kind, racer.parameters),
                    time_budgets=LONGEST[data],
                    n_runs=n_runs["diffusion" if usual else "others"],
                    labels=labels,
                )
                work.append(cell)
    return work


def row(rule, respondent, data, outcomes):
    """Return how often runs stopped, how often those were wrong, and a bound on that."""
    stopped = np.concatenate([own.stopped for own in outcomes])
    wrong = np.concatenate([own.error for own in outcomes])[stopped]
    seconds = np.concatenate([own.seconds_used for own in outcomes])[stopped]
    n, k = len(wrong), int(wrong.sum())
    return {
        "rule": rule,
        "respondent": respondent,
        "data": data,
        "runs": len(stopped),
        "stops": n,
        "wrong": k,
        "share wrong": k / n if n else np.nan,
        "at most": float(beta.ppf(0.95, k + 1, n - k)) if k < n else 1.0,
        "beyond": max(0.0, k / n - (1 - CONFIDENCE)) if n else np.nan,
        "median s": float(np.median(seconds)) if n else np.nan,
    }


def rows(results):
    """Return a row for each rule, respondent and data set, and for all data sets together."""
    found = {}
    for cell, outcomes in zip(results.cells, results.outcomes, strict=True):
        of = cell.labels
        for data in ("all", of["data"]):
            found.setdefault((of["rule"], of["respondent"], data), []).append(outcomes)
    order = sorted(found, key=lambda key: (list(RULES).index(key[0]), key))
    return [row(*key, found[key]) for key in order]


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with the data sets")
    parser.add_argument("--runs", type=int, default=180, help="runs per person, as the model says")
    parser.add_argument("--other-runs", type=int, default=30, help="runs per person, other kinds")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1: one on each core")
    parser.add_argument("--quick", action="store_true", help="3 people, few runs, nothing stored")
    arguments = parser.parse_args()
    need_data(LONGEST, arguments.data)
    n_runs = {"diffusion": arguments.runs, "others": arguments.other_runs}
    n_people, kinds = None, list(RESPONDENTS)
    if arguments.quick:
        n_runs, n_people, kinds = {"diffusion": 10, "others": 5}, 3, ["diffusion", "lapses"]
    whole = {
        data: course(
            data, n_people, SphereOptions(), published=False, folder=arguments.data, seed=0
        )
        for data in LONGEST
    }
    work = cells({data: own.people for data, own in whole.items()}, n_runs, kinds)
    results = run_kept("people", work, KEPT, arguments.jobs)
    table = rows(results)
    show(
        f"Stops at a confidence of {CONFIDENCE:.0%}; 'at most' is a one-sided 95% bound",
        [one for one in table if one["data"] == "all" or one["respondent"] == "diffusion"],
    )
    if not arguments.quick:
        ran = provenance(("numpy", "scipy"), n_runs=n_runs, seed=0, confidence=CONFIDENCE)
        append("stopping", {"provenance": ran, "rows": table})


if __name__ == "__main__":
    main()
