import numpy as np
import pytest

from tacit import bayes
from tacit.errors import DataError

pytest.importorskip("matplotlib")

PANELS = ("barrier", "nondecision time", "choices", "weights", "times")


@pytest.fixture
def panels(posterior):
    figure = posterior.plot(np.random.default_rng(5), level=0.8)
    return {axes.get_label(): axes for axes in figure.axes}


@pytest.fixture
def check(posterior):
    """Return what the picture is of: the same draws."""
    return posterior.predictive_check(np.random.default_rng(5), level=0.8)


def points(line):
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_it_can_be_saved(gaussian, rng, tmp_path, suffix):
    path = tmp_path / f"posterior.{suffix}"
    gaussian.plot(rng).savefig(path)
    assert path.stat().st_size > 5_000


def test_densities_are_those_of_the_marginals(posterior, panels):
    for panel, name in (("barrier", "barrier"), ("nondecision time", "nondecision_time")):
        marginal = getattr(posterior, name)
        value, density = points(panels[panel].lines[0])
        np.testing.assert_allclose(density, marginal.density(value))
        assert np.trapezoid(density, value) == pytest.approx(1, abs=2e-3)
        shaded = panels[panel].collections[0].get_paths()[0].vertices[:, 0]
        low, high = marginal.interval(0.8)
        step = value[1] - value[0]
        assert shaded.min() == pytest.approx(low, abs=step)
        assert shaded.max() == pytest.approx(high, abs=step)
        assert f"{marginal.mean:.3g}  (80%: {low:.3g} to" in panels[panel].get_title()
    assert panels["nondecision time"].get_xlabel() == "nondecision time (s)"


def test_weights_are_drawn_with_their_intervals(posterior, panels):
    bars = panels["weights"].containers[0]
    np.testing.assert_allclose(points(bars.lines[0])[1], posterior.weights.mean)
    ends = np.array([segment[:, 1] for segment in bars.lines[2][0].get_segments()])
    np.testing.assert_allclose(ends.T, posterior.weights.interval(0.8))
    assert panels["weights"].get_ylabel() == "weight"
    assert "80%" in panels["weights"].get_title()


def test_observed_choices_are_next_to_predicted_ones(panels, check):
    axes = panels["choices"]
    at, predicted = points(axes.containers[0].lines[0])
    np.testing.assert_allclose(at, check.strength)
    np.testing.assert_allclose(predicted, check.share_predicted[1])
    ends = [segment[:, 1] for segment in axes.containers[0].lines[2][0].get_segments()]
    np.testing.assert_allclose(np.transpose(ends), check.share_predicted[[0, 2]])
    observed = next(line for line in axes.lines if line.get_label() == "observed")
    np.testing.assert_allclose(points(observed)[1], check.share_observed)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["observed", "predicted"]


def test_observed_quantiles_are_next_to_predicted_ones(panels, check):
    axes = panels["times"]
    for k, bars in enumerate(axes.containers):
        np.testing.assert_allclose(points(bars.lines[0])[1], check.time_predicted[1, k])
    observed = [line for line in axes.lines if line.get_label() == "observed"]
    drawn = [points(line)[1] for line in observed]
    np.testing.assert_allclose(drawn, check.time_observed)
    assert (axes.get_ylabel(), axes.get_yscale()) == ("response time (s)", "log")


def test_items_instead_of_weights(gaussian, rng):
    items = [[1.0, 1, 0], [0, 0, 0]]
    figure = gaussian.plot(rng, features=items, names=["tea and cake", "nothing"])
    axes = {axes.get_label(): axes for axes in figure.axes}["weights"]
    assert axes.get_ylabel() == "utility"
    assert [t.get_text() for t in axes.get_xticklabels()] == ["tea and cake", "nothing"]
    np.testing.assert_allclose(
        points(axes.containers[0].lines[0])[1], gaussian.utilities(items).mean
    )


def test_known_values_are_lines(person, rng):
    known = bayes.fit(*person, prior=bayes.FlatPrior(barrier=1.2, nondecision_time=0.25))
    panels = {axes.get_label(): axes for axes in known.plot(rng).axes}
    assert set(panels) == set(PANELS)
    assert set(points(panels["barrier"].lines[0])[0]) == {1.2}
    assert set(points(panels["nondecision time"].lines[0])[0]) == {0.25}


def test_names_must_fit(gaussian, rng):
    with pytest.raises(DataError, match=r"one name for each weight \(3\), got 2"):
        gaussian.plot(rng, names=["tea", "coffee"])
    with pytest.raises(DataError, match=r"one name for each utility \(1\), got 2"):
        gaussian.plot(rng, features=[[1, 0, 0]], names=["tea", "coffee"])
