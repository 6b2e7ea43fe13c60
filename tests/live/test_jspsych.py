"""The jsPsych plugin in the jsPsych of npm, against a server of a few lines and a real one."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tacit.study.store import open_store
from tests.live.servers import ROOT, ServerProcess
from tests.unit.study._people import study

PLUGIN = ROOT / "clients" / "jspsych"


@pytest.fixture(scope="module")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Run npm in a copy of the plugin with the packages of its lock; returns what it prints."""
    program = shutil.which("npm")
    if program is None:
        pytest.skip("needs Node.js and npm; on Debian: apt install nodejs npm")
    folder = tmp_path_factory.mktemp("npm") / "plugin"
    shutil.copytree(PLUGIN, folder, ignore=shutil.ignore_patterns("node_modules"))

    def run(*arguments: str, **environment: str) -> str:
        command = [program, *arguments]
        ran = subprocess.run(
            command,
            cwd=folder,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    run("ci", "--ignore-scripts", "--no-audit", "--no-fund")
    return run


def test_the_lock_names_packages_by_content_alone():
    packages = json.loads((PLUGIN / "package-lock.json").read_text("utf-8"))["packages"]
    installed = {name: one for name, one in packages.items() if name}
    assert installed
    for name, package in installed.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_the_plugin_asks_until_nothing_is_left(npm):
    npm("test")


def test_the_plugin_takes_part_in_a_real_study(npm, tmp_path: Path):
    path = tmp_path / "study.toml"
    # The keys are pressed by a machine.
    path.write_text(study("[timing]\nfastest = 0.001").source)
    with ServerProcess(path, str(tmp_path / "study.db")) as server:
        npm("run", "test:server", TACIT_LINK=f"{server.url}/s/{server.link()}")
    store = open_store(str(tmp_path / "study.db"))
    (session,) = store.sessions("tea")
    answers = [line.entry.body for line in store.log(session.session_id)]
    choices = [body["choice"] for body in answers if "choice" in body]
    assert choices == ["left"] * 12
    assert session.summary["completed"]
    # On a busy machine a frame may take long; nothing else may make a time doubtful.
    assert {reason for body in answers for reason in body.get("reasons", [])} <= {"long_frame"}
    store.close()
