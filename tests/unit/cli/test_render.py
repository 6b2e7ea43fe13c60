import io
import json
import sys

import numpy as np
import pytest

from tacit.cli._render import describe, json_line, plus_minus, progress_bar


def test_json_has_no_numbers_that_are_not_finite():
    record = {
        "a": np.nan,
        "b": [np.float64(1.5), np.inf],
        "c": {"d": np.int64(3)},
        "e": (True, None),
    }
    line = json_line(record)
    assert json.loads(line) == {"a": None, "b": [1.5, None], "c": {"d": 3}, "e": [True, None]}
    assert line.endswith("}\n")
    assert line.count("\n") == 1


def test_json_keeps_names_as_they_are_written():
    assert json_line({"item": "café"}) == '{"item": "café"}\n'


@pytest.mark.parametrize(
    ("message", "described"),
    [
        ('pass on_invalid="exclude" to leave out', "pass --on-invalid exclude to leave out"),
        ("use choice_coding='one_two' or choice_from_one_two", "use --choice-coding one_two"),
        ('(time_unit="ms" or seconds_from_milliseconds)', "(--time-unit ms)"),
        ("pass allow_identical=True", "pass --allow-identical"),
        ("pass delimiter=';'?", "pass --delimiter ';'?"),
        ("use GaussianPrior, or fewer features", "use --prior-sd, or fewer features"),
        ("person None: too slow", "too slow"),
        ("`choice` must be 1", "`choice` must be 1"),
    ],
)
def test_keywords_in_messages_become_options(message, described):
    assert describe(message) == described


def test_a_file_that_cannot_be_opened_is_named_first():
    assert describe(PermissionError(13, "Permission denied", "a.csv")) == "a.csv: permission denied"


def test_a_value_without_uncertainty_stands_alone():
    assert plus_minus(1.234, 0.056) == "1.23 ± 0.06"
    assert plus_minus(1.234, np.nan) == "1.23"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "shown"), [(Terminal, True), (io.StringIO, False)])
def test_progress_is_shown_on_terminals_only(monkeypatch, stream, shown):
    stderr = stream()
    monkeypatch.setattr(sys, "stderr", stderr)
    with progress_bar("fitting people", 3) as progress:
        progress(2)
    assert ("fitting people" in stderr.getvalue()) == shown
