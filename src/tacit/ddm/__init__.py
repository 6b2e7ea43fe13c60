"""The model of a person: how a utility difference becomes a choice and a decision time.

Evidence is a Brownian motion with the utility difference of the query as its drift, started at 0
and absorbed at +`barrier` (first option chosen) or -`barrier` (second). The time of absorption is
the decision time; the response time adds a constant non-decision time. All times are seconds.
"""

from tacit.ddm import parameters
from tacit.ddm.density import log_zero_drift_density, logpdf, pdf
from tacit.ddm.distribution import cdf, logcdf, logsf, quantile, sf
from tacit.ddm.likelihood import ConditionalWeights, TimedLikelihood, WeightsPrior
from tacit.ddm.mixture import MIXTURE_SCALES, WeightsMixture
from tacit.ddm.moments import (
    log_prob,
    mean_choice,
    mean_time,
    prob_first,
    var_choice,
    var_time,
)
from tacit.ddm.people_statistics import PeopleEstimates, PeopleStatistics
from tacit.ddm.sampling import EvidencePath, sample, sample_path
from tacit.ddm.statistics import SufficientStatistics

__all__ = [
    "MIXTURE_SCALES",
    "ConditionalWeights",
    "EvidencePath",
    "PeopleEstimates",
    "PeopleStatistics",
    "SufficientStatistics",
    "TimedLikelihood",
    "WeightsMixture",
    "WeightsPrior",
    "cdf",
    "log_prob",
    "log_zero_drift_density",
    "logcdf",
    "logpdf",
    "logsf",
    "mean_choice",
    "mean_time",
    "parameters",
    "pdf",
    "prob_first",
    "quantile",
    "sample",
    "sample_path",
    "sf",
    "var_choice",
    "var_time",
]
