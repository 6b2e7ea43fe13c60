import hashlib
import logging
import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pooch
import pytest

from tacit.datasets import load, sources
from tacit.datasets.sources import BASE_URL, SOURCES, File, locate
from tacit.errors import DataError, MissingExtra

CONTENT = b"a,b\n1,2\n"
FILE = File("small.csv", hashlib.sha256(CONTENT).hexdigest())


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Keep the server's log out of the test's output."""


@pytest.fixture
def user(tmp_path, monkeypatch):
    """A user's machine without a data folder, whose downloads are kept in a folder of the test."""
    monkeypatch.delenv("TACIT_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(pooch, "os_cache", lambda project: tmp_path / "kept" / project)
    return tmp_path / "kept" / "tacit"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A local server in place of the public repository."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = partial(Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        monkeypatch.setattr(sources, "BASE_URL", f"http://127.0.0.1:{server.server_port}/")
        yield folder
        server.shutdown()


def test_registry_pins_commit_and_content():
    assert "/34fe37584d492277da6915fc225570555567fe9e/data/" in BASE_URL
    files = [file for source in SOURCES.values() for file in (source.trials, source.fits)]
    assert len({file.name for file in files}) == len({file.sha256 for file in files}) == 6
    assert all(len(file.sha256) == 64 for file in files)
    assert all("arXiv:2409.05798" in source.citation for source in SOURCES.values())


@pytest.mark.parametrize("name", SOURCES)
def test_registry_has_the_published_content(data_dir, name):
    for file in (SOURCES[name].trials, SOURCES[name].fits):
        assert hashlib.sha256((data_dir / file.name).read_bytes()).hexdigest() == file.sha256


def test_a_download_is_kept_and_tells_what_to_cite(user, repository, caplog):
    (repository / FILE.name).write_bytes(CONTENT)
    with caplog.at_level(logging.INFO, logger="tacit"):
        path = locate(FILE, "A. Author (2024)", None)
    assert path == user / FILE.name
    assert path.read_bytes() == CONTENT
    assert "please cite: A. Author (2024)" in caplog.text
    (repository / FILE.name).unlink()
    assert locate(FILE, "A. Author (2024)", None) == path


def test_a_download_of_something_else_is_refused(user, repository):
    (repository / FILE.name).write_bytes(b"<html>moved</html>")
    with pytest.raises(DataError, match=r"download small.csv: what comes is not the published"):
        locate(FILE, "", None)
    assert not (user / FILE.name).exists()


@pytest.mark.usefixtures("user", "repository")
def test_a_file_that_is_gone_is_reported_with_the_servers_answer():
    with pytest.raises(DataError, match=r"download small.csv: the server answers 404; fetch it"):
        locate(FILE, "", None)


@pytest.mark.usefixtures("repository")
def test_a_place_where_nothing_can_be_kept_is_named(user):
    user.parent.mkdir()
    user.write_text("a file where a folder should be")
    with pytest.raises(DataError, match=r"small.csv: [A-Z].* \(.*tacit.*\); fetch it by hand"):
        locate(FILE, "", None)


@pytest.mark.usefixtures("user")
def test_without_network_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setattr(sources, "BASE_URL", "http://127.0.0.1:1/")
    told = "no connection (ConnectionError); fetch it by hand and name its folder with `data` or"
    with pytest.raises(DataError, match=re.escape(told)) as caught:
        load("clithero")
    assert len(str(caught.value)) < 250


@pytest.mark.usefixtures("user")
def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingExtra, match=r"tacit\[data\]"):
        load("clithero")
