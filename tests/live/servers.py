"""Real server processes, started and killed by tests."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import httpx

ROOT = Path(__file__).parents[2]
PASSWORD_SET = {"TACIT_PASSWORD": "correct horse"}
_PATIENCE_SECONDS = 60.0


class ServerProcess:
    """``tacit serve`` in a process of its own.

    Parameters
    ----------
    study : Path
        What it serves.
    store : str
        Where it keeps answers.
    options : str
        More options of the command.
    port : int
        Where it listens.
    environment : mapping
        More variables.
    """

    def __init__(
        self,
        study: Path,
        store: str,
        *options: str,
        port: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = study.parent / f"server-{self.port}.log"
        arguments = ["--store", store, "--port", str(self.port), *options]
        self._command = [sys.executable, "-m", "tacit.cli", "serve", str(study), *arguments]
        self._environment = os.environ | PASSWORD_SET | (environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,
            )
        try:
            wait_until_it_answers(self.url)
        except TimeoutError:
            self.kill()
            raise RuntimeError(f"the server did not start:\n{self.log}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text()

    def link(self, kind: str = "reusable") -> str:
        """Return what it printed of a participant's link."""
        lines = self.log.splitlines()
        address = next(line.split()[-1] for line in lines if f"{kind} link" in line)
        return address.rpartition("/s/")[2]

    def kill(self) -> None:
        """Kill it with all its children, without a chance to finish anything."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()


class MortalServer:
    """A server that can be killed and started again a hundred times a minute.

    Parameters
    ----------
    study : Path
        What it serves.
    store : str
        Where it keeps answers.
    """

    def __init__(self, study: Path, store: str) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._child = 0
        self._nursery = subprocess.Popen(
            [sys.executable, "-m", "tests.live.nursery", str(port), store, str(study)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._nursery.communicate()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._nursery.stdin.write("\n")
        self._nursery.stdin.flush()
        self._child = int(self._nursery.stdout.readline())
        wait_until_it_answers(self.url)

    def kill(self) -> None:
        """Kill it without a chance to finish anything."""
        os.kill(self._child, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.kill(self._child, 0)
                time.sleep(0.002)


def wait_until_it_answers(url: str) -> None:
    """Wait until a server is well."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            if httpx.get(f"{url}/api/v1/health", timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.02)
    raise TimeoutError(url)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
