import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import tacit as package
from tacit.cli.main import app

COMMANDS = [
    *("fit", "check", "worth", "simulate", "race", "demo"),
    *("serve", "export", "backup", "doctor", "study check", "study simulate"),
]


def in_a_process(*arguments: str, cwd=None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tacit.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def test_version():
    run = in_a_process("--version")
    assert (run.returncode, run.stdout) == (0, f"tacit {package.__version__}\n")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["fit", "--help"]])
def test_help_loads_nothing_heavy(arguments):
    code = f"""
import json, sys
from tacit.cli.main import app
try:
    app({arguments})
except SystemExit:
    pass
heavy = ["numba", "numpy", "scipy", "sklearn", "matplotlib", "pandas", "pyarrow"]
print("\\n" + json.dumps([name for name in heavy if name in sys.modules]))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout.splitlines()[-1]) == []


def test_without_arguments_the_commands_are_listed():
    result = CliRunner().invoke(app, [])
    assert all(command.split()[0] in result.output for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches(tacit, command):
    text = tacit(*command.split(), "--help").stdout
    assert f"Example: tacit {command}" in text
    assert "Exit codes: 0 if" in text


def test_a_mistyped_option_is_a_usage_error(tacit):
    assert "No such option: --robustly" in tacit("fit", "x.csv", "--robustly", code=2).stderr


def test_an_error_of_the_data_is_one_line(write, folder):
    write("tea,milk,0,0.9", "milk,tea,1,1.1")
    run = in_a_process("fit", "trials.csv", cwd=folder)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "error: choices must be 1 (first) or -1 (second), got 0 at line 2 of trials.csv; every "
        "choice is 1 (first) or 0 (second): use --choice-coding zero_one\n"
    )


def test_debug_shows_the_traceback_of_an_error(write, folder):
    write("tea,milk,0,0.9", "milk,tea,1,1.1")
    run = in_a_process("fit", "trials.csv", "--debug", cwd=folder)
    assert run.returncode == 1
    assert "Traceback" in run.stderr
    assert "DataError" in run.stderr


def test_a_bug_keeps_its_traceback(write, folder):
    write("tea,milk,1,0.9")
    code = """
import tacit.cli._reading
from tacit.cli.main import app
def broken(*arguments, **options):
    raise ZeroDivisionError("a bug")
tacit.cli._reading.read_people = broken
app(["fit", "trials.csv"])
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder
    )
    assert run.returncode == 1
    assert run.stderr.startswith("Traceback")
    assert run.stderr.rstrip().endswith("ZeroDivisionError: a bug")


def test_a_reader_that_leaves_is_no_error(write, folder):
    write(*["tea,milk,1,0.9", "milk,tea,-1,1.1", "tea,milk,1,1.3"] * 20)
    command = f"{sys.executable} -m tacit.cli fit trials.csv --json | true"
    run = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True, cwd=folder
    )
    assert "Traceback" not in run.stderr


def test_an_interruption_says_so(tacit, write, monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    write("tea,milk,1,0.9")
    monkeypatch.setattr("tacit.cli._reading.read_people", interrupted)
    result = tacit("fit", "trials.csv", code=130)
    assert result.stdout == ""
    assert result.stderr == "interrupted; nothing was written that is not complete\n"
