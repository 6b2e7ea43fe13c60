"""Linear algebra on one thread, for several runs of one process at the same time."""

import threading
from contextlib import ExitStack
from types import TracebackType

from threadpoolctl import threadpool_limits


class OneThread:
    """Keeps linear algebra on one thread as long as anybody in the process is inside.

    With more threads, sums may be rounded in another order. The limit belongs to the process: on
    its own, the first of several threads to leave would lift it for the others.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._limits = ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._limits.enter_context(threadpool_limits(1))
            self._n_inside += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                self._limits.close()


one_thread = OneThread()
