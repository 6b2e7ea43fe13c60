"""A posterior as draws in ArviZ's container, for its plots and comparisons."""

from typing import Any

import numpy as np

from tacit._extras import require
from tacit.bayes.posterior import Posterior
from tacit.ddm import logpdf

_CHAINS = 4
"""Draws are independent, but ArviZ's diagnostics compare chains."""


def to_arviz(posterior: Posterior, n_draws: int, rng: np.random.Generator) -> Any:
    """Return an InferenceData; see `Posterior.to_arviz`."""
    arviz = require("arviz", extra="arviz")
    trials = posterior.likelihood
    draws = posterior.sample(_CHAINS * n_draws, rng)
    log_likelihood = logpdf(
        trials.choice,
        trials.response_time,
        draws.weights @ trials.vectors.T,
        draws.barrier[:, None],
        nondecision_time=draws.nondecision_time[:, None],
        start=draws.start[:, None],
    )
    return arviz.from_dict(
        posterior={
            name: values.reshape(_CHAINS, n_draws, *values.shape[1:])
            for name, values in draws._asdict().items()
        },
        log_likelihood={"answer": log_likelihood.reshape(_CHAINS, n_draws, -1)},
        observed_data={"choice": trials.choice, "response_time": trials.response_time},
        dims={
            "weights": ["feature"],
            "answer": ["trial"],
            "choice": ["trial"],
            "response_time": ["trial"],
        },
    )
