import numpy as np
import pytest

from tacit import bayes
from tacit.bayes import FlatPrior, GaussianPrior
from tacit.errors import DataError


@pytest.mark.parametrize("prior", [FlatPrior, GaussianPrior])
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"barrier": (2.0, 1.0)}, r"`barrier` must be a tuple \(low, high\).*got \(2.0, 1.0\)"),
        ({"barrier": (0.0, 1.0)}, "above 0"),
        ({"barrier": -1.0}, "got -1.0"),
        ({"barrier": float("nan")}, "got nan"),
        ({"barrier": (0.1, np.inf)}, "finite upper end"),
        ({"barrier": [0.1, 2.0]}, r"got \[0.1, 2.0\]"),
        ({"barrier": (0.1, 1.0, 2.0)}, r"got \(0.1, 1.0, 2.0\)"),
        ({"barrier": "wide"}, "got 'wide'"),
        ({"nondecision_time": (-0.1, 1.0)}, "`nondecision_time`.*at least 0"),
        ({"nondecision_time": None}, "got None"),
        ({"nondecision_time": np.inf}, "got inf"),
    ],
)
def test_impossible_persons_are_refused(prior, fields, message):
    with pytest.raises(DataError, match=message):
        prior(**fields)


@pytest.mark.parametrize("weights", [(1.0, -1.0), (-np.inf, 1.0), 3.0, (1.0, 2.0, 3.0)])
def test_impossible_boxes_are_refused(weights):
    with pytest.raises(DataError, match="`weights` must be a finite range"):
        FlatPrior(weights=weights)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mean": [0.0, 1.0, 2.0]}, r"one value for each of 2 weights, got shape \(3,\)"),
        ({"covariance": [1.0, 1.0, 1.0]}, "must fit 2 weights"),
        ({"covariance": [1.0, -1.0]}, "positive definite"),
        ({"covariance": [[1.0, 2.0], [2.0, 1.0]]}, "positive definite"),
        ({"covariance": [[1.0, 0.5], [0.1, 1.0]]}, "symmetric"),
        ({"mean": np.nan}, "finite"),
        ({"covariance": "wide"}, "`covariance` must hold numbers"),
    ],
)
def test_gaussian_priors_are_checked_against_the_features(fields, message):
    with pytest.raises(DataError, match=message):
        bayes.fit(np.eye(2), [1, -1], [0.5, 0.6], prior=GaussianPrior(**fields))


@pytest.mark.parametrize("covariance", [2.0, [2.0, 2.0], [[2.0, 0.0], [0.0, 2.0]]])
def test_one_covariance_in_three_forms(covariance):
    mean, precision = GaussianPrior(mean=1.0, covariance=covariance).weights_prior(2)
    assert mean.tolist() == [1.0, 1.0]
    np.testing.assert_allclose(precision, np.eye(2) / 2)


def test_the_box_of_times_ends_at_the_fastest_answer(person):
    posterior = bayes.fit(*person)
    fastest = person[2].min()
    assert posterior.nondecision_time.cdf(fastest) == 1
    assert posterior.nondecision_time.cdf(fastest - 1e-4) < 1
    assert posterior.nondecision_time.cdf(1e-3) == 0


def test_evidence_of_a_part_of_the_box_is_its_share_of_the_posterior(person):
    """p(data | half) = p(data) p(half | data) / p(half) relates fits under different priors."""
    whole = bayes.fit(*person, prior=FlatPrior(barrier=(0.5, 2.5)))
    half = bayes.fit(*person, prior=FlatPrior(barrier=(0.5, 1.0)))
    expected = whole.log_evidence + np.log(whole.barrier.cdf(1.0) / (0.5 / 2.0))
    assert half.log_evidence == pytest.approx(expected, abs=2e-3)
