"""Problem: what a learner is given."""

from dataclasses import dataclass

from tacit.errors import DataError
from tacit.records.items import Items
from tacit.records.queries import QuerySpace


@dataclass(frozen=True)
class Problem:
    """Items to be ranked, and the queries that may be asked about them.

    Parameters
    ----------
    items : Items
        What is to be ranked.
    queries : QuerySpace
        What may be asked, about these same items.

    Examples
    --------
    >>> tea = Items.one_hot(["green", "black", "white"])
    >>> Problem(tea, QuerySpace.all_pairs(tea)).queries.n_queries
    3
    """

    items: Items
    queries: QuerySpace

    def __post_init__(self) -> None:
        if self.queries.items != self.items:
            raise DataError(
                "the queries of a problem must be about its items, got other items or another "
                "reference; pass queries.items as the items"
            )
