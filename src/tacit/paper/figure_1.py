"""Figure 1: how evidence becomes a choice and a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit import ddm
from tacit.paper import style
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.verdicts import Finding, above, below, exactly

Floats = NDArray[np.float64]

BARRIERS = (0.8, 1.8)
_COLOURS = (style.BLUE, style.ORANGE)
_DRIFT, _BARRIER, _NONDECISION_TIME = 0.8, 1.2, 0.4
_N_PATHS, _N_ANSWERS = 10, 20_000
_DRIFTS = np.linspace(-3, 3, 13)
_Z95 = 1.959964


@dataclass(frozen=True)
class Answered:
    """Simulated answers, summed up for each barrier (rows) and utility difference (columns)."""

    choice: Floats
    choice_sd: Floats
    time: Floats
    time_sd: Floats


class EvidenceFigure(Figure[Answered]):
    """Evidence, choices and times against the utility difference."""

    name = "figure-1"
    title = "How preference shows in choice and time"
    claim = (
        "Evidence drifts to one of two barriers. Strong preferences are answered predictably and "
        "fast; a person with a higher barrier answers more predictably and more slowly."
    )

    def collect(self, desk: Desk) -> Answered:
        """Draw answers; too quick to be stored."""
        del desk
        rng = np.random.default_rng(1)
        size = (_N_ANSWERS, len(BARRIERS), len(_DRIFTS))
        choice, time = ddm.sample(
            _DRIFTS[None, None, :], np.array(BARRIERS)[None, :, None], rng=rng, size=size
        )
        sums = (choice.mean(axis=0), choice.std(axis=0), time.mean(axis=0), time.std(axis=0))
        return Answered(*sums)

    def draw(self, found: Answered) -> Any:
        """Draw paths and densities, then mean choice and mean time."""
        figure = style.new_figure(2.6)
        paths, choices, times = figure.subplots(1, 3, width_ratios=(1.5, 1, 1))
        _draw_paths(paths)
        drift = np.linspace(-3, 3, 241)
        for row, (a, colour) in enumerate(zip(BARRIERS, _COLOURS, strict=True)):
            laws = (
                (choices, ddm.mean_choice(drift, a), ddm.var_choice(drift, a), found.choice[row]),
                (times, ddm.mean_time(drift, a), ddm.var_time(drift, a), found.time[row]),
            )
            for axes, mean, variance, drawn in laws:
                sd = np.sqrt(variance)
                axes.fill_between(drift, mean - sd, mean + sd, color=colour, alpha=0.18, lw=0)
                axes.plot(drift, mean, color=colour, label=f"barrier {a}")
                axes.plot(_DRIFTS, drawn, ".", color=colour, markersize=4)
        style.letter(choices, "b", "choice")
        choices.set_ylabel("expected choice ± 1 sd")
        choices.set_yticks([-1, 0, 1], ["$-1$", "$0$", "$+1$"])
        style.letter(times, "c", "decision time")
        times.set_ylabel("expected seconds ± 1 sd")
        for axes in (choices, times):
            axes.set_xlabel("utility difference")
            axes.grid()
        times.set_ylim(top=1.15 * times.get_ylim()[1])
        times.legend(loc="upper right", borderaxespad=0)
        return figure

    def judge(self, found: Answered) -> list[Finding]:
        """Compare simulated answers with each other and with the closed forms."""
        middle, strong = len(_DRIFTS) // 2, -3
        lower, higher = 0, 1
        findings = []
        for row, a in enumerate(BARRIERS):
            gain = _difference(found.time, found.time_sd, (row, middle), (row, strong))
            findings.append(
                above(f"barrier {a}: indifference takes longer than a difference of 2 (s)", gain)
            )
        consistent = _difference(found.choice, found.choice_sd, (higher, strong), (lower, strong))
        slower = _difference(found.time, found.time_sd, (higher, middle), (lower, middle))
        findings.append(above("higher barrier: the mean choice at 2 is more extreme", consistent))
        findings.append(above("higher barrier: indifference takes longer (s)", slower))
        barrier = np.array(BARRIERS)[:, None]
        off = [
            (found.choice - ddm.mean_choice(_DRIFTS, barrier))
            / np.sqrt(ddm.var_choice(_DRIFTS, barrier)),
            (found.time - ddm.mean_time(_DRIFTS, barrier))
            / np.sqrt(ddm.var_time(_DRIFTS, barrier)),
        ]
        worst = float(np.abs(off).max() * np.sqrt(_N_ANSWERS))
        text = "largest deviation of simulated means from the formulas, in standard errors, below 4"
        findings.append(below(text, exactly(worst), than=4.0))
        return findings

    def rows(self, found: Answered) -> list[Row]:
        """Return simulated and expected means."""
        return [
            {
                "barrier": a,
                "utility_difference": float(u),
                "choice_simulated": float(found.choice[row, column]),
                "choice_expected": float(ddm.mean_choice(u, a)),
                "time_simulated": float(found.time[row, column]),
                "time_expected": float(ddm.mean_time(u, a)),
            }
            for row, a in enumerate(BARRIERS)
            for column, u in enumerate(_DRIFTS)
        ]


def _difference(
    mean: Floats, sd: Floats, one: tuple[int, int], other: tuple[int, int]
) -> tuple[float, float, float]:
    """Return the difference of two means of simulated answers, with its interval."""
    gap = float(mean[one] - mean[other])
    half = float(_Z95 * np.hypot(sd[one], sd[other]) / np.sqrt(_N_ANSWERS))
    return gap, gap - half, gap + half


def _draw_paths(axes: Any) -> None:
    rng = np.random.default_rng(12)
    end = 4.0
    for _ in range(_N_PATHS):
        path = ddm.sample_path(_DRIFT, _BARRIER, rng=rng, time_step=2e-3)
        colour = style.BLUE if path.choice > 0 else style.ORANGE
        time = path.time + _NONDECISION_TIME
        axes.plot(time, path.evidence, color=colour, lw=0.5, alpha=0.75)
        axes.plot(time[-1], path.evidence[-1], "o", color=colour, markersize=2.5)
    seconds = np.linspace(0, end, 500)
    for choice, colour in ((1, style.BLUE), (-1, style.ORANGE)):
        density = ddm.pdf(choice, seconds, _DRIFT, _BARRIER, nondecision_time=_NONDECISION_TIME)
        base = choice * _BARRIER
        axes.fill_between(seconds, base, base + choice * 1.2 * density, color=colour, alpha=0.3)
        axes.axhline(base, color="black", lw=0.8)
    axes.axvline(_NONDECISION_TIME, color=style.GREY, lw=0.6, ls=":")
    axes.plot([0, _NONDECISION_TIME], [0, 0], color="black", lw=1.2)
    axes.text(
        _NONDECISION_TIME / 2,
        -_BARRIER / 2,
        "nondecision\ntime",
        rotation=90,
        ha="center",
        va="center",
        fontsize=5.5,
        color=style.GREY,
    )
    axes.text(end, _BARRIER + 0.06, "first option", ha="right", va="bottom", color=style.BLUE)
    axes.text(end, -_BARRIER - 0.08, "second option", ha="right", va="top", color=style.ORANGE)
    axes.set_yticks([-_BARRIER, 0, _BARRIER], ["$-a$", "$0$", "$+a$"])
    axes.set_ylim(-2.2, 2.2)
    axes.set_xlim(0, end)
    axes.set_xlabel("seconds since the question")
    axes.set_ylabel("evidence")
    style.letter(axes, "a", "evidence, and densities of times")
