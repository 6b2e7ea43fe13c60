"""What pages show of races and of early stops, and what these were to reach."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks._result_tables import number

Run = dict[str, Any]
Row = dict[str, str]
Claim = tuple[str, str, str, list[bool]]

SEED_ERRORS = {
    "clithero": {50: 0.625, 100: 0.419, 150: 0.329, 300: 0.198},
    "krajbich": {150: 0.404, 250: 0.204, 350: 0.125, 500: 0.086},
    "food-risk": {250: 0.699, 500: 0.418, 1000: 0.215, 1500: 0.163},
}
"""Mean errors of GSE that an independent implementation made, by data set and seconds."""

TOP_TWO_TARGETS = {
    "clithero": {50: 0.38, 100: 0.24, 150: 0.17, 300: 0.10},
    "krajbich": {150: 0.14, 250: 0.08, 350: 0.055, 500: 0.04},
    "food-risk": {250: 0.14, 500: 0.105, 1000: 0.08, 1500: 0.07},
}
"""Mean errors that TopTwo is to reach."""

LONGEST = {data: float(max(aims)) for data, aims in TOP_TWO_TARGETS.items()}
"""Seconds after which questions end."""

WITHIN = 0.02
"""How close GSE is to come to its baseline."""

POSTERIOR, DOUBT, SET = "posterior", "lapses left out", "confidence set"
RULES = {POSTERIOR: "", DOUBT: ", lapses left out", SET: ", exact rule"}
CLOSELY = ("diffusion", "lapses")
"""Respondents of whom the stops are shown by data set, too."""

WRONG = 0.05

QUESTION_MS = {100: 0.3, 100_000: 20, 1_000_000: 250}
"""How long ask and tell may take, by the number of items, milliseconds."""

SIMULATION_S = {"clithero": 30}
ALL_SIMULATIONS_S = 600
"""How long the simulations may take on two cores, seconds."""


def of(run: Run, data: str, learner: str) -> Run:
    """Return what one learner did with the people of one data set."""
    found: Run = next(
        row for row in run["learners"] if (row["data"], row["learner"]) == (data, learner)
    )
    return found


def errors(row: Run) -> dict[float, Run]:
    """Return mean errors with their standard errors, by seconds."""
    return {one["s"]: one for one in row["errors"]}


def race(data: str) -> Callable[[Run], list[Row]]:
    """Return the table of one data set: mean error of every learner at four budgets."""

    def rows(run: Run) -> list[Row]:
        return [
            {"learner": row["learner"]}
            | {
                f"{s} s": f"{at[s]['error']:.3f} ± {at[s]['se']:.3f}"
                for at in [errors(row)]
                for s in TOP_TWO_TARGETS[data]
            }
            | {"times as fast": speed(row["times as fast"]), "runs of each": str(row["runs"])}
            for row in run["learners"]
            if row["data"] == data
        ]

    return rows


def speed(times: float) -> str:
    """Write by which factor the paper's last error is reached sooner."""
    return "not reached" if np.isnan(times) else number(times, 2)


def targets(run: Run) -> list[Row]:
    """Return the errors of TopTwo next to what was to be reached and to half of GSE's."""
    return [
        {
            "data": data,
            "seconds": str(s),
            "TopTwo": f"{at[s]['error']:.3f} ± {noise(at[s]['error'], own):.4f}",
            "target": f"{target:g}",
            "half of GSE's": f"{baseline[s]['error'] / 2:.3f}",
        }
        for data, aims in TOP_TWO_TARGETS.items()
        for own in [of(run, data, "TopTwo")]
        for at, baseline in [(errors(own), errors(of(run, data, "GSE")))]
        for s, target in aims.items()
    ]


def noise(error: float, row: Run) -> float:
    """Bound the standard error that the number of runs leaves, for the same people."""
    return float(np.sqrt(error * (1 - error) / (row["people"] * row["runs"])))


def race_claims(run: Run) -> list[Claim]:
    """Return the targets of races."""
    replicated = [
        abs(errors(of(run, data, "GSE"))[s]["error"] - error)
        for data, aims in SEED_ERRORS.items()
        for s, error in aims.items()
    ]
    reached = [
        errors(of(run, data, "TopTwo"))[s]["error"] - target
        for data, aims in TOP_TWO_TARGETS.items()
        for s, target in aims.items()
    ]
    return [
        (
            "GSE: distance of its errors from an independent implementation's",
            f"at most {WITHIN:g}",
            f"{number(min(replicated))} to {number(max(replicated))}",
            [distance <= WITHIN for distance in replicated],
        ),
        (
            "TopTwo: error minus target",
            "at most 0",
            f"{min(reached):+.3f} to {max(reached):+.3f}",
            [round(excess, 3) <= 0 for excess in reached],
        ),
    ]


def stops(run: Run) -> list[Row]:
    """Return how often early stops were wrong, by rule and kind of respondent."""
    return [
        {
            "respondent": row["respondent"] + RULES[row["rule"]],
            "data": row["data"],
            "runs": f"{row['runs']:,}",
            "stops": f"{row['stops']:,}",
            "wrong": f"{row['share wrong']:.1%}" if row["stops"] else "-",
            "at most": f"{row['at most']:.1%}" if row["stops"] else "-",
            "median s": number(row["median s"]) if row["stops"] else "-",
        }
        for row in run["rows"]
        if row["data"] == "all" or (row["respondent"] in CLOSELY and row["rule"] != SET)
    ]


def stopping_claims(run: Run) -> list[Claim]:
    """Return the targets of early stops."""
    whole = {(row["rule"], row["respondent"]): row for row in run["rows"] if row["data"] == "all"}
    usual, exact = whole[POSTERIOR, "diffusion"], whole[SET, "diffusion"]
    return [
        (
            f"stops at 95%: wrong favourites, {usual['runs']:,} runs",
            f"at most {WRONG:.0%}",
            f"{usual['share wrong']:.1%}, bound {usual['at most']:.1%}",
            [usual["at most"] <= WRONG],
        ),
        (
            f"the exact rule: wrong favourites, {exact['runs']:,} runs",
            f"at most {WRONG:.0%}",
            f"{exact['wrong']} of {exact['stops']:,}",
            [exact["wrong"] <= WRONG * exact["stops"]],
        ),
    ]


def questions(run: Run) -> list[Row]:
    """Return how long ask and tell take, by the number of items."""
    return [
        {
            "items": f"{row['items']:,}",
            "features": str(row["features"]),
            "wall, ms": number(row["wall, ms"]),
            "processor, ms": number(row["processor, ms"]),
            "slowest of ten, ms": number(row["slowest of ten, ms"]),
            "times the least work": number(row["times the yardstick"]["median"]),
        }
        for row in run["question"]
    ]


def simulations(run: Run) -> list[Row]:
    """Return how long the simulations of whole data sets take."""
    return [
        {
            "data": row["data"],
            "cores": str(row["cores"]),
            "people": str(row["people"]),
            "runs of each": str(row["runs"]),
            "to": f"{row['seconds each']:g} s",
            "answers": f"{row['answers']:,}",
            "wall, s": number(row["wall, s"]),
            "answers per second": f"{row['answers per second']:,.0f}",
        }
        for row in run["simulation"]
    ]


def latency_claims(run: Run) -> list[Claim]:
    """Return the targets of live questions and of simulations."""
    took = {row["items"]: row["wall, ms"] for row in run["question"]}
    seconds = {row["data"]: row["wall, s"] for row in run["simulation"] if row["cores"] == 2}
    whole = sum(seconds.values())
    claims = [
        (
            f"TopTwo: ask and tell, {n_items:,} items, median",
            f"at most {most:g} ms",
            f"{number(took[n_items])} ms",
            [took[n_items] <= most],
        )
        for n_items, most in QUESTION_MS.items()
    ]
    claims += [
        (
            f"TopTwo: simulation of {data}, two cores",
            f"at most {most:g} s",
            f"{number(seconds[data])} s",
            [seconds[data] <= most],
        )
        for data, most in SIMULATION_S.items()
    ]
    return [
        *claims,
        (
            f"TopTwo: simulation of all {len(seconds)} data sets, two cores",
            f"at most {ALL_SIMULATIONS_S:g} s",
            f"{number(whole)} s",
            [whole <= ALL_SIMULATIONS_S],
        ),
    ]


TABLES: dict[str, dict[str, Callable[[Run], list[Row]]]] = {
    "race": {"targets": targets, **{data: race(data) for data in TOP_TWO_TARGETS}},
    "stopping": {"table": stops},
    "latency": {"questions": questions, "simulations": simulations},
}
"""The tables of each benchmark."""
