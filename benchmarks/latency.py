"""Speed of the default learner: one question of a live study, and many runs of a simulation.

    python -m benchmarks.latency [--quick] [--runs N] [--data DIR] [--seed N]

prints two tables and appends the run to benchmarks/results/latency.json. A live question is ask and
tell for a batch of one, on one core; its yardstick is the least that such a learner has to do,
timed in turns with it: a draw of the weights, and two passes over the features of all items. The
simulation is of everybody in the data set of Clithero, to 300 seconds of answering, on two cores
and then on one. Where others use the machine too, processor time tells more than wall time.
"""

import argparse
import os
import time
from dataclasses import replace

import numpy as np

from benchmarks._timing import append, need_data, provenance, ratio, show, use_one_core
from tacit import Items, Problem, QuerySpace, datasets, ddm
from tacit.learners import TopTwo
from tacit.simulate import Cell, make_respondent, run_many

SIZES = [(100, 20, 400), (100_000, 32, 30), (1_000_000, 32, 9)]
"""Items, features, questions."""

TIME_BUDGET = 300.0
CLITHERO = "clithero"


def question_rows(rng, quick):
    """Time ask and tell of a session that has been going on for a few answers."""
    return [latency(n, d, 3 if quick else times, rng) for n, d, times in SIZES]


def latency(n_items, n_features, n_questions, rng):
    """Return the row of one size."""
    items = Items(rng.standard_normal((n_items, n_features)))
    problem = Problem(items, QuerySpace.all_pairs(items))
    weights = rng.standard_normal(n_features) / np.sqrt(n_features)
    learner = TopTwo()
    state = learner.start(problem, rng)
    wall, processor, yardstick = [], [], []
    for _ in range(n_questions + 1):
        drift = problem.queries.vectors(learner.ask(state)) @ weights
        choice, response_time = ddm.sample(drift, 1.2, nondecision_time=0.4, rng=rng)
        began = time.process_time()
        least(items.features, state.belief, rng)
        yardstick.append(time.process_time() - began)
        began = time.perf_counter(), time.process_time()
        state = learner.tell(state, learner.ask(state), choice, response_time)
        wall.append(time.perf_counter() - began[0])
        processor.append(time.process_time() - began[1])
    return {
        "items": n_items,
        "features": n_features,
        "wall, ms": 1e3 * float(np.median(wall[1:])),
        "processor, ms": 1e3 * float(np.median(processor[1:])),
        "slowest of ten, ms": 1e3 * float(np.quantile(processor[1:], 0.9)),
        "times the yardstick": ratio(processor[1:], yardstick[1:]),
    }


def least(features, belief, rng):
    """Do what cannot be saved: the utilities of all items, at the mean and at a draw."""
    root = np.linalg.cholesky(belief.covariance[0])
    drawn = belief.mean[0] + root @ rng.standard_normal(len(root))
    return features @ belief.mean[0], features @ drawn


def cells(n_runs, seed, data):
    """Return a cell for each person of Clithero, as the authors fitted them."""
    people = datasets.load(CLITHERO, data).people
    fits = datasets.published_fits(CLITHERO, data)
    return [
        Cell(
            problem=person.problem,
            learner=TopTwo(),
            respondent=make_respondent("diffusion", own),
            time_budgets=TIME_BUDGET,
            n_runs=n_runs,
            seed=seed,
            labels={"person": person.name},
        )
        for person, own in zip(people, fits, strict=True)
    ]


def simulation_rows(study, n_runs):
    """Run the whole study on two cores, then on one of them."""
    rows = []
    for n_cores in (2, 1):
        if n_cores == 1:
            use_one_core()
        # Processes start, and kernels are compiled, before the clock does.
        run_many([replace(cell, n_runs=1) for cell in study[:2]], n_jobs=n_cores)
        began = time.perf_counter(), time.process_time()
        results = run_many(study, n_jobs=n_cores)
        seconds = time.perf_counter() - began[0]
        n_answers = sum(int(outcomes.answers_used.sum()) for outcomes in results.outcomes)
        row = {"cores": n_cores, "people": len(study), "runs": n_runs, "answers": n_answers}
        row |= {"wall, s": seconds, "answers per second": n_answers / seconds}
        rows.append(row)
    rows[-1]["processor, s"] = time.process_time() - began[1]
    rows[0]["processor, s"] = "of other processes"
    return rows


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few questions, nothing stored")
    parser.add_argument("--runs", type=int, default=300, help="of each person of the simulation")
    parser.add_argument("--data", help="folder of the data sets; by default, downloaded")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    need_data([CLITHERO], arguments.data)
    n_runs = 2 if arguments.quick else arguments.runs
    run = {"simulation": simulation_rows(cells(n_runs, arguments.seed, arguments.data), n_runs)}
    run["question"] = question_rows(np.random.default_rng(arguments.seed), arguments.quick)
    show("Ask and tell, medians: ratios with their range", run["question"])
    show(f"TopTwo for everybody of Clithero, {TIME_BUDGET:g} seconds each", run["simulation"])
    if not arguments.quick:
        ran = provenance(("numpy", "scipy", "tacit"), seed=arguments.seed, n_runs=n_runs)
        append("latency", {"provenance": ran | {"load": os.getloadavg()}} | run)


if __name__ == "__main__":
    main()
