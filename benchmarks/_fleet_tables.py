"""What pages show of fits of logs and of populations, and what these were to reach."""

from collections.abc import Callable
from typing import Any

from benchmarks._result_tables import number, ranged
from benchmarks._timing import stored

Run = dict[str, Any]
Row = dict[str, str]
Claim = tuple[str, str, str, list[bool]]

LIMITS = {10_000_000: (30, 4), 100_000_000: (360, 8)}
"""Seconds and GB that a fit may take, by the number of trials."""

STAGES = ("read and sort", "sum", "estimate", "rank items", "write")
SAME = 1e-9
SAVED = 0.5
"""Share of the answers that a population is to save on people with shared structure."""

DATA = ("clithero", "krajbich", "food-risk")


def all_fits() -> list[Run]:
    """Return the fit of each size that was stored last, small ones first."""
    latest = {
        fit["n_trials"]: fit | {"commit": run["provenance"]["commit"]}
        for run in stored("fleet")
        for fit in run["fits"]
    }
    return [latest[size] for size in sorted(latest)]


def compared(run: Run) -> Run:
    """Return the last run that compared ways and rates; one of a large log does not."""
    return next(one for one in reversed([*stored("fleet"), run]) if "rates" in one)


def fits(_: Run) -> list[Row]:
    """Return what fits of logs took, by stage."""
    return [
        {
            "trials": f"{fit['n_trials']:,}",
            "clock, s": number(fit["wall"]),
            "processor, s": number(fit["processor"]),
            "GB": number(fit["memory, GB"]),
            **{f"{name}, s": number(fit["stages"][name]) for name in STAGES},
            "load": number(fit["load"], 2),
            "commit": fit["commit"],
        }
        for fit in all_fits()
    ]


def rates(run: Run) -> list[Row]:
    """Return how fast loops are next to the fit."""
    return [
        {
            "what": row["what"],
            "trials, M/s of one core": number(row["trials, M/s of one core"]),
            "time / fleet.fit without best items": ranged(
                row["time / fleet.fit without best items"]
            ),
        }
        for row in compared(run)["rates"]
    ]


def fleet_claims(run: Run) -> list[Claim]:
    """Return the targets of fits of logs."""
    claims: list[Claim] = []
    for fit in all_fits():
        if fit["n_trials"] not in LIMITS:
            continue
        seconds, size = LIMITS[fit["n_trials"]]
        what = f"fit of {fit['n_trials'] // 1_000_000} million trials, two busy cores"
        claims.append(
            (what, f"at most {seconds} s", f"{number(fit['wall'])} s", [fit["wall"] <= seconds])
        )
        memory = fit["memory, GB"]
        claims.append(
            ("the same: memory", f"at most {size} GB", f"{number(memory)} GB", [memory <= size])
        )
    last = compared(run)
    power = last["exponents"]["processor"]
    apart = max(value for name, value in last["agreement"].items() if name != "people")
    return [
        *claims,
        (
            "power of the number of trials with which processor seconds grow",
            "at most 1.05",
            number(power),
            [power <= 1.05],
        ),
        (
            "stream, query and memory: largest relative difference of anybody's weights",
            f"at most {SAME:g}",
            number(apart),
            [apart <= SAME],
        ),
    ]


def parts() -> dict[str, Run]:
    """Return the part of each name that was stored last."""
    return {run["part"]: run for run in stored("population")}


def changes(others: str, kind: str) -> list[Run]:
    """Return the rows of all data sets that compare errors, or predictions."""
    return [
        row | {"data": data, "runs": str(parts()[data]["provenance"]["config"]["n_runs"])}
        for data in DATA
        for row in parts()[data]["rows"]
        if row["others"] == others and row["what"].startswith(kind)
    ]


def shown(rows: list[Run], *also: str) -> list[Row]:
    """Write paired changes, and other columns."""
    return [
        {
            "data": row["data"],
            "what": row["what"],
            **{name: row[name] for name in also},
            "without": f"{row['without']:.3f}",
            "with population": f"{row['with population']:.3f}",
            "change": f"{row['change']:+.3f}",
            "95% interval": f"{row['from']:+.3f} to {row['to']:+.3f}",
        }
        for row in rows
    ]


def errors(_: Run) -> list[Row]:
    """Return how often the favourite is missed with and without a population."""
    return [
        row
        for others in ("real", "simulated")
        for row in shown(changes(others, "error"), "others", "runs")
    ]


def predictions(_: Run) -> list[Row]:
    """Return how well choices of people are predicted with and without a population."""
    return [row for kind in ("log-loss", "accuracy") for row in shown(changes("real", kind))]


def distances(_: Run) -> list[Row]:
    """Return how far simulated people are from the population of the others' answers."""
    return [
        {"data": data, "squared distance, median": number(parts()[data]["distance"], 2)}
        for data in DATA
    ]


def made_up(_: Run) -> list[Row]:
    """Return how many answers a population saves on made-up people."""
    return [
        {
            "people": row["people"],
            "answers": str(row["answers"]),
            "missed without": f"{row['without']:.3f}",
            "missed with population": f"{row['with population']:.3f}",
            "as good after": number(row["as good after"]),
        }
        for row in parts()["made-up"]["rows"]
    ]


def population_claims(_: Run) -> list[Claim]:
    """Return the targets of populations."""
    claims: list[Claim] = []
    for kind, sign in (("log-loss", 1), ("accuracy", -1)):
        found = changes("real", kind)
        worst = [row["from"] if sign > 0 else -row["to"] for row in found]
        low, high = min(row["change"] for row in found), max(row["change"] for row in found)
        claims.append(
            (
                f"held-out choices of people: change of {kind} by a population, 95% interval",
                "not clearly above 0" if sign > 0 else "not clearly below 0",
                f"{low:+.3f} to {high:+.3f}",
                [end <= 0 for end in worst],
            )
        )
    for others, what in (("real", "answers"), ("simulated", "simulated answers")):
        found = changes(others, "error")
        low, high = min(row["change"] for row in found), max(row["change"] for row in found)
        claims.append(
            (
                f"TopTwo: change of error by a population of others' {what}, 95% interval",
                "not clearly above 0",
                f"{low:+.3f} to {high:+.3f}",
                [row["from"] <= 0 for row in found],
            )
        )
    saved = [1 - row["as good after"] / row["answers"] for row in parts()["made-up"]["rows"]]
    claims.append(
        (
            "made-up people with shared structure: answers saved by a population",
            f"at least {SAVED:.0%}",
            f"{min(saved):.0%} to {max(saved):.0%}",
            [share >= SAVED for share in saved],
        )
    )
    return claims


TABLES: dict[str, dict[str, Callable[[Run], list[Row]]]] = {
    "fleet": {"fits": fits, "rates": rates},
    "population": {
        "errors": errors,
        "predictions": predictions,
        "distances": distances,
        "made-up": made_up,
    },
}
"""Tables of these benchmarks, by the name of the place."""
