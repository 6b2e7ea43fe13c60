import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.errors import DataError, DataWarning, MissingExtra
from tacit.records import Items, Trials

TEAS = Items.one_hot(["green", "black", "white"])
TABLE = {
    "first": ["green", "black", "white"],
    "second": ["black", None, "green"],
    "choice": [1, -1, 1],
    "response_time": [0.8, None, 1.25],
    "person": ["eve", "bob", "eve"],
}


class ArrowStream:
    """A table known only by the Arrow PyCapsule interface."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class Interchange:
    """A table known only by the dataframe interchange protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, **options: bool) -> object:
        return self._table.__dataframe__(**options)


FRAMES = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "pandas with an index": lambda table: pd.DataFrame(table, index=[7, 7, 9]),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "pandas categories": lambda table: pd.DataFrame(table).astype({"first": "category"}),
    "polars": pl.DataFrame,
    "polars categories": lambda table: pl.DataFrame(
        table, schema_overrides={"first": pl.Categorical}
    ),
    "arrow": pa.table,
    "arrow batch": pa.RecordBatch.from_pydict,
    "arrow stream": lambda table: ArrowStream(pa.table(table)),
    "interchange": lambda table: Interchange(pa.table(table)),
}


def expected() -> Trials:
    return Trials.from_arrays(
        [0, 1, 2],
        [1, -1, 0],
        [1, -1, 1],
        [0.8, np.nan, 1.25],
        TEAS,
        person=["eve", "bob", "eve"],
        allow_void_times=True,
    )


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_any_table_gives_the_same_trials(make):
    trials = Trials.from_table(make(TABLE), TEAS, person="person", allow_void_times=True)
    assert trials == expected()


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas, polars
from tacit.errors import MissingExtra
from tacit.records import Trials
columns = {"first": ["a", "b"], "second": ["b", None], "choice": [1, -1]}
times = {"response_time": [0.8, 0.9]}
frames = dict, pandas.DataFrame, polars.DataFrame
made = [Trials.from_table(frame(columns | times)) for frame in frames]
assert made[0] == made[1] == made[2], made
class Stream:
    def __arrow_c_stream__(self, requested_schema=None): ...
try:
    Trials.from_table(Stream())
except MissingExtra as error:
    print(error)
"""


def test_frames_need_no_pyarrow_but_streams_do():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "tacit[tables]" in done.stdout


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_files_give_back_what_was_written(tmp_path, suffix):
    path = tmp_path / f"trials{suffix}"
    expected().write(path)
    assert Trials.read(path, TEAS, person="person", allow_void_times=True) == expected()


def test_parquet_names_the_missing_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"tacit\[tables\]"):
        expected().write(tmp_path / "trials.parquet")


def test_names_and_codings_are_adjustable():
    table = {"left": [3, 1], "right": [1, 2], "picked": ["left", "right"], "ms": ["800", "1250"]}
    trials = Trials.from_table(
        table,
        first="left",
        second="right",
        choice="picked",
        response_time="ms",
        choice_coding="left_right",
        time_unit="ms",
    )
    assert trials.items.names == ("1", "2", "3")
    assert trials.first.tolist() == [2, 0]
    assert trials.choice.tolist() == [1, -1]
    assert trials.response_time.tolist() == [0.8, 1.25]


def test_whole_numbers_are_the_same_names_with_and_without_a_point():
    frame = pd.DataFrame({"first": [10.0, 2.0], "second": [2.0, None]})
    frame = frame.assign(choice=[1, -1], response_time=[0.5, 0.6])
    trials = Trials.from_table(frame)
    assert trials.items.names == ("2", "10")
    assert trials.second.tolist() == [0, -1]


def test_single_items_may_have_no_second_column():
    table = {"item": ["tea"], "answer": ["yes"], "seconds": [0.7]}
    options = {"first": "item", "second": None, "choice": "answer", "response_time": "seconds"}
    trials = Trials.from_table(table, choice_coding={"yes": 1, "no": -1}, **options)
    assert (trials.second.tolist(), trials.choice.tolist()) == ([-1], [1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choice_coding": "yes_no"}, "choice_coding must be one of 'plus_minus', 'zero_one'"),
        ({"choice_coding": {"yes": 1, "no": 0}}, r"must give \+1 and -1 to values"),
        ({"time_unit": "min"}, '`time_unit` must be "s" or "ms", got \'min\''),
        ({"first": "frist"}, "no column 'frist'; did you mean 'first'"),
        ({"response_time": "rt"}, "no column 'rt'; known are 'first', 'second'"),
    ],
)
def test_unusable_options_are_named(options, message):
    with pytest.raises(DataError, match=message):
        Trials.from_table(TABLE, **options)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2], "expected a dict of columns, a pandas, polars or Arrow table, got list"),
        (TABLE | {"choice": [1, -1]}, r"'choice' must hold one value for each of 3 rows"),
        (TABLE | {"response_time": [0.8, "1,25", 1.0]}, "got '1,25' at row 1; is it a decimal com"),
        (TABLE | {"first": ["green", "blakc", "white"]}, "'blakc', at row 1; did you mean 'black'"),
        ({name: [] for name in TABLE}, "the data are empty"),
        ({}, "no column 'response_time'"),
    ],
)
def test_unusable_tables_are_named(table, message):
    with pytest.raises(DataError, match=message):
        Trials.from_table(table, TEAS, allow_void_times=True)


def test_durations_are_not_mistaken_for_numbers():
    frame = pd.DataFrame(TABLE).assign(response_time=pd.to_timedelta([800, 900, 950], unit="ms"))
    with pytest.raises(DataError, match="must hold plain numbers, got timedelta64"):
        Trials.from_table(frame, TEAS)


def write(tmp_path, text, name="trials.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


HEADER = "first,second,choice,response_time\n"


def test_text_files_survive_bom_quotes_blank_lines_and_windows_line_ends(tmp_path):
    text = (
        "first, second ,choice,response_time\r\n"
        '"green, fresh","the ""black"" one",1,0.8\r\n'
        "\r\n"
        '"two\nlines","green, fresh",-1,1e0\r\n'
        "two,,1,NA\r\n"
    )
    path = write(tmp_path, text, encoding="utf-8-sig")
    trials = Trials.read(path, allow_void_times=True)
    assert trials.items.names == ("green, fresh", 'the "black" one', "two", "two\nlines")
    assert trials.row.tolist() == [2, 4, 6]
    assert trials.second.tolist() == [1, 0, -1]
    np.testing.assert_array_equal(trials.response_time, [0.8, 1.0, np.nan])


def test_written_numbers_stay_as_they_are_written_when_they_are_names(tmp_path):
    path = write(tmp_path, HEADER + "007,1e3,1,0.8\n1e3,7,1,0.8\n")
    assert Trials.read(path).items.names == ("007", "1e3", "7")


def test_persons_in_text_files_are_numbers_only_if_all_are(tmp_path):
    header = "first,second,choice,response_time,person\n"
    numbers = write(tmp_path, header + "a,b,1,0.8,12\na,b,1,0.9,3\n")
    assert Trials.read(numbers, person="person").person.tolist() == [12, 3]
    mixed = write(tmp_path, header + "a,b,1,0.8,12\na,b,1,0.9,03\n")
    assert Trials.read(mixed, person="person").person.tolist() == ["12", "03"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "a,b,1,0.8\na,b,1\n", "4 columns, but 3 cells at line 3; was the file cut off"),
        (HEADER + "a,b,1,0.8\na,b,c,1,1\n", "5 cells at line 3; is a cell with a ',' not quoted"),
        ("# study 7\n" + HEADER, "does the first line hold the names of the columns?"),
        (HEADER + "a,b,1,0.8\na\0,b,1,0.9\n", "NUL character in line 3; is it damaged?"),
        ("a,b,1,0.8\nb,a,1,0.9\n", "is there no line with names of columns?"),
        (HEADER + "a,b,1,0.8\nb,a,1,1_0\n", "must be a number, got '1_0' at line 3"),
        (
            HEADER + "a,b,1,-inf\n",
            "^`response_time` must be finite, got -inf at line 2.*\\npass on_",
        ),
        (HEADER + 'a,b,1,"0,8"\n', "is it a decimal comma\\? write a point"),
        (HEADER + "a,b,L,0.8\na,b,R,0.9\n", "choice_coding='l/r' if 'l' means the first"),
        (HEADER + "a,b,True,0.8\na,b,False,0.9\n", "use choice_coding='zero_one'"),
        (HEADER + "a,b,a,0.8\na,b,b,0.9\n", "got 'a' at line 2 .*; every choice is the name of"),
        (HEADER + "a,b,1,0.8\n\na,b,1,fast\n", "got 'fast' at line 4 of trials.csv"),
        (HEADER + "a,b,1,0.8\na,b,1,-1\n", "got -1 s at line 3 of trials.csv"),
        (HEADER + "a,b,1,0.8\na,b,,0.9\n", "got '' at line 3 of trials.csv"),
        (HEADER + "a,b,1,0.8\na,b,0,0.9\n", "use choice_coding='zero_one'"),
        (HEADER + 'a,b,1,"0.8\n', "not readable as CSV"),
        (HEADER, "the data are empty"),
        ("", "trials.csv is empty; the first line must hold the names"),
        ("first,first,choice\n", "more than one column called 'first'"),
        (
            "first;second;choice;response_time\na;b;1;0,8\n",
            r"has one column, .*; pass delimiter=';'\?",
        ),
    ],
)
def test_unusable_files_are_named_by_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        Trials.read(write(tmp_path, text), Items.one_hot(["a", "b"]))


def test_other_encodings_endings_and_delimiters(tmp_path):
    with pytest.raises(DataError, match="is not UTF-8"):
        Trials.read(write(tmp_path, HEADER + "thé,b,1,0.8\n", encoding="latin-1"))
    with pytest.raises(DataError, match=r"expected a .csv, .tsv or .parquet file, got 'a.xlsx'"):
        Trials.read(write(tmp_path, "", name="a.xlsx"))
    with pytest.raises(DataError, match=r"expected a .csv, .tsv or .parquet file, got 'a.json'"):
        expected().write(tmp_path / "a.json")
    path = write(tmp_path, HEADER.replace(",", ";") + "a;b;1;0.8\n")
    assert Trials.read(path, delimiter=";").n_trials == 1


def test_milliseconds_are_suspected_at_the_line_that_reads_them(tmp_path):
    path = write(tmp_path, HEADER + "a,b,1,800\n")
    with pytest.warns(DataWarning, match="were milliseconds taken for seconds") as seen:
        Trials.read(path)
    assert seen[0].filename == __file__


def test_excluded_rows_are_known_by_their_lines(tmp_path):
    path = write(tmp_path, HEADER + "a,b,1,0.8\na,b,x,0.9\n\na,b,1,-3\n")
    trials = Trials.read(path, on_invalid="exclude")
    assert dict(zip(trials.exclusions.reason, trials.exclusions.row, strict=True)) == {
        "invalid choice": 3,
        "response_time not above nondecision_time": 5,
    }


def test_a_damaged_parquet_file_is_named(tmp_path):
    path = tmp_path / "trials.parquet"
    path.write_bytes(b"PAR1 but not really")
    with pytest.raises(DataError, match=r"trials\.parquet is not readable as Parquet"):
        Trials.read(path)


@pytest.mark.parametrize(
    ("name", "way_out"),
    [("a.csv.gz", "unpack it first"), ("a.txt", "rename it"), ("a.xls", "save the sheet as CSV")],
)
def test_other_kinds_of_files_come_with_a_way_out(tmp_path, name, way_out):
    with pytest.raises(DataError, match=way_out):
        Trials.read(write(tmp_path, "", name=name))


@pytest.mark.parametrize("delimiter", [";;", "tab", '"', "\n"])
def test_a_delimiter_is_one_character(tmp_path, delimiter):
    with pytest.raises(DataError, match="`delimiter` must be a single character"):
        Trials.read(write(tmp_path, HEADER + "a,b,1,0.8\n"), delimiter=delimiter)


def test_what_spreadsheets_leave_behind_is_no_data(tmp_path):
    text = "\n\nfirst,second,choice,response_time,,\na,b,1,0.8,,\n   \na,b,-1,0.9, ,\n\n"
    trials = Trials.read(write(tmp_path, text))
    assert trials.row.tolist() == [4, 6]
    items = Items.read(write(tmp_path, "item,sugar,,\nnuts,1,,\ncake,9,,\n", name="items.csv"))
    assert items.feature_names == ("sugar",)


def test_times_that_are_no_numbers_are_left_out_and_counted(tmp_path):
    path = write(tmp_path, HEADER + "a,b,1,0.8\na,b,1,timeout\na,b,1,\nb,a,1,0.7\n")
    trials = Trials.read(path, on_invalid="exclude")
    assert trials.excluded == {"unreadable response_time": 1, "missing response_time": 1}
    kept = Trials.read(path, on_invalid="exclude", allow_void_times=True)
    assert kept.row.tolist() == [2, 4, 5]


def test_decimal_commas_are_refused_whatever_is_done_with_single_rows(tmp_path):
    path = write(tmp_path, HEADER + 'a,b,1,1\na,b,1,"0,8"\n')
    with pytest.raises(DataError, match=r"got '0,8' at line 3 .* is it a decimal comma"):
        Trials.read(path, on_invalid="exclude")


@pytest.mark.parametrize(
    ("rows", "unit", "doubt"),
    [
        (["a,b,1,0.8"] * 5 + ["b,a,1,0.9"] * 4 + ["a,b,1,999"], "s", "999 s, at line 11 of"),
        (["a,b,1,0.8", "b,a,1,0.9"], "ms", "were seconds taken for milliseconds"),
        (["a,b,1,3", "b,a,1,3"] * 5, "s", "every response time is 3 s"),
        (["a,b,1,1", "A ,b,-1,1.2"], "s", "'A ' and 'a' are taken for two items"),
    ],
)
def test_times_and_names_that_are_odd_together_are_doubted(tmp_path, rows, unit, doubt):
    path = write(tmp_path, HEADER + "\n".join(rows))
    with pytest.warns(DataWarning, match=doubt) as seen:
        Trials.read(path, time_unit=unit)
    assert [warning.filename for warning in seen] == [__file__]


def test_two_values_name_their_own_coding():
    table = TABLE | {"choice": ["F", "j", "f"], "response_time": [0.8, 0.9, 1.0]}
    assert Trials.from_table(table, TEAS, choice_coding="f/j").choice.tolist() == [1, -1, 1]
    for coding in ("f/", "/j", "f/F"):
        with pytest.raises(DataError, match="must name two values such as 'yes/no'"):
            Trials.from_table(table, TEAS, choice_coding=coding)


def test_features_too_large_to_multiply_are_refused():
    with pytest.raises(DataError, match=r"at most 1e\+100 in size, got 1e\+200 for item 1"):
        Items([[1.0], [1e200]])


def test_arrow_columns_of_one_name_are_refused():
    column = pa.array(["green"])
    twice = pa.Table.from_arrays([column, column], names=["first", "first"])
    with pytest.raises(DataError, match="more than one column called 'first'"):
        Trials.from_table(twice, TEAS)
