"""Figures go on where they were left, and come to the same files on a cluster."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib")

RUN = [sys.executable, "-m", "tacit.cli", "paper", "run", "7", "--out", "results"]


def environment(data_dir):
    return os.environ | {"TACIT_DATA": str(data_dir)}


def run(folder, data_dir, *more):
    subprocess.run(
        [*RUN, *more], check=True, capture_output=True, cwd=folder, env=environment(data_dir)
    )


def files(folder: Path) -> dict[str, bytes]:
    """All results but what they took, by their path."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name != "times.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def n_cells(folder: Path) -> int:
    return len(list(folder.glob("results/cells/*.parquet")))


@pytest.fixture(scope="module")
def undisturbed(data_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    run(folder, data_dir)
    return folder


def test_a_killed_run_goes_on_to_the_same_files(data_dir, tmp_path, undisturbed):
    environ = environment(data_dir)
    killed = subprocess.Popen(RUN, stderr=subprocess.PIPE, cwd=tmp_path, env=environ)
    while n_cells(tmp_path) < 3:
        assert killed.poll() is None, killed.stderr.read().decode()
        time.sleep(0.001)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert n_cells(tmp_path) < n_cells(undisturbed)
    assert not (tmp_path / "results/smoke/figure-7.pdf").exists()
    run(tmp_path, data_dir)
    assert files(tmp_path) == files(undisturbed)


def test_a_cluster_of_two_workers_comes_to_the_same_files(data_dir, tmp_path, undisturbed):
    pytest.importorskip("distributed")
    run(tmp_path, data_dir, "--backend", "dask", "--jobs", "2")
    assert files(tmp_path) == files(undisturbed)
