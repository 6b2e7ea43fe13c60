"""Slow ways to the same posteriors: weights drawn from the prior, or direct linear algebra."""

import numpy as np
from scipy.special import logsumexp

from tacit import bayes, ddm


def prior_draws(X, choice, response_time, prior, rng, *, start_bias=False, n_draws=150_000):
    """Draw from the prior; return columns, and the likelihood of each draw."""
    n_features = np.shape(X)[1]
    fastest = np.min(response_time)
    a = rng.uniform(*prior.barrier, n_draws)
    t0 = rng.uniform(prior.nondecision_time[0], min(prior.nondecision_time[1], fastest), n_draws)
    share = rng.uniform(-1, 1, n_draws) if start_bias else np.zeros(n_draws)
    if isinstance(prior, bayes.FlatPrior):
        theta = rng.uniform(*prior.weights, (n_draws, n_features))
    else:
        mean, precision = prior.weights_prior(n_features)
        theta = rng.multivariate_normal(mean, np.linalg.inv(precision), n_draws)
    log_likelihood = np.zeros(n_draws)
    for x, c, rt in zip(np.asarray(X, dtype=float), choice, response_time, strict=True):
        log_likelihood += ddm.logpdf(c, rt, theta @ x, a, nondecision_time=t0, start=share * a)
    return {"a": a, "t0": t0, "share": share, "theta": theta}, np.exp(log_likelihood)


def weighted_mean(value, weight):
    """Return a self-normalised mean and its standard error."""
    share = weight / weight.sum()
    mean = share @ value
    return mean, np.sqrt(share**2 @ (value - mean) ** 2)


def by_linear_algebra(X, choice, response_time, prior, *, n_nodes=48):
    """Integrate over a box of (a, t0) by Gauss-Legendre, solving for the weights at each node.

    For Gaussian priors. The likelihood of Gaussian weights is that of choices over times, c a / t
    ~ N(x'theta, 1 / t), up to what does not depend on the weights.
    """
    X, c, rt = (np.asarray(column, dtype=float) for column in (X, choice, response_time))
    mean, precision = prior.weights_prior(X.shape[1])
    node, width = np.polynomial.legendre.leggauss(n_nodes)
    ends = [prior.barrier, (prior.nondecision_time[0], min(prior.nondecision_time[1], rt.min()))]
    (a, t0) = ((low + high) / 2 + (high - low) / 2 * node for low, high in ends)
    log_density = np.empty((n_nodes, n_nodes))
    weights = np.empty((n_nodes, n_nodes, X.shape[1]))
    for i, j in np.ndindex(n_nodes, n_nodes):
        t = rt - t0[j]
        V = (X.T * t) @ X + precision
        linear = a[i] * c @ X + precision @ mean
        weights[i, j] = np.linalg.solve(V, linear)
        quadratic = linear @ weights[i, j] - mean @ precision @ mean
        log_det = np.linalg.slogdet(precision)[1] - np.linalg.slogdet(V)[1]
        zero_drift = ddm.logpdf(c, t, 0.0, a[i]).sum()
        log_density[i, j] = zero_drift + 0.5 * (quadratic + log_det)
    log_mass = log_density + np.log(width[:, None] / 2) + np.log(width / 2)
    log_evidence = logsumexp(log_mass)
    mass = np.exp(log_mass - log_evidence)
    means = [mass.sum(axis=1) @ a, mass.sum(axis=0) @ t0, np.tensordot(mass, weights, 2)]
    return log_evidence, means
