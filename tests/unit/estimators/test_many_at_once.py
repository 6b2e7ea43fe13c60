"""Estimates of many people or replicates at once are those of each on their own."""

import numpy as np
import pytest

from tacit.errors import DataError
from tacit.estimators import ChoiceDecisionTime, ChoiceOnly, QuerySums


def sums(rng, shape=(3, 40), n_answers=9):
    """Answers to some of seven queries: few enough that some rows explore a plane or a line."""
    vectors = rng.normal(size=(7, 3))
    n = rng.multinomial(n_answers, [0.5, 0.3, 0.16, 0.01, 0.01, 0.01, 0.01], size=shape)
    choice = 2.0 * rng.binomial(n, 0.6) - n
    return QuerySums(vectors, n.astype(float), choice, n * rng.uniform(0.5, 2.0, n.shape))


def one_by_one(estimator, many):
    def alone(n, choice, time):
        asked = n > 0
        own = QuerySums(many.vectors[asked], n[asked], choice[asked], time[asked])
        return estimator.coefficients(own)

    rows = [column.reshape(-1, len(many.vectors)) for column in many[1:]]
    found = np.array([alone(*row) for row in zip(*rows, strict=True)])
    return found.reshape(*many.n_answers.shape[:-1], -1)


@pytest.mark.parametrize(
    "estimator",
    [ChoiceDecisionTime(), ChoiceDecisionTime(0.1), ChoiceOnly(), ChoiceOnly("ridge", ridge=0.1)],
    ids=["times", "response times", "choices", "ridge"],
)
def test_rows_are_estimated_as_if_alone(rng, estimator):
    many = sums(rng)
    ranks = [np.linalg.matrix_rank(many.vectors[n > 0]) for n in many.n_answers.reshape(-1, 7)]
    assert {2, 3} <= set(ranks)
    found = estimator.coefficients(many)
    assert found.shape == (3, 40, 3)
    np.testing.assert_allclose(found, one_by_one(estimator, many), rtol=1e-6, atol=1e-9)


def test_firth_is_refused(rng):
    with pytest.raises(DataError, match="Firth's penalty is not available"):
        ChoiceOnly("firth").coefficients(sums(rng))
