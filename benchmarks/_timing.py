"""What every benchmark does: take turns on one core, compare in pairs, say what ran, append."""

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from tacit import datasets
from tacit.errors import DataError, MissingExtra

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"


def use_one_core():
    """Keep this process on one core, where the system can, and its linear algebra on one thread."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    threadpool_limits(1)


def need_data(names, data):
    """End with one line, before any work, if a data set is neither in a folder nor downloaded."""
    try:
        for name in names:
            datasets.load(name, data)
            datasets.published_fits(name, data)
    except (DataError, MissingExtra) as error:
        raise SystemExit(f"this benchmark needs the data sets: {error}") from None


def take_turns(functions, n_repeats):
    """Return the processor seconds of each function in each of `n_repeats` rounds.

    Every round calls every function once, so that whatever else the machine does falls on all of
    them; a first round, for compilation and caches, is not counted.
    """
    seconds = {name: [] for name in functions}
    for _ in range(n_repeats + 1):
        for name, function in functions.items():
            began = time.process_time()
            function()
            seconds[name].append(time.process_time() - began)
    return {name: times[1:] for name, times in seconds.items()}


def rate(n_items, seconds):
    """Return the median of millions of items per second."""
    return n_items / float(np.median(seconds)) / 1e6


def ratio(slow, fast):
    """Return the median, smallest and largest ratio of the times of the same round."""
    ratios = np.divide(slow, fast)
    return {
        "median": float(np.median(ratios)),
        "smallest": float(ratios.min()),
        "largest": float(ratios.max()),
    }


def shown(value):
    """Format one cell: a number, or a ratio with its range."""
    if isinstance(value, dict):
        return f"{value['median']:.3g} ({value['smallest']:.3g} to {value['largest']:.3g})"
    return value if isinstance(value, str) else f"{value:.3g}"


def show(title, rows):
    """Print rows of equal keys as a table."""
    table = Table(title=title, title_justify="left")
    for name in rows[0]:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*map(shown, row.values()))
    Console(width=120).print(table)


def provenance(packages, **config):
    """Say which code ran, on what, and how it was configured, seeds among it."""
    settings = json.dumps(config, sort_keys=True)
    return {
        "commit": git("rev-parse", "--short", "HEAD").strip() or None,
        "changed": git("diff", "--name-only", "HEAD", "--", "src", "benchmarks/*.py").split(),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "versions": {name: importlib.metadata.version(name) for name in packages},
        "config": config,
        "config_hash": hashlib.sha256(settings.encode()).hexdigest()[:12],
    }


def processor():
    """Return the name of the processor, where the system tells."""
    told = Path("/proc/cpuinfo")
    name = re.search(
        r"^model name\s*: (.+)$", told.read_text() if told.exists() else "", re.MULTILINE
    )
    return name[1] if name else platform.processor() or None


def git(*arguments):
    """Return what git prints in this checkout; nothing where there is none."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout


def stored(name):
    """Return all runs in benchmarks/results/NAME.json, the latest one last."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def append(name, run):
    """Add `run` to benchmarks/results/NAME.json; earlier runs are kept."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps([*stored(name), run], indent=1) + "\n"
    (RESULTS / f"{name}.json").write_text(text, "utf-8")
