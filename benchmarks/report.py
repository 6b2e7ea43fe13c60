"""Write the measured figures into the documentation.

    python -m benchmarks.report

fills every place marked by ``<!-- results: NAME -->`` and ``<!-- end -->`` in the pages of docs
with a table of the latest stored run. A test fails while a page shows other figures.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import _claims, _fleet_tables, _learner_tables, _result_tables
from benchmarks._timing import stored

DOCS = Path(__file__).parents[1] / "docs"
PLACE = re.compile(
    r"(?P<mark><!-- results: (?P<name>[\w-]+) -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL
)
NAMES = tuple(name for name in _claims.CLAIMS if stored(name))
"""Benchmarks with targets, of which a run is stored."""

Run = dict[str, Any]
Rows = Sequence[dict[str, str]]


def latest(name: str) -> Run:
    """Return the last stored run of a benchmark."""
    run: Run = stored(name)[-1]
    return run


def machine(name: str) -> str:
    """Say in one line what ran, on what."""
    ran = latest(name)["provenance"]
    versions = ", ".join(f"{package} {version}" for package, version in ran["versions"].items())
    return (
        f"Commit {ran['commit']}, configuration {ran['config_hash']}; {ran['processor']} "
        f"({ran['machine']}, {ran['cores']} cores); Python {ran['python']}, {versions}."
    )


def claims() -> str:
    """Return the targets of all benchmarks, and whether they are met."""
    return markdown([row for name in NAMES for row in _claims.CLAIMS[name](latest(name))])


TEXTS: dict[str, Callable[[], str]] = {
    "claims": claims,
    **{f"{name}-machine": lambda name=name: machine(name) for name in NAMES},
    **{
        f"{name}-{part}": lambda name=name, rows=rows: markdown(rows(latest(name)))
        for module in (_result_tables, _learner_tables, _fleet_tables)
        for name, tables in module.TABLES.items()
        if name in NAMES
        for part, rows in tables.items()
    },
}
"""What can stand in a marked place."""


def markdown(rows: Rows) -> str:
    """Return rows of equal keys as a table; the first column is text."""
    names = list(rows[0])
    rule = ["---", *["--:"] * (len(names) - 1)]
    lines = [names, rule, *(list(row.values()) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(page: str) -> str:
    """Return the text of a page with all marked places filled."""
    return PLACE.sub(lambda found: f"{found['mark']}{TEXTS[found['name']]()}\n", page)


def pages() -> list[Path]:
    """Return the pages with marked places."""
    return [path for path in sorted(DOCS.rglob("*.md")) if PLACE.search(path.read_text("utf-8"))]


def main() -> None:
    """Fill the places of all pages."""
    for path in pages():
        text = path.read_text("utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, "utf-8")
            print(f"new figures: {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
