"""Load the data sets and the fits that the paper published with them."""

from os import PathLike

import numpy as np

from tacit.datasets import clithero, food_risk, krajbich
from tacit.datasets.people import Dataset, PersonParameters
from tacit.datasets.sources import locate, source
from tacit.records.tables import read_table

_PEOPLE = {
    "food-risk": food_risk.people,
    "clithero": clithero.people,
    "krajbich": krajbich.people,
}


def load(name: str, data: str | PathLike[str] | None = None) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : {"food-risk", "clithero", "krajbich"}
        Which data set: 42 people who chose between risky options of two foods, 31 who chose
        single snacks or none, 39 who chose between two snacks.
    data : path, optional
        Folder with the files of the authors' repository. When absent, the folder that the
        environment variable TACIT_DATA names; when that is not set either, the file is
        downloaded once, which needs the extra "data".

    Returns
    -------
    Dataset
        Its people, and what to cite.

    Warns
    -----
    DataWarning
        If a file in the folder is not the published one.

    Examples
    --------
    >>> load("chocolate")
    Traceback (most recent call last):
    tacit.errors.DataError: the data sets are 'food-risk', 'clithero', 'krajbich', got 'chocolate'
    """
    origin = source(name)
    table = read_table(locate(origin.trials, origin.citation, data))
    return Dataset(name, _PEOPLE[name](table), origin.citation)


def published_fits(
    name: str, data: str | PathLike[str] | None = None
) -> tuple[PersonParameters, ...]:
    """Load the posterior means that the paper's authors published for each person.

    Parameters
    ----------
    name : {"food-risk", "clithero", "krajbich"}
        Which data set.
    data : path, optional
        Folder with the files, as in :func:`load`.

    Returns
    -------
    tuple of PersonParameters
        In the order of ``load(name).people``, with weights for the features of their trials.

    Examples
    --------
    >>> published_fits("chocolate")
    Traceback (most recent call last):
    tacit.errors.DataError: the data sets are 'food-risk', 'clithero', 'krajbich', got 'chocolate'
    """
    origin = source(name)
    table = read_table(locate(origin.fits, origin.citation, data))
    # In the one-feature file, the columns behind the weight list the ratings that occur.
    weight_columns = ["l intg speed"] if name == "krajbich" else list(table.names[2:])
    weights = np.stack([table.numbers(column) for column in weight_columns], axis=1)
    return tuple(
        PersonParameters(barrier=boundary_separation / 2, nondecision_time=time, weights=own)
        for boundary_separation, time, own in zip(
            table.numbers("alpha").tolist(), table.numbers("tau").tolist(), weights, strict=True
        )
    )
