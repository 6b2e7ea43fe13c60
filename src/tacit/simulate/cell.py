"""A cell of a study: one learner and one respondent, with everything that its outcomes rest on."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

import tacit
from tacit.errors import DataError
from tacit.learners import Learner
from tacit.records import AgainstReference, AllPairs, Problem
from tacit.simulate._configuration import class_name, plain
from tacit.simulate._one_thread import one_thread
from tacit.simulate.outcomes import Outcomes
from tacit.simulate.respondent import Respondent
from tacit.simulate.running import run
from tacit.simulate.work import Work

_OUTCOMES = frozenset(f.name for f in fields(Outcomes))


@dataclass(frozen=True, kw_only=True, eq=False)
class Cell(Work[Outcomes]):
    """The arguments of `run`, with a seed and labels: the unit of work and of storage.

    Parameters
    ----------
    problem : Problem
        Items, and the queries that may be asked.
    learner : Learner
        Who decides what to ask; a dataclass.
    respondent : Respondent
        Who answers.
    time_budgets : float or array_like of float
        Seconds that may be spent, increasing.
    n_runs : int
        Number of replicates.
    seed : int, default 0
        Together with everything else here, from which the randomness follows, whatever else is
        run and wherever. At least 0.
    max_queries : int, optional
        Stop each run after this many answers.
    labels : mapping of str to str, optional
        Columns that tell the cell apart in a table, such as a person's name.

    Examples
    --------
    >>> from tacit import Items, Problem, QuerySpace
    >>> from tacit.learners import TopTwo
    >>> from tacit.simulate import Cell, Diffusion
    >>> tea = Items.one_hot(["green", "black"])
    >>> cell = Cell(
    ...     problem=Problem(tea, QuerySpace.all_pairs(tea)),
    ...     learner=TopTwo(),
    ...     respondent=Diffusion([0.0, 0.7], barrier=1.2, nondecision_time=0.4),
    ...     time_budgets=[10.0, 20.0],
    ...     n_runs=50,
    ...     labels={"person": "eve"},
    ... )
    >>> len(cell.key), len(cell.run())
    (32, 100)
    """

    problem: Problem
    learner: Learner[Any]
    respondent: Respondent
    time_budgets: ArrayLike
    n_runs: int
    seed: int = 0
    max_queries: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    noun: ClassVar[str] = "cell"

    def __post_init__(self) -> None:
        budgets = tuple(np.atleast_1d(np.asarray(self.time_budgets, dtype=np.float64)).tolist())
        object.__setattr__(self, "time_budgets", budgets)
        object.__setattr__(self, "labels", {k: str(v) for k, v in self.labels.items()})
        if self.seed < 0:
            raise DataError(f"`seed` must be at least 0, got {self.seed}")
        if taken := _OUTCOMES & self.labels.keys():
            raise DataError(f"`labels` must not have the name of an outcome, got {min(taken)!r}")

    @property
    def table(self) -> type[Outcomes]:
        """The class of the outcomes."""
        return Outcomes

    def config(self) -> dict[str, Any]:
        """Return everything that the outcomes rest on as JSON values; of the problem, a digest."""
        return {
            "labels": plain(self.labels),
            "problem": _problem_config(self.problem),
            "learner": plain(self.learner),
            "respondent": self.respondent.config(),
            "time_budgets": plain(self.time_budgets),
            "n_runs": self.n_runs,
            "seed": self.seed,
            "max_queries": self.max_queries,
            "tacit": tacit.__version__,
        }

    def run(self) -> Outcomes:
        """Return the outcomes, the same ones at any time, in any process, on one core."""
        with one_thread:
            return run(
                self.problem,
                self.learner,
                self.respondent,
                self.time_budgets,
                n_runs=self.n_runs,
                rng=self.rng(),
                max_queries=self.max_queries,
            )


def _problem_config(problem: Problem) -> dict[str, Any]:
    items, queries = problem.items, problem.queries
    content = hashlib.sha256(json.dumps(items.names).encode())
    for values in (items.features, items.reference):
        content.update(np.ascontiguousarray(values, dtype="<f8").tobytes())
    if not isinstance(queries, AllPairs | AgainstReference):
        for side in queries.pairs(np.arange(queries.n_queries)):
            content.update(np.ascontiguousarray(side, dtype="<i8").tobytes())
    return {
        "n_items": items.n_items,
        "n_features": items.n_features,
        "queries": class_name(type(queries)),
        "n_queries": queries.n_queries,
        "digest": content.hexdigest()[:32],
    }
