"""Figure 3: three heatmaps of errors on the sphere, over scales of the items and barriers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.paper import style
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.scales import spread
from tacit.paper.sphere import METHODS, SphereProblem
from tacit.paper.verdicts import Finding, above, below, mean_interval

Floats = NDArray[np.float64]

ITEM_SCALES = (
    *(round(0.1 * step, 1) for step in range(1, 10)),
    *(float(step) for step in range(1, 102, 5)),
    *(float(step) for step in range(200, 1001, 100)),
)
BARRIERS = tuple(round(0.1 * step, 1) for step in range(1, 26))
_CHOICES, _WEAK, _TIMES = range(len(METHODS))
_MODERATE, _STRONG, _FAR = (10.0, 100.0), 200.0, 500.0
"""Scales times barrier at which preferences are called moderate, strong, and far too strong."""
_HIGH_BARRIER, _LOW_BARRIER = 1.5, 0.5


@dataclass(frozen=True)
class Grid:
    """Shares of repeats that err.

    Attributes
    ----------
    scales, barriers : ndarray
        The axes.
    error : ndarray of shape (n_instances, n_methods, n_barriers, n_scales)
        Share of repeats.
    """

    scales: Floats
    barriers: Floats
    error: Floats

    @property
    def strength(self) -> Floats:
        """Scale times barrier, shape (n_barriers, n_scales)."""
        return np.outer(self.barriers, self.scales)


class SphereFigure(Figure[Grid]):
    """Errors of three methods on the sphere."""

    name = "figure-3"
    title = "Who finds the best item from 50 answers, on the sphere"
    claim = (
        "Choices alone err least along a band that bends towards lower barriers as preferences "
        "get stronger, and lose again beyond it. The weak-preference design helps them "
        "at moderate strengths and collapses at large ones. Times make strong preferences the "
        "easiest case, and more so the higher the barrier."
    )

    def collect(self, desk: Desk) -> Grid:
        """Run every problem, one at a time."""
        scale = desk.scale
        scales = tuple(spread(ITEM_SCALES, scale.n_scales))
        barriers = tuple(spread(BARRIERS, scale.n_barriers))
        problems = [
            SphereProblem(
                instance=instance, scales=scales, barriers=barriers, n_repeats=scale.n_repeats
            )
            for instance in range(scale.n_instances)
        ]
        found = desk.run("problems on the sphere", problems, store="sphere").outcomes
        shape = (len(barriers), len(METHODS), len(scales))
        error = np.stack([(own.n_errors / own.n_repeats).reshape(shape) for own in found])
        return Grid(np.array(scales), np.array(barriers), np.swapaxes(error, 1, 2))

    def draw(self, found: Grid) -> Any:
        """Draw the heatmaps, with one colour bar."""
        figure = style.new_figure(2.9)
        panels = figure.subplots(1, len(METHODS), sharey=True)
        mean = found.error.mean(axis=0)
        image = None
        for number, (axes, method) in enumerate(zip(panels, METHODS, strict=True)):
            image = axes.imshow(
                mean[number],
                origin="lower",
                aspect="auto",
                cmap=style.SEQUENTIAL,
                vmin=0,
                vmax=1,
                interpolation="nearest",
            )
            _label(axes, found.scales, found.barriers)
            style.letter(axes, "abc"[number], method)
        panels[0].set_ylabel("barrier")
        bar = figure.colorbar(image, ax=panels, shrink=0.95, pad=0.01)
        bar.set_label("share of wrong items")
        bar.outline.set_visible(False)
        return figure

    def judge(self, found: Grid) -> list[Finding]:
        """Compare methods over regions of the grid; problems are the sample."""
        strength = found.strength
        moderate = (strength >= _MODERATE[0]) & (strength <= _MODERATE[1])
        strong = strength >= _STRONG

        def difference(one: int, other: int, region: NDArray[np.bool_]) -> Any:
            gap = found.error[:, one] - found.error[:, other]
            return mean_interval(gap[:, region].mean(axis=1))

        choices = found.error[:, _CHOICES]
        lost = choices[:, strength >= _FAR].mean(axis=1) - choices[:, moderate].mean(axis=1)
        times, high = found.error[:, _TIMES], found.barriers >= _HIGH_BARRIER
        by_barrier = times[:, high].mean(axis=(1, 2)) - times[
            :, found.barriers <= _LOW_BARRIER
        ].mean(axis=(1, 2))
        return [
            below("(a) the best barrier falls as the scale grows: rank correlation", bend(found)),
            above(
                "(a) choices alone lose again: far too strong minus moderate preferences",
                mean_interval(lost),
            ),
            below("(b) minus (a), moderate preferences", difference(_WEAK, _CHOICES, moderate)),
            above("(b) minus (a), strong preferences", difference(_WEAK, _CHOICES, strong)),
            below("(c) minus (a), strong preferences", difference(_TIMES, _CHOICES, strong)),
            below("(c) minus (b), strong preferences", difference(_TIMES, _WEAK, strong)),
            below("(c) high minus low barriers", mean_interval(by_barrier)),
        ]

    def rows(self, found: Grid) -> list[Row]:
        """Return the mean errors."""
        n = len(found.error)
        mean = found.error.mean(axis=0)
        sd = found.error.std(axis=0, ddof=1) if n > 1 else np.full(mean.shape, np.nan)
        return [
            {
                "method": method,
                "barrier": float(barrier),
                "scale": float(scale),
                "error": float(mean[number, row, column]),
                "standard_error": float(sd[number, row, column] / np.sqrt(n)),
                "problems": n,
            }
            for number, method in enumerate(METHODS)
            for row, barrier in enumerate(found.barriers)
            for column, scale in enumerate(found.scales)
        ]


def bend(found: Grid, n_resamples: int = 400) -> tuple[float, float, float]:
    """Return how the barrier at which choices alone err least goes with the scale.

    Spearman's correlation over the scales from 1 on, with a bootstrap interval over problems.
    """
    rng = np.random.default_rng(0)
    from_one = found.scales >= 1
    errors = found.error[:, _CHOICES][:, :, from_one]
    drawn = rng.integers(len(errors), size=(n_resamples, len(errors)))
    values = np.array([_bend(errors[own].mean(axis=0), found.barriers) for own in drawn])
    low, high = np.quantile(values, [0.025, 0.975])
    return _bend(errors.mean(axis=0), found.barriers), float(low), float(high)


def _bend(error: Floats, barriers: Floats) -> float:
    from scipy.stats import spearmanr

    best = barriers[error.argmin(axis=0)]
    if np.ptp(best) == 0:
        return 0.0
    return float(spearmanr(np.arange(len(best)), best).statistic)


def _label(axes: Any, scales: Floats, barriers: Floats) -> None:
    """Label some of the rows and columns."""
    columns = spread(range(len(scales)), 7)
    axes.set_xticks(columns, [f"{scales[column]:g}" for column in columns])
    rows = spread(range(len(barriers)), 6)
    axes.set_yticks(rows, [f"{barriers[row]:g}" for row in rows])
    axes.set_xlabel("scale of the items")
    for side in axes.spines.values():
        side.set_visible(False)
