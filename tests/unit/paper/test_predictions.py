import numpy as np
import pytest

from tacit.datasets import load
from tacit.paper import SCALES, Desk
from tacit.paper.contamination import CELLS, FITS, SpoiltPerson
from tacit.paper.held_out import Accuracies, HeldOutFigure
from tacit.paper.predictions import METHODS, STUDIES, PersonToPredict, tuned_on_others
from tacit.paper.robustness import SHOWN, RobustnessFigure, Spoilt

SNACKS, RISKS = STUDIES


@pytest.fixture(scope="module")
def person(data_dir):
    return load("clithero", data_dir).people[4]


def work(person, **changed):
    return PersonToPredict(**{"person": person, "study": SNACKS, "size": 2, "n_draws": 2} | changed)


def test_a_persons_predictions_are_the_same_anywhere(person):
    one, other = work(person).run(), work(person).run()
    np.testing.assert_array_equal(one.accuracy, other.accuracy)
    assert len(one) == len(SNACKS.choice_ridges) + len(SNACKS.time_ridges) + 1
    assert ((one.accuracy > 0.3) & (one.accuracy <= 1)).all()
    assert np.bincount(one.method).tolist() == [8, 8, 1]
    assert len(METHODS) == 3
    changes = ({}, {"size": 3}, {"n_draws": 1}, {"seed": 5})
    assert len({work(person, **change).key for change in changes}) == 4


def test_other_answers_are_other_work(data_dir, person):
    other = load("clithero", data_dir).people[5]
    renamed = type(person)(person.name, other.trials, person.held_out, person.problem)
    assert work(person).key != work(renamed).key


def test_a_setting_is_tuned_on_the_others():
    # Left is best for the first two people, right for the third: each gets what suits the others.
    losses = np.array([[0.0, 1.0], [0.0, 1.0], [3.0, 0.0]])
    np.testing.assert_array_equal(tuned_on_others(losses), [1.0, 1.0, 3.0])


def accuracies(study, gain):
    wiggle = np.linspace(-0.01, 0.01, 6)[:, None]
    choices = 0.7 + wiggle * np.ones((6, len(study.sizes)))
    return Accuracies(study, choices, choices + gain + 2 * wiggle)


def test_predictions_are_judged():
    holds = HeldOutFigure().judge([accuracies(SNACKS, 0.05), accuracies(RISKS, 0.0)])
    assert [finding.outcome for finding in holds] == ["holds"] * 3
    fails = HeldOutFigure().judge([accuracies(SNACKS, -0.05), accuracies(RISKS, 0.1)])
    assert [finding.outcome for finding in fails] == ["does not hold"] * 3


def test_held_out_choices_are_predicted_and_drawn(data_dir, tmp_path):
    found = HeldOutFigure().collect(Desk(scale=SCALES["smoke"], out=tmp_path, data=data_dir))
    assert [own.times.shape for own in found] == [(2, 5), (2, 4)]
    assert len(HeldOutFigure().draw(found).axes) == 2
    assert [row["answers"] for row in HeldOutFigure().rows(found)] == [
        1,
        2,
        3,
        5,
        10,
        5,
        10,
        20,
        40,
    ]


def test_every_fit_meets_every_contamination():
    found = SpoiltPerson(like="clithero", number=0).run()
    assert len(found) == len(CELLS) * len(FITS)
    clean = found.squared[found.share == 0]
    worst = found.squared[(found.kind == 2) & (found.share == 0.3)]
    exact = FITS.index("exact")
    assert worst[exact] > clean[exact]


def test_errors_under_contamination_are_judged():
    levels = dict(zip(SHOWN, (0.4, 0.1, 0.12, 0.3), strict=True))
    wiggle = np.linspace(-0.01, 0.01, 7)[:, None]
    error = np.stack(
        [
            level + (1 + place) * wiggle * np.ones((7, len(CELLS)))
            for place, level in enumerate(levels.values())
        ],
        axis=1,
    )
    error[:, :, 0] = 0.1 + wiggle
    findings = RobustnessFigure().judge([Spoilt("clithero", error)])
    assert [finding.outcome for finding in findings] == ["holds"] * 4
    assert findings[1].estimate == pytest.approx(-0.3)
