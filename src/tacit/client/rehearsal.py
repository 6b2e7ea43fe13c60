"""Simulated people who take part in a study through its real API."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from tacit.client.asynchronous import AsyncClient, AsyncSession
from tacit.client.calls import ServerProblem, Unreachable
from tacit.errors import DataError
from tacit.simulate import Diffusion

_CLOCK = "simulated"
_CONFLICT = 409
_FIRST_PATIENCE = 5.0


@dataclass(frozen=True)
class Rehearsal:
    """People with preferences of their own, who answer as the diffusion model says.

    Parameters
    ----------
    url : str
        Address of the server, whose demo is taken, or a participant's link.
    participants : int
        How many people, all at once.
    rate : float or None
        Answers per second of each person; as fast as the server goes if None.
    seed : int
        From which people and answers follow.
    spread : float
        Standard deviation of the items' utilities.
    barrier, nondecision_time : float
        How careful people are, and how long seeing and pressing takes them, seconds.
    patience : float
        Seconds for which they try again when the server fails.
    demo : str or None
        Identifier of the demo, where `url` is no link; the first one if None.
    """

    url: str
    participants: int
    rate: float | None = None
    seed: int = 0
    spread: float = 1.0
    barrier: float = 1.2
    nondecision_time: float = 0.35
    patience: float = 60.0
    demo: str | None = None

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise DataError(
                f"`url` must be an address such as http://127.0.0.1:8000, or a link below it, got "
                f"{self.url!r}"
            )
        if self.demo is not None and "/s/" in self.url:
            raise DataError("a link leads to its own study: leave out the demo, or the link")

    def run(self, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Let everybody take part; returns the counts, see `Tally.summary`.

        Parameters
        ----------
        progress : callable, optional
            Told the number of people who are through.
        """
        return asyncio.run(self.run_async(progress))

    async def run_async(self, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Let everybody take part, inside of an asynchronous program."""
        base, _, link = self.url.partition("/s/")
        link = link or await self._demo_link(base)
        tally, began = Tally(), time.perf_counter()
        # The first draw loads a compiled kernel, which must not happen on anybody's time.
        Diffusion(np.ones(1), self.barrier).answer([[0.0]], np.random.default_rng(0))

        async def one(number: int) -> None:
            # A connection of one's own, as every browser has.
            async with AsyncClient(base, patience=self.patience) as server:
                await _Person(self, number, server, tally).take_part(link)
                tally.n_retries += server.n_retries
            if progress is not None:
                progress(len(tally.ended))

        await asyncio.gather(*(one(number) for number in range(self.participants)))
        return tally.summary(self.participants, time.perf_counter() - began)

    async def _demo_link(self, base: str) -> str:
        """Return the link of the demo that is wanted."""
        try:
            async with AsyncClient(base, patience=min(self.patience, _FIRST_PATIENCE)) as server:
                links = {demo["study_id"]: str(demo["link"]) for demo in await server.demos()}
        except (ServerProblem, Unreachable) as problem:
            raise DataError(
                f"{base} does not answer as a server of studies does: {problem}"
            ) from problem
        if not links:
            raise DataError(
                f"{base} serves no demos; give the preview link that `tacit serve` prints, "
                f"{base}/s/..., or serve with --demos"
            )
        wanted = self.demo or next(iter(links))
        if wanted not in links:
            raise DataError(f"{base} has no demo {wanted!r}; there are {', '.join(links)}")
        return links[wanted]


class Wait(NamedTuple):
    """How long somebody waited for the next question, and since when."""

    since: float
    milliseconds: float


@dataclass
class Tally:
    """What happened to the answers of everybody."""

    ended: list[bool] = field(default_factory=list)
    sent: int = 0
    acknowledged: int = 0
    conflicting: int = 0
    lost: int = 0
    found: int = 0
    n_retries: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    waits: list[Wait] = field(default_factory=list)
    last_arrival: float = 0.0
    first_end: float = math.inf

    def arrived(self) -> None:
        """Take note that somebody sees the first page."""
        self.last_arrival = time.perf_counter()

    def end(self, *, completed: bool) -> None:
        """Take note that somebody is through."""
        self.first_end = min(self.first_end, time.perf_counter())
        self.ended.append(completed)

    def summary(self, participants: int, seconds: float) -> dict[str, Any]:
        """Return the counts, and percentiles of the time from answer to next question.

        An answer is lost if it was acknowledged and the server does not have it in the end. The
        99th percentile is also told of the answers given while people still arrived, while all
        were there, and when the first had left; these parts may be empty.
        """
        quantiles = _percentiles(self.waits, 50, 95, 99)
        arriving = [w for w in self.waits if w.since < self.last_arrival]
        later = [w for w in self.waits if w.since >= self.last_arrival]
        together = [w for w in later if w.since < self.first_end]
        leaving = [w for w in later if w.since >= self.first_end]
        parts = {"arriving": arriving, "together": together, "leaving": leaving}
        return {
            "participants": participants,
            "sessions_completed": sum(self.ended),
            "answers_sent": self.sent,
            "answers_acknowledged": self.acknowledged,
            "answers_conflicting": self.conflicting,
            "answers_lost": self.lost,
            "favourites_found": self.found,
            "retries": self.n_retries,
            "problems": dict(self.problems),
            "seconds": round(seconds, 3),
            "latency_p50_ms": quantiles[0],
            "latency_p95_ms": quantiles[1],
            "latency_p99_ms": quantiles[2],
            "latency_p99_ms_while": {
                name: _percentiles(part, 99)[0] for name, part in parts.items()
            },
        }


def _percentiles(waits: Sequence[Wait], *shares: float) -> list[float | None]:
    """Return percentiles, None where nobody waited."""
    if not waits:
        return [None] * len(shares)
    return [float(q) for q in np.percentile([wait.milliseconds for wait in waits], shares)]


class _Person:
    """One of them."""

    def __init__(self, plan: Rehearsal, number: int, server: AsyncClient, tally: Tally) -> None:
        self._plan = plan
        self._rng = np.random.default_rng([plan.seed, number])
        self._server = server
        self._tally = tally
        self._answers = Diffusion(np.ones(1), plan.barrier, plan.nondecision_time)
        self._utility: dict[str, float] = {}
        self._now_ms = 0.0
        self._acknowledged: set[int] = set()

    async def take_part(self, link: str) -> None:
        """Go from the link to the result."""
        await self._wait(0.0)
        completed = False
        try:
            session = await self._server.open(link, client={"kind": _CLOCK})
            self._tally.arrived()
            for item in session.course.view["study"]["items"]:
                self._utility[item["item_id"]] = self._plan.spread * self._rng.standard_normal()
            await session.finish_stages()
            while session.trial is not None:
                await self._answer(session, session.trial)
            estimate = await session.estimate()
            completed = await self._complete(session)
            ranked = {row["item_id"]: self._utility[row["item_id"]] for row in estimate["ranking"]}
            self._tally.found += estimate["favourite"] == max(ranked, key=lambda k: ranked[k])
        except (ServerProblem, Unreachable) as problem:
            self._tally.problems[str(problem)] += 1
        self._tally.end(completed=completed)

    async def _answer(self, session: AsyncSession, trial: dict[str, Any]) -> None:
        await self._wait(0.5)
        side, seconds = self._decide(trial)
        onset, self._now_ms = self._now_ms, self._now_ms + 1000.0 * seconds
        self._tally.sent += 1
        began = time.perf_counter()
        try:
            await session.answer(side, onset_ms=onset, response_ms=self._now_ms, clock=_CLOCK)
        except ServerProblem as problem:
            self._tally.conflicting += problem.status == _CONFLICT
            raise
        self._tally.waits.append(Wait(began, 1000.0 * (time.perf_counter() - began)))
        self._tally.acknowledged += 1
        self._acknowledged.add(trial["sequence"])

    def _decide(self, trial: dict[str, Any]) -> tuple[Literal["left", "right"], float]:
        if trial["correct"] is not None:
            return trial["correct"], self._plan.nondecision_time + float(self._rng.exponential(0.5))
        difference = self._utility[trial["left"]] - self._utility[trial["right"]]
        choice, seconds = self._answers.answer([[difference]], self._rng)
        return "left" if choice[0] > 0 else "right", float(seconds[0])

    async def _complete(self, session: AsyncSession) -> bool:
        try:
            await session.complete()
        except ServerProblem as problem:
            self._tally.problems[str(problem)] += 1
            self._tally.lost += len(self._acknowledged.intersection(problem.missing))
            return False
        held = session.course.view["next_sequence"] - 1
        self._tally.lost += sum(sequence > held for sequence in self._acknowledged)
        return True

    async def _wait(self, least: float) -> None:
        if self._plan.rate is not None:
            await asyncio.sleep(self._rng.uniform(least, least + 1.0) / self._plan.rate)
