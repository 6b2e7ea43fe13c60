import json
from collections import Counter

import numpy as np
import pytest

from tacit.errors import Conflict, DataError, NotFound
from tacit.study import Entry, Session, estimate, recommendation
from tacit.study.asking import follow
from tacit.study.deciding import answer, complete, finish_stage, withdraw
from tacit.study.session import Answer
from tests.unit.study._people import Person, response, steps, study

PRACTICE = """
[practice]
question = "Which is larger?"
n_trials = 3
n_correct_needed = 2
max_rounds = 2
[[practice.items]]
id = "two"
value = 2
[[practice.items]]
id = "five"
value = 5
"""


def through_json(entries):
    return [Entry(entry.kind, json.loads(json.dumps(entry.body))) for entry in entries]


@pytest.mark.parametrize("learner", ["TopTwo", "ChoiceTopTwo", "GSE", "RandomPairs"])
def test_the_log_rebuilds_the_session_to_the_last_bit(learner):
    tea = study(
        f'[learner]\nname = "{learner}"\n[catch]\nrepeat_every = 4\nmirror_every = 5',
        budget="[budget]\nqueries = 20\nseconds = 60\n",
    )
    log = []
    for step in steps(tea, 11):
        log += step.entries
        rebuilt = Session.begin(tea, 11).after(through_json(log))
        assert rebuilt.learner_state.to_json() == step.session.learner_state.to_json()
        assert rebuilt.trials == step.session.trials
        assert rebuilt.stage == step.session.stage
        assert recommendation(rebuilt) == recommendation(step.session)


def test_a_time_with_a_reason_for_doubt_does_not_count_whatever_the_page_says():
    *_, last = steps(study())
    body = dict(last.session.main[0][1].body)
    assert Answer.of(body | {"reasons": []}, last.session.study).seconds is not None
    doubted = Answer.of(body | {"time_valid": True, "reasons": ["hidden"]}, last.session.study)
    assert doubted.seconds is None
    assert doubted.reasons == ("hidden",)


def test_the_learner_is_that_of_the_library():
    tea = study()
    *_, last = steps(tea, 5)
    learner, problem = tea.learner, tea.problem
    state = learner.start(problem, np.random.default_rng(5))
    for trial, given in last.session.main:
        query = learner.ask(state)
        first, second = (int(item) for item in problem.queries.pairs(int(query[0])))
        assert {trial.left, trial.right} == {
            problem.items.names[first],
            problem.items.names[second],
        }
        chosen = trial.left if given.choice == "left" else trial.right
        choice = 1 if chosen == problem.items.names[first] else -1
        body = given.body
        state = learner.tell(
            state, query, [choice], [(body["response_ms"] - body["onset_ms"]) / 1000]
        )
    assert state.to_json() == last.session.learner_state.to_json()


def test_it_ends_with_the_budget_and_with_being_sure():
    *_, last = steps(study())
    assert (last.session.stage, len(last.session.main)) == ("result", 12)
    assert last.entries[-1].body == {"stage": "main", "why": "query_budget"}
    *_, last = steps(study(budget="[budget]\nseconds = 8\n"))
    assert 8 <= last.session.seconds_used < 15
    sure = study("[learner]\nconfidence = 0.8", budget="")
    *_, last = steps(sure)
    assert last.entries[-1].body["why"] == "sure"
    assert last.session.learner_state.sure[0]


def test_sides_are_balanced_and_answers_are_read_from_the_right_side():
    *_, last = steps(study(budget="[budget]\nqueries = 40\n"))
    assert Counter(trial.swapped for trial, _ in last.session.main) == {True: 20, False: 20}
    favourite, probability = recommendation(last.session)
    assert favourite == "oolong"
    assert probability > 0.5


def test_catch_trials_show_an_earlier_one_again_and_are_not_learned_from():
    tea = study("[catch]\nrepeat_every = 5\nmirror_every = 6", budget="[budget]\nqueries = 30\n")
    *_, last = steps(tea)
    session = last.session
    by_number = {trial.sequence: trial for trial in session.trials}
    kinds = Counter(trial.kind for trial in session.trials)
    assert kinds["repeat"] >= 4
    assert kinds["mirror"] >= 4
    for trial in session.trials:
        if trial.of is not None:
            earlier = by_number[trial.of]
            sides = (earlier.left, earlier.right)
            assert (trial.left, trial.right) == (sides if trial.kind == "repeat" else sides[::-1])
    assert session.learner_state.n_told == 30


def test_void_times_are_learned_from_as_choices():
    tea = study()
    session = follow(Session.begin(tea, 1)).session
    for reasons, valid, took in [
        (["hidden"], False, 700.0),
        ([], True, 20.0),
        ([], True, -5.0),
        ([], True, 40_000.0),
        ([], False, 700.0),
    ]:
        body = response(
            session.next_sequence, took_ms=took, time_valid=valid, reasons=list(reasons)
        )
        session = answer(session, session.pending.trial_id, body).session
    assert [given.seconds for given in session.answers] == [None] * 5
    assert [given.reasons[-1] for given in session.answers] == [
        "hidden",
        "too_fast",
        "too_fast",
        "too_slow",
        "declared_void",
    ]
    assert session.learner_state.belief.time_sums[0, 0] == 0
    assert session.learner_state.n_told == 5
    assert session.seconds_used == pytest.approx(0.7 + 0.02 + 0 + 30 + 0.7)


def test_practice_goes_round_until_the_criterion_or_the_last_round():
    tea = study(PRACTICE)
    session = follow(Session.begin(tea, 2)).session
    for correct in (False, True, False, False, True, True):
        trial = session.pending
        assert trial.kind == "practice"
        wrong = {"left": "right", "right": "left"}[trial.correct]
        body = response(trial.sequence, trial.correct if correct else wrong)
        step = answer(session, trial.trial_id, body)
        session = step.session
    assert step.entries[1].body == {"stage": "practice", "passed": True, "n_rounds": 2}
    assert session.stage == "main"
    assert session.pending.sequence == 7
    assert session.learner_state.n_told == 0
    failed = follow(Session.begin(tea, 2)).session
    for _ in range(6):
        trial = failed.pending
        wrong = {"left": "right", "right": "left"}[trial.correct]
        step = answer(failed, trial.trial_id, response(trial.sequence, wrong))
        failed = step.session
    assert step.entries[1].body["passed"] is False
    assert failed.stage == "main"


def test_stages_come_in_order_and_once():
    tea = study('[consent]\nversion = "2"\ntext = "Yes?"')
    session = follow(Session.begin(tea, 1)).session
    assert session.pending is None
    with pytest.raises(Conflict, match="at stage 'consent', 'main' cannot be done now"):
        finish_stage(session, "main", {})
    with pytest.raises(NotFound, match="no stage 'practice'; it has consent, main, result"):
        finish_stage(session, "practice", {})
    with pytest.raises(NotFound, match="there is no stage 'lunch'"):
        finish_stage(session, "lunch", {})
    with pytest.raises(DataError, match="`agreed` must be true"):
        finish_stage(session, "consent", {"agreed": False, "consent_version": "2"})
    with pytest.raises(Conflict, match="`consent_version` must be '2', the text shown, got '1'"):
        finish_stage(session, "consent", {"agreed": True, "consent_version": "1"})
    step = finish_stage(session, "consent", {"agreed": True, "consent_version": "2"})
    assert step.session.pending.trial_id == "t0001"
    assert finish_stage(step.session, "consent", {}).entries == []
    with pytest.raises(Conflict, match="is done when its last trial is answered"):
        finish_stage(step.session, "main", {})


def test_an_answer_counts_once():
    session = follow(Session.begin(study(), 1)).session
    body = response(1)
    after = answer(session, "t0001", body).session
    assert answer(after, "t0001", dict(body)).entries == []
    with pytest.raises(Conflict, match="answered before, and the answer was another one"):
        answer(after, "t0001", body | {"choice": "right"})
    with pytest.raises(Conflict, match="has sequence 2, got 1"):
        answer(after, "t0002", body)
    with pytest.raises(NotFound, match="'t0003' was never asked"):
        answer(after, "t0003", response(3))


def test_completion_needs_every_answer():
    *_, last = steps(study())
    session = last.session
    with pytest.raises(Conflict) as raised:
        complete(session, 14, 14)
    assert raised.value.missing == (13, 14)
    with pytest.raises(Conflict, match="holds 12 answers, the page counts 11"):
        complete(session, 11, 12)
    step = complete(session, 12, 12)
    assert step.session.completed
    assert complete(step.session, 12, 12).entries == []
    early = follow(Session.begin(study(), 1)).session
    with pytest.raises(Conflict, match="at stage 'main'") as raised:
        complete(early, 0, 0)
    assert raised.value.missing == (1,)


def test_who_withdrew_is_asked_nothing_more():
    session = follow(Session.begin(study(), 1)).session
    after = withdraw(session, erase=False).session
    assert (after.stage, after.pending) == ("withdrawn", None)
    assert withdraw(after, erase=False).entries == []
    with pytest.raises(Conflict, match="withdrew"):
        answer(after, "t0001", response(1))
    with pytest.raises(Conflict, match="withdrew"):
        complete(after, 0, 0)


def test_the_estimate_agrees_with_itself():
    *_, last = steps(study(budget="[budget]\nqueries = 40\n"))
    told = estimate(last.session)
    favourite, probability = recommendation(last.session)
    assert (told["favourite"], told["probability"]) == (favourite, probability)
    assert told["ranking"][0]["item_id"] == favourite
    assert sum(row["probability_best"] for row in told["ranking"]) == pytest.approx(1)
    assert sum(row["utility"] for row in told["ranking"]) == pytest.approx(0, abs=1e-9)
    assert told["n_answers"] == told["n_timed"] == 40
    assert told["fastest"]["response_time"] <= told["median_response_time"]
    assert told["median_response_time"] <= told["slowest"]["response_time"]
    assert 0.2 < told["nondecision_time"] < 0.6
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_there_is_an_estimate_before_the_first_answer_and_for_other_learners():
    fresh = follow(Session.begin(study(), 1)).session
    assert estimate(fresh)["median_response_time"] is None
    *_, last = steps(study('[learner]\nname = "RandomPairs"'))
    told = estimate(last.session)
    assert told["ranking"][0]["item_id"] == told["favourite"]


def test_people_differ():
    assert Person(1).body(next(steps(study())).session.pending) != Person(2).body(
        next(steps(study())).session.pending
    )
