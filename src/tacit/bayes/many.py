"""The posteriors of many people."""

import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from numpy.typing import ArrayLike

from tacit.bayes.fitting import fit
from tacit.bayes.posterior import Posterior
from tacit.bayes.priors import FlatPrior, Prior
from tacit.errors import DataError, TacitError
from tacit.records import Trials

Person = int | str | None
Arrays = tuple[ArrayLike, ArrayLike, ArrayLike]
Named = tuple[Person, Trials | Arrays]
Progress = Callable[[int, int], None]

_PAPER_PRIOR = FlatPrior()

_WORTHWHILE = 1000
"""Number of people, a few milliseconds each, from which starting processes pays off."""

_BATCHES = 64


@dataclass(frozen=True)
class ManyFits:
    """Posteriors by person, and what went wrong for those who have none.

    Attributes
    ----------
    posteriors : dict
        Posterior of each person whose trials could be fitted, in the order given.
    errors : dict
        The error of each other person.

    Examples
    --------
    >>> from tacit import bayes
    >>> X = [[1.0], [1.0], [1.0]]
    >>> people = {"eve": (X, [1, 1, -1], [0.9, 0.7, 1.1]), "bob": (X, [1, 1, 0], [0.9, 0.7, 1.1])}
    >>> fits = bayes.fit_many(people)
    >>> list(fits.posteriors)
    ['eve']
    >>> print(str(fits.errors["bob"])[:49])
    `choice` must be +1 (first option) or -1 (second
    """

    posteriors: dict[Person, Posterior]
    errors: dict[Person, TacitError]


class _Outcome(NamedTuple):
    person: Person
    result: Posterior | TacitError
    warned: list[tuple[str, type[Warning]]]


def fit_many(
    people: Trials | Mapping[Person, Trials | Arrays] | Iterable[Trials | Arrays],
    *,
    prior: Prior = _PAPER_PRIOR,
    start_bias: bool = False,
    tolerance: float = 1e-3,
    n_jobs: int | None = None,
    progress: bool | Progress = False,
) -> ManyFits:
    """Fit every person, each one as `fit` does.

    One person's unusable trials do not stop the others; `ManyFits.errors` says whose they were.
    The result does not depend on the number of processes: linear algebra runs on one thread in
    each of them.

    Parameters
    ----------
    people : Trials, mapping, or iterable
        Trials with a `person` column; or the trials of each person, as `Trials` or as a tuple
        (X, choice, response_time), by name or in order, then numbered from 0.
    prior, start_bias, tolerance
        As in `fit`, the same for everybody.
    n_jobs : int, optional
        Number of processes; -1 for one on each core. By default one process below 1,000
        people and one on each core from there on.
    progress : bool or callable, default False
        True writes a line to the standard error; a callable is given the number of people done
        and the number of people.

    Returns
    -------
    ManyFits
        Posteriors and errors by person.

    Warns
    -----
    ConvergenceWarning, DataWarning
        As in `fit`, naming the person.

    Examples
    --------
    >>> from tacit import bayes
    >>> X = [[1.0], [1.0], [1.0]]
    >>> choices, times = [[1, 1, -1], [1, -1, -1]], [[0.9, 0.7, 1.1], [0.8, 1.0, 1.2]]
    >>> fits = bayes.fit_many((X, c, rt) for c, rt in zip(choices, times))
    >>> [round(posterior.barrier.mean, 2) for posterior in fits.posteriors.values()]
    [0.75, 0.76]
    """
    named = _by_person(people)
    report = _line if progress is True else progress or (lambda _done, _total: None)
    if n_jobs == 0:
        raise DataError("`n_jobs` must be a number of processes, or -1 for one on each core, got 0")
    if n_jobs is None:
        n_jobs = 1 if len(named) < _WORTHWHILE else -1
    fits = ManyFits({}, {})
    fit_batch = partial(_fit_batch, prior=prior, start_bias=start_bias, tolerance=tolerance)
    # Closed even when interrupted, so that threads and processes are given back at once.
    with closing(_outcomes(fit_batch, named, n_jobs)) as outcomes:
        for done, (person, result, warned) in enumerate(outcomes, 1):
            if isinstance(result, Posterior):
                fits.posteriors[person] = result
            else:
                fits.errors[person] = result
            for message, category in warned:
                warnings.warn(f"person {person}: {message}", category, stacklevel=2)
            report(done, len(named))
    return fits


def _by_person(
    people: Trials | Mapping[Person, Trials | Arrays] | Iterable[Trials | Arrays],
) -> list[Named]:
    if isinstance(people, Trials):
        named: Iterable[Named] = people.by_person()
    elif isinstance(people, Mapping):
        named = people.items()
    else:
        named = enumerate(people)
    return list(named)


def _outcomes(
    fit_batch: Callable[[list[Named]], list[_Outcome]], named: list[Named], n_jobs: int
) -> Generator[_Outcome, None, None]:
    """Yield what became of each person, in order."""
    if n_jobs == 1:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            for one in named:
                yield from fit_batch([one])
        return
    from joblib import Parallel, delayed

    size = -(-len(named) // _BATCHES)
    batches = (named[first : first + size] for first in range(0, len(named), max(size, 1)))
    parallel = Parallel(n_jobs, return_as="generator", inner_max_num_threads=1, backend="loky")
    batched = parallel(delayed(fit_batch)(batch) for batch in batches)
    try:
        for outcomes in batched:
            yield from outcomes
    finally:
        # An interrupted caller does not need joblib's advice on how to waste less work.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(batched, Generator):
                batched.close()


def _fit_batch(
    named: list[Named], *, prior: Prior, start_bias: bool, tolerance: float
) -> list[_Outcome]:
    outcomes = []
    for person, own in named:
        result: Posterior | TacitError
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = fit(
                    *_columns(own), prior=prior, start_bias=start_bias, tolerance=tolerance
                )
            except TacitError as error:
                result = error
        warned = [(str(warning.message), warning.category) for warning in caught]
        outcomes.append(_Outcome(person, result, warned))
    return outcomes


def _columns(own: object) -> Arrays:
    """Return one person's arrays; what is neither trials nor arrays is that person's error."""
    if isinstance(own, Trials):
        return own.vectors, own.choice, own.response_time
    if not (isinstance(own, tuple | list) and len(own) == 3):
        raise DataError(
            "a person's trials must be Trials or a tuple (X, choice, response_time), got "
            f"{type(own).__name__}{f' of {len(own)}' if isinstance(own, tuple | list) else ''}"
        )
    X, choice, response_time = own
    return X, choice, response_time


def _line(done: int, total: int) -> None:
    """Report progress on one line of the standard error."""
    sys.stderr.write(f"\rfitted {done} of {total} people" + "\n" * (done == total))
    sys.stderr.flush()
