"""The words of the pages: every language has all of them, and no page asks for others."""

import json
import re
from pathlib import Path

import pytest

import tacit.web

WEB = Path(tacit.web.__file__).parent
CATALOGUES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in WEB.glob("messages/*.json")
}
SCRIPTS = "\n".join(path.read_text("utf-8") for path in sorted(WEB.glob("static/*.js")))
PAGES = "\n".join(path.read_text("utf-8") for path in sorted(WEB.glob("static/*.html")))
IN_PAGES = set(re.findall(r'data-(?:say|label)="([\w-]+)"', PAGES))


def places(entry):
    texts = [entry] if isinstance(entry, str) else entry.values()
    return [set(re.findall(r"\{(\w+)\}", text)) for text in texts]


def test_english_and_german_and_one_from_right_to_left_are_there():
    assert {name: words["direction"] for name, words in CATALOGUES.items()} == {
        "en": "ltr",
        "de": "ltr",
        "ar": "rtl",
    }


@pytest.mark.parametrize("language", CATALOGUES)
def test_catalogues_say_the_same_things(language):
    english, other = CATALOGUES["en"], CATALOGUES[language]
    assert list(other) == sorted(english)
    for key, entry in english.items():
        assert places(other[key])[0] == places(entry)[0], key
        assert len(set(map(frozenset, places(other[key])))) == 1, key


def test_every_word_that_is_asked_for_is_there():
    asked = set(re.findall(r"""\bsay\(\s*"([\w-]+)\"""", SCRIPTS))
    assert asked
    assert IN_PAGES
    assert (asked | IN_PAGES) - set(CATALOGUES["en"]) == set()


def test_every_word_is_used():
    # Keys that are put together of parts, such as `stage_${stage}`.
    parts = set(re.findall(r"say\(`([\w-]*)\$\{", SCRIPTS)) - {""}
    words = set(re.findall(r'"([\w-]+)"', SCRIPTS))
    named = {f"{name}_{part}" for name in words for part in ("title", "text")}
    unused = set(CATALOGUES["en"]) - words - named - IN_PAGES
    assert {key for key in unused if not key.startswith(tuple(parts))} == set()
