"""Time exact posteriors against NUTS on the same posterior, and record what long chains say.

    python -m benchmarks.bayes [--data DIR] [--quick]

fits the people of the three data sets, runs NumPyro's NUTS on Clithero's first person, prints what
it measured and writes benchmarks/results/bayes.json. With ``--golden`` it instead runs long chains
for the people whose published posterior means differ most from the exact ones, and writes
tests/golden/bayes_nuts.json.
"""

import argparse
import importlib.metadata
import json
import platform
import subprocess
import time
from pathlib import Path

import numpy as np

from tacit import bayes, datasets

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "bayes.json"
GOLDEN = HERE.parent / "tests" / "golden" / "bayes_nuts.json"
ODD_PEOPLE = [
    ("clithero", "719"),
    ("food-risk", "36"),
    ("clithero", "613"),
    ("krajbich", "45"),
    ("food-risk", "32"),
    ("clithero", "601"),
]


def moments(posterior):
    """Return means and sds of barrier, nondecision time and weights."""
    parts = (posterior.barrier, posterior.nondecision_time, posterior.weights)
    return tuple(np.hstack([getattr(part, which) for part in parts]) for which in ("mean", "sd"))


def seconds_per_fit(people, n_repeats):
    """Return the seconds of each fit with its means, the fastest of some repeats."""
    best = np.full(len(people), np.inf)
    for _ in range(n_repeats):
        for k, trials in enumerate(people):
            began = time.perf_counter()
            moments(bayes.fit(trials.vectors, trials.choice, trials.response_time))
            best[k] = min(best[k], time.perf_counter() - began)
    return best


def measure_fits(data, n_repeats):
    """Time every person, and compare with the published posterior means."""
    found = {}
    for name in ("food-risk", "clithero", "krajbich"):
        people = [person.trials for person in datasets.load(name, data).people]
        seconds = seconds_per_fit(people, n_repeats)
        fits = bayes.fit_many(people, n_jobs=1).posteriors.values()
        published = datasets.published_fits(name, data)
        off = {"boundary_separation": [], "nondecision_time": [], "weights": []}
        for fit, paper in zip(fits, published, strict=True):
            off["boundary_separation"].append(2 * abs(fit.barrier.mean - paper.barrier))
            off["nondecision_time"].append(abs(fit.nondecision_time.mean - paper.nondecision_time))
            off["weights"].extend(abs(fit.weights.mean - paper.weights))
        barriers = [fit.barrier.mean for fit in fits]
        times = [fit.nondecision_time.mean for fit in fits]
        found[name] = {
            "n_people": len(people),
            "seconds_of_all": float(seconds.sum()),
            "milliseconds_of_median": float(1e3 * np.median(seconds)),
            "milliseconds_of_first": float(1e3 * seconds[0]),
            "median_difference_from_published": {k: float(np.median(v)) for k, v in off.items()},
            "largest_difference_from_published": {k: float(np.max(v)) for k, v in off.items()},
            "barriers": [min(barriers), max(barriers)],
            "nondecision_times": [min(times), max(times)],
            "largest_quadrature_error": max(fit.quadrature_error for fit in fits),
        }
    return found


def measure_nuts(data, n_warmup, n_draws):
    """Sample and integrate the posterior of Clithero's first person in turn."""
    from benchmarks import _nuts

    trials = datasets.load("clithero", data).people[0].trials
    columns = (trials.vectors, trials.choice, trials.response_time)
    mean, sd = moments(bayes.fit(*columns))
    mcmc = _nuts.prepare(n_warmup, n_draws)
    first = _nuts.run(mcmc, *columns, seed=0)
    exact = [seconds_per_fit([trials], 1)[0] for _ in range(20)]
    second = _nuts.run(mcmc, *columns, seed=1)
    exact += [seconds_per_fit([trials], 1)[0] for _ in range(20)]
    per_fit = float(np.median(exact))
    return {
        "chains": 4,
        "warmup": n_warmup,
        "draws_per_chain": n_draws,
        "seconds_with_compilation": first.seconds,
        "seconds_without_compilation": second.seconds,
        "milliseconds_of_exact_fit": 1e3 * per_fit,
        "ratio_with_compilation": first.seconds / per_fit,
        "ratio_without_compilation": second.seconds / per_fit,
        "worst_rhat": second.worst_rhat,
        "smallest_effective_sample_size": second.smallest_ess,
        "largest_difference_of_means_in_standard_errors": float(
            np.abs((mean - second.mean) / second.mean_error).max()
        ),
        "largest_difference_of_sds_in_standard_errors": float(
            np.abs((sd - second.sd) / second.sd_error).max()
        ),
    }


def record_golden(data, n_warmup, n_draws):
    """Run long chains for the odd people, one entry of the golden file after the other."""
    from benchmarks import _nuts

    stored = {"provenance": provenance() | {"chains": 4, "warmup": n_warmup, "draws": n_draws}}
    stored["people"] = []
    for name, number in ODD_PEOPLE:
        (trials,) = (p.trials for p in datasets.load(name, data).people if p.name == number)
        mcmc = _nuts.prepare(n_warmup, n_draws)
        columns = (trials.vectors, trials.choice, trials.response_time)
        chains = _nuts.run(mcmc, *columns, seed=int(number))
        entry = {"data_set": name, "person": number}
        for field, value in chains._asdict().items():
            if field != "seconds":
                entry[field] = np.asarray(value).tolist()
        stored["people"].append(entry)
        GOLDEN.write_text(json.dumps(stored, indent=1) + "\n")
        print(f"{name} {number}: {chains.seconds:.0f} s, R-hat {chains.worst_rhat:.4f}", flush=True)


def provenance():
    """Say what was measured, with what."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    versions = {}
    for package in ("jax", "numpy", "numpyro", "scipy", "tacit"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "command": "python -m benchmarks.bayes",
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": versions,
    }


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with the human data")
    parser.add_argument("--quick", action="store_true", help="short chains, one repeat")
    parser.add_argument("--golden", action="store_true", help="rewrite the golden file instead")
    arguments = parser.parse_args()
    if arguments.golden:
        n_draws = 200 if arguments.quick else 10_000
        record_golden(arguments.data, n_draws // 5, n_draws)
        return
    found = {
        "provenance": provenance(),
        "fits": measure_fits(arguments.data, 1 if arguments.quick else 5),
        "nuts": measure_nuts(arguments.data, *((200, 200) if arguments.quick else (1000, 2000))),
    }
    print(json.dumps(found, indent=1))
    if not arguments.quick:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
