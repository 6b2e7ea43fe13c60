"""scikit-learn's own checks, wherever response times are optional."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tacit.errors import DataError
from tacit.estimators import (
    ESTIMATORS,
    ChoiceLogit,
    ChoiceOnly,
    RobustLikelihood,
)

WITHOUT_TIMES = [ChoiceOnly(), ChoiceOnly("firth"), ChoiceLogit(), RobustLikelihood(barrier=1.0)]

IMPOSSIBLE = {
    "ChoiceLogit": {
        "check_classifiers_one_label": (
            "every query is asked once, which leaves log-odds of 0 whatever was chosen"
        )
    }
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # separable data, and feature names
@parametrize_with_checks(
    WITHOUT_TIMES,
    expected_failed_checks=lambda estimator: IMPOSSIBLE.get(type(estimator).__name__, {}),
)
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


def fits_without_times(estimator):
    try:
        estimator.fit(np.array([[1.0], [1.0], [-1.0], [-1.0]]), [1, -1, 1, -1])
    except DataError:
        return False
    return True


def test_no_estimator_that_fits_without_times_is_left_out():
    able = {cls for cls in ESTIMATORS.values() if fits_without_times(cls())}
    assert {ChoiceOnly, ChoiceLogit} <= able <= {type(estimator) for estimator in WITHOUT_TIMES}
