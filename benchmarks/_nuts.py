"""The paper's model of one person in NumPyro, sampled by NUTS: an independent reference."""

import time
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
from numpyro import distributions as dist
from numpyro.diagnostics import effective_sample_size, split_gelman_rubin
from numpyro.infer import MCMC, NUTS

numpyro.enable_x64()


class Chains(NamedTuple):
    """What NUTS says: moments of barrier, nondecision time and weights, with their errors."""

    mean: np.ndarray
    sd: np.ndarray
    mean_error: np.ndarray
    sd_error: np.ndarray
    worst_rhat: float
    smallest_ess: float
    n_divergent: int
    seconds: float


def log_density_at_barrier(s):
    """Log-density of hitting either barrier 1 without drift at time `s`, both series in full."""
    small = s < 0.6
    k = jnp.arange(4)
    sign, odd = (-1.0) ** k, 2 * k + 1
    early = jnp.where(small, s, 0.3)[..., None]
    late = jnp.where(small, 1.0, s)[..., None]
    # The leading term is taken out of each series so that its logarithm does not underflow.
    images = (sign * odd * jnp.exp((1 - odd**2) / (2 * early))).sum(-1)
    waves = (sign * odd * jnp.exp((1 - odd**2) * jnp.pi**2 * late / 8)).sum(-1)
    early, late = early[..., 0], late[..., 0]
    return jnp.where(
        small,
        jnp.log(images) - 0.5 / early - 0.5 * jnp.log(2 * jnp.pi * early**3),
        jnp.log(jnp.pi / 4 * waves) - jnp.pi**2 * late / 8,
    )


def model(X, choice, response_time):
    """Flat boxes as in Li et al. 2024, in terms of the boundary separation 2a as there."""
    separation = numpyro.sample("separation", dist.Uniform(1e-5, 15))
    t0 = numpyro.sample("nondecision_time", dist.Uniform(1e-3, response_time.min()))
    weights = numpyro.sample("weights", dist.Uniform(-15, 15).expand([X.shape[1]]).to_event(1))
    a, t = separation / 2, response_time - t0
    u = X @ weights
    log_f0 = log_density_at_barrier(t / a**2) - 2 * jnp.log(a)
    numpyro.factor("answers", (a * choice * u - 0.5 * u**2 * t + log_f0).sum())


def prepare(n_warmup, n_draws):
    """Return a sampler that compiles at its first run."""
    return MCMC(
        NUTS(model),
        num_warmup=n_warmup,
        num_samples=n_draws,
        num_chains=4,
        chain_method="sequential",
        progress_bar=False,
    )


def run(mcmc, X, choice, response_time, seed):
    """Sample, and summarise with the Monte Carlo errors of means and standard deviations."""
    arguments = [jnp.asarray(np.asarray(v, dtype=float)) for v in (X, choice, response_time)]
    began = time.process_time()
    mcmc.run(jax.random.PRNGKey(seed), *arguments)
    draws = mcmc.get_samples(group_by_chain=True)
    jax.block_until_ready(draws)
    seconds = time.process_time() - began
    columns = [draws["separation"][..., None] / 2, draws["nondecision_time"][..., None]]
    values = np.concatenate([np.asarray(c) for c in [*columns, draws["weights"]]], axis=-1)
    mean, sd = values.mean(axis=(0, 1)), values.std(axis=(0, 1))
    ess = effective_sample_size(values)
    squares = (values - mean) ** 2
    square_error = squares.std(axis=(0, 1)) / np.sqrt(effective_sample_size(squares))
    return Chains(
        mean,
        sd,
        sd / np.sqrt(ess),
        square_error / (2 * sd),
        float(split_gelman_rubin(values).max()),
        float(ess.min()),
        int(mcmc.get_extra_fields()["diverging"].sum()),
        seconds,
    )
