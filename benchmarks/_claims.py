"""The targets, and what the stored runs say about them."""

from collections.abc import Callable, Iterable
from typing import Any

from scipy.stats import norm

from benchmarks import _fleet_tables, _learner_tables
from benchmarks._result_tables import number

Run = dict[str, Any]
Row = dict[str, str]

FALSE_ALARM = 0.01
"""How often a comparison with a known law may miss its target by chance alone."""

PRINTED = {
    "food-risk": ("0.715", "2.467", "0.206", "1.917"),
    "clithero": ("0.759", "1.399", "0.139", "0.485"),
    "krajbich": ("0.75", "2.192", "0.387", "1.22"),
}
"""Ends of the ranges of barrier and nondecision time that the paper prints."""


def claim(what: str, target: str, measured: str, met: bool | Iterable[bool]) -> Row:
    """Return one target; with several cases, it says in how many of them it is met."""
    cases = [met] if isinstance(met, bool) else [bool(case) for case in met]
    verdict = "met" if all(cases) else "missed"
    if any(cases) and not all(cases):
        verdict = f"met in {sum(cases)} of {len(cases)} cases"
    return {"what": what, "target": target, "measured": measured, "verdict": verdict}


def at_most(what: str, value: float, limit: float, unit: str = "") -> Row:
    """Return a target for a small number."""
    return claim(what, f"at most {limit:g}{unit}", f"{number(value)}{unit}", value <= limit)


def at_least(what: str, ratios: Iterable[Run], limit: float) -> Row:
    """Return a target for ratios, each a median over rounds."""
    medians = [ratio["median"] for ratio in ratios]
    low, high = number(min(medians)), number(max(medians))
    measured = low if len(medians) == 1 else f"{low} to {high}"
    return claim(what, f"at least {limit:,g}", measured, [median >= limit for median in medians])


def ddm(run: Run) -> list[Row]:
    """Return the targets of sampler and density."""
    rows = run["sampler accuracy"]
    worst = max(abs(row[name]) for row in rows for name in ("mean", "variance", "choice"))
    smallest = min(row["ks_p"] for row in rows)
    speed = {str(row["strength"]): row for row in run["sampler speed"]}
    mixture = speed.pop("mixture")
    n_draws = run["provenance"]["config"]["n_draws"]
    sampler = [
        at_most(f"moments of {n_draws:.0e} draws, largest deviation, standard errors", worst, 4),
        claim(
            f"Kolmogorov's tests of the same, smallest of {len(rows)} p-values",
            f"at least {FALSE_ALARM / len(rows):.2g}",
            number(smallest),
            smallest >= FALSE_ALARM / len(rows),
        ),
    ]
    for other, limit in (("polyagamma", 2), ("ssm-simulators", 50)):
        name = f"tacit / {other}"
        sampler += [
            at_least(f"speed of draws, {name}, drifts of many strengths", [mixture[name]], limit),
            at_least(
                f"the same, one strength at a time, {len(speed)} of them",
                [row[name] for row in speed.values()],
                limit,
            ),
        ]
    return [
        *sampler,
        at_most("log-density, largest error", run["largest error of logpdf"], 1e-11),
        at_least(
            "speed of log-densities, tacit / hddm-wfpt",
            [run["density speed"]["tacit / hddm-wfpt"]],
            4,
        ),
    ]


def bayes(run: Run) -> list[Row]:
    """Return the targets of exact posteriors."""
    *by_set, everybody = run["published"]
    nuts, speed = run["nuts"], run["speed"]
    recovered = [
        [
            f"{value:.{len(text.partition('.')[2])}f}" == text
            for value, text in zip(ends, printed, strict=True)
        ]
        for row in by_set
        for printed in [PRINTED[row["data set"]]]
        for ends in [[*row["barriers"], *row["nondecision times"]]]
    ]
    ends = [end for row in recovered for end in row]
    bound = float(norm.isf(FALSE_ALARM / 2 / nuts["comparisons"]))
    deviations = [
        nuts[f"{what}, largest difference in standard errors"] for what in ("means", "sds")
    ]
    return [
        *(
            at_most(
                f"median difference from the published posterior means, {what}",
                everybody[f"median difference of {name}"],
                limit,
            )
            for what, name, limit in (
                ("2a", "boundary separation", 1e-3),
                ("t0, s", "nondecision time", 3e-4),
                ("weights", "weights", 1e-2),
            )
        ),
        claim(
            "ranges that the paper prints, to the digits printed",
            f"{len(ends)} ends",
            f"{sum(ends)} ends",
            all(ends),
        ),
        at_most(
            "fit of 169 trials and 17 weights",
            speed["clithero, first person, ms"]["median"],
            10,
            " ms",
        ),
        at_most("fit of all 112 people", speed["all people, s"]["median"], 2, " s"),
        at_least("speed, tacit / NUTS", [nuts["NUTS / tacit"]], 1000),
        at_most(
            f"largest of {nuts['comparisons']} differences of means and sds from NUTS, "
            "Monte Carlo standard errors",
            max(deviations),
            round(bound, 1),
        ),
    ]


def held_out(run: Run) -> list[Row]:
    """Return the targets for predictions of real choices."""
    snacks, foods = run["data_sets"]
    rows = []
    for outcome, what, target in (
        (snacks, "snacks", "above 0"),
        (foods, "risky foods", "not clearly below 0"),
    ):
        gains = [row["differences"]["accuracy"] for row in outcome["results"]]
        low, high = min(g["mean"] for g in gains), max(g["mean"] for g in gains)
        end = "low" if outcome is snacks else "high"
        rows.append(
            claim(
                f"held-out choices of {what}: gain of accuracy by times, 95% interval",
                target,
                f"{low:+.3f} to {high:+.3f}",
                [gain[end] > 0 for gain in gains],
            )
        )
        losses = [row["differences"]["log-loss"] for row in outcome["results"]]
        low, high = min(g["mean"] for g in losses), max(g["mean"] for g in losses)
        rows.append(
            claim(
                "the same: change of log-loss, 95% interval",
                "not clearly above 0",
                f"{low:+.3f} to {high:+.3f}",
                [loss["low"] <= 0 for loss in losses],
            )
        )
    few = snacks["fewer_answers"]
    rows.append(
        claim(
            f"snacks: accuracy of {few['with_times']} timed answer minus {few['choices_only']} "
            "untimed ones, 95% interval",
            "around 0",
            f"{few['accuracy']['mean']:+.3f}",
            few["accuracy"]["low"] <= 0 <= few["accuracy"]["high"],
        )
    )
    return rows


def install(run: Run) -> list[Row]:
    """Return the targets of a fresh install."""
    return [
        at_most("`import tacit`", run["import, s"]["import tacit"]["clock"]["median"], 0.4, " s"),
        at_most("install without extras", run["MB"], 450, " MB"),
    ]


def robustness(run: Run) -> list[Row]:
    """Return the targets for contaminated answers."""
    rows = [row for people in run["people_like"].values() for row in people]
    clean = [row["squared error"]["robust / exact"]["ratio"] for row in rows if not row["share"]]
    spoilt = [row["squared error"]["robust / average"]["ratio"] for row in rows if row["share"]]
    return [
        at_most("error of RobustLikelihood / Likelihood, clean answers", max(clean), 1.15),
        claim(
            f"error of RobustLikelihood / ChoiceDecisionTime, {len(spoilt)} contaminated cases",
            "below 1",
            f"{number(min(spoilt))} to {number(max(spoilt))}",
            [ratio < 1 for ratio in spoilt],
        ),
    ]


def designs(run: Run) -> list[Row]:
    """Return the targets of designs."""
    rows = run["designs"]
    return [
        at_most("designs: certified gap", max(row["certified gap"] for row in rows), 1e-3),
        at_least(
            f"speed of designs, tacit / Frank-Wolfe at its accuracy, {len(rows)} problems",
            [row["Frank-Wolfe / tacit"] for row in rows],
            20,
        ),
    ]


def load(run: Run) -> list[Row]:
    """Return the targets of a live study that many answer at once."""
    rows = []
    for store, told in run["results"].items():
        what = f"live study, {told['participants']} people, {store}"
        lost = told["answers_sent"] - told["answers_acknowledged"] + told["answers_lost"]
        rows += [
            at_most(f"{what}: p99 of answer to next question", told["latency_p99_ms"], 60, " ms"),
            at_most("the same: answers lost", lost, 0),
        ]
    return rows


CLAIMS: dict[str, Callable[[Run], list[Row]]] = {
    "ddm": ddm,
    "bayes": bayes,
    "held_out": held_out,
    "install": install,
    "robustness": robustness,
    "designs": designs,
    "race": lambda run: [claim(*one) for one in _learner_tables.race_claims(run)],
    "stopping": lambda run: [claim(*one) for one in _learner_tables.stopping_claims(run)],
    "latency": lambda run: [claim(*one) for one in _learner_tables.latency_claims(run)],
    "fleet": lambda run: [claim(*one) for one in _fleet_tables.fleet_claims(run)],
    "population": lambda run: [claim(*one) for one in _fleet_tables.population_claims(run)],
    "load": load,
}
"""The targets of each benchmark."""
