import numpy as np
import pytest

from tacit.cli._demo_picture import terminal_picture
from tacit.cli._demo_race import CHOICES, QUESTIONS, TIMES, Curves, advantage, hold_sessions, race
from tacit.cli._render import console
from tacit.errors import MissingExtra

SMALL = ["--people", 12, "--seconds", 15]


@pytest.fixture
def sessions(rng):
    return hold_sessions(QUESTIONS["which of two"], 20, 30.0, rng)


def test_ends_with_a_sentence_for_each_kind_of_question_and_a_picture(tacit, folder):
    lines = tacit("demo", *SMALL).stdout.splitlines()
    sentences = [line for line in lines if "choices alone find" in line]
    assert [sentence.split("?")[0] for sentence in sentences] == [
        "Would you like this snack",
        "Which of these two would you like",
    ]
    assert lines[-1] == "picture: out/tacit-demo.png"
    assert (folder / "out" / "tacit-demo.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_gives_the_same_race(tacit):
    one, again, other = (tacit("demo", *SMALL, "--seed", seed).stdout for seed in (1, 1, 2))
    assert one == again != other


def test_without_matplotlib_everything_but_the_picture_is_shown(tacit, folder, monkeypatch):
    def require(module, *, extra):
        raise MissingExtra(f"this needs {module} from {extra}")

    monkeypatch.setattr("tacit.cli._demo_picture.require", require)
    result = tacit("demo", *SMALL)
    assert result.stderr == "no picture was saved: this needs matplotlib.figure from plot\n"
    assert "choices alone find" in result.stdout
    assert not list(folder.glob("out/*"))


def test_everybody_answers_for_long_enough(sessions):
    assert min(session.elapsed[-1] for session in sessions) > 30


def test_everybody_is_asked_everything_once_before_anything_twice(sessions):
    for session in sessions:
        assert sorted(session.query[:45]) == list(range(45))


def test_both_learners_see_the_same_answers_in_time(sessions):
    *_, curves = race(sessions, 30.0)
    for column, seconds in enumerate(curves.seconds):
        n = [session.n_answered(seconds) for session in sessions]
        assert curves.questions[column] == np.mean(n)
        for person, session in enumerate(sessions):
            for learner in (CHOICES, TIMES):
                wrong = session.guess(learner, n[person]) != session.favourite
                assert curves.wrong[learner][person, column] == wrong


def test_before_the_first_answer_a_guess_is_as_good_as_any(sessions):
    assert sessions[0].guess(CHOICES, 0) == sessions[0].guess(TIMES, 0)


def curves(choices, times):
    """Make curves of 100 people of whom this many per cent are wrong at 10, 20 and 30 s."""
    people = np.arange(100)[:, None]
    return Curves(
        np.array([10.0, 20.0, 30.0]),
        np.array([9.0, 18.0, 27.0]),
        {CHOICES: people < np.array(choices), TIMES: people < np.array(times)},
    )


def test_the_advantage_is_the_ratio_of_seconds_to_the_same_error(rng):
    gain = advantage(curves([80, 60, 40], [60, 20, 20]), rng)
    # 40% lies half-way between 60% at 10 s and 20% at 20 s.
    assert (gain.right, gain.seconds, gain.questions) == pytest.approx((0.6, 15, 13.5))
    assert gain.ratio == pytest.approx(2)
    assert gain.low < 2 < gain.high


def test_a_learner_that_never_catches_up_has_no_advantage(rng):
    gain = advantage(curves([60, 40, 20], [90, 90, 90]), rng)
    assert (gain.seconds, gain.ratio, gain.high) == (np.inf, 0, 0)


def test_the_interval_covers_the_error():
    share, low, high = curves([80, 60, 40], [60, 20, 20]).error(CHOICES)
    assert (low < share).all()
    assert (share < high).all()
    # Wilson's interval of 40 in 100.
    assert (low[2], high[2]) == pytest.approx((0.3094, 0.4980), abs=1e-4)


@pytest.mark.parametrize(("width", "n_lines"), [(80, 32), (120, 16)])
def test_charts_stand_side_by_side_where_there_is_room(width, n_lines, capsys):
    found = curves([80, 60, 40], [60, 20, 20])
    console().print(terminal_picture({"yes or no": found, "which of two": found}, width))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == n_lines
    assert max(map(len, lines)) <= width
