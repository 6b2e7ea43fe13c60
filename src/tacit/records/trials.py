"""Trials: what was asked, what was answered, and how long it took."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Unpack
from warnings import warn

import numpy as np
import numpy.typing as npt

from tacit.errors import DataError, DataWarning
from tacit.records._arrays import (
    REFERENCE,
    AnyArray,
    BoolArray,
    ChoiceArray,
    FloatArray,
    IntArray,
    freeze,
    same_values,
)
from tacit.records._grouping import mean_of_groups, numbered, positions_by_value
from tacit.records._rows import Rows
from tacit.records._validation import (
    Checked,
    Columns,
    OnInvalid,
    Rules,
    check,
)
from tacit.records.exclusions import Exclusions
from tacit.records.items import Items
from tacit.records.reading import TableOptions, trial_columns
from tacit.records.tables import as_column, as_numbers, as_table, read_table, write_columns


@dataclass(frozen=True, repr=False, eq=False)
class Trials:
    """Asked queries with their answers, one row for each.

    Make trials with :meth:`from_arrays`, :meth:`from_table` or :meth:`read`, which check every
    row; this constructor takes its columns on trust and makes them read-only.

    Parameters
    ----------
    first : array of int64, shape (n_trials,)
        Item shown first.
    second : array of int64, shape (n_trials,)
        Item shown second, or -1 for the reference of the items.
    choice : array of int8, shape (n_trials,)
        +1 if the first was chosen, -1 if the second was.
    response_time : array of float, shape (n_trials,)
        Seconds from question to answer; NaN where the time is void and only the choice counts.
    items : Items
        What was chosen among.
    row : array of int64, shape (n_trials,)
        Number of each trial in its source: from 0 in arrays and tables, the line in text files.
    person : array of int64 or str, shape (n_trials,), optional
        Who answered.
    exclusions : Exclusions
        What was left out on the way.

    Examples
    --------
    >>> snacks = Items([[1.0], [3.0]], names=["nuts", "cake"])
    >>> trials = Trials.from_arrays([0, 1], [1, 0], [-1, 1], [0.8, 0.6], snacks)
    >>> trials
    Trials(n_trials=2, n_items=2)
    >>> trials.vectors
    array([[-2.],
           [ 2.]])
    """

    first: IntArray
    second: IntArray
    choice: ChoiceArray
    response_time: FloatArray
    items: Items
    row: IntArray
    person: AnyArray | None = None
    exclusions: Exclusions = field(default_factory=Exclusions)

    def __post_init__(self) -> None:
        for column in (self.first, self.second, self.choice, self.response_time, self.row):
            freeze(column)
        if self.person is not None:
            freeze(self.person)

    @classmethod
    def from_arrays(
        cls,
        first: npt.ArrayLike,
        second: npt.ArrayLike | None,
        choice: npt.ArrayLike,
        response_time: npt.ArrayLike,
        items: Items,
        *,
        person: npt.ArrayLike | None = None,
        allow_void_times: bool = False,
        allow_identical: bool = False,
        nondecision_time: float = 0.0,
        on_invalid: OnInvalid = "raise",
    ) -> "Trials":
        """Make trials of arrays, after checking every row.

        Parameters
        ----------
        first : array-like of int or str, shape (n_trials,)
            Items shown first: indices from 0, or names.
        second : array-like of int or str, shape (n_trials,), or None
            Items shown second; -1 (a missing name) is the reference, None means in every trial.
        choice : array-like of int, shape (n_trials,)
            +1 if the first was chosen, -1 if the second was. Other codings have named
            converters, such as :func:`choice_from_zero_one`.
        response_time : array-like of float, shape (n_trials,)
            Seconds, above `nondecision_time`; from milliseconds with
            :func:`seconds_from_milliseconds`.
        items : Items
            What was chosen among.
        person : array-like of int or str, shape (n_trials,), optional
            Who answered.
        allow_void_times : bool
            Keep trials without a time (NaN) for their choice.
        allow_identical : bool
            Keep trials whose two items are the same: they tell nothing about preferences, but
            do tell how long this person hesitates.
        nondecision_time : float
            Seconds, at least 0, that every response time must exceed.
        on_invalid : {"raise", "exclude"}
            Refuse data with unusable rows, or leave them out, counted in `excluded`.

        Returns
        -------
        Trials
            A checked copy of the data.

        Raises
        ------
        DataError
            If rows are unusable, naming the value, the row and the likely cause.

        Examples
        --------
        >>> tea = Items.one_hot(["green", "black"])
        >>> Trials.from_arrays(["green"], ["black"], [1], [0.9], tea).n_trials
        1
        >>> Trials.from_arrays([0, 1], None, [1, 0], [0.9, 1.2], tea)
        Traceback (most recent call last):
        tacit.errors.DataError: choices must be 1 (first) or -1 (second), got 0 at trial 1; ...
        """
        firsts = as_column(first)
        rows = Rows(firsts.size)
        columns = Columns(
            first=firsts,
            second=np.full(rows.n, REFERENCE) if second is None else as_column(second),
            choice=as_column(choice),
            response_time=as_numbers(as_column(response_time), "response_time", rows),
            person=None if person is None else as_column(person),
        )
        for name in ("first", "second", "choice", "response_time", "person"):
            column = getattr(columns, name)
            if column is not None and np.shape(column) != (rows.n,):
                raise DataError(
                    f"`{name}` must hold one value for each of {rows.n} trials, "
                    f"got shape {np.shape(column)}"
                )
        rules = Rules("plus_minus", allow_void_times, allow_identical, nondecision_time, on_invalid)
        return cls._of(check(columns, items, rules, rows), items)

    @classmethod
    def from_table(
        cls, table: object, items: Items | None = None, **options: Unpack[TableOptions]
    ) -> "Trials":
        """Take trials from the rows of a table.

        Parameters
        ----------
        table : dict of columns, pandas, polars or Arrow table
            One row for each trial. Anything with the Arrow PyCapsule interface or the dataframe
            interchange protocol is accepted too, and then needs the extra "tables".
        items : Items, optional
            What was chosen among; when absent, one-hot items of all names in the table.
        **options
            Names of the columns, coding of the choices, unit of the times and what to do with
            unusable rows: see :class:`TableOptions`.

        Returns
        -------
        Trials
            A checked copy of the data.

        Examples
        --------
        >>> table = {"first": ["tea"], "second": ["milk"], "choice": ["right"], "ms": [950]}
        >>> trials = Trials.from_table(
        ...     table, choice_coding="left_right", response_time="ms", time_unit="ms"
        ... )
        >>> trials.items.names, trials.choice, trials.response_time
        (('milk', 'tea'), array([-1], dtype=int8), array([0.95]))
        """
        return cls._of(*trial_columns(as_table(table), items, **options))

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        items: Items | None = None,
        *,
        delimiter: str | None = None,
        **options: Unpack[TableOptions],
    ) -> "Trials":
        r"""Read trials from a CSV or Parquet file.

        Parameters
        ----------
        path : path
            A file that ends in .csv, .tsv or .parquet; Parquet needs the extra "tables".
        items : Items, optional
            What was chosen among; when absent, one-hot items of all names in the file.
        delimiter : str, optional
            What separates the cells of a text file: "," for .csv and tab for .tsv when absent.
        **options
            Any keyword of :meth:`from_table`.

        Returns
        -------
        Trials
            The checked rows; `row` holds their lines in a text file.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "trials.csv"
        ...     _ = path.write_text("first,second,choice,response_time\ntea,milk,1,0.9\n")
        ...     Trials.read(path).row
        array([2])
        """
        return cls._of(*trial_columns(read_table(path, delimiter=delimiter), items, **options))

    @classmethod
    def _of(cls, columns: Checked, items: Items) -> "Trials":
        if columns.doubt:
            warn(columns.doubt, DataWarning, stacklevel=3)
        trials = cls(
            columns.first,
            columns.second,
            columns.choice,
            columns.response_time,
            items,
            columns.row,
            columns.person,
        )
        return trials._without(columns.left_out)

    @property
    def n_trials(self) -> int:
        """Number of trials."""
        return len(self.first)

    @property
    def excluded(self) -> dict[str, int]:
        """How many rows were left out on the way, by reason; `exclusions` lists them."""
        return self.exclusions.counts()

    @cached_property
    def vectors(self) -> FloatArray:
        """Query vectors ``x = z_first - z_second``, shape (n_trials, n_features), read-only."""
        vectors = self.items.differences(self.first, self.second)
        freeze(vectors)
        return vectors

    def select(self, which: npt.ArrayLike, reason: str | None = None) -> "Trials":
        """Return some of the trials.

        Parameters
        ----------
        which : array-like of bool, shape (n_trials,), or of int
            A mask of the trials to keep, or their positions in the order wanted.
        reason : str, optional
            Why the others are left out: they are then counted in `excluded`. Without a reason,
            and always with positions, this is a mere subset.

        Returns
        -------
        Trials
            The trials kept.

        Examples
        --------
        >>> trials = Trials.from_arrays([0, 1], None, [1, 1], [0.9, 7.5], Items.one_hot(2))
        >>> trials.select(trials.response_time < 5, "distracted").excluded
        {'distracted': 1}
        """
        where = np.asarray(which)
        if where.dtype != np.bool_:
            return self._taking(where.astype(np.int64), self.exclusions)
        if where.shape != (self.n_trials,):
            raise DataError(
                f"a mask must hold one value for each of {self.n_trials} trials, "
                f"got shape {where.shape}"
            )
        if reason is None:
            return self._taking(where, self.exclusions)
        return self._without({reason: ~where})

    def drop_fast(self, seconds: float) -> "Trials":
        """Leave out answers too fast to have been thought about.

        Parameters
        ----------
        seconds : float
            Response times below this are excluded; void times stay.

        Returns
        -------
        Trials
            The others, with the reason counted in `excluded`.

        Examples
        --------
        >>> trials = Trials.from_arrays([0, 1], None, [1, 1], [0.9, 0.1], Items.one_hot(2))
        >>> trials.drop_fast(0.2).excluded
        {'response_time below 0.2 s': 1}
        """
        return self.select(~(self.response_time < seconds), f"response_time below {seconds:g} s")

    def drop_slow(self, mean_plus_sd: float = 5.0) -> "Trials":
        """Leave out answers much slower than others of the same person.

        Parameters
        ----------
        mean_plus_sd : float
            Response times above the person's mean plus this many of their standard deviations
            (of the population kind, over the trials at hand) are excluded; void times stay.

        Returns
        -------
        Trials
            The others, with the reason counted in `excluded`.

        Examples
        --------
        >>> times = [1.0] * 30 + [40.0]
        >>> trials = Trials.from_arrays([0] * 31, None, [1] * 31, times, Items.one_hot(1))
        >>> trials.drop_slow().excluded
        {'response_time above mean + 5 sd': 1}
        """
        number = np.zeros(self.n_trials, dtype=np.int64)
        if self.person is not None:
            _, number = numbered(self.person)
        mean = mean_of_groups(self.response_time, number)
        deviation = self.response_time - mean[number]
        sd = np.sqrt(mean_of_groups(deviation**2, number))
        slow = deviation > mean_plus_sd * sd[number]
        return self.select(~slow, f"response_time above mean + {mean_plus_sd:g} sd")

    def by_person(self) -> Iterator[tuple[int | str | None, "Trials"]]:
        """Split the trials by who answered.

        Yields
        ------
        person : int or str
            People in the order in which they first appear, those whose rows were all excluded
            at the end; None if the trials do not say.
        trials : Trials
            Their trials, in order, and their exclusions.

        Examples
        --------
        >>> trials = Trials.from_arrays(
        ...     [0, 1, 1],
        ...     None,
        ...     [1, 1, -1],
        ...     [0.9, 0.7, 0.8],
        ...     Items.one_hot(2),
        ...     person=["eve", "bob", "eve"],
        ... )
        >>> [(person, own.n_trials) for person, own in trials.by_person()]
        [('eve', 2), ('bob', 1)]
        """
        if self.person is None:
            yield None, self
            return
        own = positions_by_value(self.person)
        excluded = self.exclusions.person
        left_out = {} if excluded is None else positions_by_value(excluded)
        none = np.empty(0, dtype=np.int64)
        for person in own | left_out:
            # "" stands for a person who is not named, which is itself a reason for exclusion.
            if person != "":
                exclusions = self.exclusions.taking(left_out.get(person, none))
                yield person, self._taking(own.get(person, none), exclusions)

    def to_table(self) -> dict[str, AnyArray]:
        """Return a dict of columns that pandas or polars turn into a frame.

        Returns
        -------
        dict
            Columns "first" and "second" with names of items (None for the reference), "choice",
            "response_time" in seconds and, where known, "person".

        Examples
        --------
        >>> trials = Trials.from_arrays([0], None, [1], [0.9], Items.one_hot(["tea"]))
        >>> trials.to_table()["first"], trials.to_table()["second"]
        (array(['tea'], dtype=object), array([None], dtype=object))
        """
        names = np.array([*self.items.names, None], dtype=object)
        columns = {
            "first": names[self.first],
            "second": names[self.second],
            "choice": self.choice,
            "response_time": self.response_time,
        }
        return columns if self.person is None else columns | {"person": self.person}

    def write(self, path: str | PathLike[str]) -> None:
        """Write the trials to a CSV or Parquet file that :meth:`read` reads back.

        Parameters
        ----------
        path : path
            A file that ends in .csv, .tsv or .parquet. Features are not written: see
            :meth:`Items.write`.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> trials = Trials.from_arrays([0], [1], [1], [0.9], Items.one_hot(["tea", "milk"]))
        >>> with TemporaryDirectory() as folder:
        ...     trials.write(folder + "/trials.csv")
        ...     Trials.read(folder + "/trials.csv", trials.items) == trials
        True
        """
        write_columns(self.to_table(), path)

    def _without(self, left_out: Mapping[str, BoolArray]) -> "Trials":
        exclusions = self.exclusions
        keep = np.ones(self.n_trials, dtype=bool)
        for reason, bad in left_out.items():
            person = None if self.person is None else self.person[bad]
            exclusions = exclusions.adding(reason, self.row[bad], person)
            keep &= ~bad
        return self if keep.all() else self._taking(keep, exclusions)

    def _taking(self, where: IntArray | BoolArray, exclusions: Exclusions) -> "Trials":
        return Trials(
            self.first[where],
            self.second[where],
            self.choice[where],
            self.response_time[where],
            self.items,
            self.row[where],
            None if self.person is None else self.person[where],
            exclusions,
        )

    def __len__(self) -> int:
        return self.n_trials

    def __repr__(self) -> str:
        excluded = f", excluded={self.excluded}" if self.excluded else ""
        return f"Trials(n_trials={self.n_trials}, n_items={self.items.n_items}{excluded})"

    def __hash__(self) -> int:
        return hash((self.first.tobytes(), self.second.tobytes(), self.choice.tobytes()))

    def __eq__(self, other: object) -> bool:
        """Tell whether the trials are the same, wherever they came from."""
        if not isinstance(other, Trials):
            return NotImplemented
        return (
            same_values(self.first, other.first)
            and same_values(self.second, other.second)
            and same_values(self.choice, other.choice)
            and same_values(self.response_time, other.response_time)
            and same_values(self.person, other.person)
            and self.items == other.items
        )
