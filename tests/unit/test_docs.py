"""Every command and every Python block of the README and the pages is run.

What a `text` block shows after a `python` block, and what a `console` block shows after a command,
is compared with what is printed, as a doctest would. A comment `<!-- not run: reason -->` on the
line before a block exempts it. Measured figures are those of the stored runs.
"""

import contextlib
import doctest
import io
import re
import runpy
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from benchmarks import paper, report
from tacit.cli.main import app

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^(?P<exempt><!-- not run: .+ -->\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    source = page.read_text("utf-8")
    return [
        Block(found["language"], found["text"], source.count("\n", 0, found.start("text")))
        for found in FENCE.finditer(source)
        if not found["exempt"]
    ]


def pages() -> list[Path]:
    written = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    runnable = {"python", "console"}
    return [page for page in written if runnable & {block.language for block in blocks(page)}]


def compare(shown: str, printed: str, where: str) -> None:
    if not doctest.OutputChecker().check_output(shown, printed, OPTIONS):
        pytest.fail(f"{where} shows\n{shown}\nbut prints\n{printed}", pytrace=False)


def run_script(block: Block, names: dict[str, object]) -> str:
    script = Path("block.py")
    script.write_text("\n" * block.line + block.text, "utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names.update(runpy.run_path(str(script), init_globals=names))
    return printed.getvalue()


def run_commands(block: Block, where: str) -> None:
    for found in COMMAND.finditer(block.text):
        program, *arguments = shlex.split(found["command"].replace("\\\n", " "))
        assert program == "tacit", f"{where}: {found['command']}"
        result = CliRunner().invoke(app, arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, f"{where}: {found['command']}\n{result.output}"
        if found["shown"]:
            compare(found["shown"], result.output, f"{where}: {found['command']}")


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if block.language == "python":
            printed = run_script(block, names)
        elif block.language == "text":
            compare(block.text, printed, where)
        elif block.language == "console":
            run_commands(block, where)


@pytest.mark.parametrize("page", report.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_figures_are_those_of_the_latest_runs(page):
    shown = page.read_text("utf-8")
    assert report.filled(shown) == shown, "run `python -m benchmarks.report`"


def test_the_page_of_the_paper_tells_the_verdicts():
    assert paper.PAGE.read_text("utf-8") == paper.page(), "run `python -m benchmarks.paper`"


def test_every_result_is_shown():
    shown = "".join(page.read_text("utf-8") for page in report.pages())
    assert {found["name"] for found in report.PLACE.finditer(shown)} == report.TEXTS.keys()
