"""A learner as a subprocess for any language: JSON lines in, JSON lines out."""

import json
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from tacit import Items, Problem, QuerySpace
from tacit.cli.main import app
from tacit.learners import TopTwo

SNACKS = ["nuts", "cake", "figs"]
SETUP = {"items": SNACKS, "seed": 5}


@pytest.fixture
def talk():
    """Say lines (objects, or raw text) to a new process; returns the replies."""

    def talk(*said, code=0):
        lines = [line if isinstance(line, str | bytes) else json.dumps(line) for line in said]
        text = b"".join(
            (line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines
        )
        result = CliRunner().invoke(app, ["ask"], input=text)
        assert result.exit_code == code, (result.output, result.exception)
        return [json.loads(line, parse_constant=pytest.fail) for line in result.stdout.splitlines()]

    return talk


def answer(choice="first", response_time=0.9, **more):
    return {"choice": choice, "response_time": response_time} | more


def test_it_asks_and_recommends_as_the_learner_does(talk) -> None:
    items = Items.one_hot(SNACKS)
    problem = Problem(items, QuerySpace.all_pairs(items))
    learner = TopTwo()
    state = learner.start(problem, np.random.default_rng(5))
    told = [(1, 0.8), (-1, 1.4), (-1, None), (1, 0.5)]
    replies = talk(SETUP, *(answer(*one) for one in told))
    assert list(replies[0]) == ["query", "first", "second"]
    for reply, one in zip(replies, [*told, None], strict=True):
        first, second = problem.queries.pairs(state.query[0])
        assert reply["query"] == state.query[0]
        assert (reply["first"], reply["second"]) == (SNACKS[first], SNACKS[second])
        if state.n_told:
            item, probability = learner.recommend(state)
            assert reply["best"] == SNACKS[item[0]]
            assert reply["probability"] == probability[0]
            assert reply["n_answers"] == state.n_told
        if one is not None:
            seconds = np.nan if one[1] is None else one[1]
            state = learner.tell(state, state.query, [one[0]], [seconds])


def test_an_answer_may_name_the_query_and_the_choice_in_words(talk) -> None:
    start, plain = talk(SETUP, answer(-1))
    _, named = talk(SETUP, answer("second", query=start["query"]))
    assert named == plain
    _, wrong = talk(SETUP, answer(query=(start["query"] + 1) % 3))
    assert "expected the answer to query" in wrong["error"]


def test_questions_about_single_items_have_no_second(talk) -> None:
    first, then = talk(SETUP | {"queries": "against reference"}, answer())
    assert first["second"] is None
    assert then["second"] is None
    (listed,) = talk(SETUP | {"queries": [["cake", None]]})
    assert listed == {"query": 0, "first": "cake", "second": None}
    (pair,) = talk(SETUP | {"queries": [["figs", "nuts"]]})
    assert (pair["first"], pair["second"]) == ("figs", "nuts")


def test_items_may_have_features_and_learners_options(talk) -> None:
    items = {"features": [[0, 1], [1, 0], [1, 1]], "names": SNACKS, "feature_names": ["a", "b"]}
    learner = {"learner": "GSE", "options": {"time_budget": 30.0, "phase_buffer": 5.0, "eta": 3}}
    said = [answer(response_time=2.0)] * 30
    replies = talk({"items": items, "seed": 2} | learner, *said)
    over = next(number for number, reply in enumerate(replies) if reply["query"] is None)
    assert replies[over]["probability"] is None
    assert replies[over]["best"] in SNACKS
    assert "every run is done" in replies[over + 1]["error"]
    assert over == np.ceil((30.0 - 5.0) / 2.0)


def test_it_stops_when_sure(talk) -> None:
    options = {"max_queries": 2, "max_time": None, "learner": {"n_rivals": 3}}
    setup = SETUP | {"learner": "StopWhenSure", "options": options}
    replies = talk(setup, answer(), answer(response_time=2.0))
    assert replies[-1]["query"] is None
    assert replies[-1]["n_answers"] == 2


def test_a_state_opens_the_session_where_it_was(talk) -> None:
    said = [answer(choice, time) for choice, time in [(1, 0.7), (-1, 1.1), (1, 0.6), (1, 2.0)]]
    whole = talk(SETUP, *said)
    *_, stored = talk(SETUP, *said[:2], {"command": "state"})
    resumed = talk(stored, *said[2:])
    assert resumed == whole[2:]


@pytest.mark.parametrize("learner", ["TopTwo", "StopWhenSure", "GSE", "SequentialHalving"])
def test_every_kind_of_state_can_be_stored(talk, learner) -> None:
    setup = SETUP | {"learner": learner}
    *_, stored = talk(setup, answer(), {"command": "state"})
    again, _ = talk(stored, {"command": "recommend"})
    assert again == talk(setup, answer())[-1]


def test_the_last_reply_can_be_had_again(talk) -> None:
    *_, reply, again = talk(SETUP, answer(), {"command": "recommend"})
    assert again == reply


BAD_ANSWERS = {
    "third": (answer("third"), "`choice` must be 1"),
    "true": (answer(choice=True), "`choice` must be 1"),
    "zero": (answer(0), "`choice` must be 1"),
    "list": (answer([1]), "`choice` must be 1"),
    "negative": (answer(1, -0.5), "positive number of seconds"),
    "text": (answer(1, "0.9"), "positive number of seconds, or null"),
    "no time": ({"choice": 1}, "`response_time` is missing"),
    "another key": (answer(rt=1), 'unknown key "rt"'),
    "half a query": (answer(query=0.5), "`query` must be the number"),
    "command": ({"command": "stop"}, "`command` must be 'state' or 'recommend', got \"stop\""),
    "not an object": ([1, 0.9], "a JSON object in curly braces"),
    "not JSON": ("choice=1", "expected a line of JSON"),
    "NaN": ('{"choice": 1, "response_time": NaN}', "null stands for a void time"),
    "twice": ('{"choice": 1, "choice": -1, "response_time": 1}', "a key is given twice"),
    "not UTF-8": (b'{"choice": "\xff"}', "in UTF-8"),
    "endless": ("[" * 100_000, "expected a line of JSON"),
    "no person": (answer(1, 1e300), "are they in the right unit?"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_a_line_that_cannot_be_used_changes_nothing(talk, name) -> None:
    line, message = BAD_ANSWERS[name]
    _, first, wrong, then = talk(SETUP, answer(), line, answer(-1, 1.5))
    assert list(wrong) == ["error", "line"]
    assert message in wrong["error"]
    assert wrong["line"] == 3
    assert then == talk(SETUP, answer(), answer(-1, 1.5))[-1]
    assert first["n_answers"] == 1


BAD_SETUPS = {
    "nothing": ({}, "`items` is missing"),
    "no items": ({"items": []}, "at least one name"),
    "one item": ({"items": ["tea"]}, "pairs need at least two items"),
    "twins": ({"items": ["tea", "tea"]}, "item names must differ"),
    "text": ({"items": "tea"}, "`items` must be a list of names"),
    "ragged": ({"items": {"features": [[1, 2], [3]]}}, "rows of numbers, all of a length"),
    "texts": ({"items": {"features": [["a"], ["b"]]}}, "`features` of items must hold numbers"),
    "huge": ({"items": {"features": [[1e300], [0]]}}, "use a larger unit"),
    "queries": (SETUP | {"queries": "some"}, "`queries` must be 'all pairs' or"),
    "stranger": (SETUP | {"queries": [["nuts", "tea"]]}, "unknown item 'tea'"),
    "itself": (SETUP | {"queries": [["nuts", "nuts"]]}, "must differ"),
    "three": (SETUP | {"queries": [SNACKS]}, "pairs of names, [first, second]"),
    "none": (SETUP | {"queries": []}, "at least one pair"),
    "learner": (SETUP | {"learner": "Oracle"}, "unknown learner 'Oracle'; there are TopTwo"),
    "option": (SETUP | {"options": {"eta": 2}}, "TopTwo has no option 'eta'"),
    "kind": (SETUP | {"options": {"n_rivals": "many"}}, "must be a number, got 'many'"),
    "group": (SETUP | {"options": {"prior": 3}}, "must be options themselves"),
    "value": (SETUP | {"options": {"prior": {"barrier": 0}}}, "`barrier` must be a positive"),
    "large": (SETUP | {"options": {"prior": {"drift_sd": 10**400}}}, "at most 1e308"),
    "overflow": (SETUP | {"options": {"prior": {"drift_sd": 1e300}}}, "right unit"),
    "seed": ({"items": SNACKS, "seed": -1}, "`seed` must be a whole number"),
    "state": ({"state": "abc"}, "was it cut?"),
    "no state": ({"state": 3}, "was it cut?"),
}


@pytest.mark.parametrize("name", BAD_SETUPS)
def test_a_setup_that_cannot_be_used_ends_it(talk, name) -> None:
    line, message = BAD_SETUPS[name]
    (reply,) = talk(line, answer(), code=2)
    assert message in reply["error"]
    assert reply["line"] == 1


def test_a_state_that_was_changed_is_refused(talk) -> None:
    *_, stored = talk(SETUP, answer(), {"command": "state"})
    for text in (stored["state"][:-1], stored["state"].replace("cake", "cook")):
        (reply,) = talk({"state": text}, code=2)
        assert "unchanged" in reply["error"]


def test_empty_lines_and_an_empty_input_are_no_errors(talk) -> None:
    assert talk() == []
    assert len(talk("", SETUP, " ", answer(), "")) == 2


def test_without_a_seed_every_session_is_another_one(talk) -> None:
    items = {"items": [str(number) for number in range(40)]}
    assert len({talk(items)[0]["query"] for _ in range(8)}) > 1


def process():
    return subprocess.Popen(
        [sys.executable, "-m", "tacit.cli", "ask"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_each_reply_comes_at_once() -> None:
    with process() as asking:
        for line in (SETUP, answer(), answer(-1)):
            asking.stdin.write(json.dumps(line) + "\n")
            asking.stdin.flush()
            assert "query" in json.loads(asking.stdout.readline())
        asking.stdin.close()
        assert asking.wait() == 0
        assert asking.stderr.read() == ""


def test_it_ends_quietly_when_nobody_listens() -> None:
    with process() as asking:
        asking.stdin.write(json.dumps(SETUP) + "\n")
        asking.stdin.flush()
        asking.stdout.readline()
        asking.stdout.close()
        _, said = asking.communicate("\n".join([json.dumps(answer())] * 3))
        assert said == ""
        assert asking.returncode in (0, 1)
