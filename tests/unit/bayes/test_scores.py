from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logsumexp

from tacit import bayes, ddm
from tacit.errors import DataError, DataWarning

N_DRAWS = 8_000


def refitted(posterior):
    """Return the log-evidence of each trial next to all others, every other set fitted anew."""
    trials = posterior.likelihood
    columns = trials.vectors, trials.choice, trials.response_time
    # Leaving out the fastest trial must not widen the prior.
    prior = replace(posterior.prior, nondecision_time=(1e-3, trials.fastest))
    without = [
        bayes.fit(*(np.delete(v, k, axis=0) for v in columns), prior=prior).log_evidence
        for k in range(trials.n_trials)
    ]
    return posterior.log_evidence - np.array(without)


def test_leaving_out_is_fitting_without(posterior):
    np.testing.assert_allclose(posterior.loo().pointwise, refitted(posterior), atol=3e-3)


def test_leaving_out_a_trial_that_moves_everything(person):
    X, choice, response_time = (v[:9].copy() for v in person)
    response_time[4] = 30.0
    odd = bayes.fit(X, choice, response_time, prior=bayes.GaussianPrior())
    np.testing.assert_allclose(odd.loo().pointwise, refitted(odd), atol=3e-3)


def log_densities(posterior, rng):
    """Return the log-density of every trial at draws, shape (n_draws, n_trials)."""
    trials, draws = posterior.likelihood, posterior.sample(N_DRAWS, rng)
    return ddm.logpdf(
        trials.choice,
        trials.response_time,
        draws.weights @ trials.vectors.T,
        draws.barrier[:, None],
        nondecision_time=draws.nondecision_time[:, None],
        start=draws.start[:, None],
    )


@pytest.mark.parametrize("which", ["gaussian", "biased"])
def test_waic_is_watanabes_over_draws(which, request, rng):
    found = request.getfixturevalue(which).waic()
    log_density = log_densities(request.getfixturevalue(which), rng)
    fitted = logsumexp(log_density, axis=0) - np.log(N_DRAWS)
    penalty = log_density.var(axis=0)
    assert found.effective_parameters == pytest.approx(penalty.sum(), rel=0.1)
    fourth = ((log_density - log_density.mean(axis=0)) ** 4).mean(axis=0)
    off = np.abs(found.pointwise - (fitted - penalty))
    assert (off < 6 * np.sqrt(fourth / N_DRAWS) + 0.01).all()


def test_effective_parameters_of_leaving_out(posterior, rng):
    log_density = log_densities(posterior, rng)
    fitted = (logsumexp(log_density, axis=0) - np.log(N_DRAWS)).sum()
    found = posterior.loo()
    assert found.effective_parameters == pytest.approx(fitted - found.elpd, abs=0.1)
    # Five parameters, and a prior that knows something about some of them.
    assert 1 < found.effective_parameters < 6


def test_scores_agree_with_a_start_bias(biased):
    assert biased.loo().elpd == pytest.approx(biased.waic().elpd, abs=0.5)
    assert biased.loo().pointwise == pytest.approx(refitted_biased(biased), abs=3e-3)


def refitted_biased(posterior):
    trials = posterior.likelihood
    columns = trials.vectors, trials.choice, trials.response_time
    prior = replace(posterior.prior, nondecision_time=(1e-3, trials.fastest))
    pointwise = posterior.loo().pointwise.copy()
    for k in (0, int(np.argmin(trials.response_time))):
        rest = (np.delete(v, k, axis=0) for v in columns)
        pointwise[k] = (
            posterior.log_evidence - bayes.fit(*rest, prior=prior, start_bias=True).log_evidence
        )
    return pointwise


def test_balanced_times_do_not_bring_a_box_that_one_trial_less_would_take_away():
    X = np.array([[1.0, 1], [1, -1], [1, 1], [1, -1], [-1, 1], [1, 1]] * 2)
    times = np.tile([0.6, 0.6, 0.9, 0.9, 1.2, 1.2], 2)
    choice = np.tile([1, 1, 1, -1, 1, -1], 2)
    with pytest.warns(DataWarning, match="treats it as unbounded"):
        found = bayes.fit(X, choice, times, prior=bayes.FlatPrior(weights=(-0.3, 0.3)))
    assert found.outside_prior.max() > 0.1


def test_elpd_and_its_standard_error():
    score = bayes.PredictiveScore(np.array([-1.0, -3.0, -2.0]), 1.5)
    assert score.elpd == -6
    assert score.standard_error == pytest.approx(np.sqrt(3))
    assert repr(score) == "PredictiveScore(elpd=-6.00 +- 1.73, effective_parameters=1.5)"


def test_one_trial(person):
    one = bayes.fit(*(v[:1] for v in person), prior=bayes.GaussianPrior())
    assert np.isnan(one.waic().standard_error)
    with pytest.raises(DataError, match="at least two trials"):
        one.loo()


def test_trials_of_weight_zero_are_not_there(person):
    used = np.arange(24) % 5 > 0
    prior = bayes.GaussianPrior()
    weighted = bayes.fit(*person, prior=prior, sample_weight=used).loo()
    without = bayes.fit(*(v[used] for v in person), prior=prior).loo()
    np.testing.assert_allclose(weighted.pointwise, without.pointwise, rtol=1e-9)


@pytest.mark.parametrize("weight", [2.0, 0.5])
def test_trials_that_count_twice_cannot_be_left_out_once(person, weight):
    weighted = bayes.fit(*person, sample_weight=np.full(24, weight))
    for score in (weighted.loo, weighted.waic):
        with pytest.raises(DataError, match=f"weight 1 .or 0., got {weight:g}"):
            score()


def test_a_trial_that_is_needed_cannot_be_left_out():
    X = [[1.0, 0], [1, 0], [1, 0.3], [1, 0]]
    prior = bayes.FlatPrior(weights=(-1e4, 1e4))
    posterior = bayes.fit(X, [1, -1, 1, 1], [0.7, 0.8, 0.9, 1.0], prior=prior)
    with pytest.raises(DataError, match="without trial 2: a flat prior needs queries"):
        posterior.loo()
