"""One look for all figures: sizes, colours that nearly everybody can tell apart, files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tacit._extras import require

WIDTH = 7.0
"""Inches of a figure as wide as a page."""

# Okabe and Ito's palette.
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
PURPLE, YELLOW, SKY, BLACK = "#CC79A7", "#E69F00", "#56B4E9", "#000000"
GREY = "0.45"

SEQUENTIAL = "cividis"
"""Colour map of shares, which reads the same with any colour vision and in grey."""

_SETTINGS = {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "pdf.fonttype": 42,
    "axes.formatter.useoffset": False,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save in this look, then leave matplotlib as it was."""
    matplotlib = require("matplotlib", extra="plot")
    with matplotlib.rc_context({"figure.dpi": 100} | _SETTINGS):
        yield


def new_figure(height: float, *, width: float = WIDTH) -> Any:
    """Return an empty figure, its parts arranged so that nothing overlaps."""
    module = require("matplotlib.figure", extra="plot")
    return module.Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Save a figure as PDF or PNG, the same bytes whenever it is drawn from the same numbers."""
    if path.suffix == ".pdf":
        figure.savefig(path, metadata={"CreationDate": None})
    else:
        figure.savefig(path, dpi=200)


def letter(axes: Any, which: str, title: str) -> None:
    """Head a panel with its letter and what it shows."""
    axes.set_title(f"({which}) {title}")
