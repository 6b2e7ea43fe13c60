"""The estimators for one query asked several times: two lines each.

Examples
--------
>>> import numpy as np
>>> from tacit import ddm
>>> from tacit.estimators import single_query
>>> rng = np.random.default_rng(0)
>>> choice, time = ddm.sample(0.6, barrier=1.5, rng=rng, size=4000)
>>> print(single_query.utility_over_barrier(choice, time).round(2))
0.41
>>> print(single_query.log_odds(choice).round(2))
1.88
"""

import numpy as np
from numpy.typing import ArrayLike

from tacit.ddm._checks import Floats, as_choice, as_positive
from tacit.errors import DataError
from tacit.estimators import choice_logit


def utility_over_barrier(choice: ArrayLike, decision_time: ArrayLike) -> Floats:
    """Return mean choice over mean decision time, which estimates u / a.

    Parameters
    ----------
    choice : array_like of shape (..., n_trials)
        +1 (first) or -1 (second).
    decision_time : array_like of shape (..., n_trials)
        Seconds, positive; leading axes are repetitions.

    Returns
    -------
    ndarray of shape (...)

    Examples
    --------
    >>> from tacit.estimators import single_query
    >>> print(single_query.utility_over_barrier([1, 1, -1, 1], [0.5, 1.0, 1.5, 1.0]))
    0.5
    """
    c, t = _answers(choice), np.atleast_1d(as_positive(decision_time, "decision_time"))
    if c.shape != t.shape:
        raise DataError(
            "`choice` and `decision_time` must have one value each per trial, got shapes "
            f"{c.shape} and {t.shape}"
        )
    return np.asarray(c.mean(axis=-1) / t.mean(axis=-1))


def log_odds(choice: ArrayLike) -> Floats:
    """Return the empirical log-odds of the first option, which estimate 2 a u.

    Shares of 1 and 0 are replaced by 1 - 1 / (2 n) and 1 / (2 n).

    Parameters
    ----------
    choice : array_like of shape (..., n_trials)
        +1 (first) or -1 (second); leading axes are repetitions.

    Returns
    -------
    ndarray of shape (...)

    Examples
    --------
    >>> from tacit.estimators import single_query
    >>> print(single_query.log_odds([[1, 1, -1, 1], [1, 1, 1, 1]]).round(3))
    [1.099 1.946]
    """
    c = _answers(choice)
    return choice_logit.log_odds(np.asarray(float(c.shape[-1])), c.sum(axis=-1))


def _answers(choice: ArrayLike) -> Floats:
    c = as_choice(choice)
    if c.size == 0:
        raise DataError("`choice` is empty: a query must be answered at least once")
    return np.atleast_1d(c)
