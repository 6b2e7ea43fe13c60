"""The demos: sound studies, whose features are what they say."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import tacit.web
from tacit.study.reading import read_study
from tacit.web.settings import Settings

FOLDER = Path(tacit.web.__file__).parent / "demos"
DEMOS = sorted(FOLDER.glob("*/study.toml"))
TRANSLATIONS = sorted(FOLDER.glob("*/study.*.toml"))
FEATURE_SD = 0.4

# B. Ottosson, "A perceptual color space for image processing" (2020).
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def oklab(colour):
    share = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_CONES) @ linear)


def seen(colours):
    """Mean lightness, chroma, a, b; spread of lightness, and of hue and chroma."""
    lightness, a, b = np.transpose([oklab(colour) for colour in colours])
    means = [lightness.mean(), np.hypot(a, b).mean(), a.mean(), b.mean()]
    return [*means, lightness.std(), np.sqrt(a.var() + b.var())]


@pytest.mark.parametrize("path", DEMOS, ids=lambda path: path.parent.name)
def test_a_demo_is_a_study_with_the_name_of_its_folder(path):
    study = read_study(path)
    assert study.study_id == path.parent.name
    assert study.consent is not None
    # A visitor gives a minute or two.
    assert study.limits.query_budget <= 30


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_a_translation_differs_in_its_words_only(path):
    study, english = read_study(path), read_study(path.with_name("study.toml"))
    language = path.stem.partition(".")[2]
    assert (study.study_id, study.language) == (f"{english.study_id}-{language}", language)
    assert study.question != english.question
    assert len(study.instructions) == len(english.instructions)
    words = {"study_id", "language", "title", "question", "instructions", "consent"}
    for field in dataclasses.fields(study):
        if field.name not in words | {"items", "practice", "source"}:
            assert getattr(study, field.name) == getattr(english, field.name)
    for item, other in zip(study.items, english.items, strict=True):
        assert dataclasses.replace(item, name=other.name, alt=other.alt) == other
    if english.practice is not None:
        same = dataclasses.replace(study.practice, question=english.practice.question)
        assert same == english.practice


def test_every_demo_is_there_in_every_translation():
    settings = Settings(store="", with_demos=True)
    languages = {path.stem.partition(".")[2] for path in TRANSLATIONS}
    demos = {path.parent.name for path in DEMOS}
    expected = demos | {f"{demo}-{language}" for demo in demos for language in languages}
    assert set(settings.demos) == {read_study(path).study_id for path in settings.demo_files}
    assert set(settings.demos) == expected
    assert set(settings.demos.values()) == demos


def test_palettes_are_described_by_what_the_eye_sees():
    path = next(path for path in DEMOS if path.parent.name == "palettes")
    items = read_study(path).items
    features = np.array([seen(item.colours) for item in items])
    expected = FEATURE_SD * (features - features.mean(axis=0)) / features.std(axis=0)
    np.testing.assert_allclose([item.features for item in items], expected, atol=0.0051)
