import base64
import re
from html.parser import HTMLParser

import pytest

from tacit.paper import Entry, page

PICTURE = b"\x89PNG not really"


class Tags(HTMLParser):
    """Every tag opened is closed, and what is fetched is seen."""

    def __init__(self):
        super().__init__()
        self.open, self.sources, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.sources += [value for name, value in attributes if name in {"src", "href"}]
        if tag not in {"meta", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def entry(**changed):
    record = {
        "figure": "figure-1",
        "title": "Times & <choices>",
        "claim": "Times tell more than a < b.",
        "beyond_the_paper": False,
        "verdict": "holds partly",
        "findings": [
            {
                "statement": "a < b",
                "estimate": -0.25,
                "low": -0.5,
                "high": 0.0,
                "outcome": "undecided",
            },
            {"statement": "c", "estimate": 2.0, "low": 2.0, "high": 2.0, "outcome": "holds"},
            {"statement": "d", "estimate": 1, "low": None, "high": None, "outcome": "undecided"},
        ],
        "command": "tacit paper run figure-1",
    }
    return Entry(record | changed, PICTURE, 150.0, 12, 2)


@pytest.fixture
def parsed():
    parser = Tags()
    entries = [entry(), entry(figure="race", beyond_the_paper=True, verdict="holds")]
    parser.feed(page(entries, "quick", ["figure-2"]))
    assert parser.open == []
    return parser


def test_the_page_needs_no_other_file(parsed):
    kinds = {source.partition(",")[0] for source in parsed.sources if not source.startswith("#")}
    assert kinds == {"data:image/png;base64"}
    pictures = [source for source in parsed.sources if source.startswith("data:")]
    assert base64.b64decode(pictures[0].partition(",")[2]) == PICTURE


def test_the_page_says_what_was_found(parsed):
    text = re.sub(r"\s+", " ", " ".join(parsed.text))
    for part in (
        "Times & <choices>",
        "Times tell more than a < b.",
        "holds partly",
        "-0.25",
        "-0.5 to 0",
        "exact",
        "too few to tell",
        "Took 2 min (12 pieces of work, 2 at a time).",
        "tacit paper run figure-1",
        "Not drawn at this scale: figure-2.",
    ):
        assert part in text
    assert text.index("Beyond the paper") > text.index("figure-1:")
