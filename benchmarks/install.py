"""Size of a fresh install without extras, how long `import tacit` takes in it, and a first use.

    python -m benchmarks.install [--quick]

installs this checkout into an environment in a temporary folder, runs the example of the README
there, prints what it measured and appends it to benchmarks/results/install.json. A package's size
is that of the files that its installation wrote, bytecode among them; a megabyte is 10^6
bytes. Every process is new and is timed by the clock, which other work on the machine slows, and in
seconds of the processor; the first one, which finds nothing in the file cache, is not counted.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

from benchmarks._timing import ROOT, append, provenance, show, use_one_core

INSTALLER = ("pip", "setuptools")
"""What the environment holds before anything is installed."""

SIZES = """
import importlib.metadata, json
sizes = {}
for dist in importlib.metadata.distributions():
    files = [path for f in dist.files if (path := f.locate()).is_file()]
    compiled = [path for path in files if path.suffix == ".pyc"]
    sizes[dist.name] = [sum(path.stat().st_size for path in some) for some in (files, compiled)]
print(json.dumps(sizes))
"""

IMPORTS = {
    "import tacit": "import tacit",
    "and all its rooms": (
        "import tacit.bayes, tacit.datasets, tacit.ddm, tacit.designs, tacit.estimators, "
        "tacit.learners, tacit.records, tacit.simulate"
    ),
}

TIMED = """
import time
clock, processor = time.perf_counter(), time.process_time()
{statement}
print(time.perf_counter() - clock, time.process_time() - processor)
"""

README_EXAMPLE = re.compile(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


def printed(*command):
    """Return what a command prints; end with its complaint if it fails."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ... failed:\n{run.stderr.strip()}")
    return run.stdout


def install(folder):
    """Install this checkout into a new environment; return its interpreter."""
    venv.create(folder, with_pip=True, symlinks=True)
    python = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
    printed(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(ROOT))
    return python


def sizes(python):
    """Return megabytes of every package, the largest first, and of all compiled bytecode."""
    found = json.loads(printed(python, "-c", SIZES))
    used = {name: np.divide(size, 1e6) for name, size in found.items() if name not in INSTALLER}
    by_package = {name: float(size) for name, (size, _) in used.items()}
    bytecode = float(sum(size for _, size in used.values()))
    return dict(sorted(by_package.items(), key=lambda item: -item[1])), bytecode


def import_seconds(python, statement, n_repeats):
    """Return seconds by the clock and of the processor: median and range over new processes."""
    script = TIMED.format(statement=statement)
    runs = [printed(python, "-c", script).split() for _ in range(n_repeats + 1)][1:]
    clock, processor = np.array(runs, dtype=float).T
    return {"clock": spread(clock), "processor": spread(processor)}


def spread(values):
    """Return median and range."""
    return {
        "median": float(np.median(values)),
        "smallest": float(min(values)),
        "largest": float(max(values)),
    }


def first_use(python, n_repeats):
    """Run the README's example as a user would; return seconds of whole processes.

    The first run compiles nothing and finds empty caches; it is told apart from the others.
    """
    example = README_EXAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    code, shown = example.groups()
    seconds = []
    for _ in range(n_repeats + 1):
        began = time.perf_counter()
        answer = printed(python, "-c", code)
        seconds.append(time.perf_counter() - began)
        if answer != shown:
            raise SystemExit(f"the README's example prints\n{answer}and not\n{shown}")
    return {"the first time": seconds[0], "again": spread(seconds[1:])}


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few processes, nothing stored")
    arguments = parser.parse_args()
    n_repeats = 3 if arguments.quick else 21
    with tempfile.TemporaryDirectory() as folder:
        python = install(folder)
        megabytes, bytecode = sizes(python)
        use_one_core()
        example = first_use(python, n_repeats)
        seconds = {
            name: import_seconds(python, statement, n_repeats)
            for name, statement in IMPORTS.items()
        }
    run = {
        "MB": sum(megabytes.values()),
        "MB of bytecode": bytecode,
        "MB by package": megabytes,
        "import, s": seconds,
        "example of the README, s on the clock": example,
    }
    show("Megabytes", [{"all": run["MB"], "of which bytecode": bytecode}])
    show("", [{"package": name, "MB": size} for name, size in list(megabytes.items())[:8]])
    show("Seconds: median (range)", [{"what": k, **v} for k, v in seconds.items()])
    show("The README's example, seconds on the clock", [example])
    if not arguments.quick:
        append("install", {"provenance": provenance(("numpy",), n_repeats=n_repeats)} | run)


if __name__ == "__main__":
    main()
