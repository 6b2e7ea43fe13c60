"""What a data set holds: people with their trials, and their parameters where known."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.records import Problem, Trials

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PersonParameters:
    """How a person decides.

    Parameters
    ----------
    barrier : float
        Evidence needed for an answer, from start to boundary; positive.
    nondecision_time : float
        Seconds that seeing and answering take; positive.
    weights : array of float, shape (n_features,)
        Weights of the features in the person's utility.

    Examples
    --------
    >>> PersonParameters(barrier=1.2, nondecision_time=0.4, weights=np.array([0.5])).barrier
    1.2
    """

    barrier: float
    nondecision_time: float
    weights: FloatArray


@dataclass(frozen=True)
class Person:
    """One person of a data set.

    Parameters
    ----------
    name : str
        The person's number in the file.
    trials : Trials
        Timed choices to learn from.
    held_out : Trials or None
        Timed choices of another kind, to predict.
    problem : Problem
        What a learner would ask this person in the paper's simulations. Its items are those of
        the trials, or the same items in another representation; see :meth:`problem_weights`.

    Examples
    --------
    >>> from tacit.records import Items, QuerySpace
    >>> tea = Items.one_hot(["green", "black"])
    >>> trials = Trials.from_arrays([0], [1], [1], [0.9], tea)
    >>> Person("1", trials, None, Problem(tea, QuerySpace.all_pairs(tea))).trials.n_trials
    1
    """

    name: str
    trials: Trials
    held_out: Trials | None
    problem: Problem

    def problem_weights(self, weights: npt.ArrayLike) -> FloatArray:
        """Carry weights that were learned from the trials over to the items of the problem.

        Parameters
        ----------
        weights : array-like of float, shape (n_features of the items of the trials,)
            Weights learned from `trials`.

        Returns
        -------
        array of float, shape (n_features of the items of the problem,)
            Weights that give the items of the problem the same utilities.

        Examples
        --------
        >>> from tacit.records import Items, QuerySpace
        >>> rated = Items([[-1.0], [0.0], [1.0]])
        >>> trials = Trials.from_arrays([0], [1], [1], [0.9], rated)
        >>> problem = Problem(Items.one_hot(3), QuerySpace.all_pairs(Items.one_hot(3)))
        >>> Person("1", trials, None, problem).problem_weights([0.2])
        array([-0.2,  0. ,  0.2])
        """
        if self.problem.items == self.trials.items:
            return np.array(weights, dtype=float)
        # The paper represents rated items one-hot, so that a weight is a utility.
        return self.trials.items.utilities(weights)


@dataclass(frozen=True)
class Dataset:
    """The people of a data set.

    Parameters
    ----------
    name : str
        "food-risk", "clithero" or "krajbich".
    people : tuple of Person
        In the order of the file.
    citation : str
        What to cite when the data are used.

    Examples
    --------
    >>> Dataset("clithero", (), "Clithero (2018)").citation
    'Clithero (2018)'
    """

    name: str
    people: tuple[Person, ...]
    citation: str


@dataclass(frozen=True)
class LookAlike:
    """A made-up person with a problem, like the people of a data set.

    Parameters
    ----------
    parameters : PersonParameters
        How the person decides; `weights` are for the items of the problem.
    problem : Problem
        What may be asked.

    Examples
    --------
    >>> from tacit.datasets import look_alike
    >>> person = look_alike("clithero", 1, rng=np.random.default_rng(1))[0]
    >>> person.problem.queries.n_queries
    17
    """

    parameters: PersonParameters
    problem: Problem
