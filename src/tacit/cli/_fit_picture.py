"""The picture that ``tacit fit --plot`` saves."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacit._extras import require
from tacit.bayes import Posterior
from tacit.cli._fitting import Fitted
from tacit.cli._reading import PersonTrials
from tacit.errors import DataError, DataWarning
from tacit.records._whole_file import make_room, whole_file

_LONGEST_NAME = 60
_LONGEST_LABEL = 20


def check_picture(path: Path) -> None:
    """See that a picture can be made and saved, before the work whose result it shows."""
    backend = require("matplotlib.backend_bases", extra="plot")
    formats = backend.FigureCanvasBase.get_supported_filetypes()
    if path.suffix.lower().removeprefix(".") not in formats:
        raise DataError(
            f"--plot must name a picture such as fit.png, fit.pdf or fit.svg, got {str(path)!r}"
        )
    make_room(path, overwrite=True)


def save_pictures(path: Path, fits: Sequence[Fitted]) -> list[Path]:
    """Save a picture of each exact fit; of several people each has the name in the file's name.

    Parameters
    ----------
    path : Path
        File to write; its ending names the format.
    fits : sequence of Fitted
        People without a posterior are passed over.

    Returns
    -------
    list of Path
        What was written.
    """
    written: list[Path] = []
    for fitted in fits:
        if fitted.posterior is not None:
            own = path if len(fits) == 1 else _path_of(path, fitted.person, written)
            with whole_file(own, overwrite=True) as draft:
                _save(draft, fitted.person, fitted.posterior)
            written.append(own)
    return written


def _save(path: Path, person: PersonTrials, posterior: Posterior) -> None:
    rng, items = np.random.default_rng(0), person.trials.items
    if person.has_features:
        figure = posterior.plot(rng, names=_labels(items.feature_names))
    else:
        ranked = np.argsort(-posterior.utilities(items.features).mean, kind="stable")
        names = _labels([items.names[index] for index in ranked])
        figure = posterior.plot(rng, features=items.features[ranked], names=names)
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", "Glyph", UserWarning)
        figure.savefig(path, dpi=150)
    if any(issubclass(warning.category, UserWarning) for warning in caught):
        warnings.warn(
            "the picture lacks letters of some names, which its font does not have", DataWarning, 2
        )


def _labels(names: Sequence[str]) -> list[str]:
    """Shorten names so that they leave room for the picture, and take dollars as they are."""
    short = [n if len(n) <= _LONGEST_LABEL else f"{n[: _LONGEST_LABEL - 1]}…" for n in names]
    return [name.replace("$", r"\$") for name in short]


def _path_of(path: Path, person: PersonTrials, taken: Sequence[Path]) -> Path:
    """Name a person's own file; two people never share one, whatever a file system can tell."""
    name = re.sub(r"[^\w.-]+", "_", str(person.name))[:_LONGEST_NAME]
    own, number = path.with_stem(f"{path.stem}-{name}"), 2
    others = {str(other).casefold() for other in taken}
    while str(own).casefold() in others:
        own, number = path.with_stem(f"{path.stem}-{name}-{number}"), number + 1
    return own
