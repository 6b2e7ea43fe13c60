"""Answers to the queries that a batch of runs has asked, summed query by query."""

from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.estimators import QuerySums
from tacit.learners._base import Floats, Ints
from tacit.records import QuerySpace

_NO_QUERY = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class AnswerTable:
    """Sums over the answers to each query that may be asked now, or was asked before.

    All arrays have shape (n_runs, n_columns); a run with fewer queries than others has empty
    columns, of query -1 and share 0.

    Attributes
    ----------
    query : ndarray of int64
        Numbers of queries.
    ladder : ndarray of float
        Cumulated shares in which they are to be asked.
    n_answers, choice_sum, time_sum : ndarray of float
        Number of answers, sum of choices, sum of decision times (seconds).
    """

    query: Ints
    ladder: Floats
    n_answers: Floats
    choice_sum: Floats
    time_sum: Floats

    @classmethod
    def empty(cls, n_runs: int) -> Self:
        """Return the table without queries."""
        none = np.zeros((n_runs, 0))
        return cls(
            query=none.astype(np.int64),
            ladder=none,
            n_answers=none,
            choice_sum=none,
            time_sum=none,
        )

    def take(self, runs: NDArray[Any]) -> Self:
        """Return the rows of some of the runs."""
        return replace(self, **{f.name: getattr(self, f.name)[runs] for f in fields(self)})

    def draw(self, rng: np.random.Generator) -> Ints:
        """Return a query for each run, drawn by its shares."""
        height = rng.random(len(self.query)) * self.ladder[:, -1]
        column = (self.ladder > height[:, None]).argmax(axis=1)
        return np.asarray(self.query[np.arange(len(column)), column])

    def add(self, query: Ints, choice: Floats, time: Floats, counts: NDArray[np.bool_]) -> Self:
        """Return the table with an answer more in those runs whose answer counts."""
        runs = np.flatnonzero(counts)
        place = runs, (self.query[runs] == query[runs, None]).argmax(axis=1)
        sums = {"n_answers": 1.0, "choice_sum": choice[runs], "time_sum": time[runs]}
        columns = {name: getattr(self, name).copy() for name in sums}
        for name, more in sums.items():
            columns[name][place] += more
        return replace(self, **columns)

    def with_shares(
        self, runs: Ints, designs: list[tuple[Ints, Floats]], *, keep_answers: bool
    ) -> Self:
        """Return the table in which some runs ask by new shares.

        Parameters
        ----------
        runs : ndarray of int64
            Rows that change.
        designs : list of (indices, shares)
            Queries and shares of each of these runs.
        keep_answers : bool
            Whether their answers so far stay in the table.
        """
        rows = []
        for run, (indices, shares) in zip(runs, designs, strict=True):
            asked = self.n_answers[run] > 0 if keep_answers else np.zeros(0, dtype=bool)
            old = self._asked(run) if asked.any() else np.zeros((4, 0))
            rows.append(_joined(old, indices, shares))
        width = max([self.query.shape[1], *(len(row[0]) for row in rows)])
        columns = {f.name: _widened(f.name, getattr(self, f.name), width) for f in fields(self)}
        for run, row in zip(runs, rows, strict=True):
            for name, values in zip(columns, row, strict=True):
                empty = {"query": _NO_QUERY, "ladder": values[-1]}.get(name, 0)
                columns[name][run] = empty
                columns[name][run, : len(values)] = values
        return replace(self, **columns)

    def _asked(self, run: int) -> Floats:
        """Return query, number of answers and both sums where a run has answers."""
        asked = self.n_answers[run] > 0
        columns = (self.query, self.n_answers, self.choice_sum, self.time_sum)
        return np.stack([column[run, asked] for column in columns])

    def sums(self, run: int, queries: QuerySpace) -> QuerySums:
        """Return one run's sums in the form that estimators take."""
        number, n_answers, choice_sum, time_sum = self._asked(run)
        vectors = queries.vectors(number.astype(np.int64))
        return QuerySums(vectors, n_answers, choice_sum, time_sum)


def _joined(old: Floats, indices: Ints, shares: Floats) -> tuple[NDArray[Any], ...]:
    """Return the columns of one run: the queries of the design, then other queries asked."""
    number = old[0].astype(np.int64)
    place = {query: column for column, query in enumerate(indices.tolist())}
    others = np.array([query not in place for query in number.tolist()], dtype=bool)
    query = np.concatenate([indices, number[others]])
    ladder = np.concatenate([np.cumsum(shares), np.full(others.sum(), shares.sum())])
    sums = np.zeros((3, len(query)))
    sums[:, len(indices) :] = old[1:, others]
    for column in np.flatnonzero(~others):
        sums[:, place[int(number[column])]] = old[1:, column]
    return query, ladder, *sums


def _widened(name: str, values: NDArray[Any], width: int) -> NDArray[Any]:
    """Return a copy with empty columns on the right."""
    n_runs, n_columns = values.shape
    wide = np.full((n_runs, width), _NO_QUERY if name == "query" else 0, dtype=values.dtype)
    wide[:, :n_columns] = values
    if name == "ladder" and n_columns:
        wide[:, n_columns:] = values[:, -1:]
    return wide
