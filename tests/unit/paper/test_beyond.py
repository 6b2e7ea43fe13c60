from dataclasses import replace

import numpy as np
import pytest

from benchmarks.race import ABLATION
from tacit.cli._race import entries
from tacit.paper import SCALES, Desk
from tacit.paper.ablation import STEPS, AblationFigure
from tacit.paper.bandits import Errors
from tacit.paper.beyond import RIDGED, ClitheroBeyond, KrajbichBeyond, Raced


@pytest.fixture
def desk(data_dir, tmp_path):
    return Desk(scale=SCALES["smoke"], out=tmp_path, data=data_dir, published=True)


def test_every_learner_questions_every_person(desk):
    # Of four runs with a person, none may be sure before the seconds are over.
    desk = replace(desk, scale=replace(desk.scale, n_runs=30))
    found = ClitheroBeyond().collect(desk)
    budgets = np.array([50.0, 100.0])
    assert found.errors.time_budgets == (50, 100)
    assert found.errors.error.shape == found.seconds.shape == (2, 6, 2)
    assert found.oracle.shape == (2, 2)
    any_time = found.seconds[:, 3:]
    assert (any_time <= budgets).all()
    stopping, going_on = (
        found.seconds[:, found.errors.labels.index(name)] for name in ("StopWhenSure", "TopTwo")
    )
    assert stopping.mean() < going_on.mean()
    rows = ClitheroBeyond().rows(found)
    assert [row["learner"] for row in rows[-2:]] == ["Oracle"] * 2
    assert len({tuple(row) for row in rows}) == 1


def test_figures_share_the_cells_of_the_same_learners(desk):
    KrajbichBeyond().collect(desk)
    n_run = []
    again = Desk(
        scale=desk.scale,
        out=desk.out,
        data=desk.data,
        published=True,
        progress=lambda _what, done, total: n_run.append((done, total)),
    )
    again.crowd("krajbich")
    KrajbichBeyond().collect(again)
    # 2 people, 3 variants at 2 budgets, and 4 learners that go through both.
    assert n_run == [(20, 20)]


def raced(n_people=8, **error):
    labels = ("(trans, CH,DT)", "(trans, CH)", RIDGED.label, "ChoiceTopTwo", "TopTwo")
    labels = (*labels, "StopWhenSure")
    wiggle = np.linspace(-0.01, 0.01, n_people)[:, None]
    shares = [error.get(label, 0.5) + wiggle * (1 + place) for place, label in enumerate(labels)]
    table = np.stack([share * np.ones((n_people, 2)) for share in shares], axis=1)
    errors = Errors("made-up", labels, ("black",) * 6, (50.0, 100.0), table, 10)
    seconds = np.full(table.shape, 100.0)
    seconds[:, -1] = 60 + 100 * wiggle
    return Raced(errors, np.full((n_people, 2), 0.1), seconds)


def test_better_learners_are_called_better():
    errors = {"(trans, CH,DT)": 0.4, RIDGED.label: 0.45, "TopTwo": 0.2, "StopWhenSure": 0.21}
    findings = ClitheroBeyond().judge(raced(**errors))
    assert [finding.outcome for finding in findings] == ["holds"] * 7


def test_a_fair_baseline_that_wins_is_said_to_win():
    findings = ClitheroBeyond().judge(raced(**{"(trans, CH,DT)": 0.6, RIDGED.label: 0.4}))
    outcomes = {finding.statement: finding.outcome for finding in findings}
    assert outcomes["(trans, CH,DT) minus (trans, CH), ridge, at 50 s"] == "does not hold"


def test_steps_of_the_ablation_are_compared_in_turn():
    labels = (*(step.label for step in STEPS), "TopTwo")
    n = len(labels)
    wiggle = np.linspace(-0.01, 0.01, 6)[:, None]
    table = np.stack(
        [(0.8 - 0.1 * place) + (1 + place) * wiggle * np.ones((6, 2)) for place in range(n)], axis=1
    )
    errors = Errors("made-up", labels, ("black",) * n, (50.0, 100.0), table, 10)
    findings = AblationFigure().judge([errors])
    assert [finding.outcome for finding in findings] == ["holds"] * (n - 1)
    np.testing.assert_allclose([finding.estimate for finding in findings], -0.1)


def test_steps_are_those_of_the_race(desk):
    crowd = desk.crowd("clithero")
    person = crowd.people[0]
    raced = entries([text for text in ABLATION.values() if text.startswith("GSE")])
    assert [step.label for step in STEPS][1:] == [*ABLATION][1:-1]
    for step, entry in zip(STEPS, raced, strict=True):
        expected = replace(entry.learner(crowd, person), time_budget=60.0)
        assert step.learner(crowd, person, 60.0) == expected
