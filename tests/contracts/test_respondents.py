"""What every respondent promises, whatever it does."""

import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tacit import Items, Problem, QuerySpace
from tacit.datasets import PersonParameters
from tacit.errors import DataError
from tacit.learners import TopTwo
from tacit.simulate import RESPONDENTS, make_respondent, respondent_from_config, run

PERSON = PersonParameters(barrier=1.2, nondecision_time=0.4, weights=np.array([1.0, 0.0, -0.5]))
X = np.random.default_rng(0).normal(size=(400, 3))


@pytest.fixture(params=[*RESPONDENTS, "ssms:angle", "ssms:race_no_bias_2"])
def respondent(request):
    if request.param == "levy" or request.param.startswith("ssms:"):
        pytest.importorskip("ssms")
    return make_respondent(request.param, PERSON)


def test_answers_are_choices_and_seconds(respondent):
    choice, time = respondent.answer(X, np.random.default_rng(1))
    assert choice.dtype == np.int8
    assert time.dtype == np.float64
    assert choice.shape == time.shape == (400,)
    assert (np.abs(choice) == 1).all()
    assert ((time > 0) & (time < 100)).all()
    assert len(np.unique(time)) > 300


def test_the_same_seed_gives_the_same_answers_and_another_one_does_not(respondent):
    one, again, other = (respondent.answer(X, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one[1], other[1])


def test_what_is_liked_more_is_chosen_more(respondent):
    rng = np.random.default_rng(2)
    liked, disliked = np.tile([[2.0, 0.0, 0.0]], (500, 1)), np.tile([[-2.0, 0.0, 0.0]], (500, 1))
    assert respondent.answer(liked, rng)[0].mean() > 0.3
    assert respondent.answer(disliked, rng)[0].mean() < -0.3


def test_a_single_answer_and_a_strong_preference_are_nothing_special(respondent):
    choice, time = respondent.answer([[30.0, 0.0, 0.0]], np.random.default_rng(3))
    assert choice.shape == time.shape == (1,)
    assert 0 < time[0] < 20


def test_a_configuration_goes_through_json_and_back(respondent):
    restored = respondent_from_config(json.loads(json.dumps(respondent.config())))
    assert restored == respondent
    assert hash(restored) == hash(respondent)
    assert pickle.loads(pickle.dumps(respondent)) == respondent
    np.testing.assert_array_equal(
        restored.answer(X, np.random.default_rng(4)), respondent.answer(X, np.random.default_rng(4))
    )


def test_respondents_are_frozen_and_have_the_weights_of_the_person(respondent):
    np.testing.assert_array_equal(respondent.weights, PERSON.weights)
    with pytest.raises(FrozenInstanceError):
        respondent.weights = PERSON.weights
    with pytest.raises(ValueError, match="read-only"):
        respondent.weights[0] = 2.0


def test_vectors_of_another_length_are_named(respondent):
    rng = np.random.default_rng(5)
    for bad in (X[:, :2], X[0]):
        with pytest.raises(DataError, match="a column for each of the 3 weights"):
            respondent.answer(bad, rng)


def test_learners_learn_from_anybody(respondent):
    items = Items.one_hot(3)
    problem = Problem(items, QuerySpace.all_pairs(items))
    outcomes = run(problem, TopTwo(), respondent, 6.0, n_runs=10, rng=np.random.default_rng(6))
    assert (outcomes.answers_used > 0).any()
