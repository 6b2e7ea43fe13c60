"""What ``tacit demo`` shows, step by step."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tacit.cli._demo_picture import (
    COLOURS,
    TITLES,
    interval,
    legend,
    save_picture,
    terminal_picture,
)
from tacit.cli._demo_race import (
    ITEMS,
    LEARNERS,
    QUESTIONS,
    Advantage,
    Curves,
    Session,
    advantage,
    hold_sessions,
    race,
)
from tacit.cli._render import console, say
from tacit.errors import MissingExtra
from tacit.records._whole_file import whole_file

_ANSWERS_SHOWN = 10
_PAUSE = 0.2
_BAR_LENGTH = 15


@dataclass(frozen=True)
class Show:
    """The whole demonstration.

    Parameters
    ----------
    picture : Path
        File for the picture.
    n_people : int
        How many people are simulated for each kind of question.
    seconds : float
        How long each of them answers.
    seed : int
        Seed of all randomness.
    """

    picture: Path
    n_people: int
    seconds: float
    seed: int

    def run(self) -> None:
        """Introduce one person, race over all of them, draw, and sum up."""
        screen = console()
        rng = np.random.default_rng(self.seed)
        curves: dict[str, Curves] = {}
        for question, queries in QUESTIONS.items():
            sessions = hold_sessions(queries, self.n_people, self.seconds, rng)
            if not curves:
                _introduce(sessions[0], self.seconds, screen)
                screen.print(
                    f"\nNow {self.n_people} people like that. Whose favourite is found, and when?"
                )
            curves[question] = self._watch(question, sessions, screen)
        gains = {question: advantage(found, rng) for question, found in curves.items()}
        screen.print()
        screen.print(legend())
        screen.print(terminal_picture(curves, screen.width))
        for question, gain in gains.items():
            screen.print(_summary(question, gain, self.seconds), soft_wrap=not screen.is_terminal)
        screen.print(
            "[dim]These people decide exactly as the model says. Whether yours do: tacit check, "
            "tacit worth.[/dim]"
        )
        self._save(curves, gains)

    def _watch(self, question: str, sessions: list[Session], screen: Console) -> Curves:
        """Run one race, with the standings so far on the screen."""
        screen.print(f"\n[bold]{TITLES[question]}[/bold]")
        with _live(screen) as live:
            standings = race(sessions, self.seconds)
            curves = next(standings)
            for curves in standings:
                live.update(_standings(curves), refresh=screen.is_terminal)
        return curves

    def _save(self, curves: dict[str, Curves], gains: dict[str, Advantage]) -> None:
        try:
            with whole_file(self.picture, overwrite=True) as draft:
                save_picture(draft, curves, gains)
        except MissingExtra as missing:
            say(f"no picture was saved: {missing}", style="yellow")
        else:
            console().print(f"\npicture: {self.picture}", soft_wrap=True)


def _introduce(session: Session, seconds: float, screen: Console) -> None:
    """Show the first answers of one person, and what both learners make of them."""
    favourite = ITEMS.names[session.favourite]
    screen.print(
        "A simulated person, like those whom Clithero (2018) asked, likes "
        f"[bold]{favourite}[/bold] best of ten snacks.\nTwo learners see the same answers; one of "
        "them also sees how long each took.\nWhat do they take for the favourite?\n"
    )
    table = _table("would you like", "answer", "after", *(f"by {learner}" for learner in LEARNERS))
    with _live(screen) as live:
        for trial in range(_ANSWERS_SHOWN):
            table.add_row(
                f"{ITEMS.names[session.query[trial]]}?",
                "yes" if session.choice[trial] == 1 else "no",
                f"{session.response_time[trial]:.2f} s",
                *_guesses(session, trial + 1),
            )
            live.update(table, refresh=screen.is_terminal)
            if screen.is_terminal:
                time.sleep(_PAUSE)
        n_answered = session.n_answered(seconds)
        table.add_row("...", "", f"{seconds:g} s", *_guesses(session, n_answered))


def _guesses(session: Session, n_trials: int) -> list[str]:
    guesses = [session.guess(learner, n_trials) for learner in LEARNERS]
    return [
        f"[bold]{ITEMS.names[guess]} ✓[/bold]" if guess == session.favourite else ITEMS.names[guess]
        for guess in guesses
    ]


@contextmanager
def _live(screen: Console) -> Iterator[Live]:
    """Let a table grow on a terminal; elsewhere it is printed when it is complete."""
    with Live(console=screen, auto_refresh=False) as live:
        yield live
    if not screen.is_terminal:
        screen.print()


def _standings(curves: Curves) -> Table:
    table = _table("found", "questions", *(f"by {learner}" for learner in LEARNERS))
    found = {learner: 1 - curves.error(learner)[0] for learner in LEARNERS}
    for row, seconds in enumerate(curves.seconds):
        bars = [
            Text(f"{100 * found[learner][row]:3.0f}% ").append(
                "█" * round(_BAR_LENGTH * found[learner][row]), style=COLOURS[learner]
            )
            for learner in LEARNERS
        ]
        table.add_row(f"after {seconds:g} s", f"{curves.questions[row]:.0f}", *bars)
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1))
    for name in columns:
        number = name in {"after", "questions"}
        width = _BAR_LENGTH + len("100% ") if name.startswith("by ") else None
        table.add_column(name, justify="right" if number else "left", no_wrap=True, min_width=width)
    return table


def _summary(question: str, gain: Advantage, seconds: float) -> str:
    title = TITLES[question]
    right = f"choices alone find {100 * gain.right:.0f}% of favourites in {seconds:g} s"
    if np.isinf(gain.seconds):
        return f"[bold]{title}[/bold] Here {right}, and times do not help."
    return (
        f"[bold]{title}[/bold] Here {right}; choices and times find as many in "
        f"{gain.seconds:.0f} s ({gain.questions:.0f} questions), {gain.ratio:.2g} times sooner "
        f"(95% interval {interval(gain)})."
    )
