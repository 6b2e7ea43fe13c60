import sys
import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tacit import bayes, ddm
from tacit.errors import ConvergenceWarning, DataError, DataWarning
from tacit.records import Items, Trials

X = np.tile(np.eye(2), (6, 1))


def someone(seed):
    rng = np.random.default_rng(seed)
    return (X, *ddm.sample(X @ [1.0, -0.4], 1.1, nondecision_time=0.3, rng=rng))


PEOPLE = {name: someone(seed) for seed, name in enumerate("zacb")}


def means(fits):
    return {name: (p.barrier.mean, *p.weights.mean) for name, p in fits.posteriors.items()}


def test_each_is_fitted_as_if_alone_and_in_order():
    fits = bayes.fit_many(PEOPLE)
    assert list(fits.posteriors) == list(PEOPLE)
    assert fits.errors == {}
    alone = {name: bayes.fit(*own) for name, own in PEOPLE.items()}
    assert means(fits) == means(bayes.ManyFits(alone, {}))


def test_processes_do_not_change_a_bit():
    bad = {"bad": (X, np.zeros(12), np.ones(12))}
    fits = bayes.fit_many(PEOPLE | bad, n_jobs=2)
    assert means(fits) == means(bayes.fit_many(PEOPLE))
    assert list(fits.errors) == ["bad"]


def test_settings_reach_everybody():
    prior = bayes.GaussianPrior(covariance=0.01)
    fits = bayes.fit_many(PEOPLE, prior=prior, start_bias=True)
    for posterior in fits.posteriors.values():
        assert posterior.prior is prior
        assert not posterior.start_share.known
    with pytest.warns(ConvergenceWarning, match="person z: .*1e-12 was asked for"):
        bayes.fit_many({"z": PEOPLE["z"]}, tolerance=1e-12)


BAD = {
    "choice": ((X, np.zeros(12), np.ones(12)), "`choice` must be"),
    "words": (([["a"]], [1], [0.5]), "`X` must hold numbers"),
    "ragged": (([[1.0], [1.0, 2.0]], [1, 1], [0.5, 0.6]), "`X` must hold numbers"),
    "two columns": ((X, np.ones(12)), r"\(X, choice, response_time\), got tuple of 2"),
    "nothing": (None, "got NoneType"),
    "void": ((np.zeros((0, 2)), [], []), "at least one trial"),
    "nan": ((X, np.ones(12), np.full(12, np.nan)), "got nan at trial 0"),
}


@pytest.mark.parametrize(("own", "message"), BAD.values(), ids=BAD)
def test_one_unusable_person_does_not_stop_the_others(own, message):
    fits = bayes.fit_many({"first": PEOPLE["a"], "bad": own, "last": PEOPLE["b"]})
    assert list(fits.posteriors) == ["first", "last"]
    assert list(fits.errors) == ["bad"]
    with pytest.raises(DataError, match=message):
        raise fits.errors["bad"]


def test_trials_are_split_by_person():
    items = Items.one_hot(["tea", "coffee"])
    own = [np.concatenate(columns) for columns in zip(PEOPLE["a"], PEOPLE["b"], strict=True)]
    trials = Trials.from_arrays(
        np.tile([0, 1], 12), None, *own[1:], items, person=np.repeat(["ann", "bob"], 12)
    )
    fits = bayes.fit_many(trials)
    expected = bayes.fit_many({"ann": PEOPLE["a"], "bob": PEOPLE["b"]})
    assert means(fits) == means(expected)


def test_people_without_names_are_numbered():
    assert list(bayes.fit_many(iter(PEOPLE.values())).posteriors) == [0, 1, 2, 3]
    assert bayes.fit_many([]).posteriors == {}
    assert bayes.fit_many({}, n_jobs=2).errors == {}


def test_warnings_name_the_person():
    same = (X, PEOPLE["a"][1], np.full(12, 0.5))
    with pytest.warns(DataWarning, match="person dull: the barrier lies at the end") as caught:
        bayes.fit_many({"ann": PEOPLE["a"], "dull": same})
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_progress_counts_everybody_once():
    seen = []
    bayes.fit_many(PEOPLE | {"bad": None}, progress=lambda *counts: seen.append(counts))
    assert seen == [(k, 5) for k in range(1, 6)]


def test_the_line_of_progress_goes_to_the_standard_error(capsys):
    bayes.fit_many(PEOPLE, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.split("\r")[1:] == [f"fitted {k} of 4 people" for k in (1, 2, 3)] + [
        "fitted 4 of 4 people\n"
    ]
    bayes.fit_many(PEOPLE)
    assert capsys.readouterr().err == ""


class Stop(KeyboardInterrupt):
    pass


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupted_fit_gives_its_threads_back(n_jobs):
    def interrupt(done, _total):
        if done == 2:
            raise Stop

    def threads():
        return [pool["num_threads"] for pool in threadpool_info()]

    with threadpool_limits(2):
        before = threads()
        assert 2 in before
        try:
            bayes.fit_many(PEOPLE, n_jobs=n_jobs, progress=interrupt)
        except Stop:
            # The traceback still holds the frame of fit_many here, as it does in a notebook.
            assert sys.exc_info()[2] is not None
            assert threads() == before
        else:
            pytest.fail("was not interrupted")


def test_a_warning_that_is_an_error_says_whose_it_is():
    same = (X, PEOPLE["a"][1], np.full(12, 0.5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataWarning, match="person dull"):
            bayes.fit_many({"dull": same})


def test_no_processes_at_all():
    with pytest.raises(DataError, match="`n_jobs` must be a number of processes"):
        bayes.fit_many(PEOPLE, n_jobs=0)
