"""Speed of estimates over logs: time by stage, memory, growth, and rates against loops.

    python -m benchmarks.fleet [--quick] [--large] [--folder DIR] [--seed N]

prints tables and appends the run to benchmarks/results/fleet.json. Logs of simulated people (100
pairs of 1,000 items with 16 features each) are written to a temporary folder, which is removed.
Each fit runs in a process of its own, on all cores; wall and processor seconds are told apart,
because other work on a machine lengthens the former. `--large` fits a log of 100 million trials
instead.
The loops take turns with the fit over the same people, on one core.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.linear_model import LogisticRegression

from benchmarks._timing import append, provenance, ratio, show, take_turns, use_one_core
from tacit import ddm, fleet
from tacit.estimators import Likelihood
from tacit.records import Items, Trials

Row = dict[str, Any]

N_ITEMS, N_FEATURES, N_TRIALS = 1000, 16, 100
N_PEOPLE = (12_500, 25_000, 50_000, 100_000)
LARGE = 1_000_000
AT_ONCE = 10_000
BARRIER, NONDECISION_TIME, SPREAD = 1.2, 0.4, 0.25

CHILD = """
import json, resource, sys, time
began = time.perf_counter()
from tacit import fleet
from tacit.records import Items
folder, memory = sys.argv[1:]
items = Items.read(folder + "/items.parquet")
engine = fleet.Engine(memory=memory, folder=folder)
found = fleet.fit(folder + "/log", items, out=folder + "/estimates.parquet", engine=engine)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "n_people": found.n_people,
    "n_trials": found.n_trials,
    "stages": found.seconds,
    "wall": time.perf_counter() - began,
    "processor": usage.ru_utime + usage.ru_stime,
    "memory, GB": usage.ru_maxrss * 1024 / 1e9,
}))
"""


def write_log(folder: Path, n_people: int, rng: np.random.Generator) -> Items:
    """Write the trials of made-up people, mixed over portions of them, and return their items."""
    log = folder / "log"
    log.mkdir()
    items = Items(rng.standard_normal((N_ITEMS, N_FEATURES)).round(3))
    pq.write_table(
        pa.table({"item": np.arange(N_ITEMS), **_columns(items)}), folder / "items.parquet"
    )
    for start in range(0, n_people, AT_ONCE):
        size = min(AT_ONCE, n_people - start)
        weights = SPREAD * rng.standard_normal((size, N_FEATURES))
        person = rng.integers(size, size=size * N_TRIALS)
        first = rng.integers(N_ITEMS, size=len(person))
        second = (first + rng.integers(1, N_ITEMS, size=len(person))) % N_ITEMS
        utility = weights @ items.features.T
        choice, times = ddm.sample(
            utility[person, first] - utility[person, second],
            BARRIER,
            nondecision_time=NONDECISION_TIME,
            rng=rng,
        )
        columns = {
            "person": (start + person).astype(np.int32),
            "first": first.astype(np.int32),
            "second": second.astype(np.int32),
            "choice": choice.astype(np.int8),
            "response_time": times.astype(np.float32),
        }
        pq.write_table(pa.table(columns), log / f"part-{start:08}.parquet")
    return items


def _columns(items: Items) -> dict[str, np.ndarray]:
    return dict(zip(items.feature_names, items.features.T, strict=True))


def measure(n_people: int, memory: str, seed: int, within: Path | None) -> Row:
    """Return the row of one size."""
    with tempfile.TemporaryDirectory(dir=within) as folder:
        write_log(Path(folder), n_people, np.random.default_rng(seed))
        run = subprocess.run(
            [sys.executable, "-c", CHILD, folder, memory],
            check=True,
            capture_output=True,
            text=True,
        )
    return {**json.loads(run.stdout), "load": os.getloadavg()[0]}


def compare(n_people: int, n_repeats: int, seed: int) -> list[Row]:
    """Return how much faster the fit is than loops over people, on one core."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        items = write_log(folder, n_people, np.random.default_rng(seed))
        table = pq.read_table(folder / "log")

        def people() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
            """Return everybody's trials, for loops that begin with the same file."""
            table = pq.read_table(folder / "log").sort_by("person").to_pydict()
            columns = {name: np.array(values) for name, values in table.items()}
            ends = np.flatnonzero(np.diff(columns["person"])) + 1
            vectors = items.differences(columns["first"], columns["second"])
            parts = (
                np.split(x, ends) for x in (vectors, columns["choice"], columns["response_time"])
            )
            return list(zip(*parts, strict=True))

        def all_at_once(best: int) -> None:
            fleet.fit(
                folder / "log",
                items,
                model=fleet.Model(n_best=best),
                out=folder / "estimates.parquet",
                engine=fleet.Engine(threads=1),
            )

        def one_by_one() -> None:
            for vectors, choice, times in people():
                Likelihood(0.85 * times.min()).fit(vectors, choice, response_time=times)

        def jointly() -> None:
            for vectors, choice, times in people():
                Likelihood().fit(vectors, choice, response_time=times)

        def logistic() -> None:
            for vectors, choice, _ in people():
                LogisticRegression(fit_intercept=False).fit(vectors, choice)

        functions = {
            "fleet.fit, no best items": lambda: all_at_once(0),
            "fleet.fit": lambda: all_at_once(3),
            "loop over Likelihood, time known": one_by_one,
            "loop over Likelihood": jointly,
            "loop over LogisticRegression": logistic,
        }
        seconds = take_turns(functions, n_repeats)
    fast = seconds["fleet.fit, no best items"]
    return [
        {
            "what": name,
            "people": n_people,
            "trials, M/s of one core": table.num_rows / float(np.median(taken)) / 1e6,
            "time / fleet.fit without best items": ratio(taken, fast),
        }
        for name, taken in seconds.items()
    ]


def agreement(n_people: int, seed: int) -> Row:
    """Return how far anybody's weights differ between the ways to sum, relative to their size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        items = write_log(folder, n_people, np.random.default_rng(seed))
        memory = Trials.from_table(pq.read_table(folder / "log"), items, person="person")
        ways = {
            "stream": fleet.fit(folder / "log", items, how="stream"),
            "query": fleet.fit(folder / "log", items, how="query"),
            "memory": fleet.fit(memory),
        }
    weights = {
        name: fleet.weights_of(found.table.sort_by("person"))[0] for name, found in ways.items()
    }
    size = np.linalg.norm(weights["stream"], axis=1)
    return {"people": n_people} | {
        f"stream against {name}": float(
            (np.linalg.norm(weights[name] - weights["stream"], axis=1) / size).max()
        )
        for name in ("query", "memory")
    }


def exponent(rows: list[Row], what: str) -> float:
    """Return the power of the number of trials with which a time grows."""
    sizes, seconds = ([np.log(row[name]) for row in rows] for name in ("n_trials", what))
    return float(np.polyfit(sizes, seconds, 1)[0])


def fits(people: Sequence[int], seed: int, within: Path | None) -> Row:
    """Return the fits of several sizes, and how their times grow."""
    rows = []
    for n_people in people:
        memory = "2GB" if n_people < LARGE else "4GB"
        rows.append(measure(n_people, memory, seed, within))
        print(f"{time.strftime('%H:%M:%S')} {rows[-1]['n_trials']:,} trials done", flush=True)
    shown = [{**{k: v for k, v in row.items() if k != "stages"}, **row["stages"]} for row in rows]
    show("Fits of logs: seconds", shown)
    if len(rows) == 1:
        return {"fits": rows}
    powers = {name: exponent(rows, name) for name in ("wall", "processor")}
    show("Power of the number of trials", [powers])
    return {"fits": rows, "exponents": powers}


def main() -> None:
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small, nothing stored")
    parser.add_argument("--large", action="store_true", help="only the log of 100 million trials")
    parser.add_argument("--folder", type=Path, help="where the logs are written")
    parser.add_argument("--seed", type=int, default=1, help="of the made-up people")
    arguments = parser.parse_args()
    seed = arguments.seed
    if arguments.large:
        run = fits((LARGE,), seed, arguments.folder)
    else:
        run = fits((500, 1000) if arguments.quick else N_PEOPLE, seed, arguments.folder)
        run["agreement"] = agreement(100 if arguments.quick else 2000, seed)
        show("Largest relative difference of anybody's weights", [run["agreement"]])
        use_one_core()
        run["rates"] = compare(*((100, 1) if arguments.quick else (1000, 3)), seed)
        show("The same people on one core: ratios are medians (range over rounds)", run["rates"])
    if not arguments.quick:
        packages = ("duckdb", "ibis-framework", "numpy", "pyarrow", "scikit-learn", "tacit")
        ran = provenance(packages, seed=seed, large=arguments.large)
        append("fleet", {"provenance": ran, **run})


if __name__ == "__main__":
    main()
