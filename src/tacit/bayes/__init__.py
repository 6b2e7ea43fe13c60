"""The exact posterior of a person, without sampling.

Given barrier and non-decision time the weights are Gaussian. They integrate out in closed form, and
what remains is a quadrature over two or three numbers: milliseconds, with an error bound, and the
same result every time.
"""

from tacit.bayes.checks import Check, ModelReport, model_checks
from tacit.bayes.fitting import fit
from tacit.bayes.many import ManyFits, fit_many
from tacit.bayes.marginals import LinearMarginals, Marginal
from tacit.bayes.population import Population, held_out_evidence, learn_population
from tacit.bayes.posterior import Draws, Posterior
from tacit.bayes.predictive import PredictiveCheck
from tacit.bayes.priors import FlatPrior, GaussianPrior
from tacit.bayes.private import release_population
from tacit.bayes.scores import PredictiveScore

__all__ = [
    "Check",
    "Draws",
    "FlatPrior",
    "GaussianPrior",
    "LinearMarginals",
    "ManyFits",
    "Marginal",
    "ModelReport",
    "Population",
    "Posterior",
    "PredictiveCheck",
    "PredictiveScore",
    "fit",
    "fit_many",
    "held_out_evidence",
    "learn_population",
    "model_checks",
    "release_population",
]
