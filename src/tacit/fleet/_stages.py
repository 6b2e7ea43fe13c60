"""Where the seconds of a run go."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Stages:
    """Seconds by stage of one run, and the rows that nobody can be given.

    Parameters
    ----------
    progress : callable, optional
        Called with the number of people done so far.
    """

    progress: Callable[[int], None] | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    n_nobody: int = 0
    n_people: int = 0

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time that passes to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            passed = time.perf_counter() - began
            self.seconds[stage] = self.seconds.get(stage, 0.0) + passed

    def done(self, n_people: int) -> None:
        """Say that some more people are done."""
        self.n_people += n_people
        if self.progress is not None:
            self.progress(self.n_people)
