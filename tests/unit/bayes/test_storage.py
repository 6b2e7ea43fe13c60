import json

import numpy as np
import pytest

from tacit import bayes
from tacit.bayes import FlatPrior, GaussianPrior, Posterior
from tacit.errors import DataError

FITS = {
    "paper": {},
    "known": {"prior": FlatPrior(barrier=1.2, nondecision_time=0.3)},
    "one known": {"prior": FlatPrior(barrier=np.float32(1.25), nondecision_time=(0.0, 0.2))},
    "whole numbers": {"prior": FlatPrior(barrier=(np.int64(1), 2), weights=(np.int64(-3), 3))},
    "gaussian": {"prior": GaussianPrior(mean=[0.1, 0, -0.3], covariance=np.diag([1.0, 2, 3]))},
    "weights": {"sample_weight": np.linspace(0, 1, 24)},
    "start bias": {"start_bias": True},
}


@pytest.mark.parametrize("settings", FITS.values(), ids=FITS)
def test_what_comes_back_says_the_same_to_the_last_bit(person, settings):
    stored = bayes.fit(*person, **settings)
    back = Posterior.from_json(stored.to_json())
    assert back.to_json() == stored.to_json()
    for name in ("barrier", "nondecision_time", "start_share"):
        one, other = getattr(stored, name), getattr(back, name)
        assert (one.mean, one.sd, one.interval()) == (other.mean, other.sd, other.interval())
    assert (stored.weights.covariance == back.weights.covariance).all()
    assert (stored.log_evidence, stored.quadrature_error) == (
        back.log_evidence,
        back.quadrature_error,
    )
    draws = [p.sample(5, np.random.default_rng(3)) for p in (stored, back)]
    assert all((a == b).all() for a, b in zip(*draws, strict=True))
    assert (stored.predict_time(np.eye(3)) == back.predict_time(np.eye(3))).all()


def test_it_is_json_without_extensions(person):
    text = bayes.fit(*person).to_json()
    stored = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert stored["trials"]["choice"][:3] == person[1][:3].tolist()
    assert stored["prior"]["flat"]["nondecision_time"] == [1e-3, None]


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null", "{}", '{"format": 1}'])
def test_other_text_is_refused(text):
    with pytest.raises(DataError, match="not the JSON of a Posterior"):
        Posterior.from_json(text)


def damaged(person, change):
    stored = json.loads(bayes.fit(*person).to_json())
    change(stored)
    return json.dumps(stored)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.update(version=2), "reads tacit.bayes.Posterior 1, got .*Posterior 2"),
        (lambda s: s.update(format="tacit.study"), "got tacit.study 1"),
        (lambda s: s.pop("lattice"), "KeyError.*lattice"),
        (lambda s: s["lattice"]["probability"].pop(), "not the JSON"),
        (lambda s: s["lattice"]["axes"].pop(), "not the JSON"),
        (lambda s: s["trials"]["choice"].pop(), "`choice` must have one value per row"),
        (lambda s: s["trials"]["response_time"].__setitem__(0, -1), "got -1 at trial 0"),
        (lambda s: s.update(prior={"cauchy": {}}), "not the JSON"),
    ],
)
def test_damage_is_noticed(person, change, message):
    with pytest.raises(DataError, match=message):
        Posterior.from_json(damaged(person, change))
