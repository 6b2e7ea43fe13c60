"""The promises that the package makes as a whole."""

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tacit

ROOT = Path(__file__).parents[2]
ROOMS = sorted(
    path.stem
    for path in (ROOT / "src" / "tacit").iterdir()
    if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists())
)
WEB_ROOMS = {"client", "study", "web"}
LAZY = [
    "alembic",
    "arviz",
    "distributed",
    "duckdb",
    "fastapi",
    "httpx",
    "ibis",
    "matplotlib",
    "numba",
    "pandas",
    "polars",
    "pooch",
    "psycopg",
    "pyarrow",
    "pyspark",
    "sqlalchemy",
    "ssms",
    "uvicorn",
]


def in_fresh_interpreter(code: str) -> object:
    """Run `code` in a new interpreter; it prints one JSON value."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True
    )
    return json.loads(run.stdout)


def test_import_takes_less_than_four_tenths_of_a_second():
    code = "import time; t = time.perf_counter(); import tacit; print(time.perf_counter() - t)"
    assert min(in_fresh_interpreter(code) for _ in range(5)) < 0.4


def test_import_loads_no_room_and_no_dependency():
    code = """
import json, sys
before = {name.partition(".")[0] for name in sys.modules}
import tacit
after = {name.partition(".")[0] for name in sys.modules}
rooms = [name for name in sys.modules if name.startswith("tacit.")]
print(json.dumps(rooms + sorted(after - before - set(sys.stdlib_module_names))))
"""
    assert in_fresh_interpreter(code) == ["tacit"]


def test_rooms_load_no_compiler_and_no_extra():
    code = f"""
import importlib, json, sys
import sklearn.base  # brings pandas where it is installed
lazy = [name for name in {LAZY} if name not in sys.modules]
for room in {ROOMS}:
    importlib.import_module("tacit." + room)
print(json.dumps([name for name in lazy if name in sys.modules]))
"""
    assert in_fresh_interpreter(code) == []


def test_rooms_have_no_side_effects():
    code = f"""
import importlib, json, logging, os, random, threading, warnings
import numpy as np
import rich, scipy.stats, sklearn.base, typer

def state():
    legacy = np.random.get_state()
    return [
        legacy[1].tolist(), legacy[2], repr(random.getstate()), dict(os.environ),
        len(logging.root.handlers), logging.root.level, threading.active_count(),
        len(warnings.filters), repr(np.geterr()), repr(np.get_printoptions()),
    ]

before = state()
for room in {ROOMS}:
    importlib.import_module("tacit." + room)
print(json.dumps(before == state()))
"""
    assert in_fresh_interpreter(code) is True


@pytest.mark.parametrize("name", tacit.__all__)
def test_every_public_name_can_be_reached(name):
    assert getattr(tacit, name) is not None
    assert name in dir(tacit)


def test_an_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = tacit.nonsense


def test_version_is_the_same_everywhere():
    assert importlib.metadata.version("tacit") == tacit.__version__
    assert f"version: {tacit.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{tacit.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_every_room_is_guarded_without_exceptions():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers, _, web, terminal = contracts
    guarded = {room for layer in layers["layers"] for room in re.findall(r"\w+", layer)}
    assert guarded >= set(ROOMS)
    assert set(terminal["source_modules"]) >= {f"tacit.{room}" for room in ROOMS if room != "cli"}
    assert set(web["source_modules"]) >= {f"tacit.{room}" for room in set(ROOMS) - WEB_ROOMS}
    assert not any(contract.get("ignore_imports") for contract in contracts)


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / name for name in listing.stdout.split("\0") if name]


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a package registry", r"(pypi|pythonhosted|npmjs|anaconda)\.(org|com)|index-url *[=h]"),
        ("a path of one machine", r"(?<![\w./~-])/(work|root|opt|home|tmp)/\w"),
    ],
)
def test_nothing_tracked_names(what, pattern):
    found = []
    for path in tracked_files():
        if not path.is_file() or path.suffix == ".png":
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, f"{what} is named in {found}"
