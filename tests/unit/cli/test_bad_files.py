"""What is said about files that cannot be used: one message, exit code 2, nothing on stdout."""

import pytest

GOOD = ["tea,milk,1,0.9", "milk,tea,-1,1.2"]


@pytest.fixture
def error(tacit):
    """Run a command that cannot use its data, and return what it says."""

    def run(*arguments):
        result = tacit(*arguments, code=2)
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")
        return result.stderr.removeprefix("error: ").rstrip("\n")

    return run


@pytest.mark.parametrize("command", ["fit", "check", "worth"])
def test_no_such_file(error, command):
    assert error(command, "absent.csv") == "absent.csv: no such file or directory"


def test_a_folder(error, folder):
    (folder / "study.csv").mkdir()
    assert error("fit", "study.csv") == "study.csv: is a directory"


def test_another_kind_of_file(error, write):
    write(*GOOD, name="trials.xlsx")
    assert error("fit", "trials.xlsx") == (
        "expected a .csv, .tsv or .parquet file, got 'trials.xlsx'; save the sheet as CSV (UTF-8)"
    )


def test_an_empty_file(error, folder):
    (folder / "trials.csv").touch()
    assert error("fit", "trials.csv") == (
        "trials.csv is empty; the first line must hold the names of the columns"
    )


def test_a_file_without_rows(error, write):
    write()
    assert error("fit", "trials.csv") == "the data are empty: trials.csv holds no trial"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_binary_garbage(error, folder, rng, suffix):
    (folder / f"trials{suffix}").write_bytes(rng.bytes(2000))
    assert error("fit", f"trials{suffix}").startswith(f"trials{suffix} is not ")


def test_a_missing_column_suggests_the_nearest(error, write):
    write("tea,milk,1,0.9", header="first,second,choice,responsetime")
    assert error("fit", "trials.csv") == (
        "no column 'response_time'; did you mean 'responsetime'? (--response-time COLUMN names it)"
    )


def test_no_second_column(error, write):
    write("tea,1,0.9", header="first,choice,response_time")
    assert error("fit", "trials.csv") == (
        "no column 'second'; known are 'first', 'choice', 'response_time' (--second COLUMN names "
        "it; --second '' if every question was about one item, against the reference)"
    )


def test_another_separator_names_the_option(error, write):
    write("tea;milk;1;0.9", header="first;second;choice;response_time")
    assert error("fit", "trials.csv") == (
        "trials.csv has one column, 'first;second;choice;response_time'; pass --delimiter ';'?"
    )


def test_another_coding_names_the_option(error, write):
    write("tea,milk,1,0.9", "milk,tea,2,1.2")
    assert error("fit", "trials.csv") == (
        "choices must be 1 (first) or -1 (second), got 2 at line 3 of trials.csv; every choice is "
        "1 (first) or 2 (second): use --choice-coding one_two"
    )


def test_an_unknown_coding(error, write):
    write(*GOOD)
    assert "got 'yesno'" in error("fit", "trials.csv", "--choice-coding", "yesno")


def test_milliseconds_are_doubted(tacit, write):
    write("tea,milk,1,900", "milk,tea,-1,1200", "tea,milk,1,1100")
    assert tacit("fit", "trials.csv").stderr == (
        "warning: the median response time is 1100 s; were milliseconds taken for seconds? "
        "(--time-unit ms)\n"
    )


def test_an_unknown_item_suggests_the_nearest(error, write):
    write(*GOOD, "mlik,tea,1,1.0")
    write("tea,1", "milk,2", header="item,sugar", name="items.csv")
    assert error("fit", "trials.csv", "--items", "items.csv").startswith(
        "`first` names an unknown item, 'mlik', at line 4 of trials.csv; did you mean 'milk'?"
    )


def test_an_unknown_reference(error, write):
    write(*GOOD)
    assert error("fit", "trials.csv", "--reference", "tee") == (
        "unknown item 'tee'; did you mean 'tea'?"
    )


def test_missing_times_name_both_ways_out(error, write):
    write(*GOOD, "tea,milk,1,")
    assert error("fit", "trials.csv") == (
        "`response_time` is missing at line 4 of trials.csv; `tacit fit --robust` keeps such "
        "trials, with a choice and no time\n"
        "pass --on-invalid exclude to leave out and count such rows"
    )


def test_times_below_a_known_nondecision_time(error, write):
    write(*GOOD, "tea,milk,1,0.1")
    assert error("fit", "trials.csv", "--nondecision-time", 0.3).startswith(
        "`response_time` must exceed nondecision_time (0.30 s), got 0.1 s at line 4"
    )


@pytest.mark.parametrize("command", ["fit", "check", "worth"])
def test_whoever_is_not_named_is_a_dash_in_tables(tacit, write, command):
    write("tea,milk,1,0.9", "beer,wine,-1,1.4")
    printed = tacit(command, "trials.csv", "--table", code=2).stdout
    assert "\n-       2       not " in printed
    assert "None" not in printed
