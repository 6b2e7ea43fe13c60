"""What figures 6 and 8 share: which rate of elimination suits each variant of GSE."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.paper import style
from tacit.paper.bandits import VARIANTS, Variant, cell
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.scales import spread
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding, Outcome, mean_interval
from tacit.paper.violins import draw_violins

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tuned:
    """Errors of every variant at every rate of elimination.

    Attributes
    ----------
    data : str
        Whose favourites were sought.
    etas : tuple of float
        Rates compared.
    published : tuple of float
        Rate that the paper chose for each variant.
    error : ndarray of shape (n_variants, n_etas, n_people, n_budgets)
        Share of runs.
    """

    data: str
    etas: tuple[float, ...]
    published: tuple[float, ...]
    error: Floats

    def chosen(self, variant: int) -> int:
        """Return the position of the rate that the paper's rule chooses for a variant."""
        return select(self.error[variant].reshape(len(self.etas), -1))


def select(errors: Floats) -> int:
    """Return the row with the lowest median, ties by third quartile, then by first quartile.

    Parameters
    ----------
    errors : ndarray of shape (n_etas, n_errors)
        Over people and budgets, for each rate.

    Examples
    --------
    >>> select(np.array([[0.1, 0.5, 0.9], [0.1, 0.5, 0.8], [0.2, 0.6, 0.7]]))
    1
    """
    quartiles = np.round(np.quantile(errors, [0.5, 0.75, 0.25], axis=1), 12)
    return int(np.lexsort(quartiles[::-1])[0])


class TuningFigure(Figure[Tuned]):
    """Base: errors over people and budgets against the rate of elimination."""

    claim = (
        "For each variant, the rate with the lowest median error over people and budgets, ties by "
        "the third and then by the first quartile, is the published one, or errors do not tell it "
        "from that."
    )

    def collect(self, desk: Desk) -> Tuned:
        """Run every person, variant and rate; a cell has all time budgets."""
        crowd, setting = desk.crowd(self.data), SETTINGS[self.data]
        published = tuple(_published(self.data, variant) for variant in VARIANTS)
        etas = sorted({*spread(setting.tuned_over, desk.scale.n_etas), *published})
        budgets = desk.scale.budgets(setting.time_budgets)
        cells = [
            cell(
                crowd,
                person,
                label=f"{variant.label}, eta {eta:g}",
                learner=variant.learner(crowd, person, budgets[-1], eta),
                time_budgets=budgets,
                n_runs=desk.scale.n_tuning_runs,
            )
            for variant in VARIANTS
            for eta in etas
            for person in crowd.people
        ]
        found = desk.run(f"rates of elimination, people of {self.data}", cells).outcomes
        error = np.array([own.by_budget("error").mean(axis=1) for own in found])
        shape = (len(VARIANTS), len(etas), len(crowd.people), len(budgets))
        return Tuned(self.data, tuple(map(float, etas)), published, error.reshape(shape))

    def draw(self, found: Tuned) -> Any:
        """Draw a panel for each variant."""
        figure = style.new_figure(3.9)
        panels = figure.subplots(2, 3, sharex=True, sharey=True)
        for place, (axes, variant) in enumerate(zip(panels.flat, VARIANTS, strict=True)):
            samples = found.error[place].reshape(len(found.etas), -1)
            width = 0.85 * float(np.diff(found.etas).min(initial=1.0))
            colours = [variant.colour] * len(samples)
            draw_violins(axes, list(samples), found.etas, colours, width=width)
            ours = found.etas[found.chosen(place)]
            axes.axvline(
                found.published[place], color=style.GREY, lw=0.8, ls=":", label="published"
            )
            axes.plot(ours, 1.05, "v", color="black", markersize=4, label="chosen here")
            axes.set_ylim(0, 1.1)
            axes.set_title(variant.label)
            axes.set_xticks(found.etas, [f"{eta:g}" for eta in found.etas])
        for axes in panels[-1]:
            axes.set_xlabel("rate of elimination")
        figure.supylabel("share of runs that name a wrong item", fontsize=8)
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
        return figure

    def judge(self, found: Tuned) -> list[Finding]:
        """Compare the published rate of each variant with the one that is chosen here."""
        return [_judged(found, place, variant) for place, variant in enumerate(VARIANTS)]

    def rows(self, found: Tuned) -> list[Row]:
        """Return quartiles over people and budgets."""
        rows: list[Row] = []
        for place, variant in enumerate(VARIANTS):
            for column, eta in enumerate(found.etas):
                own = found.error[place, column].ravel()
                low, middle, high = np.quantile(own, [0.25, 0.5, 0.75]).tolist()
                rows.append(
                    {
                        "data": found.data,
                        "learner": variant.label,
                        "eta": eta,
                        "mean": float(own.mean()),
                        "first_quartile": low,
                        "median": middle,
                        "third_quartile": high,
                        "chosen": column == found.chosen(place),
                        "published": eta == found.published[place],
                    }
                )
        return rows


def _published(data: str, variant: Variant) -> float:
    design = variant.options.get("design", "transductive")
    estimator = variant.options.get("estimator", "choice-decision-time")
    return float(SETTINGS[data].eta_of(design, estimator))


def _judged(found: Tuned, place: int, variant: Variant) -> Finding:
    ours, theirs = found.etas[found.chosen(place)], found.published[place]
    text = f"{found.data}, {variant.label}: {ours:g} is chosen here, {theirs:g} published"
    share = resampled(found.error[place])[found.etas.index(theirs)]
    errors = found.error[place].mean(axis=2)
    gap = errors[found.etas.index(theirs)] - errors[found.chosen(place)]
    interval = mean_interval(gap, n_looks=len(found.etas))
    text += f" ({share:.0%} of resamples); mean error at theirs minus at ours"
    outcome: Outcome = "does not hold"
    if not np.isfinite(interval[1]):
        outcome = "undecided"
    elif interval[1] <= 0 <= interval[2]:
        outcome = "holds"
    return Finding(text, *interval, outcome)


def resampled(error: Floats, n_resamples: int = 300) -> Floats:
    """Return in which share of resamples of people the rule chooses each rate.

    Parameters
    ----------
    error : ndarray of shape (n_etas, n_people, n_budgets)
        Share of runs.

    Examples
    --------
    >>> certain = np.stack([np.full((5, 3), 0.2), np.full((5, 3), 0.1)])
    >>> print(resampled(certain))
    [0. 1.]
    """
    rng = np.random.default_rng(0)
    n_etas, n_people, _ = error.shape
    drawn = rng.integers(n_people, size=(n_resamples, n_people))
    chosen = [select(error[:, own].reshape(n_etas, -1)) for own in drawn]
    return np.bincount(chosen, minlength=n_etas) / n_resamples
