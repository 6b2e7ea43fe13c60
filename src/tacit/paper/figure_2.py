"""Figure 2: what an answer tells with its time, and without."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from tacit.estimators import theory
from tacit.paper import style
from tacit.paper.figure import Desk, Figure, Row
from tacit.paper.verdicts import Finding, above, exactly, within

Floats = NDArray[np.float64]

BARRIERS = (0.8, 1.8)
_COLOURS = (style.BLUE, style.ORANGE)
_STRONG = 3.0


@dataclass(frozen=True)
class Weights:
    """Weights of timed and of untimed answers, rows are barriers, columns utility differences."""

    drift: Floats
    timed: Floats
    choice: Floats
    bound_timed: Floats
    bound_choice: Floats


class WeightsFigure(Figure[Weights]):
    """Asymptotic and non-asymptotic weights against the utility difference."""

    name = "figure-2"
    title = "What an answer tells with its time, and without"
    claim = (
        "As answers accumulate, a timed answer never tells less than an untimed one: as much at "
        "indifference, and far more where the preference is strong. The bounds for few answers "
        "favour choices alone where preferences are weak, and times where they are strong."
    )

    def collect(self, desk: Desk) -> Weights:
        """Evaluate the formulas; nothing is simulated."""
        del desk
        drift = np.linspace(-_STRONG, _STRONG, 301)
        a = np.array(BARRIERS)[:, None]
        return Weights(
            drift,
            theory.asymptotic_weight_timed(drift, a),
            theory.asymptotic_weight_choice(drift, a),
            theory.concentration_weight_timed(drift, a),
            theory.concentration_weight_choice(drift, a),
        )

    def draw(self, found: Weights) -> Any:
        """Draw both kinds of weights."""
        figure = style.new_figure(2.7)
        panels = figure.subplots(1, 2)
        drawn = (
            ("a", "many answers", found.timed, found.choice, "$E[t]$", r"$a^2\,V[c]$"),
            (
                "b",
                "few answers (bounds)",
                found.bound_timed,
                found.bound_choice,
                r"$E[t]\,/\,((2+2\sqrt{2})\,a)$",
                r"$a\,\sqrt{V[c]}\,/\,2.4$",
            ),
        )
        for axes, (which, title, timed, choice, timed_label, choice_label) in zip(
            panels, drawn, strict=True
        ):
            for row, (a, colour) in enumerate(zip(BARRIERS, _COLOURS, strict=True)):
                axes.plot(found.drift, timed[row], color=colour, label=f"{timed_label}, a = {a}")
                axes.plot(
                    found.drift, choice[row], "--", color=colour, label=f"{choice_label}, a = {a}"
                )
            style.letter(axes, which, title)
            axes.set_xlabel("utility difference")
            axes.set_ylabel("weight of an answer")
            axes.set_ylim(0, None)
            axes.grid()
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
        return figure

    def judge(self, found: Weights) -> list[Finding]:
        """Compare the weights; no sampling, so there is no uncertainty."""
        zero = len(found.drift) // 2
        excess = found.timed - found.choice
        rounding = 1e-12
        findings = [
            above(
                "(a) smallest excess of a timed answer, anywhere (s)",
                exactly(float(excess.min())),
                than=-rounding,
            ),
            within(
                "(a) both tell the same at indifference: difference (s)",
                exactly(float(excess[:, zero].max())),
                margin=rounding,
            ),
        ]
        for row, a in enumerate(BARRIERS):
            ratio = float(found.timed[row, -1] / found.choice[row, -1])
            findings.append(
                above(f"(a) a = {a}: ratio at a difference of {_STRONG:g}", exactly(ratio), than=1)
            )
            bounds = found.bound_timed[row] / found.bound_choice[row]
            at = crossing(a)
            findings += [
                above(
                    f"(b) a = {a}: choices alone at indifference, ratio to times",
                    exactly(float(1 / bounds[zero])),
                    than=1,
                ),
                above(
                    f"(b) a = {a}: times at {_STRONG:g} (they take over at {at:.2f}), ratio",
                    exactly(float(bounds[-1])),
                    than=1,
                ),
            ]
        return findings

    def rows(self, found: Weights) -> list[Row]:
        """Return the weights at some utility differences."""
        return [
            {
                "barrier": a,
                "utility_difference": float(found.drift[column]),
                "timed": float(found.timed[row, column]),
                "choice": float(found.choice[row, column]),
                "bound_timed": float(found.bound_timed[row, column]),
                "bound_choice": float(found.bound_choice[row, column]),
            }
            for row, a in enumerate(BARRIERS)
            for column in range(0, len(found.drift), 25)
        ]


def crossing(barrier: float) -> float:
    """Return the utility difference from which the bound with times is the better one.

    Examples
    --------
    >>> print(round(crossing(0.8), 2))
    2.73
    """

    def excess(drift: float) -> float:
        timed = theory.concentration_weight_timed(drift, barrier)
        return float(np.log(timed / theory.concentration_weight_choice(drift, barrier)))

    return float(brentq(excess, 1e-3, 20 / barrier))
