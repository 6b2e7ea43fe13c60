"""Queries: which pairs of items may be asked, without storing the pairs."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacit.errors import DataError
from tacit.records._arrays import REFERENCE, BoolArray, FloatArray, IntArray, freeze, same_values
from tacit.records.items import Items


class QuerySpace(ABC):
    """The queries that may be asked, numbered from 0 to n_queries - 1.

    Make one with :meth:`all_pairs`, :meth:`against_reference` or :meth:`listed`. Every method
    takes one number or an array of them and computes only what is asked for.

    Examples
    --------
    >>> space = QuerySpace.all_pairs(Items([[1.0], [3.0], [6.0]]))
    >>> space.n_queries
    3
    >>> space.vectors([0, 2])
    array([[-2.],
           [-3.]])
    """

    items: Items

    @staticmethod
    def all_pairs(items: Items) -> "AllPairs":
        """Allow every unordered pair of different items.

        Parameters
        ----------
        items : Items
            At least two items.

        Returns
        -------
        AllPairs
            Pairs in the order (0, 1), (0, 2), ..., (1, 2), ...

        Examples
        --------
        >>> QuerySpace.all_pairs(Items.one_hot(4)).pairs([0, 1, 3])
        (array([0, 0, 1]), array([1, 2, 2]))
        """
        return AllPairs(items)

    @staticmethod
    def against_reference(
        items: Items, reference: npt.ArrayLike | None = None
    ) -> "AgainstReference":
        """Allow every item against the fixed reference.

        Parameters
        ----------
        items : Items
            What is judged.
        reference : array-like of float, shape (n_features,), optional
            Features of the reference; those of `items`, zero by default, when absent. The space
            then holds the items with this reference.

        Returns
        -------
        AgainstReference
            One query for each item, numbered like it.

        Examples
        --------
        >>> QuerySpace.against_reference(Items([[3.0]]), reference=[1.0]).vectors(0)
        array([2.])
        """
        return AgainstReference(items if reference is None else items.with_reference(reference))

    @staticmethod
    def listed(items: Items, first: npt.ArrayLike, second: npt.ArrayLike | None) -> "ListedPairs":
        """Allow the pairs of a list, and only in the order listed.

        Parameters
        ----------
        items : Items
            What the pairs are made of.
        first : array-like of int, shape (n_queries,)
            Items shown first.
        second : array-like of int, shape (n_queries,), or None
            Items shown second; -1, and None everywhere, is the reference.

        Returns
        -------
        ListedPairs
            Queries numbered like the list.

        Examples
        --------
        >>> QuerySpace.listed(Items.one_hot(3), [2, 0], [0, 1]).index([0], [1])
        array([1])
        """
        other = np.full(np.shape(first), REFERENCE) if second is None else np.array(second)
        return ListedPairs(items, np.array(first), other)

    @property
    @abstractmethod
    def n_queries(self) -> int:
        """Number of queries."""

    def pairs(self, index: npt.ArrayLike) -> tuple[IntArray, IntArray]:
        """Return both items of queries.

        Parameters
        ----------
        index : int or array-like of int, shape (...)
            Numbers of queries.

        Returns
        -------
        first, second : array of int, shape (...)
            Items; in `second` -1 is the reference.

        Examples
        --------
        >>> QuerySpace.all_pairs(Items.one_hot(3)).pairs([0, 1, 2])
        (array([0, 0, 1]), array([1, 2, 2]))
        """
        return self._pairs(_whole_numbers("query", index, 0, self.n_queries))

    def index(self, first: npt.ArrayLike, second: npt.ArrayLike) -> IntArray:
        """Return the numbers of queries given their items.

        Parameters
        ----------
        first : int or array-like of int, shape (...)
            Items shown first.
        second : int or array-like of int, shape (...)
            Items shown second, -1 for the reference.

        Returns
        -------
        array of int, shape (...)
            Numbers of the queries.

        Raises
        ------
        DataError
            If a pair is not among the queries, as with its items swapped.

        Examples
        --------
        >>> QuerySpace.all_pairs(Items.one_hot(4)).index([0, 1], 3)
        array([2, 4])
        >>> QuerySpace.all_pairs(Items.one_hot(4)).index(3, 0)
        Traceback (most recent call last):
        tacit.errors.DataError: (3, 0) is not a query, but (0, 3) is; swap the items and flip ...
        """
        i = _whole_numbers("item", first, 0, self.items.n_items)
        j = _whole_numbers("item", second, REFERENCE, self.items.n_items)
        if i.shape != j.shape:
            i, j = np.broadcast_arrays(i, j)
        number, known = self._find(i, j)
        if not known.all():
            a, b = i[~known][0], j[~known][0]
            swapped = b != REFERENCE and self._find(b, a)[1]
            hint = f", but ({b}, {a}) is; swap the items and flip the choice" if swapped else ""
            raise DataError(f"({a}, {b}) is not a query{hint}")
        return number

    def first(self, index: npt.ArrayLike) -> IntArray:
        """Return the first items of queries.

        Parameters
        ----------
        index : int or array-like of int, shape (...)
            Numbers of queries.

        Returns
        -------
        array of int, shape (...)
            Items.

        Examples
        --------
        >>> QuerySpace.all_pairs(Items.one_hot(3)).first([0, 2])
        array([0, 1])
        """
        return self.pairs(index)[0]

    def second(self, index: npt.ArrayLike) -> IntArray:
        """Return the second items of queries.

        Parameters
        ----------
        index : int or array-like of int, shape (...)
            Numbers of queries.

        Returns
        -------
        array of int, shape (...)
            Items, or -1 for the reference.

        Examples
        --------
        >>> QuerySpace.against_reference(Items.one_hot(3)).second([0, 2])
        array([-1, -1])
        """
        return self.pairs(index)[1]

    def vectors(self, index: npt.ArrayLike) -> FloatArray:
        """Return the vectors of queries, ``x = z_first - z_second``.

        Parameters
        ----------
        index : int or array-like of int, shape (...)
            Numbers of queries.

        Returns
        -------
        array of float, shape (..., n_features)
            Their vectors.

        Examples
        --------
        >>> QuerySpace.all_pairs(Items([[1.0, 0.0], [0.0, 4.0]])).vectors(0)
        array([ 1., -4.])
        """
        return self.items.differences(*self.pairs(index))

    def all_vectors(self) -> FloatArray:
        """Return the vectors of all queries.

        Returns
        -------
        array of float, shape (n_queries, n_features)
            This does take the memory of all queries.

        Examples
        --------
        >>> QuerySpace.against_reference(Items.one_hot(2)).all_vectors()
        array([[1., 0.],
               [0., 1.]])
        """
        return self.vectors(np.arange(self.n_queries))

    def __len__(self) -> int:
        return self.n_queries

    @abstractmethod
    def _pairs(self, index: IntArray) -> tuple[IntArray, IntArray]:
        """Return the items of queries whose numbers are known to be valid."""

    @abstractmethod
    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the number of each pair, and whether it is a query at all."""


@dataclass(frozen=True)
class AllPairs(QuerySpace):
    """Every unordered pair of different items, the lower index first.

    Parameters
    ----------
    items : Items
        At least two items.

    Notes
    -----
    Of K items, the pair (i, j) is query i K - i (i + 1) / 2 + j - i - 1. Both directions are
    exact in 64-bit integers up to 10^9 items.

    Examples
    --------
    >>> AllPairs(Items([[0.3], [0.1], [0.7]])).n_queries
    3
    """

    items: Items

    def __post_init__(self) -> None:
        if self.items.n_items < 2:
            raise DataError("pairs need at least two items, got one; ask it against the reference?")

    @property
    def n_queries(self) -> int:
        """Number of pairs, K (K - 1) / 2."""
        return self.items.n_items * (self.items.n_items - 1) // 2

    def _pairs(self, index: IntArray) -> tuple[IntArray, IntArray]:
        # Counted from the end, the pairs of item K - 2 - t are a row of t + 1 pairs, which starts
        # at t (t + 1) / 2. The root is never rounded below t, but may be up to t + 1.
        behind = self.n_queries - 1 - index
        row = ((np.sqrt(8.0 * behind + 1.0) - 1.0) / 2.0).astype(np.int64)
        row = row - (_triangle(row) > behind)
        last = self.items.n_items - 1
        return last - 1 - row, last - (behind - _triangle(row))

    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        start = first * self.items.n_items - _triangle(first)
        return start + second - first - 1, np.asarray(first < second)


@dataclass(frozen=True)
class AgainstReference(QuerySpace):
    """Every item against the fixed reference; the query has the number of the item.

    Parameters
    ----------
    items : Items
        What is judged, with its reference.

    Examples
    --------
    >>> AgainstReference(Items.one_hot(3)).pairs([2])
    (array([2]), array([-1]))
    """

    items: Items

    @property
    def n_queries(self) -> int:
        """Number of items."""
        return self.items.n_items

    def _pairs(self, index: IntArray) -> tuple[IntArray, IntArray]:
        return index, np.full_like(index, REFERENCE)

    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        return first.copy(), np.asarray(second == REFERENCE)


@dataclass(frozen=True, eq=False)
class ListedPairs(QuerySpace):
    """The pairs of a list, with the items in the order listed.

    Parameters
    ----------
    items : Items
        What the pairs are made of.
    firsts : array of int, shape (n_queries,)
        Items shown first.
    seconds : array of int, shape (n_queries,)
        Items shown second, -1 for the reference.

    Examples
    --------
    >>> ListedPairs(Items.one_hot(3), np.array([2]), np.array([0])).n_queries
    1
    """

    items: Items
    firsts: IntArray
    seconds: IntArray

    def __post_init__(self) -> None:
        first = _whole_numbers("item", self.firsts, 0, self.items.n_items)
        second = _whole_numbers("item", self.seconds, REFERENCE, self.items.n_items)
        if first.ndim != 1 or first.shape != second.shape or not first.size:
            raise DataError(
                "a list of pairs needs at least one pair and as many first as second items, "
                f"got shapes {first.shape} and {second.shape}"
            )
        for position in np.flatnonzero(first == second)[:1]:
            raise DataError(
                f"the items of a query must differ, got {first[position]} twice in pair {position}"
            )
        for name, column in (("firsts", first), ("seconds", second)):
            freeze(column)
            object.__setattr__(self, name, column)
        keys, order = self._sorted_keys
        for place in np.flatnonzero(keys[1:] == keys[:-1])[:1]:
            a, b = order[place], order[place + 1]
            raise DataError(f"pair ({first[a]}, {second[a]}) is listed twice, as {a} and as {b}")

    @property
    def n_queries(self) -> int:
        """Length of the list."""
        return len(self.firsts)

    def _pairs(self, index: IntArray) -> tuple[IntArray, IntArray]:
        return self.firsts[index], self.seconds[index]

    def _find(self, first: IntArray, second: IntArray) -> tuple[IntArray, BoolArray]:
        keys, order = self._sorted_keys
        wanted = self._key(first, second)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return order[place], np.asarray(keys[place] == wanted)

    @cached_property
    def _sorted_keys(self) -> tuple[IntArray, IntArray]:
        keys = self._key(self.firsts, self.seconds)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def _key(self, first: IntArray, second: IntArray) -> IntArray:
        return first * (self.items.n_items + 1) + second + 1

    def __hash__(self) -> int:
        return hash((self.firsts.tobytes(), self.seconds.tobytes()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ListedPairs):
            return NotImplemented
        return (
            self.items == other.items
            and same_values(self.firsts, other.firsts)
            and same_values(self.seconds, other.seconds)
        )


def _whole_numbers(noun: str, values: npt.ArrayLike, lowest: int, end: int) -> IntArray:
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iu":
        raise DataError(f"{noun} indices must be whole numbers, got {values!r:.60}")
    numbers = numbers.astype(np.int64)
    beyond = (numbers < lowest) | (numbers >= end)
    if beyond.any():
        wrong = numbers[beyond].flat[0]
        raise DataError(f"{noun} indices must be from {lowest} to {end - 1}, got {wrong}")
    return numbers


def _triangle(row: IntArray) -> IntArray:
    return row * (row + 1) // 2
