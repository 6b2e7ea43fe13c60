"""What tests with real servers share."""

import subprocess
import sys
from collections.abc import Callable

import pytest


@pytest.fixture
def tacit_command() -> Callable[..., str]:
    """Run a command in a process of its own; returns what it prints."""

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "tacit.cli", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run
