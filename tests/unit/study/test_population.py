"""A population in a study file: the prior of everybody who takes part, and part of the study."""

import numpy as np
import pytest

from tacit.bayes import Population
from tacit.errors import DataError
from tacit.learners import BeliefPrior, StopWhenSure
from tacit.study import Session, parse_study, read_study
from tacit.study.replay import first_difference
from tests.unit.study._people import HEAD, ITEMS, NAMES, steps

BUDGET = "[budget]\nqueries = 12\n"
FEATURES = tuple(reversed(NAMES))
MEAN = np.array([0.6, 0.1, 1.6, -0.3, 0.4, 0.0])
SPREAD = 0.3 * np.eye(6) + 0.1


def crowd(mean=MEAN, spread=SPREAD):
    return Population(np.atleast_2d(mean), spread, 1.1, 0.31, 120)


def table(features=FEATURES, more=""):
    return f'[learner.population]\nfile = "crowd.json"\nfeatures = {list(features)}\n{more}\n'


@pytest.fixture
def write(tmp_path):
    """Write a study with a population, and return the path of its file."""

    def write(learner=None, population=None, items=ITEMS, budget=BUDGET):
        (tmp_path / "crowd.json").write_text((population or crowd()).to_json())
        path = tmp_path / "study.toml"
        path.write_text(HEAD + budget + (learner or table()) + items)
        return path

    return write


def test_weights_go_by_the_names_of_the_items(write):
    study = read_study(write())
    expected = BeliefPrior.of(crowd(MEAN[::-1], SPREAD[::-1, ::-1]))
    assert study.learner.prior == expected
    session = Session.begin(study, 5)
    # Before the first answer, people unlike others have their share: the mean is nearer to 0.
    like = np.sum(expected.shares[0])
    mean = session.learner_state.belief.mean[0]
    np.testing.assert_allclose(mean, like * MEAN[::-1], atol=1e-12)


def test_confidence_and_options_stay(write):
    learner = "[learner]\nconfidence = 0.9\noptions = { n_rivals = 4 }\n" + table()
    study = read_study(write(learner))
    assert isinstance(study.learner, StopWhenSure)
    assert study.learner.learner.n_rivals == 4
    assert study.learner.learner.prior.barrier == 1.1


def test_features_go_by_place(write):
    items = "".join(
        f'[[items]]\nid = "{n}"\nfeatures = [{k}, {k * k}]\n' for k, n in enumerate("abc")
    )
    two = crowd(np.array([1.0, -0.2]), np.diag([0.4, 0.1]))
    study = read_study(write('[learner.population]\nfile = "crowd.json"\n', two, items))
    assert study.learner.prior == BeliefPrior.of(two)


def test_a_session_is_rebuilt_to_the_bit_without_the_file(write):
    path = write()
    study = read_study(path)
    *_, last = taken = list(steps(study))
    entries = [entry for step in taken for entry in step.entries]
    path.with_name("crowd.json").unlink()
    again = parse_study(study.source)
    assert again.population == study.population
    rebuilt = Session.begin(again, last.session.seed).after(entries)
    assert rebuilt.learner_state.to_json() == last.session.learner_state.to_json()
    assert first_difference(again, last.session.seed, entries) == ""


def test_another_population_is_another_study(write):
    first = read_study(write()).digest
    assert read_study(write()).digest == first
    assert read_study(write(population=crowd(MEAN + 1e-9))).digest != first
    assert read_study(write(table(NAMES))).digest != first


def test_it_changes_what_is_learned(write):
    plain = parse_study(HEAD + BUDGET + ITEMS)
    *_, without = steps(plain)
    *_, told = steps(read_study(write()))
    assert without.session.learner_state.to_json() != told.session.learner_state.to_json()


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (table(NAMES[:5]), "must name every item, in the order .* missing are 'chai'"),
        (table((*NAMES[:5], "chia")), "names 'chia', which is no item; did you mean 'chai'"),
        (table((*NAMES, "chai")), "must be names that differ from each other"),
        ('[learner.population]\nfile = "crowd.json"\n', "must name every item"),
        (table().replace("crowd.json", "none.json"), "a file that is there, got 'none.json'; No"),
        (table().replace("crowd.json", "../crowd.json"), "the name of a file in the folder"),
        (table().replace("crowd.json", "study.toml"), "what Population.to_json wrote, got 'stu"),
        (table(more="shrinkage = 2"), "unknown key `learner.population.shrinkage`"),
        (
            f'[learner]\npopulation = {{ file = "crowd.json", features = {list(FEATURES)} }}\n',
            "write the population as a table of its own",
        ),
        ('[learner]\nname = "ChoiceTopTwo"\n' + table(), "choices alone do not tell"),
        (
            "[learner]\noptions = { prior = { barrier = 1 } }\n" + table(),
            "`learner.options.prior` must be left out where there is a population",
        ),
    ],
)
def test_what_does_not_fit_is_named(write, learner, message):
    with pytest.raises(DataError, match=message):
        read_study(write(learner))


def test_a_learner_without_a_belief_is_refused(write):
    path = write('[learner]\nname = "GSE"\n' + table(), budget="[budget]\nseconds = 60\n")
    with pytest.raises(DataError, match=r"needs a learner that holds a belief, .* got GSE"):
        read_study(path)


def test_populations_of_other_weights_are_refused(write):
    with pytest.raises(DataError, match="must be a population of 6 weights, got 2"):
        read_study(write(population=crowd(np.zeros(2), np.eye(2))))
    with pytest.raises(DataError, match="must be a population without covariates, got one with 1"):
        read_study(write(population=crowd(np.zeros((2, 6)))))
