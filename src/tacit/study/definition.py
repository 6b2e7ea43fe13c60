"""A study as it is defined: what is shown, what is asked, when it ends."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tacit.errors import DataError
from tacit.learners import BelievingLearner, Learner, StopWhenSure, configured
from tacit.records import Items, Problem, QuerySpace
from tacit.study.population import PopulationPrior

ItemKind = Literal["text", "image", "colours", "audio", "type"]
Stage = Literal["consent", "instructions", "calibration", "practice", "main", "result", "withdrawn"]


@dataclass(frozen=True, kw_only=True)
class StudyItem:
    """One of the things that are chosen among, as the pages show it.

    Attributes
    ----------
    item_id, name : str
        Identifier, and what people read.
    kind : {"text", "image", "colours", "audio", "type"}
        How it is shown.
    text, src, alt, font : str or None
        Its text; its file beside the study's; the text in place of the file; a font family.
    colours : tuple of str
        Colours as #rrggbb.
    features : tuple of float
        What is known of it; empty where each item is its own feature.
    """

    item_id: str
    name: str
    kind: ItemKind = "text"
    text: str | None = None
    src: str | None = None
    alt: str | None = None
    font: str | None = None
    colours: tuple[str, ...] = ()
    features: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Consent:
    """What people agree to, and which version of it."""

    version: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Practice:
    """Questions with a right answer, before those that count.

    Attributes
    ----------
    question : str
        What is asked.
    n_trials, n_correct_needed, max_rounds : int
        Length of a round, right answers that end it, and rounds after which it goes on anyway.
    items : tuple of StudyItem
        What is compared.
    values : tuple of float
        The item of larger value is the right answer.
    """

    question: str
    n_trials: int = 4
    n_correct_needed: int = 3
    max_rounds: int = 3
    items: tuple[StudyItem, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """When a session ends, which times count, and how often a question comes again.

    Attributes
    ----------
    time_budget : float or None
        Seconds of answering after which the main part ends.
    query_budget : int or None
        Answers after which it ends.
    confidence : float or None
        Probability of the favourite at which it ends.
    fastest, slowest : float
        Response times outside of these, in seconds, are void: the choice alone is learned from.
    repeat_every, mirror_every : int or None
        After how many main trials an earlier one is asked again, as it was or with its sides
        swapped. Such trials check how steady a person is; they are not learned from.
    """

    time_budget: float | None = None
    query_budget: int | None = None
    confidence: float | None = None
    fastest: float = 0.15
    slowest: float = 30.0
    repeat_every: int | None = None
    mirror_every: int | None = None


@dataclass(frozen=True, kw_only=True)
class Completion:
    """Where people go from the last page, and the code that proves that they were here."""

    url: str | None = None
    code: str | None = None


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study, complete and checked; `read_study` makes one of a TOML file.

    Attributes
    ----------
    study_id, title, language, direction, question : str
        Identifier; title; language tag; "ltr" or "rtl"; what is asked in each trial.
    instructions : tuple of str
        Paragraphs.
    items : tuple of StudyItem
        What is chosen among.
    pairs : tuple of (str, str)
        Pairs of items that may be asked; all pairs when empty.
    learner_name : str
        Name in `tacit.learners.LEARNERS`.
    learner_options : str
        Its options, as JSON.
    population : PopulationPrior or None
        From whom the learner's prior comes.
    consent, practice : Consent, Practice or None
        Parts that a study may do without.
    calibration : bool
        Whether simple reaction times, refresh rate and clock grain are measured.
    break_every : int or None
        After how many trials a break is offered.
    left_keys, right_keys : tuple of str
        Keys that choose either side.
    limits : Limits
        When it ends.
    completion : Completion
        What happens then.
    source : str
        The text of the TOML file.
    folder : Path or None
        Where its media are.
    """

    study_id: str
    title: str
    language: str = "en"
    direction: str = "ltr"
    question: str
    instructions: tuple[str, ...] = ()
    items: tuple[StudyItem, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    learner_name: str = "TopTwo"
    learner_options: str = "{}"
    population: PopulationPrior | None = None
    consent: Consent | None = None
    practice: Practice | None = None
    calibration: bool = False
    break_every: int | None = None
    left_keys: tuple[str, ...] = ("ArrowLeft", "f")
    right_keys: tuple[str, ...] = ("ArrowRight", "j")
    limits: Limits = field(default_factory=Limits)
    completion: Completion = field(default_factory=Completion)
    source: str = ""
    folder: Path | None = None

    @cached_property
    def problem(self) -> Problem:
        """What the learner learns about; items go by their identifiers."""
        names = [item.item_id for item in self.items]
        featured = bool(self.items[0].features)
        features = np.array([i.features for i in self.items]) if featured else np.eye(len(names))
        items = Items(features, names=names)
        if not self.pairs:
            return Problem(items, QuerySpace.all_pairs(items))
        first, second = ([items.index(pair[side]) for pair in self.pairs] for side in (0, 1))
        return Problem(items, QuerySpace.listed(items, first, second))

    @cached_property
    def learner(self) -> Learner[Any]:
        """Who decides what is asked."""
        learner = configured(self.learner_name, json.loads(self.learner_options))
        if self.population is not None:
            learner = self.population.learner(learner, self.problem.items.names)
        if self.limits.confidence is None:
            return learner
        if not isinstance(learner, BelievingLearner):
            raise DataError(
                f"`learner.confidence` needs a learner that holds a belief, such as TopTwo, got "
                f"{self.learner_name}"
            )
        return StopWhenSure(learner=learner, confidence=self.limits.confidence)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """What a participant goes through, in order."""
        wanted: dict[Stage, bool] = {
            "consent": self.consent is not None,
            "instructions": bool(self.instructions),
            "calibration": self.calibration,
            "practice": self.practice is not None,
            "main": True,
            "result": True,
        }
        return tuple(stage for stage, there in wanted.items() if there)

    @cached_property
    def media(self) -> frozenset[str]:
        """Names of the files that items are shown by."""
        shown = (*self.items, *(self.practice.items if self.practice else ()))
        return frozenset(item.src for item in shown if item.src is not None)

    @cached_property
    def digest(self) -> str:
        """Fingerprint of all that a participant or the learner can notice, media included."""
        content = asdict(replace(self, source="", folder=None))
        if self.population is None:
            # Studies that were frozen before there were populations stay as they are.
            del content["population"]
        if self.folder is not None:
            content["media"] = {
                name: hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
                for name in sorted(self.media)
            }
        text = json.dumps(content, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()
