"""Studies: the same outcomes in any order, in any process, after any interruption."""

import json
import pickle
import signal
import subprocess
import sys
from dataclasses import replace

import joblib
import numpy as np
import pytest
from joblib.parallel import ThreadingBackend

from tacit import Items, Problem, QuerySpace
from tacit.errors import DataError
from tacit.learners import BeliefPrior, TopTwo
from tacit.simulate import Cell, Diffusion, Lapsing, Store, run_many
from tests.unit.simulate.cells import HEAD, N_CELLS, assert_same, make_cell, make_cells

NAMED = Items.one_hot(["a", "b", "c", "d"])


@pytest.fixture(scope="module")
def expected():
    return run_many(make_cells())


def test_outcomes_depend_neither_on_the_order_nor_on_processes(expected):
    backwards = run_many(make_cells()[::-1], n_jobs=2)
    for one, other in zip(expected.outcomes, backwards.outcomes[::-1], strict=True):
        assert_same(one, other)


class AllAtOnce(ThreadingBackend):
    """Like that of Ray, which is built on that of multiprocessing."""

    supports_return_generator = False


def test_a_backend_that_answers_all_at_once_gets_a_part_at_a_time(tmp_path, expected, monkeypatch):
    monkeypatch.setattr("tacit.simulate.study._ROUNDS", 2)
    n_stored = []

    def progress(done, total):
        n_stored.append((done, total, len(list(tmp_path.glob("*.parquet")))))

    joblib.register_parallel_backend("all at once", AllAtOnce)
    with joblib.parallel_config(backend="all at once", n_jobs=2):
        assert_same(run_many(make_cells(), out=tmp_path, progress=progress), expected)
    assert n_stored == [(n, N_CELLS, n) for n in range(N_CELLS + 1)]


@pytest.mark.parametrize("changed", [{"seed": 1}, {"labels": {"person": "another"}}])
def test_cells_have_randomness_of_their_own(changed):
    one, other = run_many([make_cell(), make_cell(**changed)]).outcomes
    assert not np.array_equal(one.seconds_used, other.seconds_used)


def test_the_table_has_labels_and_outcomes(expected):
    columns = expected.columns()
    np.testing.assert_array_equal(columns["person"], np.repeat([*map(str, range(N_CELLS))], 10))
    np.testing.assert_array_equal(columns["run"][:10], np.repeat(np.arange(5), 2))
    assert {len(column) for column in columns.values()} == {N_CELLS * 10}


def test_what_is_stored_is_not_run_again(tmp_path, expected, monkeypatch):
    calls = []
    run_many(make_cells()[:4], out=tmp_path)
    run_many(make_cells(), out=tmp_path, progress=lambda *call: calls.append(call))
    assert calls == [(4, 6), (5, 6), (6, 6)]
    monkeypatch.setattr(Cell, "run", None)
    assert_same(run_many(make_cells(), out=tmp_path), expected)


def test_a_file_says_how_its_outcomes_came_about(tmp_path, expected):
    run_many(make_cells()[:2], out=tmp_path)
    stored = {cell.config["labels"]["person"]: cell for cell in Store(tmp_path)}
    assert sorted(stored) == ["0", "1"]
    assert stored["1"].config == json.loads(json.dumps(make_cell(1).config()))
    assert {"tacit", "numpy", "python"} <= stored["1"].versions.keys()
    assert_same(stored["1"].outcomes, expected.outcomes[1])


def test_the_folder_is_one_table_for_others(tmp_path, expected):
    dataset = pytest.importorskip("pyarrow.dataset")
    run_many(make_cells()[:2], out=tmp_path)
    table = dataset.dataset(tmp_path).to_table().to_pandas()
    assert sorted(table["person"].unique()) == ["0", "1"]
    again = table[table["person"] == "1"]["seconds_used"].to_numpy()
    np.testing.assert_array_equal(again, expected.outcomes[1].seconds_used)


def listed(items, first):
    return Problem(items, QuerySpace.listed(items, first, [-1, -1, 3, 3]))


@pytest.mark.parametrize(
    "changed",
    [
        {"time_budgets": [4.0, 9.0]},
        {"n_runs": 6},
        {"seed": 1},
        {"max_queries": 3},
        {"labels": {"person": "0", "again": "yes"}},
        {"learner": TopTwo(n_extremes=3)},
        {"learner": TopTwo(prior=BeliefPrior(barrier=1.3))},
        {"respondent": Lapsing(Diffusion([0.0, 0.3, 0.0, 1.0], 1.2, 0.4), slow_share=0.06)},
        {"problem": Problem(NAMED, QuerySpace.all_pairs(NAMED))},
        {"problem": listed(Items.one_hot(4), [0, 1, 2, 0])},
        {"problem": listed(Items.one_hot(4), [2, 1, 2, 0])},
        {"problem": listed(Items(np.eye(4) * 1.1), [0, 1, 2, 0])},
    ],
)
def test_a_changed_cell_is_another_cell(changed):
    keys = {make_cell().key, make_cell(**changed).key}
    keys |= {make_cell(problem=listed(Items.one_hot(4), [0, 2, 1, 0])).key}
    assert len(keys) == 3
    assert make_cell(**changed).key == make_cell(**changed).key


def test_another_version_is_another_cell(monkeypatch):
    before = make_cell().key
    monkeypatch.setattr("tacit.__version__", "0.0.0")
    assert make_cell().key != before


def test_a_cell_can_travel():
    cell = make_cell(3)
    arrived = pickle.loads(pickle.dumps(cell))
    assert arrived.key == cell.key
    assert_same(arrived.run(), cell.run())


def test_a_file_that_is_broken_or_renamed_is_named(tmp_path):
    first, second = make_cells()[:2]
    store = Store(tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        store.read(first)
    store.write(first, first.run())
    store.path(first).rename(store.path(second))
    with pytest.raises(DataError, match="holds the outcomes of another cell"):
        run_many([second], out=tmp_path)
    store.path(second).write_bytes(b"PAR1")
    with pytest.raises(DataError, match="does not hold outcomes of tacit"):
        run_many([second], out=tmp_path)


def test_an_error_names_its_cell():
    wrong = make_cell(2, respondent=Diffusion([1.0], 1.0))
    with pytest.raises(DataError, match="a weight for each") as caught:
        run_many([make_cell(1), wrong], n_jobs=2)
    assert "in cell 1, {'person': '2'}" in "".join(caught.value.__notes__)


def test_mistakes_are_named():
    with pytest.raises(DataError, match="cells 0 and 2 are the same"):
        run_many([make_cell(1), make_cell(2), make_cell(1)])
    with pytest.raises(DataError, match="at least one cell"):
        run_many([])
    with pytest.raises(DataError, match="`seed` must be at least 0, got -1"):
        make_cell(seed=-1)
    with pytest.raises(DataError, match="must not have the name of an outcome, got 'item'"):
        make_cell(labels={"item": "tea"})
    with pytest.raises(DataError, match="dataclasses, got <object"):
        make_cell(learner=object()).config()


BETWEEN_CELLS = """
def progress(done, total):
    if done == 3:
        os.kill(os.getpid(), signal.SIGKILL)
run_many(make_cells(), out=folder, progress=progress)
"""
WHILE_WRITING = """
fsync, calls = os.fsync, []
def kill_at_the_fourth_file(descriptor):
    calls.append(descriptor)
    if len(calls) == 7:  # of file and folder in turn
        os.ftruncate(descriptor, 100)
        os.kill(os.getpid(), signal.SIGKILL)
    fsync(descriptor)
os.fsync = kill_at_the_fourth_file
run_many(make_cells(), out=folder)
"""


@pytest.mark.parametrize("body", [BETWEEN_CELLS, WHILE_WRITING])
def test_a_study_that_was_killed_goes_on_to_the_same_files(tmp_path, body, expected):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run_many(make_cells(), out=whole)
    run = subprocess.run([sys.executable, "-c", HEAD + body, killed], check=False)
    assert run.returncode == -signal.SIGKILL
    assert len(list(killed.glob("*.parquet"))) == 3
    calls = []
    resumed = run_many(make_cells(), out=killed, progress=lambda *call: calls.append(call))
    assert calls[0] == (3, 6)
    assert_same(resumed, expected)
    files = {path.name: path.read_bytes() for path in killed.iterdir()}
    assert files == {path.name: path.read_bytes() for path in whole.iterdir()}


def test_budgets_may_be_a_single_number():
    assert replace(make_cell(), time_budgets=7.0).time_budgets == (7.0,)
