"""How a server is set up."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from tacit.web.pages import HERE

_VARIABLE = "TACIT_SERVER"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a server process needs to know.

    Attributes
    ----------
    store : str
        Address of the store.
    study_files : tuple of str
        Studies that are served.
    with_demos : bool
        Whether the demos are served, too.
    origins : tuple of str
        Other origins whose pages may call the API.
    secure : bool
        Whether browsers reach this server by https, so that cookies need it.
    """

    store: str
    study_files: tuple[str, ...] = ()
    with_demos: bool = False
    origins: tuple[str, ...] = ()
    secure: bool = False

    @property
    def demo_files(self) -> tuple[Path, ...]:
        """The files of the demos, the English ones first; none if they are not served."""
        files = (HERE / "demos").glob("*/study*.toml")
        found = sorted(files, key=lambda path: (len(path.suffixes), path))
        return tuple(found) if self.with_demos else ()

    @property
    def demos(self) -> dict[str, str]:
        """The demo that a study shows in its language, by the study's identifier.

        `snacks/study.toml` is the study "snacks", `snacks/study.de.toml` the study "snacks-de".
        """
        return {
            "-".join([path.parent.name, *path.stem.split(".")[1:]]): path.parent.name
            for path in self.demo_files
        }

    def to_environment(self) -> None:
        """Hand the settings on to server processes that are about to start."""
        os.environ[_VARIABLE] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Self:
        """Return the settings that the process was started with."""
        stored = json.loads(os.environ[_VARIABLE])
        for name in ("study_files", "origins"):
            stored[name] = tuple(stored[name])
        return cls(**stored)
