"""From shares to whole numbers of trials."""

import numpy as np
from numpy.typing import ArrayLike

from tacit.designs._directions import Ints
from tacit.errors import DataError


def apportion(shares: ArrayLike, n_trials: int) -> Ints:
    """Round shares to counts that lose as little information as rounding can.

    The efficient apportionment of Pukelsheim & Rieder (Biometrika 79, 1992): start with
    ``ceil((n_trials - n_support / 2) * share)``, then move single trials where the ratio of count
    to share is most out of line. Every query keeps at least one trial, and the information of
    the counts is at least that of ``n_trials - n_support`` trials of the exact shares.

    Parameters
    ----------
    shares : array_like of shape (n_support,)
        Positive shares that sum to one.
    n_trials : int
        Trials to give out, at least `n_support`.

    Returns
    -------
    ndarray of int, shape (n_support,)
        Counts, at least one each, that sum to `n_trials`.

    Raises
    ------
    DataError
        If there are fewer trials than queries with a share, or shares are not positive.

    Examples
    --------
    >>> apportion([0.5, 0.3, 0.2], 7)
    array([3, 2, 2])
    """
    share = np.asarray(shares, dtype=float)
    if share.ndim != 1 or not share.size or not np.all(share > 0) or abs(share.sum() - 1) > 1e-6:
        raise DataError(f"`shares` must be positive and sum to one, got {shares!r:.60}")
    if n_trials < len(share):
        raise DataError(
            f"`n_trials` must be at least the number of queries with a share ({len(share)}), "
            f"got {n_trials}; sample the design instead?"
        )
    counts = np.ceil((n_trials - len(share) / 2) * share).astype(np.int64)
    while (missing := n_trials - counts.sum()) != 0:
        if missing > 0:
            counts[np.argmin(counts / share)] += 1
        else:
            counts[np.argmax((counts - 1) / share)] -= 1
    return counts
