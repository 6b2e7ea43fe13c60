"""Items: what is chosen among."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Self

import numpy as np
import numpy.typing as npt

from tacit.errors import DataError
from tacit.records._arrays import REFERENCE, FloatArray, IntArray, freeze, same_values
from tacit.records._rows import did_you_mean, listing
from tacit.records.tables import as_table, read_table, write_columns

_LARGEST = 1e100

# Text files do not give them back.
_NOT_IN_NAMES = {"\r": "were Windows line ends left in a file?", "\0": "was a file damaged?"}


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Items:
    """What is chosen among: one row of features for each item.

    Parameters
    ----------
    features : array-like of float, shape (n_items, n_features)
        Finite features of the items.
    names : sequence of str, length n_items, optional
        Different, non-empty names; "0", "1", ... when absent.
    feature_names : sequence of str, length n_features, optional
        Names of the features; "x0", "x1", ... when absent.
    reference : array-like of float, shape (n_features,), optional
        Features of the fixed reference against which single items are judged; zero when
        absent.

    Examples
    --------
    >>> snacks = Items([[1.0, 0.2], [0.0, 0.9]], names=["nuts", "cake"])
    >>> snacks
    Items(n_items=2, n_features=2)
    >>> snacks.index("cake")
    1
    >>> snacks.utilities([2.0, 1.0])
    array([2.2, 0.9])
    """

    features: FloatArray
    names: tuple[str, ...]
    feature_names: tuple[str, ...]
    reference: FloatArray

    def __init__(
        self,
        features: npt.ArrayLike,
        names: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        reference: npt.ArrayLike | None = None,
    ) -> None:
        matrix = _feature_matrix(features)
        n_items, n_features = matrix.shape
        origin = np.zeros(n_features) if reference is None else np.array(reference, dtype=float)
        if origin.shape != (n_features,) or not np.isfinite(origin).all():
            raise DataError(
                f"`reference` must hold {n_features} finite features like the items, got {origin}"
            )
        for array in (matrix, origin):
            freeze(array)
        columns = {
            "features": matrix,
            "names": _checked_names("item", names, n_items, default=""),
            "feature_names": _checked_names("feature", feature_names, n_features, default="x"),
            "reference": origin,
        }
        for field, value in columns.items():
            object.__setattr__(self, field, value)

    @classmethod
    def one_hot(cls, names: Sequence[str] | int) -> Self:
        """Make items without known features: one feature, the item itself, for each.

        Parameters
        ----------
        names : sequence of str, or int
            The names, or how many items there are.

        Returns
        -------
        Items
            Items whose features are the rows of the identity matrix.

        Examples
        --------
        >>> Items.one_hot(["tea", "coffee"]).features
        array([[1., 0.],
               [0., 1.]])
        """
        if isinstance(names, int | np.integer):
            names = [str(number) for number in range(names)]
        return cls(np.eye(len(names)), names=names, feature_names=names)

    @classmethod
    def from_table(
        cls, table: object, name: str = "item", features: Sequence[str] | None = None
    ) -> Self:
        """Take items from the rows of a table.

        Parameters
        ----------
        table : dict of columns, pandas, polars or Arrow table
            One row for each item; see :meth:`Trials.from_table` for what is accepted.
        name : str
            Column with the names of the items.
        features : sequence of str, optional
            Columns with the features; every column but `name` when absent.

        Returns
        -------
        Items
            The items in the order of the rows.

        Examples
        --------
        >>> Items.from_table({"item": ["nuts", "cake"], "sugar": [1, 9]}).feature_names
        ('sugar',)
        """
        data = as_table(table)
        columns = [c for c in data.names if c != name] if features is None else list(features)
        names = data.labels(name)
        if not columns:
            raise DataError(f"there is no column beside {name!r}; items need at least one feature")
        for position, label in enumerate(names):
            if label is None:
                raise DataError(f"column {name!r} has no name at {data.rows.name(position)}")
        matrix = np.column_stack([data.numbers(c) for c in columns])
        for row, column in np.argwhere(~np.isfinite(matrix))[:1]:
            raise DataError(
                f"features must be finite, got {matrix[row, column]} in column "
                f"{columns[column]!r} at {data.rows.name(int(row))}"
            )
        return cls(matrix, names=[str(label) for label in names], feature_names=columns)

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        name: str = "item",
        features: Sequence[str] | None = None,
        *,
        delimiter: str | None = None,
    ) -> Self:
        r"""Read items from a CSV or Parquet file.

        Parameters
        ----------
        path : path
            A file that ends in .csv, .tsv or .parquet.
        name, features
            Columns, as in :meth:`from_table`.
        delimiter : str, optional
            What separates the cells of a text file: "," for .csv and tab for .tsv when absent.

        Returns
        -------
        Items
            The items in the order of the rows.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "items.csv"
        ...     _ = path.write_text("item,sugar\nnuts,1\ncake,9\n")
        ...     Items.read(path).names
        ('nuts', 'cake')
        """
        return cls.from_table(read_table(path, delimiter=delimiter), name, features)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.features)

    @property
    def n_features(self) -> int:
        """Number of features of each item."""
        return len(self.reference)

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Index of every name."""
        return {name: index for index, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Return the index of the item of a name.

        Parameters
        ----------
        name : str
            Name of an item.

        Returns
        -------
        int
            Its row in `features`.

        Examples
        --------
        >>> Items.one_hot(["tea", "coffee"]).index("cofee")
        Traceback (most recent call last):
        tacit.errors.DataError: unknown item 'cofee'; did you mean 'coffee'?
        """
        try:
            return self.positions[name]
        except KeyError:
            hint = did_you_mean(str(name), self.names)
            raise DataError(f"unknown item {name!r}; {hint}") from None

    def utilities(self, weights: npt.ArrayLike) -> FloatArray:
        """Return the utility of every item.

        Parameters
        ----------
        weights : array-like of float, shape (..., n_features)
            One vector of weights, or a stack of them.

        Returns
        -------
        array of float, shape (..., n_items)
            ``features @ weights``.

        Examples
        --------
        >>> Items([[1.0], [2.0]]).utilities([[3.0], [-1.0]])
        array([[ 3.,  6.],
               [-1., -2.]])
        """
        vectors = np.asarray(weights, dtype=float)
        if vectors.ndim == 0 or vectors.shape[-1] != self.n_features:
            raise DataError(
                f"`weights` must hold {self.n_features} values, one for each feature, "
                f"got shape {vectors.shape}"
            )
        return vectors @ self.features.T

    def differences(self, first: int | IntArray, second: int | IntArray) -> FloatArray:
        """Return the vectors of queries, ``x = z_first - z_second``.

        Parameters
        ----------
        first : int or array of int, shape (...)
            Items, from 0 to n_items - 1.
        second : int or array of int, shape (...)
            Items, or -1 for the reference.

        Returns
        -------
        array of float, shape (..., n_features)
            One vector for each pair.

        Examples
        --------
        >>> Items([[1.0, 2.0], [4.0, 8.0]]).differences(np.array([1, 1]), np.array([0, -1]))
        array([[3., 6.],
               [4., 8.]])
        """
        alone = np.asarray(second) == REFERENCE
        if not alone.any():
            return self.features[first] - self.features[second]
        if alone.all():
            return self.features[first] - self.reference
        return self.features[first] - np.where(
            alone[..., None], self.reference, self.features[second]
        )

    def with_reference(self, reference: npt.ArrayLike) -> "Items":
        """Return the same items, judged against another fixed reference.

        Parameters
        ----------
        reference : array-like of float, shape (n_features,)
            Features of the reference.

        Returns
        -------
        Items
            A copy; these items stay as they are.

        Examples
        --------
        >>> Items([[3.0]]).with_reference([1.0]).differences(0, -1)
        array([2.])
        """
        return Items(self.features, self.names, self.feature_names, reference)

    def to_table(self) -> dict[str, list[str] | FloatArray]:
        """Return a dict of columns: "item", then one column for each feature.

        Returns
        -------
        dict
            Columns that :meth:`from_table` reads back, and pandas or polars turn into a frame.

        Examples
        --------
        >>> Items([[1.0]], names=["nuts"], feature_names=["sugar"]).to_table()
        {'item': ['nuts'], 'sugar': array([1.])}
        """
        columns = dict(zip(self.feature_names, self.features.T, strict=True))
        if "item" in columns:
            raise DataError("a feature named 'item' leaves no column for the names of the items")
        return {"item": list(self.names), **columns}

    def write(self, path: str | PathLike[str]) -> None:
        """Write the items to a CSV or Parquet file that :meth:`read` reads back.

        Parameters
        ----------
        path : path
            A file that ends in .csv, .tsv or .parquet. The reference is not written.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Items.one_hot(["tea"]).write(folder + "/items.csv")
        ...     Items.read(folder + "/items.csv").names
        ('tea',)
        """
        write_columns(self.to_table(), path)

    def __len__(self) -> int:
        return self.n_items

    def __repr__(self) -> str:
        return f"Items(n_items={self.n_items}, n_features={self.n_features})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Items):
            return NotImplemented
        return self is other or (
            same_values(self.features, other.features)
            and same_values(self.reference, other.reference)
            and self.names == other.names
            and self.feature_names == other.feature_names
        )

    def __hash__(self) -> int:
        return hash((self.names, self.feature_names))


def _feature_matrix(features: npt.ArrayLike) -> FloatArray:
    try:
        matrix = np.array(features, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"`features` must be rows of numbers, all of a length: {error}") from error
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise DataError(
            "`features` must hold one row for each item and one column for each feature, "
            f"got shape {matrix.shape}"
        )
    for row, column in np.argwhere(~np.isfinite(matrix))[:1]:
        raise DataError(
            f"`features` must be finite, got {matrix[row, column]} for item {row}, feature {column}"
        )
    # Sums of products of differences must stay finite.
    for row, column in np.argwhere(np.abs(matrix) > _LARGEST)[:1]:
        raise DataError(
            f"`features` must be at most {_LARGEST:g} in size, got {matrix[row, column]:g} for "
            f"item {row}, feature {column}; use a larger unit"
        )
    return matrix


def _checked_names(
    noun: str, names: Sequence[object] | None, length: int, *, default: str
) -> tuple[str, ...]:
    if names is None:
        return tuple(f"{default}{number}" for number in range(length))
    if isinstance(names, str) or len(names) != length:
        raise DataError(f"expected {length} {noun} names, got {listing(names)}")
    first_seen: dict[str, int] = {}
    for position, name in enumerate(names):
        if not isinstance(name, str) or not name:
            raise DataError(
                f"{noun} names must be text and not empty, got {name!r} for {noun} {position}"
            )
        for character, cause in _NOT_IN_NAMES.items():
            if character in name:
                raise DataError(
                    f"{noun} names must not hold {character!r}, got {name!r} for {noun} "
                    f"{position}; {cause}"
                )
        if first_seen.setdefault(name, position) != position:
            raise DataError(
                f"{noun} names must differ, got {name!r} for {noun} {first_seen[name]} and again "
                f"for {noun} {position}"
            )
    return tuple(first_seen)
