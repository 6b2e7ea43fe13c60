"""Robustness: errors of the estimates when some of the answers are guesses or lapses."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.paper import style
from tacit.paper.contamination import CELLS, COLUMNS, FITS, KINDS, SpoiltPerson
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.verdicts import Finding, below, mean_bars, mean_interval, within

Floats = NDArray[np.float64]

LIKE = ("clithero", "food-risk")
SHOWN = ("Likelihood", "RobustLikelihood", "ChoiceDecisionTime", "ChoiceOnly")
_COLOURS = (style.ORANGE, style.BLUE, style.GREEN, style.PURPLE)
_MARKERS = "osD^"
_TENTH = 0.1
_CLOSE = 0.05
"""Relative squared error by which two estimates may differ and still count as close."""


@dataclass(frozen=True)
class Spoilt:
    """Squared errors of one kind of people, relative to the mean square of the truth.

    Attributes
    ----------
    like : str
        Data set whose people they are like.
    error : ndarray of shape (n_people, n_estimators, n_cells)
        Of `SHOWN`, under `CELLS`; of several ridges or shares, the one that is best on average.
    """

    like: str
    error: Floats

    def of(self, estimator: str, kind: str, share: float) -> Floats:
        """Return everybody's error."""
        return np.asarray(self.error[:, SHOWN.index(estimator), CELLS.index((kind, share))])


class RobustnessFigure(Figure[list[Spoilt]]):
    """Relative errors against the share of spoilt answers, by kind."""

    name = "robustness"
    title = "Guesses and lapses among the answers"
    beyond = True
    claim = (
        "Slow random answers hurt the exact likelihood more than the paper's averages. The robust "
        "likelihood, which is told nothing, does as well as averages at the setting that turns out "
        "best, and costs next to nothing where nothing is spoilt."
    )

    def collect(self, desk: Desk) -> list[Spoilt]:
        """Run every made-up person."""
        found = []
        for like in LIKE:
            works = [SpoiltPerson(like=like, number=n) for n in range(desk.scale.n_spoilt)]
            what = f"spoilt answers, people like those of {like}"
            outcomes = desk.run(what, works, store="robustness").outcomes
            shape = (len(works), len(CELLS), len(FITS))
            squared, truth = (
                np.reshape([getattr(own, name) for own in outcomes], shape)
                for name in ("squared", "truth")
            )
            relative = squared / truth.mean(axis=0, keepdims=True)
            found.append(Spoilt(like, np.stack([_best(relative, name) for name in SHOWN], axis=1)))
        return found

    def draw(self, found: list[Spoilt]) -> Any:
        """Draw a row for each kind of people, a column for each kind of contamination."""
        figure = style.new_figure(0.5 + 1.9 * len(found))
        panels = figure.subplots(len(found), len(KINDS), sharex=True, sharey="row", squeeze=False)
        for row, own in zip(panels, found, strict=True):
            for axes, kind in zip(row, KINDS, strict=True):
                chosen = [place for place, cell in enumerate(CELLS) if cell[0] in ("none", kind)]
                shares = np.array([CELLS[place][1] for place in chosen])
                for number, name in enumerate(SHOWN):
                    mean, ends = mean_bars(own.error[:, number][:, chosen])
                    axes.errorbar(
                        100 * shares + 0.25 * (number - 1.5),
                        mean,
                        ends,
                        color=_COLOURS[number],
                        marker=_MARKERS[number],
                        markersize=3.5,
                        elinewidth=0.6,
                        label=name,
                    )
                axes.set_title(f"{own.like}: {kind}")
                axes.set_ylim(0, 1.2)
                axes.set_xticks(100 * shares)
                axes.grid(axis="y")
            row[0].set_ylabel("relative squared error")
        for axes in panels[-1]:
            axes.set_xlabel("% of answers spoilt")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return figure

    def judge(self, found: list[Spoilt]) -> list[Finding]:
        """Compare estimators over people."""
        findings = []
        for own in found:
            slow = ("slow and random", _TENTH)
            exact, robust, averages = (own.of(name, *slow) for name in SHOWN[:3])
            clean = own.of("RobustLikelihood", "none", 0.0) - own.of("Likelihood", "none", 0.0)
            spoilt = f"{own.like}, {_TENTH:.0%} slow and random"
            findings += [
                below(f"{spoilt}: averages minus exact", mean_interval(averages - exact)),
                below(f"{spoilt}: robust minus exact", mean_interval(robust - exact)),
                within(
                    f"{spoilt}: robust minus averages, within {_CLOSE}",
                    mean_interval(robust - averages),
                    _CLOSE,
                ),
                within(
                    f"{own.like}, nothing spoilt: robust minus exact, within {_CLOSE}",
                    mean_interval(clean),
                    _CLOSE,
                ),
            ]
        return findings

    def rows(self, found: list[Spoilt]) -> list[Row]:
        """Return means over people with standard errors."""
        rows: list[Row] = []
        for own in found:
            n = len(own.error)
            for place, (kind, share) in enumerate(CELLS):
                for number, name in enumerate(SHOWN):
                    values = own.error[:, number, place]
                    sd = float(values.std(ddof=1)) if n > 1 else np.nan
                    rows.append(
                        {
                            "people_like": own.like,
                            "people": n,
                            "contamination": kind,
                            "share": share,
                            "estimator": name,
                            "relative_squared_error": float(values.mean()),
                            "standard_error": sd / np.sqrt(n),
                        }
                    )
        return rows


def _best(relative: Floats, estimator: str) -> Floats:
    """Return the errors of the fit of an estimator that is best in each cell, (people, cells)."""
    fits = relative[:, :, [FITS.index(name) for name in COLUMNS[estimator]]]
    best = fits.mean(axis=0).argmin(axis=1)
    return np.asarray(fits[:, np.arange(len(best)), best])
