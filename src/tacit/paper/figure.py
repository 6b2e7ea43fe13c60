"""What every figure is: something to run, to draw, and to judge."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from tacit.paper.crowds import Crowd, crowd
from tacit.paper.scales import Scale
from tacit.paper.verdicts import Finding
from tacit.simulate import Results, Work, run_many
from tacit.simulate.work import T

F = TypeVar("F")

Row = Mapping[str, object]
Progress = Callable[[str, int, int], None]


def _silent(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Where a figure's numbers come from, and where they are kept.

    Parameters
    ----------
    scale : Scale
        How much to do.
    out : Path
        Folder of everything that is stored. What is there is not run again.
    data : Path, optional
        Folder of the data sets; see `tacit.datasets.load`.
    published : bool, default False
        Whether people have the parameters that the paper's authors published.
    n_jobs : int, optional
        Number of processes, as of `tacit.simulate.run_many`.
    progress : callable, optional
        Called with what is run, how much of it is done, and how much there is in all.
    """

    scale: Scale
    out: Path
    data: Path | None = None
    published: bool = False
    n_jobs: int | None = None
    progress: Progress = _silent
    _crowds: dict[str, Crowd] = field(default_factory=dict, repr=False)

    def crowd(self, name: str) -> Crowd:
        """Return as many people of a data set as the scale says."""
        if name not in self._crowds:
            people = crowd(name, self.data, n_people=self.scale.n_people, published=self.published)
            self._crowds[name] = people
        return self._crowds[name]

    def run(self, what: str, works: Sequence[Work[T]], *, store: str = "cells") -> Results[T]:
        """Run what is not stored, and return the outcomes of all.

        Parameters
        ----------
        what : str
            What progress calls it.
        works : sequence of Work
            Of one kind.
        store : str
            Subfolder of their tables: "cells" for `tacit.simulate.Cell`.
        """
        return run_many(
            works, out=self.out / store, n_jobs=self.n_jobs, progress=partial(self.progress, what)
        )


class Figure(ABC, Generic[F]):
    """Base of the figures and tables: collect numbers, draw them, judge the claim by them.

    Attributes
    ----------
    name : str
        What the command line calls it.
    title : str
        What it shows.
    claim : str
        What the paper says that it shows, or what we say beyond the paper.
    beyond : bool
        Whether the paper has no such figure.
    data_sets : tuple of str
        What it needs the files of.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    claim: ClassVar[str]
    beyond: ClassVar[bool] = False
    data_sets: ClassVar[tuple[str, ...]] = ()

    @property
    def data(self) -> str:
        """The one data set of a figure that needs one."""
        (name,) = self.data_sets
        return name

    @abstractmethod
    def collect(self, desk: Desk) -> F:
        """Return the numbers; what is not stored yet is run."""

    @abstractmethod
    def draw(self, found: F) -> Any:
        """Return the numbers as a `matplotlib.figure.Figure`."""

    @abstractmethod
    def judge(self, found: F) -> list[Finding]:
        """Return what the numbers say about each part of the claim."""

    @abstractmethod
    def rows(self, found: F) -> list[Row]:
        """Return the numbers as a table, one mapping for each row."""
