"""Other people, whose preferences are what is believed about a participant before any answer."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tacit.bayes import Population
from tacit.errors import DataError
from tacit.learners import BeliefPrior, BelievingLearner, Learner
from tacit.records._rows import did_you_mean, listing
from tacit.study._tables import Table

_HEADER = re.compile(r"^[ \t]*\[learner\.population\][^\n]*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class PopulationPrior:
    """A stored population, and what its weights are about.

    Attributes
    ----------
    stored : str
        JSON text of a `tacit.bayes.Population`.
    features : tuple of str
        Names of its weights, in their order; empty where items have features, which go by place.

    Examples
    --------
    >>> import numpy as np
    >>> from tacit.bayes import Population
    >>> crowd = Population(np.array([[1.0, 0.0]]), np.diag([0.5, 0.2]), 1.1, 0.3, 100)
    >>> prior = PopulationPrior(stored=crowd.to_json(), features=("mint", "green"))
    >>> prior.belief(["green", "mint"]).mean
    (0.0, 1.0)
    """

    stored: str
    features: tuple[str, ...] = ()

    @property
    def n_people(self) -> int:
        """Number of people that it was learned from."""
        return Population.from_json(self.stored).n_people

    def problems(self, names: Sequence[str] | None, n_weights: int) -> list[str]:
        """Return why it does not fit a study, nothing if it does.

        Parameters
        ----------
        names : sequence of str or None
            The items, where each is its own feature.
        n_weights : int
            Number of weights of the study.
        """
        population = Population.from_json(self.stored)
        n_covariates = len(population.coefficients) - 1
        found = []
        if n_covariates:
            found.append(
                f"`learner.population.file` must be a population without covariates, got one with "
                f"{n_covariates}: a study does not know them of its people"
            )
        if population.n_features != n_weights:
            found.append(
                f"`learner.population.file` must be a population of {n_weights} weights, got "
                f"{population.n_features}"
            )
        return found + self._misnamed(names)

    def _misnamed(self, names: Sequence[str] | None) -> list[str]:
        key = "`learner.population.features`"
        if names is None:
            wrong = "must be left out where items have features, which go by place"
            return [f"{key} {wrong}"] if self.features else []
        found = [
            f"{key} names {name!r}, which is no item; {did_you_mean(name, names)}"
            for name in self.features
            if name not in names
        ]
        if missing := [name for name in names if name not in self.features]:
            wrong = "must name every item, in the order of the file's weights"
            found.append(f"{key} {wrong}; missing are {listing(missing)}")
        return found

    def belief(self, names: Sequence[str]) -> BeliefPrior:
        """Return what is believed about a participant, its weights in the order of `names`."""
        prior = BeliefPrior.of(Population.from_json(self.stored))
        if not self.features:
            return prior
        order = [self.features.index(name) for name in names]
        mean, covariance = np.array(prior.mean), np.array(prior.covariance)
        return replace(prior, mean=mean[order], covariance=covariance[np.ix_(order, order)])

    def learner(self, learner: Learner[Any], names: Sequence[str]) -> BelievingLearner:
        """Return a learner that believes this before the first answer."""
        if not isinstance(learner, BelievingLearner):
            raise DataError(
                "`learner.population` needs a learner that holds a belief, such as TopTwo, got "
                f"{type(learner).__name__}"
            )
        return replace(learner, prior=self.belief(names))


def population_of(table: Table | None, folder: Path | None) -> PopulationPrior | None:
    """Return the population that a table names, or keeps in itself."""
    if table is None:
        return None
    name, features, kept = table.text("file"), table.texts("features"), table.optional_text("kept")
    table.close()
    if len(set(features)) < len(features):
        table.refuse("features", "names that differ from each other", list(features))
    if kept is None and Path(name).name != name:
        table.refuse("file", "the name of a file in the folder of the study", name)
        return None
    try:
        text = ((folder or Path()) / name).read_text("utf-8") if kept is None else kept
        return PopulationPrior(stored=Population.from_json(text).to_json(), features=features)
    except OSError as error:
        table.refuse("file", "a file that is there", name, str(error.strerror))
    except (DataError, UnicodeDecodeError) as error:
        table.refuse("file", "what Population.to_json wrote", name, str(error))
    return None


def with_population(text: str, population: PopulationPrior) -> str:
    """Return the text of a study with its population in it, so that it needs no other file.

    Parameters
    ----------
    text : str
        Content of the study's file.
    population : PopulationPrior
        As read from the file that it names.
    """
    if "kept" in tomllib.loads(text)["learner"]["population"]:
        return text
    # JSON of numbers holds nothing that a literal string of TOML could not.
    line = f"kept = '{population.stored}'"
    whole = _HEADER.sub(lambda header: f"{header[0]}\n{line}", text, count=1)
    if tomllib.loads(whole)["learner"]["population"].get("kept") != population.stored:
        raise DataError("write the population as a table of its own, below [learner.population]")
    return whole
