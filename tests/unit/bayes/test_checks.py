import numpy as np
import pytest
from scipy.stats import binom

from tacit import bayes, ddm
from tacit.bayes import Check, ModelReport, model_checks
from tacit.errors import DataError

N = 240
THETA = np.array([1.0, -0.6])


def honest(rng, n=N, drift_factor=1.0):
    X = rng.normal(size=(n, 2))
    answers = ddm.sample(X @ THETA * drift_factor, 1.2, nondecision_time=0.3, rng=rng)
    return (X, *answers)


def lapses(rng):
    X, choice, time = honest(rng)
    time[::20] = rng.uniform(15, 25, N // 20)
    return X, choice, time


def guesses(rng):
    X, choice, time = honest(rng)
    rows = slice(None, None, 30)
    choice[rows] = rng.choice([-1, 1], N // 30)
    time[rows] = rng.uniform(0.03, 0.05, N // 30)
    return X, choice, time


def careless(rng):
    X, choice, time = honest(rng, drift_factor=2.0)
    wrong = rng.random(N) < 0.25
    return X, np.where(wrong, -choice, choice), time


def favours_a_side(rng):
    X = rng.normal(size=(N, 2))
    return (X, *ddm.sample(X @ THETA + 0.8, 1.2, nondecision_time=0.3, rng=rng))


def gets_tired(rng):
    X, choice, time = honest(rng)
    return X, choice, 0.3 + (time - 0.3) * np.linspace(0.4, 2.5, N)


def changes_taste(rng):
    X = rng.normal(size=(N, 2))
    theta = THETA * np.linspace(2.5, -1.0, N)[:, None]
    return (X, *ddm.sample((X * theta).sum(axis=1), 1.2, nondecision_time=0.3, rng=rng))


def slow_by_side(rng):
    X, choice, time = honest(rng)
    return X, choice, 0.3 + (time - 0.3) * np.where(choice > 0, 2.0, 0.7)


def does_not_mind_strength(rng):
    X, choice, time = honest(rng, drift_factor=2.5)
    return X, choice, rng.permutation(time)


MISFITS = {
    lapses: ("slow outliers", "too slow for a decision"),
    guesses: ("fast guesses", "too fast for a decision"),
    careless: ("consistency of choices", "less consistent than their times imply"),
    favours_a_side: ("side bias", "first option is favoured"),
    gets_tired: ("speed over the session", "get slower over the session"),
    changes_taste: ("preferences over the session", "weaker, or change"),
    slow_by_side: ("time by side", "first option take longer"),
    does_not_mind_strength: ("time by strength", "more slowly, next to weak ones"),
}


@pytest.mark.parametrize("misbehave", MISFITS, ids=lambda f: f.__name__)
def test_each_misfit_is_found_and_named(misbehave, rng):
    trials = misbehave(rng)
    posterior = bayes.fit(*trials, prior=bayes.GaussianPrior())
    report = model_checks(*trials, posterior, n_replicates=40)
    name, words = MISFITS[misbehave]
    found = {check.name: check.meaning for check in report.findings}
    assert not report.ok
    assert words in found[name]
    assert words in str(report)
    assert str(report).startswith("The answers do not fit the model because ")


def test_honest_people_are_rarely_reported(rng):
    level, n_people = 0.05, 25
    reported = 0
    for _ in range(n_people):
        trials = honest(rng, n=60)
        posterior = bayes.fit(*trials, prior=bayes.GaussianPrior())
        report = model_checks(*trials, posterior, level=level, n_replicates=25, rng=rng)
        reported += not report.ok
    # At twice the level, 1 seed in 1,000 would exceed this.
    assert reported <= binom.isf(1e-3, n_people, 2 * level)


def test_the_same_trials_give_the_same_report(rng):
    trials = honest(rng, n=60)
    first, again = (model_checks(*trials, n_replicates=20) for _ in range(2))
    assert str(first) == str(again)
    assert [check.name for check in first.checks] == [check.name for check in again.checks]
    assert len(first.checks) == 11


def test_swapping_the_options_changes_sides_only(rng):
    X, choice, time = favours_a_side(rng)
    report = model_checks(-X, -choice, time, n_replicates=40)
    found = {check.name: check.meaning for check in report.findings}
    assert "second option is favoured" in found["side bias"]


def test_items_of_their_own_leave_no_side_to_favour(rng):
    X = np.tile(np.eye(4), (12, 1))
    choice, time = ddm.sample(X @ [1.5, 0.5, 0, -1], 1.2, nondecision_time=0.3, rng=rng)
    known = bayes.fit(X, choice, time, prior=bayes.FlatPrior(barrier=1.2, nondecision_time=0.3))
    report = model_checks(X, choice, time, known, n_replicates=20)
    side = next(check for check in report.checks if check.name == "side bias")
    assert np.isnan(side.z)
    assert np.isnan(side.p_value)
    assert report.checks[-1] is side
    assert "side bias" + " " * 25 + "-  these queries cannot tell" in str(report)


def test_findings_follow_holm():
    """p = .004, .012, .03 at .05 over 4: .0125 and .0167 are passed, .025 is not."""
    p_values = {"a": 0.004, "b": 0.012, "c": 0.03, "d": 0.04}
    checks = [Check(name, 5 - k, p, name) for k, (name, p) in enumerate(p_values.items())]
    report = ModelReport((*checks, Check("void", np.nan, np.nan, "")), 0.05)
    assert [check.name for check in report.findings] == ["a", "b"]
    assert ModelReport(tuple(checks), 0.01).ok


@pytest.fixture(scope="module")
def fitted():
    trials = honest(np.random.default_rng(8), n=40)
    return trials, bayes.fit(*trials)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_replicates": 19}, "`n_replicates` must be at least 20, got 19"),
        ({"level": 0.0}, "`level` must lie strictly between 0 and 1, got 0.0"),
        ({"level": 5}, "`level`"),
    ],
)
def test_settings_are_checked(fitted, settings, message):
    trials, posterior = fitted
    with pytest.raises(DataError, match=message):
        model_checks(*trials, posterior, **settings)


def test_the_fit_must_be_of_the_trials(fitted):
    (X, choice, time), posterior = fitted
    for column, trials in (
        ("X", (X[::-1], choice, time)),
        ("choice", (X, -choice, time)),
        ("response_time", (X, choice, 1.1 * time)),
    ):
        with pytest.raises(DataError, match=f"its {column} differs"):
            model_checks(*trials, posterior)


def test_fits_of_other_models_are_refused(fitted):
    trials, _ = fitted
    with pytest.raises(DataError, match="fit without start_bias"):
        model_checks(*trials, bayes.fit(*trials, start_bias=True))
    with pytest.raises(DataError, match="fit without sample_weight"):
        model_checks(*trials, bayes.fit(*trials, sample_weight=np.full(40, 2.0)))


def test_a_few_trials_are_not_checked(fitted):
    trials, _ = fitted
    with pytest.raises(DataError, match="needs at least 12 trials, got 11"):
        model_checks(*(column[:11] for column in trials))
