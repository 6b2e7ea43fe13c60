"""Write the page of the paper's figures from what `tacit paper run` made at full scale.

    tacit paper run all --scale full --out out/paper --jobs 2   # hours
    python -m benchmarks.paper [--results out/paper/full]

copies the picture, the table and the verdict of each figure that is complete into docs/paper, and
writes the page docs/paper.md. A test fails while the page says anything else than the verdicts.
"""

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from benchmarks._result_tables import number
from benchmarks._timing import ROOT
from tacit.paper import FIGURES

PAGE = ROOT / "docs" / "paper.md"
SHOWN = ROOT / "docs" / "paper"
COPIED = (".png", ".csv", ".json")

HEAD = """# The paper, reproduced

Li, Zhang, Ren, Liang, Li and Shah, *Enhancing Preference-based Linear Bandits via Human Response
Time*, NeurIPS 2024: what it claims in this project's words, its figures run anew at full scale, and
a verdict computed from the numbers behind them. A claim holds if all of its parts do; intervals are
95%. {doc}`how-to/reproduce-the-paper` tells how to run them, stop, and go on; this page is written
by `python -m benchmarks.paper`.
"""

BEYOND = """## Beyond the paper

The same people and axes, for learners and questions that the paper does not have.
"""


def records() -> list[dict[str, Any]]:
    """Return claims, findings and verdicts of the figures on the page, in their order."""
    paths = [SHOWN / f"{name}.json" for name in FIGURES]
    return [json.loads(path.read_text("utf-8")) for path in paths if path.exists()]


def page() -> str:
    """Return the page."""
    found = records()
    theirs = [record for record in found if not record["beyond_the_paper"]]
    ours = [record for record in found if record["beyond_the_paper"]]
    absent = [name for name in FIGURES if name not in {record["figure"] for record in found}]
    parts = [HEAD, overview(found)]
    if absent:
        parts.append(f"Not yet run at full scale: {', '.join(absent)}.\n")
    parts += map(section, theirs)
    if ours:
        parts += [BEYOND, *map(section, ours)]
    return "\n".join(parts)


def overview(found: list[dict[str, Any]]) -> str:
    """Return the table of verdicts."""
    lines = ["| figure | what it shows | the claim |", "| --- | --- | --- |"]
    lines += [
        f"| [{one['figure']}](#{one['figure']}) | {one['title']} | {one['verdict']} |"
        for one in found
    ]
    return "\n".join(lines) + "\n"


def section(record: dict[str, Any]) -> str:
    """Return picture, claim and findings of one figure."""
    name = record["figure"]
    level = "###" if record["beyond_the_paper"] else "##"
    lines = [
        f"({name})=",
        f"{level} {name}: {record['title']}",
        "",
        f"{record['claim']} **The claim {told(record['verdict'])}.**",
        "",
        f"![{record['title']}: the table below tells what it shows](paper/{name}.png)",
        "",
        "```bash",
        record["command"],
        "```",
        "",
        "| part of the claim | estimate | 95% interval | says |",
        "| --- | --: | --: | --- |",
    ]
    lines += [
        f"| {one['statement']} | {value(one['estimate'])} | {interval(one)} | {one['outcome']} |"
        for one in record["findings"]
    ]
    lines += ["", f"[All numbers](paper/{name}.csv)", ""]
    return "\n".join(lines)


def told(verdict: str) -> str:
    """Return a verdict as the end of a sentence."""
    return "is undecided" if verdict == "undecided" else verdict


def interval(finding: dict[str, Any]) -> str:
    """Return the ends of the interval of a finding."""
    low, high = finding["low"], finding["high"]
    if low is None or high is None:
        return "too few to tell"
    return "exact" if low == high else f"{value(low)} to {value(high)}"


def value(estimate: float | None) -> str:
    """Return an estimate in few digits."""
    return "n/a" if estimate is None else number(estimate)


def main() -> None:
    """Copy what is complete, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, default=ROOT / "out" / "paper" / "full")
    results = parser.parse_args().results
    SHOWN.mkdir(exist_ok=True)
    for name in FIGURES:
        if (results / f"{name}.json").exists():
            for suffix in COPIED:
                shutil.copyfile(results / f"{name}{suffix}", SHOWN / f"{name}{suffix}")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
