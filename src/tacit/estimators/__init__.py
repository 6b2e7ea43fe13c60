"""From answered queries to the weights of a person: one estimator per file.

Every estimator is a scikit-learn classifier of query vectors without an intercept:
``fit(X, y, response_time=..., sample_weight=...)``, with y the choices, +1 (first option) or -1
(second). With scikit-learn's metadata routing enabled, pipelines and cross-validation pass response
times on without further ado.
"""

from tacit.estimators import single_query, theory
from tacit.estimators._base import CoefScale, QueryClassifier, TimedQueryClassifier
from tacit.estimators._queries import QuerySums
from tacit.estimators.choice_decision_time import ChoiceDecisionTime
from tacit.estimators.choice_decision_time_logit import ChoiceDecisionTimeLogit
from tacit.estimators.choice_logit import ChoiceLogit
from tacit.estimators.choice_only import ChoiceOnly
from tacit.estimators.likelihood import Likelihood
from tacit.estimators.robust_likelihood import RobustLikelihood
from tacit.estimators.tempered import TemperedLikelihood
from tacit.estimators.worth import Gain, TimesWorth, information_ratio, pool_worth, times_worth

ESTIMATORS: dict[str, type[QueryClassifier]] = {
    estimator.__name__: estimator
    for estimator in (
        Likelihood,
        ChoiceDecisionTime,
        ChoiceOnly,
        ChoiceLogit,
        ChoiceDecisionTimeLogit,
        TemperedLikelihood,
        RobustLikelihood,
    )
}
"""Every estimator by its name. The contract tests run on each of them."""

__all__ = [
    "ESTIMATORS",
    "ChoiceDecisionTime",
    "ChoiceDecisionTimeLogit",
    "ChoiceLogit",
    "ChoiceOnly",
    "CoefScale",
    "Gain",
    "Likelihood",
    "QueryClassifier",
    "QuerySums",
    "RobustLikelihood",
    "TemperedLikelihood",
    "TimedQueryClassifier",
    "TimesWorth",
    "information_ratio",
    "pool_worth",
    "single_query",
    "theory",
    "times_worth",
]
