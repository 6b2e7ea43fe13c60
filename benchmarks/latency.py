"""Speed of the default learner: one question of a live study, and many runs of a simulation.

    python -m benchmarks.latency [--quick] [--runs N] [--data DIR] [--seed N]

prints two tables and appends the run to benchmarks/results/latency.json. A live question is ask and
tell for a batch of one, on one core; its yardstick is the least that such a learner has to do,
timed in turns with it: a draw of the weights, and two passes over the features of all items. The
simulations are of everybody in the three data sets, as the authors fitted them, on two cores, and
then of Clithero's people on one. Where others use the machine too, processor time tells more than
wall time.
"""

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks._learner_tables import LONGEST
from benchmarks._timing import append, need_data, provenance, ratio, show, use_one_core
from tacit import Items, Problem, QuerySpace, ddm
from tacit.learners import TopTwo
from tacit.paper import crowd
from tacit.simulate import Cell, make_respondent, run_many

SIZES = [(100, 20, 400), (100_000, 32, 30), (1_000_000, 32, 9)]
"""Items, features, questions."""


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


def cells(data, n_runs, seed, folder):
    """Return a cell for each person of a data set."""
    return [
        Cell(
            problem=person.problem,
            learner=TopTwo(),
            respondent=make_respondent("diffusion", person.parameters),
            time_budgets=LONGEST[data],
            n_runs=n_runs,
            seed=seed,
            labels={"data": data, "person": person.name},
        )
        for person in crowd(data, folder, published=True).people
    ]


def simulation_rows(studies):
    """Run all studies on two cores, then the first on one."""
    first = next(iter(studies))
    rows = [simulation(data, study, 2) for data, study in studies.items()]
    use_one_core()
    return [*rows, simulation(first, studies[first], 1)]


def simulation(data, study, n_cores):
    """Return the row of one study."""
    # Processes start, and kernels are compiled, before the clock does.
    run_many([replace(cell, n_runs=1) for cell in study[:2]], n_jobs=n_cores)
    began = time.perf_counter(), time.process_time()
    results = run_many(study, n_jobs=n_cores)
    seconds, processor = time.perf_counter() - began[0], time.process_time() - began[1]
    n_answers = sum(int(outcomes.answers_used.sum()) for outcomes in results.outcomes)
    return {
        "data": data,
        "cores": n_cores,
        "people": len(study),
        "runs": study[0].n_runs,
        "seconds each": LONGEST[data],
        "answers": n_answers,
        "wall, s": seconds,
        "processor, s": processor if n_cores == 1 else "of other processes",
        "answers per second": n_answers / seconds,
    }


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a few questions, nothing stored")
    parser.add_argument("--runs", type=int, default=300, help="of each person of the simulations")
    parser.add_argument("--data", type=Path, help="folder of the data sets")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    need_data(LONGEST, arguments.data)
    n_runs = 2 if arguments.quick else arguments.runs
    studies = {data: cells(data, n_runs, arguments.seed, arguments.data) for data in LONGEST}
    run = {"simulation": simulation_rows(studies)}
    run["question"] = question_rows(np.random.default_rng(arguments.seed), arguments.quick)
    show("Ask and tell, medians: ratios with their range", run["question"])
    show("TopTwo for everybody", run["simulation"])
    if not arguments.quick:
        ran = provenance(("numpy", "scipy", "tacit"), seed=arguments.seed, n_runs=n_runs)
        append("latency", {"provenance": ran | {"load": os.getloadavg()}} | run)


if __name__ == "__main__":
    main()
