"""One page with every figure, claim and verdict, which needs no other file."""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Entry:
    """A figure on the page.

    Parameters
    ----------
    record : mapping
        Name, title, claim, findings, verdict and command, as `tacit paper run` stores them.
    picture : bytes
        PNG.
    seconds : float or None
        What it took, in all sittings; None if unknown.
    pieces : int
        Number of pieces of work that were run for it.
    jobs : int
        Processes that shared the work.
    """

    record: Mapping[str, Any]
    picture: bytes
    seconds: float | None
    pieces: int
    jobs: int


_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
       max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1, h2 { line-height: 1.25; }
h2 { margin: 3rem 0 .5rem; border-top: 1px solid #ccc; padding-top: 1.5rem; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; }
th, td { text-align: left; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid #e2e2e2;
         vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:first-child { min-width: 9rem; }
.scroll { overflow-x: auto; }
.verdict { font-weight: 600; white-space: nowrap; }
.holds { color: #00614a; } .partly { color: #7a4b00; }
.fails { color: #a33a00; } .open { color: #555; }
code { background: #f2f2f2; padding: .1rem .3rem; overflow-wrap: anywhere; }
.small { color: #555; font-size: .85rem; }
"""

_INTRODUCTION = """
Li, Zhang, Ren, Liang, Li &amp; Shah, <cite>Enhancing Preference-based Linear Bandits via Human
Response Time</cite>, NeurIPS 2024. Each claim is told in this project's words; each verdict is
computed from the numbers behind the figure. Intervals are 95%. A claim holds if all of its parts
do, and is undecided where the numbers are too few to tell.
"""

_MARKS = {
    "holds": ("holds", "✓"),
    "holds partly": ("partly", "◐"),
    "does not hold": ("fails", "✗"),
    "undecided": ("open", "?"),
}


def page(entries: Sequence[Entry], scale: str, missing: Sequence[str]) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    entries : sequence of Entry
        In the order of the page.
    scale : str
        How much was done.
    missing : sequence of str
        Names of the figures that were not drawn.

    Examples
    --------
    >>> page([], "quick", ["figure-1"]).splitlines()[0]
    '<!doctype html>'
    """
    ours = [entry for entry in entries if entry.record["beyond_the_paper"]]
    theirs = [entry for entry in entries if not entry.record["beyond_the_paper"]]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>The paper, reproduced: {escape(scale)}</title>",
        f"<style>{_STYLE}</style></head><body><main>",
        "<h1>The paper, reproduced</h1>",
        f"<p>{_INTRODUCTION} Scale: <strong>{escape(scale)}</strong>.</p>",
        _overview(entries),
    ]
    if missing:
        parts.append(f'<p class="small">Not drawn at this scale: {escape(", ".join(missing))}.</p>')
    parts += [_section(entry) for entry in theirs]
    if ours:
        parts.append("<h2>Beyond the paper</h2>")
        parts += [_section(entry) for entry in ours]
    parts.append("</main></body></html>\n")
    return "\n".join(parts)


def _overview(entries: Sequence[Entry]) -> str:
    rows = "".join(
        f'<tr><td><a href="#{escape(entry.record["figure"])}">{escape(entry.record["figure"])}</a>'
        f"</td><td>{escape(entry.record['title'])}</td>"
        f"<td>{_verdict(entry.record['verdict'])}</td>"
        f'<td class="number">{_seconds(entry)}</td></tr>'
        for entry in entries
    )
    return (
        '<div class="scroll"><table><thead><tr><th scope="col">figure</th>'
        '<th scope="col">what it shows</th><th scope="col">the claim</th>'
        f'<th scope="col" class="number">took</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _section(entry: Entry) -> str:
    record = entry.record
    picture = base64.b64encode(entry.picture).decode("ascii")
    took = _seconds(entry)
    how = f" ({entry.pieces} pieces of work, {entry.jobs} at a time)" if entry.pieces else ""
    took = f"Took {took}{how}. " if took else ""
    return "\n".join(
        [
            (
                f'<section><h2 id="{escape(record["figure"])}">{escape(record["figure"])}: '
                f"{escape(record['title'])}</h2>"
            ),
            f"<p>{escape(record['claim'])} {_verdict(record['verdict'])}</p>",
            (
                f'<img alt="{escape(record["title"])}: the table below tells what it shows" '
                f'src="data:image/png;base64,{picture}">'
            ),
            (
                '<div class="scroll"><table><thead><tr><th scope="col">part of the claim</th>'
                '<th scope="col" class="number">estimate</th>'
                '<th scope="col" class="number">95% interval</th>'
                '<th scope="col">says</th></tr></thead><tbody>'
            ),
            *map(_finding, record["findings"]),
            "</tbody></table></div>",
            (
                f'<p class="small">{took}Regenerate: <code>{escape(record["command"])}</code></p>'
                "</section>"
            ),
        ]
    )


def _finding(finding: Mapping[str, Any]) -> str:
    estimate, low, high = (finding[name] for name in ("estimate", "low", "high"))
    interval = "exact" if low is not None and low == high else f"{_number(low)} to {_number(high)}"
    if low is None or high is None:
        interval = "too few to tell"
    return (
        f"<tr><td>{escape(finding['statement'])}</td>"
        f'<td class="number">{_number(estimate)}</td><td class="number">{interval}</td>'
        f"<td>{_verdict(finding['outcome'])}</td></tr>"
    )


def _verdict(outcome: str) -> str:
    kind, mark = _MARKS[outcome]
    return (
        f'<span class="verdict {kind}"><span aria-hidden="true">{mark}</span> '
        f"{escape(outcome)}</span>"
    )


def _number(value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return "n/a"
    return f"{value + 0.0:.3g}"


def _seconds(entry: Entry) -> str:
    if entry.seconds is None:
        return ""
    if entry.seconds < 120:
        return f"{entry.seconds:.0f} s"
    return f"{entry.seconds / 60:.0f} min"
