"""Read a study from TOML; every problem is named, with its key, its value and the cause."""

import json
import tomllib
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import cast, get_args

import numpy as np

from tacit.errors import DataError
from tacit.learners import LEARNERS
from tacit.study._tables import Table
from tacit.study.definition import (
    Completion,
    Consent,
    ItemKind,
    Limits,
    Practice,
    Study,
    StudyItem,
)
from tacit.study.population import population_of, with_population

_IDENTIFIER = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_NAMED = "letters, digits, - and _, at most 64 of them"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "yi"}
_MEDIA = {"image": {".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"}}
_MEDIA["audio"] = {".flac", ".m4a", ".mp3", ".ogg", ".opus", ".wav"}
_NEEDED: dict[str, str] = {"image": "src", "audio": "src", "colours": "colours", "type": "font"}
_MOST_ITEMS = 2000


def read_study(path: str | PathLike[str]) -> Study:
    r"""Read a study from a TOML file; its media are in the same folder.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Study
        Complete and checked.

    Raises
    ------
    DataError
        If anything in the file cannot be used; the message has a line for each problem.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '[study]\nid = "tea"\nquestion = "Which one?"\n[[items]]\nid = "green"\n'
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "study.toml"
    ...     _ = path.write_text(text)
    ...     read_study(path)
    Traceback (most recent call last):
    tacit.errors.DataError: study.toml cannot be used:
    - `study.title` is missing; it must be a text
    - `items` must hold at least two items, got 1
    - `budget` must say when to stop: give `queries`, `seconds` or `learner.confidence`
    """
    file = Path(path)
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{file.name} is not UTF-8 text: {error}; save it as UTF-8") from None
    return parse_study(text, name=file.name, folder=file.parent)


def parse_study(text: str, *, name: str = "study.toml", folder: Path | None = None) -> Study:
    r"""Make a study of the text of a TOML file.

    Parameters
    ----------
    text : str
        Content of the file.
    name : str
        Name of the file, for messages.
    folder : Path, optional
        Where the media are; without it, they are not looked for.

    Returns
    -------
    Study
        Complete and checked.

    Examples
    --------
    >>> items = "".join(f'[[items]]\nid = "{name}"\n' for name in ["green", "black"])
    >>> head = '[study]\nid = "tea"\ntitle = "Tea"\nquestion = "Which one?"\n'
    >>> parse_study(head + "[budget]\nqueries = 20\n" + items).problem.queries.n_queries
    1
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name} is not TOML: {error}") from None
    problems: list[str] = []
    study = _study(Table(values, "", problems), folder)
    if not problems:
        problems += _unusable(study)
    if problems:
        raise DataError("\n- ".join([f"{name} cannot be used:", *problems]))
    if study.population is not None:
        text = with_population(text, study.population)
    return replace(study, source=text, folder=folder)


def _study(file: Table, folder: Path | None) -> Study:
    head = file.part("study")
    keys = head.part("keys")
    language = head.text(
        "language",
        "en",
        pattern=r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*",
        kind="a tag such as en or pt-BR",
    )
    rtl = language.split("-")[0].lower() in _RIGHT_TO_LEFT
    learner = file.part("learner")
    study = Study(
        study_id=head.text("id", pattern=_IDENTIFIER, kind=_NAMED),
        title=head.text("title"),
        language=language,
        direction=head.choice("direction", ("ltr", "rtl"), "rtl" if rtl else "ltr"),
        question=head.text("question"),
        instructions=head.texts("instructions"),
        calibration=head.flag("calibration", default=False),
        break_every=head.optional_whole("break_every", 1, 1000),
        left_keys=keys.texts("left", ("ArrowLeft", "f")),
        right_keys=keys.texts("right", ("ArrowRight", "j")),
        consent=_consent(file.table("consent")),
        practice=_practice(file.table("practice"), folder),
        items=_items(file, "items", folder),
        pairs=_pairs(file.part("queries")),
        learner_name=learner.choice("name", tuple(LEARNERS), "TopTwo"),
        learner_options="{}",
        population=population_of(learner.table("population"), folder),
        limits=_limits(file, learner),
        completion=_completion(file.part("completion")),
    )
    options = learner.options("options")
    if study.learner_name in ("GSE", "SequentialHalving") and study.limits.time_budget:
        options = {"time_budget": study.limits.time_budget} | options
    if study.population is not None and "prior" in options:
        learner.refuse("options.prior", "left out where there is a population", options["prior"])
    keys.close()
    head.close()
    learner.close()
    file.close()
    try:
        return replace(study, learner_options=json.dumps(options, sort_keys=True))
    except TypeError:
        learner.refuse("options", "numbers, texts and truth values", options)
        return study


def _consent(table: Table | None) -> Consent | None:
    if table is None:
        return None
    consent = Consent(version=table.text("version"), text=table.text("text"))
    table.close()
    return consent


def _practice(table: Table | None, folder: Path | None) -> Practice | None:
    if table is None:
        return None
    n_trials = table.whole("n_trials", 4, 1, 100)
    values: list[float] = []
    practice = Practice(
        question=table.text("question"),
        n_trials=n_trials,
        n_correct_needed=table.whole("n_correct_needed", min(3, n_trials), 0, n_trials),
        max_rounds=table.whole("max_rounds", 3, 1, 100),
        items=_items(table, "items", folder, values),
        values=tuple(values),
    )
    if len(set(values)) < 2:
        table.refuse("items", "items of at least two different values", values)
    table.close()
    return practice


def _items(
    table: Table, key: str, folder: Path | None, values: list[float] | None = None
) -> tuple[StudyItem, ...]:
    rows = table.tables(key)
    if not 2 <= len(rows) <= _MOST_ITEMS:
        count = f"at least two items, got {len(rows)}"
        most = f"at most {_MOST_ITEMS} items, got {len(rows)}"
        table.problems.append(f"`{key}` must hold {count if len(rows) < 2 else most}")
    items: list[StudyItem] = []
    for row in rows:
        item = _item(row, folder)
        if item.item_id in {other.item_id for other in items}:
            row.refuse("id", "different from the others", item.item_id)
        if values is not None:
            values.append(row.number("value", 0.0, -1e9, 1e9))
        if items and len(item.features) != len(items[0].features):
            row.refuse(
                "features",
                f"{len(items[0].features)} numbers, as for the first item",
                list(item.features),
            )
        row.close()
        items.append(item)
    return tuple(items)


def _item(row: Table, folder: Path | None) -> StudyItem:
    item_id = row.text("id", pattern=_IDENTIFIER, kind=_NAMED)
    name = row.text("name", item_id)
    kind = cast("ItemKind", row.choice("kind", get_args(ItemKind), "text"))
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in row:
        row.refuse(needed, f"there for an item of kind {kind}", None)
    colours = row.texts("colours")
    for colour in colours:
        if (
            len(colour) != 7
            or colour[0] != "#"
            or set(colour[1:].lower()) - set("0123456789abcdef")
        ):
            row.refuse("colours", "colours such as #3366cc", colour)
    return StudyItem(
        item_id=item_id,
        name=name,
        kind=kind,
        text=row.text("text", name) if kind in ("text", "type") else row.optional_text("text"),
        src=_media(row, kind, folder),
        alt=row.text("alt", name) if kind in ("image", "audio") else row.optional_text("alt"),
        font=row.optional_text("font"),
        colours=colours,
        features=row.numbers("features"),
    )


def _media(row: Table, kind: str, folder: Path | None) -> str | None:
    src = row.optional_text("src")
    if src is None:
        return None
    if Path(src).name != src or src.startswith("."):
        row.refuse("src", "the name of a file in the folder of the study", src)
    elif Path(src).suffix.lower() not in _MEDIA.get(kind, set()):
        known = ", ".join(sorted(_MEDIA.get(kind, set()))) or "no file at all"
        row.refuse("src", f"for an item of kind {kind}, {known}", src)
    elif folder is not None and not (folder / src).is_file():
        row.refuse("src", "a file that is there", src, f"{folder / src} is not")
    return src


def _pairs(table: Table) -> tuple[tuple[str, str], ...]:
    pairs = table.lists("pairs")
    table.close()
    for pair in pairs:
        if len(pair) != 2 or not all(isinstance(item, str) for item in pair):
            table.refuse("pairs", "pairs of item ids", pair)
            return ()
    return tuple((pair[0], pair[1]) for pair in pairs)


def _limits(file: Table, learner: Table) -> Limits:
    budget, timing, catch = (file.part(name) for name in ("budget", "timing", "catch"))
    limits = Limits(
        time_budget=budget.optional_number("seconds", 0, 1e5),
        query_budget=budget.optional_whole("queries", 1, 10_000),
        confidence=learner.optional_number("confidence", 0.5, 1),
        fastest=timing.number("fastest", 0.15, 0, 10),
        slowest=timing.number("slowest", 30.0, 0.5, 3600),
        repeat_every=catch.optional_whole("repeat_every", 2, 1000),
        mirror_every=catch.optional_whole("mirror_every", 2, 1000),
    )
    for table in (budget, timing, catch):
        table.close()
    if limits.fastest >= limits.slowest:
        timing.refuse("fastest", f"below `slowest` ({limits.slowest:g})", limits.fastest)
    if not (limits.time_budget or limits.query_budget or limits.confidence):
        file.problems.append(
            "`budget` must say when to stop: give `queries`, `seconds` or `learner.confidence`"
        )
    return limits


def _completion(table: Table) -> Completion:
    completion = Completion(
        url=table.optional_text("url", pattern=r"https?://\S+", kind="an http address"),
        code=table.optional_text("code"),
    )
    table.close()
    return completion


def _unusable(study: Study) -> list[str]:
    """Return what only shows when the parts come together."""
    if study.population is not None:
        items = study.problem.items
        names = None if study.items[0].features else items.names
        if problems := study.population.problems(names, items.n_features):
            return problems
    try:
        study.learner.start(study.problem, np.random.default_rng(0))
    except DataError as error:
        return [str(error)]
    return []
