"""Small cells, for tests of studies in this process and in others."""

from pathlib import Path

import numpy as np

from tacit import Items, Problem, QuerySpace
from tacit.learners import TopTwo
from tacit.simulate import Cell, Diffusion, Lapsing

N_CELLS = 6

HEAD = f"""
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from tests.unit.simulate.cells import make_cells
from tacit.simulate import run_many
folder = Path(sys.argv[1])
"""
"""The start of a script that runs cells in a process of its own."""


def make_cell(person=0, **changed):
    items = Items.one_hot(4)
    settings = {
        "problem": Problem(items, QuerySpace.all_pairs(items)),
        "learner": TopTwo(),
        "respondent": Lapsing(Diffusion([0.0, 0.3, 0.1 * person, 1.0], 1.2, 0.4)),
        "time_budgets": [4.0, 8.0],
        "n_runs": 5,
        "labels": {"person": person},
    }
    return Cell(**settings | changed)


def make_cells():
    return [make_cell(person) for person in range(N_CELLS)]


def assert_same(one, other):
    for name, column in one.columns().items():
        np.testing.assert_array_equal(column, other.columns()[name])
