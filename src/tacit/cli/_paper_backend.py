"""Where the work of ``tacit paper`` is done: this machine's processes, or a cluster's."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from joblib import cpu_count, parallel_config

from tacit._extras import require
from tacit.errors import DataError


@contextmanager
def working(backend: str, n_jobs: int | None, scheduler: str | None) -> Iterator[None]:
    """Spread the work over workers of a kind as long as this lasts.

    Parameters
    ----------
    backend : {"local", "dask"}
        The kind.
    n_jobs : int or None
        Number of workers, -1 for one on each core; of a cluster made here, two by default.
    scheduler : str or None
        Address of a cluster that is there.
    """
    if backend == "local":
        if scheduler is not None:
            raise DataError("--scheduler is for clusters; add --backend dask")
        yield
    else:
        distributed = require("distributed", extra="cluster")
        with _dask(distributed, scheduler, n_jobs), parallel_config(backend="dask"):
            yield


@contextmanager
def _dask(distributed: ModuleType, scheduler: str | None, n_jobs: int | None) -> Iterator[None]:
    if scheduler is not None:
        with distributed.Client(scheduler):
            yield
        return
    made = {"n_workers": _n_workers(n_jobs), "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**made) as cluster, distributed.Client(cluster):
        yield


def _n_workers(n_jobs: int | None) -> int:
    return cpu_count() if n_jobs == -1 else n_jobs or 2
