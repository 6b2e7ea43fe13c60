import numpy as np
import pytest

from tacit.paper import SCALES, Desk, crowd
from tacit.paper.bandits import (
    CHOICES,
    RESPONSE_TIMES,
    TIMES,
    VARIANTS,
    WEAK,
    Errors,
    compare,
    variant_errors,
)
from tacit.paper.tuning import resampled, select


@pytest.fixture(scope="module")
def clithero(data_dir):
    return crowd("clithero", data_dir, n_people=1, published=True)


def test_variants_are_told_what_the_paper_tells_them(clithero):
    person = clithero.people[0]
    t0 = person.parameters.nondecision_time
    told = {one.label: one.learner(clithero, person, 60.0) for one in VARIANTS}
    assert [one.nondecision_time for one in told.values()] == [t0, 0, t0, t0, t0, t0]
    assert [one.eta for one in told.values()] == [6, 6, 9, 9, 9, 5]
    assert {one.phase_buffer for one in told.values()} == {10}
    assert TIMES.learner(clithero, person, 60.0, eta=3).eta == 3


def test_errors_are_stored_and_read_again(data_dir, tmp_path):
    def desk(calls):
        return Desk(
            scale=SCALES["smoke"],
            out=tmp_path,
            data=data_dir,
            published=True,
            progress=lambda *call: calls.append(call),
        )

    first, second = [], []
    errors = variant_errors(desk(first), "krajbich", [150])
    assert errors.error.shape == (2, 6, 1)
    assert len(list((tmp_path / "cells").glob("*.parquet"))) == 12
    again = variant_errors(desk(second), "krajbich", [150])
    assert [call[1:] for call in first] == [(n, 12) for n in range(13)]
    assert [call[1:] for call in second] == [(12, 12)]
    np.testing.assert_array_equal(errors.error, again.error)
    row = errors.rows()[0]
    assert row["learner"] == "(trans, CH,DT)"
    assert row["mean"] == pytest.approx(errors.error[:, 0, 0].mean())


def made_up(**error):
    """Errors of the six variants that are the same but for small differences of people."""
    usual = {one.label: 0.5 for one in VARIANTS}
    people = np.linspace(-0.01, 0.01, 8)
    table = np.stack(
        [
            (usual | error)[label] + people[:, None] * (1 + place) * np.ones((8, 2))
            for place, label in enumerate(usual)
        ],
        axis=1,
    )
    colours = tuple(one.colour for one in VARIANTS)
    return Errors("made-up", tuple(usual), colours, (50.0, 100.0), table, 10)


def test_the_papers_order_holds_where_it_is_so():
    findings = compare(made_up(**{TIMES.label: 0.2, RESPONSE_TIMES.label: 0.22, WEAK.label: 0.7}))
    assert [finding.outcome for finding in findings] == ["holds"] * 6
    assert "(clear at 2 of 2)" in findings[0].statement
    assert findings[0].estimate == pytest.approx(-0.3)


def test_the_papers_order_fails_where_it_is_not_so():
    findings = compare(made_up(**{TIMES.label: 0.6, CHOICES.label: 0.8, WEAK.label: 0.7}))
    assert [finding.outcome for finding in findings] == [
        "holds",
        "holds",
        "does not hold",
        "does not hold",
        "does not hold",
        "does not hold",
    ]
    assert "against it at 2)" in findings[2].statement


@pytest.mark.parametrize(
    ("errors", "chosen"),
    [
        ([[0.1, 0.2, 0.9], [0.1, 0.3, 0.4]], 0),  # by the median
        ([[0.1, 0.2, 0.9], [0.1, 0.2, 0.8]], 1),  # by the third quartile
        ([[0.1, 0.2, 0.8], [0.0, 0.2, 0.8]], 1),  # by the first quartile
        ([[0.1, 0.2, 0.8], [0.1, 0.2, 0.8]], 0),
    ],
)
def test_a_rate_is_selected_by_the_papers_rule(errors, chosen):
    assert select(np.array(errors)) == chosen


def test_resampling_shows_how_sure_a_choice_is():
    people = np.array([[0.2], [0.4], [0.6], [0.8]])
    close = np.stack([people, people[::-1] + 0.01])
    assert 0.05 < resampled(close)[1] < 0.95
