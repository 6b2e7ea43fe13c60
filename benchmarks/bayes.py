"""Exact posteriors of the paper's 112 people: against its own fits, and against NUTS.

    python -m benchmarks.bayes [--data DIR] [--quick]

fits everybody, runs NumPyro's NUTS on Clithero's first person, prints what it measured and appends
it to benchmarks/results/bayes.json. Everything runs on one core.

    python -m benchmarks.bayes --golden

runs long chains for those people whose published posterior means differ most from the exact ones,
and adds them to tests/golden/bayes_nuts.json; who is there already is left alone.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np

from benchmarks._timing import (
    append,
    need_data,
    provenance,
    ratio,
    take_turns,
    use_one_core,
)
from tacit import bayes, datasets
from tacit.errors import DataWarning

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "bayes_nuts.json"
NAMES = ("food-risk", "clithero", "krajbich")
ODD_PEOPLE = (
    ("clithero", "719"),
    ("food-risk", "36"),
    ("clithero", "613"),
    ("krajbich", "45"),
    ("food-risk", "32"),
    ("clithero", "601"),
    ("krajbich", "27"),
    ("krajbich", "44"),
)
"""The largest differences in barrier, nondecision time and weights, in units and in sds."""

IN_SDS = "all but the odd people, in posterior sds"
PACKAGES = ("jax", "numba", "numpy", "numpyro", "scipy", "tacit")
GOLDEN_CHAINS = {"n_chains": 4, "n_warmup": 2000, "n_draws": 10_000}


def posterior_of(trials):
    """Return the exact posterior under the paper's flat priors."""
    return bayes.fit(trials.vectors, trials.choice, trials.response_time)


def fit(trials):
    """Return means and sds of barrier, nondecision time and weights."""
    posterior = posterior_of(trials)
    parts = (posterior.barrier, posterior.nondecision_time, posterior.weights)
    return tuple(np.hstack([getattr(part, which) for part in parts]) for which in ("mean", "sd"))


def compare_with_published(name, people, published):
    """Return absolute differences between exact and published means, in the paper's units."""
    fits = [fit(person.trials) for person in people]
    off = {"boundary separation": [], "nondecision time": [], "weights": [], IN_SDS: []}
    for person, (mean, sd), paper in zip(people, fits, published, strict=True):
        differences = abs(mean - stacked(paper))
        off["boundary separation"].append(2 * differences[0])
        off["nondecision time"].append(differences[1])
        off["weights"].extend(differences[2:])
        if (name, person.name) not in ODD_PEOPLE:
            off[IN_SDS].append(np.max(differences / sd))
    barriers, times = np.transpose([mean[:2] for mean, _ in fits])
    return off, {
        "people": len(people),
        "barriers": [barriers.min(), barriers.max()],
        "nondecision times": [times.min(), times.max()],
    }


def stacked(parameters):
    """Return barrier, nondecision time and weights as one array."""
    return np.hstack([parameters.barrier, parameters.nondecision_time, parameters.weights])


def published(data):
    """Compare everybody with the published means: by data set and, last, all together."""
    rows, everybody = [], {}
    for name in NAMES:
        people = datasets.load(name, data).people
        off, ranges = compare_with_published(name, people, datasets.published_fits(name, data))
        rows.append({"data set": name} | ranges | summarise(off))
        for what, differences in off.items():
            everybody.setdefault(what, []).extend(differences)
    n_people = sum(row["people"] for row in rows)
    return [*rows, {"data set": "all", "people": n_people} | summarise(everybody)]


def summarise(off):
    """Return medians and maxima of the differences."""
    return {
        f"{which} difference of {what}": float(summary(differences))
        for what, differences in off.items()
        for which, summary in (("median", np.median), ("largest", np.max))
    }


def speed(data, n_repeats):
    """Time one person of each data set, and all people, each with means and sds."""
    everybody = {name: [p.trials for p in datasets.load(name, data).people] for name in NAMES}
    functions = {
        f"{name}, first person": lambda one=people[0]: fit(one)
        for name, people in everybody.items()
    }
    functions["all people"] = lambda: [fit(one) for people in everybody.values() for one in people]
    began = time.perf_counter()
    functions["all people"]()
    elapsed = time.perf_counter() - began
    seconds = take_turns(functions, n_repeats)
    return {
        f"{name}, {unit}": {
            "median": float(factor * np.median(times)),
            "smallest": float(factor * min(times)),
            "largest": float(factor * max(times)),
        }
        for name, times in seconds.items()
        for unit, factor in [("s", 1.0) if name == "all people" else ("ms", 1e3)]
    } | {"all people, the first time, s on the clock": elapsed}


def nuts(data, n_warmup, n_draws, seed):
    """Sample and integrate the posterior of Clithero's first person in turn."""
    from benchmarks import _nuts

    trials = datasets.load("clithero", data).people[0].trials
    columns = (trials.vectors, trials.choice, trials.response_time)
    mcmc = _nuts.prepare(n_warmup, n_draws)
    runs = []

    def sample():
        runs.append(_nuts.run(mcmc, *columns, seed=seed + len(runs)))

    seconds = take_turns({"NUTS": sample, "tacit": lambda: fit(trials)}, 3)
    first, last = runs[0], runs[-1]
    mean, sd = fit(trials)
    return {
        "trials": trials.n_trials,
        "weights": trials.vectors.shape[1],
        "NUTS, s with compilation": first.seconds,
        "NUTS, s": float(np.median(seconds["NUTS"])),
        "tacit, ms": 1e3 * float(np.median(seconds["tacit"])),
        "NUTS / tacit": ratio(seconds["NUTS"], seconds["tacit"]),
        "worst R-hat": last.worst_rhat,
        "smallest effective sample size": last.smallest_ess,
        "comparisons": 2 * len(mean),
        "means, largest difference in standard errors": float(
            np.abs((mean - last.mean) / last.mean_error).max()
        ),
        "sds, largest difference in standard errors": float(
            np.abs((sd - last.sd) / last.sd_error).max()
        ),
    }


def find(data, name, number):
    """Return a person and the published fit of the same person."""
    people = datasets.load(name, data).people
    index = [person.name for person in people].index(number)
    return people[index], datasets.published_fits(name, data)[index]


def judge(data, n_draws, seed):
    """Set published and exact means beside long chains, where the first two differ most in sds.

    The chains keep to the prior's box. Where queries show several weights at once, the exact
    posterior does not apply it; its draws from inside then do, with a Monte Carlo error.
    """
    rows = []
    for entry in json.loads(GOLDEN.read_text("utf-8")):
        person, paper = find(data, entry["data_set"], entry["person"])
        posterior = posterior_of(person.trials)
        mean, sd = fit(person.trials)
        theirs = stacked(paper)
        worst = int(np.argmax(abs(theirs - mean) / sd))
        draws = posterior.sample(n_draws, np.random.default_rng(seed))
        low, high = posterior.prior.weights
        inside = ((draws.weights > low) & (draws.weights < high)).all(axis=1)
        values = np.column_stack([draws.barrier, draws.nondecision_time, draws.weights])
        values = values[inside, worst]
        rows.append(
            {
                "person": f"{entry['data_set']} {entry['person']}",
                "of": ["barrier", "nondecision time"][worst]
                if worst < 2
                else f"weight {worst - 2}",
                "published": float(theirs[worst]),
                "exact": float(mean[worst]),
                "outside the box": float(1 - inside.mean()),
                "exact, inside the box": float(values.mean()),
                "error inside the box": float(values.std() / np.sqrt(len(values))),
                "long chains": entry["mean"][worst],
                "their error": entry["mean_error"][worst],
                "posterior sd": float(sd[worst]),
            }
        )
    return rows


def record_golden(data):
    """Run long chains for the odd people who have none yet; store one after the other."""
    from benchmarks import _nuts

    entries = json.loads(GOLDEN.read_text("utf-8"))
    done = {(entry["data_set"], entry["person"]) for entry in entries}
    for name, number in ODD_PEOPLE:
        if (name, number) in done:
            continue
        trials = find(data, name, number)[0].trials
        mcmc = _nuts.prepare(GOLDEN_CHAINS["n_warmup"], GOLDEN_CHAINS["n_draws"])
        columns = (trials.vectors, trials.choice, trials.response_time)
        chains = _nuts.run(mcmc, *columns, seed=int(number))._asdict()
        seconds = chains.pop("seconds")
        entry = {"data_set": name, "person": number}
        entry["provenance"] = provenance(PACKAGES, seed=int(number), **GOLDEN_CHAINS)
        entries.append(entry | {k: np.asarray(value).tolist() for k, value in chains.items()})
        GOLDEN.write_text(json.dumps(entries, indent=1) + "\n", "utf-8")
        print(f"{name} {number}: {seconds:.0f} s, R-hat {chains['worst_rhat']:.4f}", flush=True)


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="folder with the data sets; else TACIT_DATA or a download")
    parser.add_argument("--quick", action="store_true", help="short chains, nothing stored")
    parser.add_argument("--seed", type=int, default=0, help="of the chains")
    parser.add_argument("--golden", action="store_true", help="long chains instead")
    arguments = parser.parse_args()
    need_data(NAMES, arguments.data)
    use_one_core()
    # Some weights leave the prior's box; who they are is part of what is reported.
    warnings.simplefilter("ignore", DataWarning)
    if arguments.golden:
        record_golden(arguments.data)
        return
    n_warmup, n_draws, n_repeats = (200, 200, 2) if arguments.quick else (1000, 2000, 10)
    run = {
        "published": published(arguments.data),
        "judged": judge(arguments.data, 100 * n_draws, arguments.seed),
        "speed": speed(arguments.data, n_repeats),
        "nuts": nuts(arguments.data, n_warmup, n_draws, arguments.seed),
    }
    print(json.dumps(run, indent=1))
    if not arguments.quick:
        config = {"seed": arguments.seed, "n_chains": 4, "n_warmup": n_warmup, "n_draws": n_draws}
        append("bayes", {"provenance": provenance(PACKAGES, **config)} | run)


if __name__ == "__main__":
    main()
