"""A study on a real cluster: two worker processes of dask.distributed on this machine."""

import subprocess
import sys

import pytest

from tacit.simulate import Store, run_many
from tests.unit.simulate.cells import HEAD, assert_same, make_cells

CLUSTER = """
if __name__ == "__main__":
    import joblib
    from distributed import Client, LocalCluster
    settings = dict(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with LocalCluster(processes=True, **settings) as cluster, Client(cluster) as client:
        with joblib.parallel_config(backend="dask"):
            run_many(make_cells(), out=folder)
        print(*client.run(lambda dask_worker: dask_worker.state.executed_count).values())
"""


def test_a_cluster_of_two_workers_comes_to_the_same_numbers(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "script.py"
    script.write_text(HEAD + CLUSTER, "utf-8")
    run = subprocess.run(
        [sys.executable, script, tmp_path / "out"], check=True, capture_output=True, text=True
    )
    n_tasks = [int(word) for word in run.stdout.split()]
    assert len(n_tasks) == 2
    assert min(n_tasks) >= 1
    stored = {cell.config["labels"]["person"]: cell for cell in Store(tmp_path / "out")}
    for person, outcomes in enumerate(run_many(make_cells()).outcomes):
        assert_same(stored[str(person)].outcomes, outcomes)
