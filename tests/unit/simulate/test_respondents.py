"""Respondents by name, what they refuse, and people of other packages."""

import importlib
import sys
from importlib.machinery import BuiltinImporter

import numpy as np
import pytest

from tacit import ddm
from tacit.datasets import PersonParameters
from tacit.errors import DataError, MissingExtra
from tacit.simulate import (
    SSMS,
    Biased,
    CollapsingBarrier,
    Diffusion,
    Lapsing,
    Race,
    VariableDrift,
    VariableNondecision,
    make_respondent,
    respondent_from_config,
)

STEADY = Diffusion([1.0, 2.0], 1.2, 0.4)


def test_habits_add_up(rng):
    person = Lapsing(
        VariableNondecision(VariableDrift(STEADY, 0.5), 0.2), fast_share=1, slow_share=0
    )
    _, time = person.answer(np.ones((100, 2)), rng)
    assert ((time >= 0.1) & (time <= 0.3)).all()
    assert respondent_from_config(person.config()) == person
    assert person != Lapsing(VariableNondecision(VariableDrift(STEADY, 0.6), 0.2), 1, 0)
    assert person != STEADY


def test_without_variability_a_person_is_the_same():
    for person in (
        Lapsing(STEADY, fast_share=0, slow_share=0),
        VariableDrift(STEADY, 0),
        VariableNondecision(STEADY, 0),
    ):
        mean = person.answer(np.ones((40_000, 2)), np.random.default_rng(1))[1].mean()
        # Four and a half standard errors.
        assert abs(mean - 0.4 - ddm.mean_time(3.0, 1.2)) < 0.006


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Diffusion([], 1.0), "one number per feature"),
        (lambda: Diffusion([1.0, np.nan], 1.0), "finite, got nan for feature 1"),
        (lambda: Diffusion([1.0], 0.0), "`barrier` must be a positive number, got 0.0"),
        (lambda: Diffusion([1.0], 1.0, -0.1), "`nondecision_time` must be zero or a positive"),
        (lambda: Biased([1.0], 1.0, start=1.0), r"between -1 and \+1, got 1.0"),
        (lambda: CollapsingBarrier([1.0], 1.0, collapse_time=0), "`collapse_time` must be a pos"),
        (lambda: Race([1.0], 1.0, base_drift=-1.0), "`base_drift` must be a positive"),
        (lambda: VariableDrift(STEADY, -1.0), "`drift_sd` must be zero or a positive"),
        (lambda: VariableNondecision(STEADY, np.inf), "`width` must be zero or a positive"),
        (lambda: Lapsing(STEADY, 1.2), "`fast_share` must be between 0 and 1, got 1.2"),
        (lambda: Lapsing(STEADY, 0.6, 0.6), "must not exceed 1 together, got 0.6 and 0.6"),
        (lambda: Lapsing(STEADY, slow_range=(3, 1)), "in order, got .3, 1."),
        (lambda: make_respondent("nobody", None), "no respondent 'nobody'; there are diffusion"),
        (lambda: respondent_from_config({"class": "x"}), "no respondent of class 'x'"),
        (lambda: respondent_from_config({"class": "tacit.Race"}), "not the configuration of a"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises(DataError, match=message):
        make()


class TestSSMS:
    @pytest.fixture(autouse=True)
    def needs_ssms(self):
        pytest.importorskip("ssms")

    def test_its_barrier_is_that_of_tacit(self, rng):
        """Its Euler scheme is a few percent slow; twice the barrier takes four times as long."""
        person = SSMS([1.0], "ddm", {"a": 1.2, "t": 0.3})
        choice, time = person.answer(np.full((4_000, 1), 0.7), rng)
        mean = float(ddm.mean_time(0.7, 1.2))
        assert mean < (time - 0.3).mean() < 1.1 * mean
        assert abs(choice.mean() - ddm.mean_choice(0.7, 1.2)) < 0.06

    @pytest.mark.parametrize("model", ["race_no_bias_2", "lba2", "weibull", "ornstein", "full_ddm"])
    def test_the_first_option_is_the_one_that_is_liked(self, model, rng):
        person = make_respondent(f"ssms:{model}", PersonParameters(1.2, 0.3, np.array([1.0])))
        mean = {side: person.answer(np.full((400, 1), side), rng)[0].mean() for side in (-0.9, 0.9)}
        assert mean[-0.9] + 0.3 < mean[0.9]

    def test_what_it_does_not_know_is_named(self):
        with pytest.raises(DataError, match=r"got 'nothing'; there are .*angle"):
            SSMS([1.0], "nothing")
        with pytest.raises(DataError, match="one of two choices"):
            SSMS([1.0], "race_3")
        with pytest.raises(DataError, match="'ddm' has no parameter 'b'; it has v, a, z, t"):
            SSMS([1.0], "ddm", {"b": 1.0})
        with pytest.raises(DataError, match="'ddm' has no parameter 'w'"):
            SSMS([1.0], "ddm", drift={"w": 1.0})

        with pytest.raises(DataError, match="'poisson_race' has no drift of a usual name"):
            SSMS([1.0], "poisson_race")

    @pytest.mark.parametrize("time", [-0.3, -999.0, np.inf])
    def test_answers_that_nobody_can_give_are_an_error(self, monkeypatch, rng, time):
        drawn = {
            "rts": np.array([[0.9], [time]]),
            "choices": np.array([[1], [-1]]),
            "metadata": {"possible_choices": [-1, 1]},
        }
        simulator = importlib.import_module("ssms.basic_simulators.simulator")
        monkeypatch.setattr(simulator, "simulator", lambda **_: drawn)
        with pytest.raises(DataError, match="gave no usable answer to a utility difference"):
            SSMS([1.0], "ddm").answer(np.full((2, 1), 0.5), rng)

    def test_a_missing_package_says_what_to_install(self, monkeypatch):
        for name in [name for name in sys.modules if name.partition(".")[0] == "ssms"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [BuiltinImporter])
        with pytest.raises(MissingExtra, match=r"pip install 'tacit\[ssms\]'"):
            SSMS([1.0], "ddm")
