"""A posterior as JSON text: prior, trials and lattice; everything else follows from them."""

import json
from typing import Any

import numpy as np

from tacit.bayes._coordinates import Coordinates
from tacit.bayes._lattice import Lattice
from tacit.bayes._person import likelihood_of
from tacit.bayes.priors import FlatPrior, GaussianPrior, Prior, Range
from tacit.ddm import TimedLikelihood
from tacit.errors import DataError

_FORMAT = "tacit.bayes.Posterior"
_VERSION = 1

Parts = tuple[Prior, TimedLikelihood, Coordinates, Lattice]


def to_json(prior: Prior, likelihood: TimedLikelihood, box: Coordinates, lattice: Lattice) -> str:
    """Return the parts of a posterior as JSON text, numbers exact to the last bit."""
    weight = likelihood.sample_weight
    trials = {
        "X": likelihood.vectors.tolist(),
        "choice": likelihood.choice.tolist(),
        "response_time": likelihood.response_time.tolist(),
        "sample_weight": None if weight is None else weight.tolist(),
    }
    stored = {
        "format": _FORMAT,
        "version": _VERSION,
        "prior": _prior_to_json(prior),
        "trials": trials,
        "box": [box.low.tolist(), box.high.tolist()],
        "lattice": {
            "origin": lattice.origin.tolist(),
            "axes": lattice.axes.tolist(),
            "index": lattice.index.tolist(),
            "probability": lattice.probability.tolist(),
            "log_integral": lattice.log_integral,
            "error": lattice.error,
            "complete": lattice.complete,
        },
    }
    return json.dumps(stored, allow_nan=False)


def from_json(text: str) -> Parts:
    """Return the parts of a posterior that `to_json` wrote."""
    try:
        stored = json.loads(text)
        found = f"{stored['format']} {stored['version']}"
        if found != f"{_FORMAT} {_VERSION}":
            raise DataError(f"this version reads {_FORMAT} {_VERSION}, got {found}")
        prior = _prior_from_json(stored["prior"])
        likelihood = likelihood_of(**stored["trials"], prior=prior)
        low, high = (np.array(end, dtype=np.float64) for end in stored["box"])
        lattice = stored["lattice"]
        n, n_points = len(lattice["origin"]), len(lattice["probability"])
        return (
            prior,
            likelihood,
            Coordinates(low, high),
            Lattice(
                origin=np.array(lattice["origin"], dtype=np.float64),
                axes=np.array(lattice["axes"], dtype=np.float64).reshape(n, n),
                index=np.array(lattice["index"], dtype=np.int64).reshape(n_points, n),
                probability=np.array(lattice["probability"], dtype=np.float64),
                log_integral=float(lattice["log_integral"]),
                error=float(lattice["error"]),
                complete=bool(lattice["complete"]),
            ),
        )
    except DataError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"not the JSON of a Posterior: {error!r}") from error


def _prior_to_json(prior: Prior) -> dict[str, Any]:
    person = {
        "barrier": _range_to_json(prior.barrier),
        "nondecision_time": _range_to_json(prior.nondecision_time),
    }
    if isinstance(prior, FlatPrior):
        return {"flat": {**person, "weights": [float(end) for end in prior.weights]}}
    gaussian = {
        "mean": np.asarray(prior.mean).tolist(),
        "covariance": np.asarray(prior.covariance).tolist(),
    }
    return {"gaussian": {**person, **gaussian}}


def _prior_from_json(stored: dict[str, Any]) -> Prior:
    ((kind, fields),) = stored.items()
    ranges = {name: _range_from_json(fields[name]) for name in ("barrier", "nondecision_time")}
    if kind == "flat":
        low, high = fields["weights"]
        return FlatPrior(**ranges, weights=(low, high))
    return GaussianPrior(**ranges, mean=fields["mean"], covariance=fields["covariance"])


def _range_to_json(value: Range | float) -> list[float | None] | float:
    """JSON has no infinity: an open upper end is null."""
    if not isinstance(value, tuple):
        return float(value)
    low, high = (float(end) for end in value)
    return [low, high if np.isfinite(high) else None]


def _range_from_json(stored: list[float | None] | float) -> Range | float:
    if not isinstance(stored, list):
        return stored
    low, high = (np.inf if end is None else end for end in stored)
    return low, high
