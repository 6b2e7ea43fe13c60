"""The three data sets of timed human choices that the paper uses, and people like those in them.

The data are not part of tacit: they come from a folder of yours or from the authors' public
repository.
"""

from tacit.datasets.loading import load, published_fits
from tacit.datasets.look_alikes import look_alike
from tacit.datasets.people import Dataset, LookAlike, Person, PersonParameters
from tacit.datasets.sphere import sphere_people

__all__ = [
    "Dataset",
    "LookAlike",
    "Person",
    "PersonParameters",
    "load",
    "look_alike",
    "published_fits",
    "sphere_people",
]
