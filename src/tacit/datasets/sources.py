"""Where the files are: a folder of the user's, or the authors' public repository."""

import hashlib
import logging
import os
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from warnings import warn

from tacit._extras import require
from tacit.errors import DataError, DataWarning

# The commit keeps the address valid whatever becomes of the branch.
BASE_URL = (
    "https://raw.githubusercontent.com/shenlirobot/linear_bandits_response_time/"
    "34fe37584d492277da6915fc225570555567fe9e/data/"
)

PAPER = (
    "Li, Zhang, Ren, Liang, Li & Shah (2024), Enhancing Preference-based Linear Bandits via Human "
    "Response Time, NeurIPS 2024, arXiv:2409.05798"
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class File:
    """A file of the repository, known by its content."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Source:
    """The files of a data set, and whom they are due to."""

    trials: File
    fits: File
    citation: str


SOURCES = {
    "food-risk": Source(
        File(
            "foodrisk.csv",
            "a391c9526a4c7cbe537cf1f7bb8711937e536edbfdd5f419b6c4dc9fc5ee82d6",
        ),
        File(
            "foodrisk_subjectIdx_2_params.csv",
            "1df2c2c794f95c4b5875024b177f520d7c164d4d236a08030b5ff0d454c189cf",
        ),
        "Smith & Krajbich (2018), Attention and choice across domains, Journal of Experimental "
        f"Psychology: General 147(12), 1810-1826; prepared by {PAPER}",
    ),
    "clithero": Source(
        File(
            "ClitheroDataset.csv",
            "9c572d572bb3ccd1e3e1c35ef7165516089c6a657d3ef98221d2b87bb81e676c",
        ),
        File(
            "Clithero_subjectIdx_2_params.csv",
            "8f0508c02a41b358d12f58ce44f18a805421ffd0085a9f7ebf1300426f66a024",
        ),
        "Clithero (2018), Improving out-of-sample predictions using response times and a model of "
        "the decision process, Journal of Economic Behavior & Organization 148, 344-375; prepared "
        f"by {PAPER}",
    ),
    "krajbich": Source(
        File(
            "KrajbichDataset.csv",
            "fc8e4340eaf1a37879f3683c98499604c872d4a9f2b00d703587e04f3c095596",
        ),
        File(
            "Krajbich_subjectIdx_2_params.csv",
            "356c6b1f257f1624c610c37aad7506dff2e309e1b91a69804f2c267b3a064c10",
        ),
        "Krajbich, Armel & Rangel (2010), Visual fixations and the computation and comparison of "
        f"value in simple choice, Nature Neuroscience 13(10), 1292-1298; prepared by {PAPER}",
    ),
}


def source(name: str) -> Source:
    """Return the files of a data set by its name."""
    if name not in SOURCES:
        raise DataError(f"the data sets are {', '.join(map(repr, SOURCES))}, got {name!r}")
    return SOURCES[name]


def locate(file: File, citation: str, data: str | PathLike[str] | None) -> Path:
    """Return the path of a file: in `data`, else in TACIT_DATA, else downloaded.

    A file in a folder is used whatever it holds, with a warning if it is not the published one;
    a download must be the published one.
    """
    folder = data if data is not None else os.environ.get("TACIT_DATA")
    if not folder:
        return _download(file, citation)
    path = Path(folder) / file.name
    if not path.is_file():
        raise DataError(
            f"no {file.name} in {folder}; the files come from {BASE_URL.removesuffix('data/')}"
        )
    if hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256:
        warn(
            f"{path} differs from the published {file.name}; what is made of it is not "
            "comparable to published results",
            DataWarning,
            stacklevel=3,
        )
    return path


def _download(file: File, citation: str) -> Path:
    pooch = require("pooch", extra="data")
    try:
        path = pooch.retrieve(
            BASE_URL + file.name,
            known_hash=f"sha256:{file.sha256}",
            fname=file.name,
            path=pooch.os_cache("tacit"),
        )
    except (OSError, ValueError) as error:
        raise DataError(
            f"could not download {file.name}: {_cause(error)}; fetch it by hand and name its "
            "folder with `data` or the environment variable TACIT_DATA; it is at "
            f"{BASE_URL}{file.name}"
        ) from error
    _log.info("when you use these data, please cite: %s", citation)
    return Path(path)


def _cause(error: OSError | ValueError) -> str:
    """Say in a few words why a download failed; the error itself repeats address and retries."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"the server answers {status}"
    if not isinstance(error, OSError):
        return "what comes is not the published file"
    if error.strerror:
        return f"{error.strerror} ({error.filename})" if error.filename else error.strerror
    return f"no connection ({type(error).__name__})"
