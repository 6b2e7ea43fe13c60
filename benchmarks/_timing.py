"""What every benchmark does: take turns on one core, compare in pairs, say what ran, append."""

import importlib.metadata
import json
import os
import platform
import subprocess
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def use_one_core():
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


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


def provenance(packages, **config):
    """Say which code ran, on what, and how it was configured."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {name: importlib.metadata.version(name) for name in packages},
        "config": config,
    }


def append(name, run):
    """Add `run` to benchmarks/results/NAME.json; earlier runs are kept."""
    path = HERE / "results" / f"{name}.json"
    runs = json.loads(path.read_text("utf-8")) if path.exists() else []
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps([*runs, run], indent=1) + "\n", "utf-8")
