"""scikit-learn's own checks, wherever response times are optional."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tacit.estimators import ChoiceLogit, ChoiceOnly, RobustLikelihood

IMPOSSIBLE = {
    "ChoiceLogit": {
        "check_classifiers_one_label": (
            "every query is asked once, which leaves log-odds of 0 whatever was chosen"
        )
    }
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # separable data, and feature names
@parametrize_with_checks(
    [
        ChoiceOnly(),
        ChoiceOnly("firth"),
        ChoiceLogit(),
        RobustLikelihood(barrier=1.0),
    ],
    expected_failed_checks=lambda estimator: IMPOSSIBLE.get(type(estimator).__name__, {}),
)
def test_scikit_learn_agrees(estimator, check):
    check(estimator)
