"""The picture that ``tacit fit --plot`` saves."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacit.bayes import Posterior
from tacit.cli._files import whole_file
from tacit.cli._fitting import Fitted
from tacit.cli._reading import PersonTrials


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
    written = []
    for fitted in fits:
        if fitted.posterior is not None:
            own = path if len(fits) == 1 else _path_of(path, fitted.person)
            with whole_file(own, overwrite=True) as draft:
                _save(draft, fitted.person, fitted.posterior)
            written.append(own)
    return written


def _save(path: Path, person: PersonTrials, posterior: Posterior) -> None:
    rng, items = np.random.default_rng(0), person.trials.items
    if person.has_features:
        figure = posterior.plot(rng, names=items.feature_names)
    else:
        ranked = np.argsort(-posterior.utilities(items.features).mean, kind="stable")
        names = [items.names[index] for index in ranked]
        figure = posterior.plot(rng, features=items.features[ranked], names=names)
    figure.savefig(path, dpi=150)


def _path_of(path: Path, person: PersonTrials) -> Path:
    name = re.sub(r"[^\w.-]+", "_", str(person.name))
    return path.with_stem(f"{path.stem}-{name}")
