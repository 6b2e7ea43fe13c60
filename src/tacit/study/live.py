"""Sessions as they are going on: read, decide, write, in this order and one at a time."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from tacit.errors import Conflict, NotFound, Refused, TacitError
from tacit.study import deciding
from tacit.study.asking import Step, follow
from tacit.study.definition import Study
from tacit.study.estimate import estimate
from tacit.study.reading import parse_study
from tacit.study.session import Session
from tacit.study.signing import Signer
from tacit.study.store import LogGrew, NewSession, Store, StoredSession
from tacit.study.views import session_view, standing, summary

Json = dict[str, Any]

_REMEMBERED = 2000
_LOCKS = 512
_TRIES = 20
_MOST_EVENTS = 20_000


class Opened(NamedTuple):
    """A session that a page has opened, or found again."""

    session_id: str
    token: str
    view: Json
    is_new: bool


class LiveStudies:
    """The studies that a server runs, and their sessions.

    What it remembers is only there to be fast: a step is written on condition that the log is still
    as long as was thought, so that any number of processes may serve the same sessions.

    Parameters
    ----------
    store : Store
        Where everything is kept.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.signer = Signer(store.setting("secret", secrets.token_urlsafe(32)) or "")
        self._studies: dict[str, Study] = {}
        self._by_digest: dict[str, Study] = {}
        self._remembered: OrderedDict[str, Session] = OrderedDict()
        self._memory_lock = threading.Lock()
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def add(self, study: Study) -> None:
        """Take a study in; one that has participants must be as it was."""
        self.store.save_study(study.study_id, study.digest, study.source)
        self._studies[study.study_id] = study
        self._by_digest[study.digest] = study

    @property
    def studies(self) -> Mapping[str, Study]:
        """The studies that are served, by identifier."""
        return self._studies

    def study(self, study_id: str) -> Study:
        """Return a study that is served."""
        if study_id not in self._studies:
            raise NotFound(f"there is no study {study_id!r} here")
        return self._studies[study_id]

    def open(
        self, link: str, parameters: Mapping[str, Any], client: Mapping[str, Any], resume_key: str
    ) -> Opened:
        """Open a session by a link, or find the one that the same page has opened before."""
        found = self.signer.read_link(link)
        study = self.study(found.study_id)
        before = self.store.session_by_key(study.study_id, study.digest, resume_key)
        if before is None:
            new = NewSession(
                session_id=secrets.token_hex(12),
                study_id=study.study_id,
                digest=study.digest,
                seed=secrets.randbits(63),
                resume_key=resume_key,
                single_link=found.nonce if found.kind == "single" else None,
                preview=found.kind == "preview",
                parameters=parameters,
                client=client,
            )
            step = follow(Session.begin(study, new.seed))
            if self.store.open_session(new, step.entries, summary(step.session)):
                self._remember(new.session_id, step.session)
                view = session_view(new.session_id, step.session, shown_before=False)
                return Opened(new.session_id, self.signer.token(new.session_id), view, True)
            before = self.store.session_by_key(study.study_id, study.digest, resume_key)
        if before is None:
            raise Conflict("the session was opened and has vanished; reload the page")
        view = self.view(before.session_id)
        return Opened(before.session_id, self.signer.token(before.session_id), view, False)

    def check_token(self, session_id: str, token: str) -> None:
        """See that a token opens this session."""
        if not self.signer.agrees("session", session_id, token):
            raise Refused("this token does not open this session")

    def view(self, session_id: str) -> Json:
        """Return where a session is; a pending trial counts as shown before."""
        with self._lock(session_id):
            session = self.session(session_id)
        return session_view(session_id, session, shown_before=True)

    def finish_stage(self, session_id: str, stage: str, body: Mapping[str, Any]) -> Json:
        """Mark a stage as done."""
        decide = partial(deciding.finish_stage, stage=stage, body=body)
        session, is_new = self._act(session_id, decide)
        return session_view(session_id, session, shown_before=not is_new)

    def answer(self, session_id: str, trial_id: str, body: Mapping[str, Any]) -> Json:
        """Take an answer in; it is on disk when this returns."""
        decide = partial(deciding.answer, trial_id=trial_id, body=body)
        session, is_new = self._act(session_id, decide)
        return {"acknowledged": True, **standing(session, shown_before=not is_new)}

    def log_events(self, session_id: str, events: Sequence[Mapping[str, Any]]) -> int:
        """Keep what a page noted; returns how many of these events are on disk."""
        if self.store.session(session_id).summary["stage"] == "withdrawn":
            raise Conflict("the person withdrew: no more events are taken")
        self.store.add_events(session_id, events, _MOST_EVENTS)
        return len(events)

    def estimate(self, session_id: str) -> Json:
        """Return what the answers so far tell about the person."""
        with self._lock(session_id):
            session = self.session(session_id)
        return estimate(session)

    def complete(self, session_id: str, n_responses: int, last_sequence: int) -> Json:
        """Confirm that everything has arrived."""
        decide = partial(deciding.complete, n_responses=n_responses, last_sequence=last_sequence)
        session, _ = self._act(session_id, decide)
        completion = session.study.completion
        return {
            "complete": True,
            "completion_url": completion.url,
            "completion_code": completion.code,
        }

    def withdraw(self, session_id: str, *, erase: bool) -> Json:
        """Let a person withdraw, with or without what was told so far."""
        self._act(session_id, partial(deciding.withdraw, erase=erase), erase=erase)
        return {"stage": "withdrawn"}

    def session(self, session_id: str) -> Session:
        """Return a session as its log tells it now."""
        return self.replay(self.store.session(session_id))

    def replay(self, stored: StoredSession) -> Session:
        """Return the session that a stored row and its log are."""
        known = self._remembered.get(stored.session_id)
        if known is None or known.n_entries > stored.n_entries:
            known = Session.begin(self._study_of(stored), stored.seed)
        if known.n_entries < stored.n_entries:
            rest = self.store.log(stored.session_id, known.n_entries)
            known = known.after(line.entry for line in rest)
        self._remember(stored.session_id, known)
        return known

    def _study_of(self, stored: StoredSession) -> Study:
        if stored.digest not in self._by_digest:
            for kept in self.store.studies():
                self._by_digest.setdefault(kept.digest, parse_study(kept.source))
        if stored.digest not in self._by_digest:
            raise Conflict(
                f"study {stored.study_id!r} has changed since this preview began; open it anew"
            )
        return self._by_digest[stored.digest]

    def _act(
        self, session_id: str, decide: Callable[[Session], Step], *, erase: bool = False
    ) -> tuple[Session, bool]:
        """Decide and add to the log; returns the session, and whether it is changed.

        What is remembered serves as long as the log accepts what is decided on it; to refuse, or
        to find nothing to do, the log is read anew.
        """
        with self._lock(session_id):
            session = self._remembered.get(session_id)
            for _ in range(_TRIES):
                is_fresh = session is None
                if session is None:
                    session = self.session(session_id)
                try:
                    step = decide(session)
                    if step.entries or erase:
                        return self._write(session_id, session, step, erase=erase), True
                    if is_fresh:
                        return session, False
                except LogGrew:
                    pass
                except TacitError:
                    if is_fresh:
                        raise
                session = None
        raise Conflict("this session is written to from too many places at once; try again")

    def _write(self, session_id: str, before: Session, step: Step, *, erase: bool) -> Session:
        told = summary(step.session)
        if not erase:
            self.store.append(session_id, before.n_entries, step.entries, told)
            self._remember(session_id, step.session)
            return step.session
        last = deciding.erased()
        empty = Session.begin(before.study, before.seed).after([last])
        self.store.erase(session_id, before.n_entries, last, summary(empty))
        self._remember(session_id, empty)
        return empty

    def _lock(self, session_id: str) -> threading.Lock:
        return self._locks[hash(session_id) % _LOCKS]

    def _remember(self, session_id: str, session: Session) -> None:
        with self._memory_lock:
            self._remembered[session_id] = session
            self._remembered.move_to_end(session_id)
            while len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
