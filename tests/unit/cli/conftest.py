"""The command line as the tests use it: commands in this process, and files for them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.cli.main import app


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tacit() -> Callable[..., Any]:
    """Run a command, which must end with the exit code given; returns its result."""

    def run(*arguments: object, code: int = 0) -> Any:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == code, (result.output, result.exception)
        return result

    return run


@pytest.fixture
def records(tacit) -> Callable[..., list[dict[str, Any]]]:
    """Run a command and return its JSON objects, which must not contain NaN or Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    def run(*arguments: object, code: int = 0) -> list[dict[str, Any]]:
        lines = tacit(*arguments, "--json", code=code).stdout.splitlines()
        return [json.loads(line, parse_constant=refuse) for line in lines]

    return run


@pytest.fixture
def write(folder) -> Callable[..., Path]:
    """Write a CSV file with the usual columns, or others."""

    def write(
        *rows: str, header: str = "first,second,choice,response_time", name: str = "trials.csv"
    ) -> Path:
        path = folder / name
        path.write_text("\n".join([header, *rows, ""]))
        return path

    return write
