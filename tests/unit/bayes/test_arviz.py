import numpy as np
import pytest

from tacit import ddm

arviz = pytest.importorskip("arviz")

N_DRAWS = 500


@pytest.fixture(scope="module")
def data(biased):
    return biased.to_arviz(np.random.default_rng(3), n_draws=N_DRAWS)


def test_groups_have_arviz_shapes(data):
    assert set(data.groups()) == {"posterior", "log_likelihood", "observed_data"}
    assert data.posterior["barrier"].dims == ("chain", "draw")
    assert data.posterior["barrier"].shape == (4, N_DRAWS)
    assert data.posterior["weights"].dims == ("chain", "draw", "feature")
    assert data.posterior["weights"].shape == (4, N_DRAWS, 3)
    assert data.log_likelihood["answer"].dims == ("chain", "draw", "trial")


def test_it_holds_the_draws_and_the_trials(data, biased, person):
    draws = biased.sample(4 * N_DRAWS, np.random.default_rng(3))
    for name, values in draws._asdict().items():
        stored = data.posterior[name].to_numpy()
        assert (stored.reshape(values.shape) == values).all()
    assert (data.observed_data["choice"] == person[1]).all()
    assert (data.observed_data["response_time"] == person[2]).all()


def test_log_likelihood_is_that_of_its_draw(data, person):
    X, choice, response_time = person
    one = data.posterior.sel(chain=2, draw=7)
    expected = ddm.logpdf(
        choice,
        response_time,
        X @ one["weights"].to_numpy(),
        float(one["barrier"]),
        nondecision_time=float(one["nondecision_time"]),
        start=float(one["start"]),
    )
    found = data.log_likelihood["answer"].sel(chain=2, draw=7)
    np.testing.assert_allclose(found, expected)


# Both approximations rightly doubt themselves for the fastest answer.
@pytest.mark.filterwarnings("ignore:Estimated shape parameter", "ignore:For one or more samples")
def test_chains_are_independent_and_scores_agree(data, biased):
    summary = arviz.summary(data, var_names=["barrier", "weights"], round_to=6)
    assert summary["r_hat"].max() < 1.02
    score = arviz.loo(data)
    # PSIS approximates what the exact score integrates.
    assert score.elpd_loo == pytest.approx(biased.loo().elpd, abs=0.3)
    assert arviz.waic(data).elpd_waic == pytest.approx(biased.waic().elpd, abs=0.5)
