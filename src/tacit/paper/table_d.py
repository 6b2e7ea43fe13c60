"""The table of appendix D: what people's parameters are, next to the published ones."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.datasets import Dataset, load, published_fits
from tacit.paper import style
from tacit.paper.crowds import exact_fits
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.settings import SETTINGS
from tacit.paper.verdicts import Finding, Outcome

Floats = NDArray[np.float64]

PARAMETERS = ("barrier", "nondecision time (s)", "weights")
_COLOURS = {"food-risk": style.ORANGE, "clithero": style.BLUE, "krajbich": style.GREEN}
_MARKERS = {"food-risk": "o", "clithero": "s", "krajbich": "^"}
_SAME = 0.1
"""Posterior standard deviations up to which two posterior means count as the same: four chains of
10,000 draws are within a few hundredths."""


@dataclass(frozen=True)
class Fits:
    """One parameter of one data set: everybody's posterior means, theirs and ours."""

    data: str
    parameter: str
    n_people: int
    mean: Floats
    sd: Floats
    published: Floats


class FittedTable(Figure[list[Fits]]):
    """Exact posterior means against the published ones."""

    name = "table-d"
    data_sets = tuple(SETTINGS)
    title = "People's parameters, fitted from the raw answers"
    claim = (
        "Barriers, non-decision times and weights of the people of the three data sets, as "
        "posterior means under flat priors: here by exact integration, in the paper by sampling."
    )

    def collect(self, desk: Desk) -> list[Fits]:
        """Fit everybody; milliseconds each, so nothing is stored."""
        found = []
        for name in SETTINGS:
            dataset = load(name, desk.data)
            chosen = Dataset(name, dataset.people[: desk.scale.n_people], dataset.citation)
            theirs = published_fits(name, desk.data)[: desk.scale.n_people]
            ours = exact_fits(chosen)
            columns = {
                "barrier": [
                    (p.barrier.mean, p.barrier.sd, q.barrier)
                    for p, q in zip(ours, theirs, strict=True)
                ],
                "nondecision time (s)": [
                    (p.nondecision_time.mean, p.nondecision_time.sd, q.nondecision_time)
                    for p, q in zip(ours, theirs, strict=True)
                ],
                "weights": [
                    row
                    for p, q in zip(ours, theirs, strict=True)
                    for row in zip(p.weights.mean, p.weights.sd, q.weights, strict=True)
                ],
            }
            found += [
                Fits(name, parameter, len(ours), *np.array(columns[parameter]).T)
                for parameter in PARAMETERS
            ]
        return found

    def draw(self, found: list[Fits]) -> Any:
        """Draw ours against theirs, one panel for each parameter."""
        figure = style.new_figure(2.7)
        panels = figure.subplots(1, len(PARAMETERS))
        for number, (axes, parameter) in enumerate(zip(panels, PARAMETERS, strict=True)):
            for fits in found:
                if fits.parameter == parameter:
                    axes.plot(
                        fits.published,
                        fits.mean,
                        linestyle="none",
                        marker=_MARKERS[fits.data],
                        color=_COLOURS[fits.data],
                        markersize=3.5,
                        markerfacecolor="none",
                        label=fits.data,
                    )
            middle = float(
                np.mean([fits.published.mean() for fits in found if fits.parameter == parameter])
            )
            axes.axline((middle, middle), slope=1, color=style.GREY, lw=0.6, zorder=0)
            axes.set_xlabel(f"published {parameter}")
            axes.set_ylabel(f"exact {parameter}")
            axes.grid()
            style.letter(axes, "abc"[number], parameter.removesuffix(" (s)"))
        panels[0].legend(loc="lower right")
        return figure

    def judge(self, found: list[Fits]) -> list[Finding]:
        """Compare everybody's posterior means with the published ones."""
        findings = []
        for fits in found:
            off = (fits.mean - fits.published) / fits.sd
            share = float((np.abs(off) <= _SAME).mean())
            worst = float(np.abs(off).max())
            outcome: Outcome = "holds" if np.median(np.abs(off)) <= _SAME else "does not hold"
            findings.append(
                Finding(
                    f"{fits.data}, {fits.parameter}: {share:.0%} within {_SAME} posterior sd, the "
                    f"farthest {worst:.2f}; median difference, and the middle 95%",
                    float(np.median(fits.mean - fits.published)),
                    float(np.quantile(fits.mean - fits.published, 0.025)),
                    float(np.quantile(fits.mean - fits.published, 0.975)),
                    outcome,
                )
            )
        return findings

    def rows(self, found: list[Fits]) -> list[Row]:
        """Return ranges and means."""
        return [
            {
                "data": fits.data,
                "people": fits.n_people,
                "parameter": fits.parameter,
                **{
                    f"{whose}_{what}": float(function(values))
                    for whose, values in (("exact", fits.mean), ("published", fits.published))
                    for what, function in (("min", np.min), ("mean", np.mean), ("max", np.max))
                },
                "largest_difference": float(np.abs(fits.mean - fits.published).max()),
            }
            for fits in found
        ]
