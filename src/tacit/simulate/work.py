"""Work: what is run once, stored under a key, and read ever after."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.simulate._configuration import digest


@dataclass(frozen=True, eq=False)
class Columns:
    """Base of tables: dataclasses whose fields are columns of equal length.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> @dataclass(frozen=True, eq=False)
    ... class Heights(Columns):
    ...     metres: np.ndarray
    >>> table = Heights(np.array([1.7, 1.8]))
    >>> len(table), list(table.columns())
    (2, ['metres'])
    """

    def __len__(self) -> int:
        return len(next(iter(self.columns().values())))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, as any table library takes them.

        Examples
        --------
        A data frame is ``pandas.DataFrame(table.columns())``.
        """
        return dict(vars(self))


T = TypeVar("T", bound=Columns)


class Work(ABC, Generic[T]):
    """Base of what `run_many` runs and a `Store` keeps: everything that a table rests on.

    Attributes
    ----------
    labels : mapping of str to str
        Columns that tell the work apart in a table, such as a person's name.
    seed : int
        Together with everything else, from which the randomness follows.
    """

    labels: Mapping[str, str]
    seed: int

    noun: ClassVar[str] = "work"
    """What messages call it."""

    @property
    @abstractmethod
    def table(self) -> type[T]:
        """The dataclass of arrays that `run` returns an object of."""

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """Return everything that the table rests on as JSON values."""

    @abstractmethod
    def run(self) -> T:
        """Return the table, the same one at any time, in any process."""

    @cached_property
    def key(self) -> str:
        """32 hexadecimal digits that follow from `config`: any other work has others."""
        return digest(self.config())

    def rng(self) -> np.random.Generator:
        """Return the source of randomness of this work, which no other work shares."""
        return np.random.default_rng(np.random.SeedSequence([self.seed, int(self.key, 16)]))
