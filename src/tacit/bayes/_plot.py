"""The picture of a posterior: what was learned, and whether it predicts what was seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tacit._extras import require
from tacit.bayes.marginals import LinearMarginals, Marginal
from tacit.bayes.posterior import Posterior
from tacit.bayes.predictive import QUANTILES, PredictiveCheck
from tacit.errors import DataError

# Okabe and Ito's colours, which nearly everybody can tell apart; markers differ as well.
_FITTED, _OBSERVED = "#0072B2", "#D55E00"
_MOST_NAMES = 30
_LAYOUT = [["barrier", "nondecision time", "choices"], ["weights", "weights", "times"]]


def plot(
    posterior: Posterior,
    check: PredictiveCheck,
    features: ArrayLike | None,
    names: Sequence[str] | None,
    level: float,
) -> Any:
    """Return a matplotlib Figure; see `Posterior.plot`."""
    what, values = "weight", posterior.weights
    if features is not None:
        what, values = "utility", posterior.utilities(features)
    if names is not None and len(names) != len(values.mean):
        raise DataError(
            f"`names` must have one name for each {what} ({len(values.mean)}), got {len(names)}"
        )
    figure = require("matplotlib.figure", extra="plot").Figure(
        figsize=(10, 6), layout="constrained"
    )
    axes = figure.subplot_mosaic(_LAYOUT)
    _draw_density(axes["barrier"], posterior.barrier, "barrier", level)
    _draw_density(
        axes["nondecision time"], posterior.nondecision_time, "nondecision time (s)", level
    )
    _draw_values(axes["weights"], values, names, level)
    axes["weights"].set_ylabel(what)
    _draw_choices(axes["choices"], check)
    _draw_times(axes["times"], check)
    return figure


def _draw_density(axes: Any, marginal: Marginal, label: str, level: float) -> None:
    axes.set_xlabel(label)
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    if marginal.known:
        axes.axvline(marginal.mean, color=_FITTED)
        return
    first, last = marginal.quantile([1e-4, 1 - 1e-4]).tolist()
    value = np.linspace(first, last, 200)
    density = marginal.density(value)
    low, high = marginal.interval(level)
    inside = (low <= value) & (value <= high)
    axes.plot(value, density, color=_FITTED)
    axes.fill_between(value, density, where=inside, color=_FITTED, alpha=0.25, linewidth=0)
    axes.set_ylim(bottom=0)
    axes.set_title(
        f"{marginal.mean:.3g}  ({level:.0%}: {low:.3g} to {high:.3g})", fontsize="medium"
    )


def _draw_values(
    axes: Any, values: LinearMarginals, names: Sequence[str] | None, level: float
) -> None:
    low, high = values.interval(level)
    position = np.arange(len(values.mean))
    axes.axhline(0, color="0.7", linewidth=1)
    axes.errorbar(
        position,
        values.mean,
        yerr=[values.mean - low, high - values.mean],
        fmt="o",
        color=_FITTED,
        markersize=5,
    )
    labels = [str(k) for k in position] if names is None else names
    if len(labels) <= _MOST_NAMES:
        crowded = sum(map(len, labels)) > 60
        axes.set_xticks(position, labels, rotation=90 if crowded else 0)
    axes.set_title(f"means and {level:.0%} intervals", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_choices(axes: Any, check: PredictiveCheck) -> None:
    low, median, high = check.share_predicted
    _draw_predicted(axes, check.strength, median, high - median, median - low)
    axes.plot(check.strength, check.share_observed, **_observed())
    axes.set_ylabel("share of preferred side")
    axes.margins(x=0.1)
    axes.set_ylim(None, 1.06)
    axes.set_xlabel("strength of preference, |drift|")
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_times(axes: Any, check: PredictiveCheck) -> None:
    for k in range(len(QUANTILES)):
        low, median, high = check.time_predicted[:, k]
        _draw_predicted(axes, check.strength, median, high - median, median - low)
        axes.plot(check.strength, check.time_observed[k], **_observed())
    ticker = require("matplotlib.ticker", extra="plot")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.margins(x=0.1)
    axes.set_ylabel("response time (s)")
    axes.set_xlabel("strength of preference, |drift|")
    shares = ", ".join(f"{q:.0%}" for q in QUANTILES)
    axes.set_title(f"quantiles {shares}", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_predicted(axes: Any, at: Any, median: Any, above: Any, below: Any) -> None:
    axes.errorbar(
        at,
        median,
        yerr=[below, above],
        fmt="o",
        color=_FITTED,
        markersize=5,
        capsize=3,
        elinewidth=1,
        label="predicted",
    )


def _observed() -> dict[str, Any]:
    return {
        "marker": "D",
        "linestyle": "none",
        "markerfacecolor": "none",
        "markeredgecolor": _OBSERVED,
        "markeredgewidth": 1.5,
        "markersize": 8,
        "label": "observed",
    }
