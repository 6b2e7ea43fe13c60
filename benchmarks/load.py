"""Two hundred people at once: how long they wait for the next question.

    python -m benchmarks.load [--participants 200] [--rate 0.5]

Simulated people answer a study through the real API of a real server on this machine, once on an
SQLite file with one server process, once on PostgreSQL with two. Prints a table and appends the run
to benchmarks/results/load.json. All begin within the time of one answer; the 99th percentile is
also told of answers while people arrive, while all are there, and when the first are through. The
people share the processors with the server; how busy these were with other work is stored, too.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks._timing import append, provenance, show
from tests import postgres
from tests.live.servers import ServerProcess

STUDY = """
[study]
id = "load"
title = "Load"
question = "Which one?"

[budget]
queries = {n_queries}

"""
N_ITEMS = 12


def study(n_queries):
    """Return the text of a study of twelve items, each its own feature."""
    items = "".join(f'[[items]]\nid = "item{number}"\n\n' for number in range(N_ITEMS))
    return STUDY.format(n_queries=n_queries) + items


def processor_seconds():
    """Return the seconds that all processors together were busy and could have been."""
    with Path("/proc/stat").open(encoding="ascii") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK"), sum(ticks) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Return the processor seconds of finished child processes."""
    times = os.times()
    return times.children_user + times.children_system


def load(address, options, arguments, folder):
    """Serve a study and let everybody take part; returns what they counted."""
    path = folder / "study.toml"
    path.write_text(study(arguments.queries), "utf-8")
    busy_before, all_before = processor_seconds()
    own_before = own_seconds()
    with ServerProcess(path, address, *options) as server:
        command = [sys.executable, "-m", "tacit.cli", "study", "simulate", "--json"]
        command += ["--url", f"{server.url}/s/{server.link()}"]
        command += ["--participants", str(arguments.participants), "--rate", str(arguments.rate)]
        run = subprocess.run(command, check=False, capture_output=True, text=True)
    if not run.stdout:
        raise SystemExit(run.stderr)
    busy, available = processor_seconds()
    others = (busy - busy_before) - (own_seconds() - own_before)
    told = json.loads(run.stdout.splitlines()[-1])
    return told | {"share_of_processors_used_by_others": others / (available - all_before)}


def figures(told):
    """Return what is shown of a run, by name."""
    names = ("sessions_completed", "answers_acknowledged", "answers_lost")
    names += ("latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
    names += ("share_of_processors_used_by_others",)
    return {name.replace("_", " "): told[name] for name in names} | {
        f"p99 while {part}, ms": "-" if ms is None else ms
        for part, ms in told["latency_p99_ms_while"].items()
    }


def main():
    """Run both stores, print, and store the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--participants", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0.5, help="answers per second of each")
    parser.add_argument("--queries", type=int, default=20, help="answers of each")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        runs = {"SQLite, 1 process": (str(folder / "study.db"), ())}
        programs = postgres.programs()
        if programs is not None:
            server = stack.enter_context(postgres.server(programs))
            address = postgres.fresh_database(server)
            runs["PostgreSQL, 2 processes"] = (address, ("--processes", "2"))
        results = {name: load(*run, arguments, folder) for name, run in runs.items()}
    table = [
        {"what": what} | {store: figures(told)[what] for store, told in results.items()}
        for what in figures(next(iter(results.values())))
    ]
    show(f"{arguments.participants} people, an answer every {1 / arguments.rate:g} s", table)
    packages = ["tacit", "fastapi", "uvicorn", "sqlalchemy", "numpy"]
    config = vars(arguments) | {"processors": os.cpu_count()}
    append("load", {"provenance": provenance(packages, **config), "results": results})


if __name__ == "__main__":
    main()
