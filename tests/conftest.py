"""What every test may use: a folder with the human data, and one seeded generator."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import tests.postgres

# How long an example takes says nothing on a busy machine; benchmarks measure speed.
settings.register_profile("tacit", deadline=None)
settings.load_profile("tacit")

DATA_FILES = ("ClitheroDataset.csv", "KrajbichDataset.csv", "foodrisk.csv")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Folder of the three raw data sets: TACIT_DATA, or shared/data beside the checkout."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TACIT_DATA", beside))
    missing = [name for name in DATA_FILES if not (folder / name).is_file()]
    if missing:
        pytest.skip(f"needs the human data; set TACIT_DATA (missing: {', '.join(missing)})")
    return folder


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Return a generator seeded by the test's own name: stable, and different in every test."""
    return np.random.default_rng(list(request.node.nodeid.encode()))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Address of a PostgreSQL server that runs for these tests alone."""
    programs = tests.postgres.programs()
    if programs is None:
        pytest.skip("needs PostgreSQL's programs; on Debian: apt install postgresql")
    with tests.postgres.server(programs) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty store, of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return tests.postgres.fresh_database(request.getfixturevalue("postgres"))
