import pytest

from tacit.errors import DataError
from tacit.learners import GSE, StopWhenSure, TopTwo
from tacit.study import parse_study, read_study
from tests.unit.study._people import HEAD, ITEMS, study

BUDGET = "[budget]\nqueries = 12\n"


def test_the_smallest_study_has_sensible_defaults():
    tea = study()
    assert tea.stages == ("main", "result")
    assert tea.problem.items.names[:2] == ("green", "black")
    assert tea.learner == TopTwo()
    assert [item.text for item in tea.items[:2]] == ["green", "black"]
    assert (tea.language, tea.direction) == ("en", "ltr")


def test_confidence_stops_and_options_reach_the_learner():
    tea = study("[learner]\nconfidence = 0.9\noptions = { n_rivals = 16, prior = { barrier = 1 } }")
    assert isinstance(tea.learner, StopWhenSure)
    assert tea.learner.confidence == 0.9
    assert tea.learner.learner.n_rivals == 16
    assert tea.learner.learner.prior.barrier == 1.0


def test_a_learner_that_must_know_the_seconds_is_told():
    tea = study('[learner]\nname = "GSE"', budget="[budget]\nseconds = 90\n")
    assert isinstance(tea.learner, GSE)
    assert tea.learner.time_budget == 90


def test_a_right_to_left_language_sets_the_direction():
    head = HEAD.replace('title = "Tea"', 'title = "Tea"\nlanguage = "ar-EG"')
    assert parse_study(head + BUDGET + ITEMS).direction == "rtl"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[study", "study.toml is not TOML: "),
        (
            HEAD + BUDGET + ITEMS + "[consnet]\n",
            r"unknown key `consnet`; did you mean 'consent'\?",
        ),
        (
            HEAD + "[budget]\nqueries = 0\n" + ITEMS,
            "`budget.queries` must be a whole number from 1 to 10000, got 0",
        ),
        (HEAD + "[budget]\nseconds = inf\n" + ITEMS, "`budget.seconds` must be a number above 0"),
        (HEAD + ITEMS, "`budget` must say when to stop"),
        (HEAD + BUDGET, "`items` must hold at least two items, got 0"),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "mint"\n',
            r"`items\[7\].id` must be different from the others, got 'mint'",
        ),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "two words"\n',
            r"`items\[7\].id` must be letters, digits, - and _, at most 64 of them, got 'two",
        ),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "x"\nfeatures = [1.0]\n',
            r"`items\[7\].features` must be 0 numbers, as for the first item, got \[1.0\]",
        ),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "x"\nkind = "image"\n',
            r"`items\[7\].src` is missing; it must be there for an item of kind image",
        ),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "x"\nkind = "image"\nsrc = "../x.png"\n',
            "`items\\[7\\].src` must be the name of a file in the folder of the study",
        ),
        (
            HEAD + BUDGET + ITEMS + '[[items]]\nid = "x"\nkind = "colours"\ncolours = ["red"]\n',
            "`items\\[7\\].colours` must be colours such as #3366cc, got 'red'",
        ),
        (
            HEAD + '[learner]\nname = "TopTree"\n' + BUDGET + ITEMS,
            "`learner.name` must be one of TopTwo, .* got 'TopTree'",
        ),
        (
            HEAD + "[learner]\noptions = { n_rivlas = 3 }\n" + BUDGET + ITEMS,
            "TopTwo has no option 'n_rivlas'",
        ),
        (
            HEAD + '[learner]\nname = "GSE"\nconfidence = 0.9\n' + BUDGET + ITEMS,
            "`learner.confidence` needs a learner that holds a belief, such as TopTwo, got GSE",
        ),
        (
            HEAD + '[queries]\npairs = [["green", "balck"]]\n' + BUDGET + ITEMS,
            r"unknown item 'balck'; did you mean 'black'\?",
        ),
        (
            HEAD + '[practice]\nquestion = "Larger?"\n' + BUDGET + ITEMS,
            "`items` must hold at least two items, got 0",
        ),
        (
            HEAD + "[timing]\nfastest = 2\nslowest = 1\n" + BUDGET + ITEMS,
            r"`timing.fastest` must be below `slowest` \(1\), got 2",
        ),
        (
            HEAD + '[completion]\nurl = "javascript:alert(1)"\n' + BUDGET + ITEMS,
            "`completion.url` must be an http address",
        ),
        (
            HEAD.replace('"Tea"', r'"T\u0000a"') + BUDGET + ITEMS,
            "`study.title` must be text without control characters",
        ),
    ],
)
def test_a_problem_is_named_with_key_value_and_cause(text, message):
    with pytest.raises(DataError, match=message):
        parse_study(text)


def test_all_problems_are_named_at_once():
    text = '[study]\nid = 7\n[budget]\nqueries = "many"\n' + ITEMS
    with pytest.raises(DataError) as raised:
        parse_study(text)
    assert str(raised.value).count("\n- ") == 4


def test_media_must_be_there_and_count_in_the_fingerprint(tmp_path):
    text = HEAD + BUDGET + ITEMS + '[[items]]\nid = "x"\nkind = "image"\nsrc = "x.png"\n'
    path = tmp_path / "study.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=r"x\.png is not"):
        read_study(path)
    (tmp_path / "x.png").write_bytes(b"one")
    one = read_study(path).digest
    (tmp_path / "x.png").write_bytes(b"other")
    assert read_study(path).digest != one


def test_comments_do_not_change_the_fingerprint():
    assert study("# a word").digest == study().digest
    assert study("[timing]\nslowest = 20").digest != study().digest


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="is not UTF-8 text"):
        read_study(path)
