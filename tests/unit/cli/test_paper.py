import csv
import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib")


def test_a_figure_is_drawn_judged_and_listed(tacit):
    said = tacit("paper", "run", "2", "--out", "results").stderr
    assert said.startswith("figure-2: holds (")
    folder = Path("results/smoke")
    assert (folder / "figure-2.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "figure-2.png").read_bytes().startswith(b"\x89PNG")
    with (folder / "figure-2.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 26
    record = json.loads((folder / "figure-2.json").read_text())
    assert record["verdict"] == "holds"
    assert record["command"] == "tacit paper run figure-2 --scale smoke --out results"
    listed = tacit("paper", "list", "--out", "results").stdout.splitlines()
    verdicts = {line.split()[0]: line for line in listed}
    assert "holds" in verdicts["figure-2"]
    assert "not drawn" in verdicts["figure-1"]


def test_the_same_numbers_give_the_same_files(tacit):
    for folder in ("one", "other"):
        tacit("paper", "run", "figure-1", "--out", folder)
    for suffix in (".pdf", ".png", ".csv"):
        one, other = (Path(f"{folder}/smoke/figure-1{suffix}") for folder in ("one", "other"))
        assert one.read_bytes() == other.read_bytes()


def test_the_report_has_what_was_drawn(tacit):
    assert "nothing was drawn" in tacit("paper", "report", code=2).stderr
    tacit("paper", "run", "figure-1", "2")
    assert tacit("paper", "report").stdout == "report: paper/smoke/report.html\n"
    page = Path("paper/smoke/report.html").read_text("utf-8")
    assert page.count("data:image/png;base64,") == 2
    assert "tacit paper run figure-2 --scale smoke --out paper" in page
    assert "Not drawn at this scale: figure-3" in page


def test_mistakes_are_named(tacit):
    assert "no figure 'figure-12'" in tacit("paper", "run", "12", code=2).stderr
    said = tacit("paper", "run", "1", "--scheduler", "tcp://nowhere:1", code=2).stderr
    assert "--scheduler is for clusters" in said
    said = tacit("paper", "run", "1", "held-out", "--data", ".", code=2).stderr
    assert "no ClitheroDataset.csv in ." in said
    assert not Path("paper/smoke/figure-1.pdf").exists()
    Path("paper/smoke").mkdir(parents=True)
    Path("paper/smoke/figure-1.json").write_text("{")
    assert "is not JSON" in tacit("paper", "list", code=2).stderr
