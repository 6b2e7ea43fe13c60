import numpy as np
import pytest

from tacit import ddm
from tacit.errors import DataError


def test_the_same_generator_state_gives_the_same_answers():
    drift = np.linspace(-8, 8, 1001)
    first = ddm.sample(drift, 1.2, rng=np.random.default_rng(5))
    second = ddm.sample(drift, 1.2, rng=np.random.default_rng(5))
    np.testing.assert_array_equal(first, second)


def test_draws_do_not_depend_on_how_they_are_batched():
    whole = ddm.sample(0.5, 1.2, rng=np.random.default_rng(5), size=100)
    rng = np.random.default_rng(5)
    parts = [ddm.sample(0.5, 1.2, rng=rng, size=n) for n in (1, 59, 40)]
    np.testing.assert_array_equal(whole, np.concatenate(parts, axis=1))


@pytest.mark.parametrize(
    ("drift", "barrier", "size", "shape"),
    [
        (1.0, 1.0, None, ()),
        (1.0, 1.0, 3, (3,)),
        (1.0, 1.0, (2, 0), (2, 0)),
        (np.zeros((4, 1)), np.ones(5), None, (4, 5)),
        (np.zeros(5), 1.0, (7, 5), (7, 5)),
        (np.zeros((3, 6)).T, 1.0, None, (6, 3)),
    ],
)
def test_shape_is_that_of_the_parameters_or_size(drift, barrier, size, shape, rng):
    choice, time = ddm.sample(drift, barrier, rng=rng, size=size)
    assert choice.shape == time.shape == shape
    assert choice.dtype == np.int8
    assert time.dtype == np.float64
    assert np.isin(choice, [-1, 1]).all()
    assert (time > 0).all()


def test_each_answer_belongs_to_its_own_query(rng):
    drift = np.array([[40.0, -40.0], [-40.0, 40.0]])
    barrier = np.array([1.0, 100.0])
    choice, time = ddm.sample(drift, barrier, rng=rng)
    np.testing.assert_array_equal(choice, np.sign(drift))
    np.testing.assert_allclose(time, np.broadcast_to(barrier / 40, (2, 2)), rtol=0.9)


def test_parameters_are_left_alone(rng):
    drift = np.ones(10)
    drift.flags.writeable = False
    ddm.sample(drift, np.ones(10), rng=rng, nondecision_time=np.ones(10))
    assert (drift == 1).all()


def test_nondecision_time_is_added():
    _, decision_time = ddm.sample(np.zeros(4), 1.0, rng=np.random.default_rng(1))
    _, response_time = ddm.sample(
        np.zeros(4), 1.0, rng=np.random.default_rng(1), nondecision_time=[0, 1, 2, 3]
    )
    np.testing.assert_allclose(response_time - decision_time, [0, 1, 2, 3], rtol=1e-12)


@pytest.mark.parametrize("drift", [0.0, 1e-300, 1e9, -1e300])
def test_extreme_strengths_give_times_near_their_mean(drift, rng):
    choice, time = ddm.sample(drift, 1.0, rng=rng, size=100)
    assert np.isfinite(time).all()
    if abs(drift) > 1:
        assert (choice == np.sign(drift)).all()
        np.testing.assert_allclose(time, 1 / abs(drift), rtol=1e-3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rng": 3}, "`rng` must be a numpy.random.Generator, got int"),
        ({"rng": np.random}, "`rng` must be a numpy.random.Generator, got module"),
        ({"drift": np.nan}, "`drift` must be finite"),
        ({"barrier": [1.0, 0.0]}, "`barrier` must be a positive number, got 0 at position 1"),
        ({"drift": 1e200, "barrier": 1e200}, "`barrier` times `drift` must be finite"),
        ({"nondecision_time": -1.0}, "`nondecision_time` must be zero"),
        ({"drift": np.zeros(3), "size": 4}, r"`size` \(4,\) does not fit the shape \(3,\)"),
        ({"drift": np.zeros(3), "size": 1}, r"`size` \(1,\) does not fit the shape \(3,\)"),
        ({"drift": np.zeros((2, 3)), "size": 3}, r"`size` \(3,\) does not fit the shape \(2, 3\)"),
    ],
)
def test_impossible_arguments_are_named(arguments, message, rng):
    valid = {"drift": 0.5, "barrier": 1.5, "rng": rng}
    with pytest.raises(DataError, match=message):
        ddm.sample(**(valid | arguments))


@pytest.mark.parametrize("drift", [-3.0, 0.0, 0.4])
def test_a_path_goes_from_zero_to_the_barrier_it_chose(drift, rng):
    path = ddm.sample_path(drift, 0.8, rng=rng, time_step=2e-3)
    assert path.time.shape == path.evidence.shape
    np.testing.assert_allclose(np.diff(path.time), 2e-3, rtol=1e-9)
    assert path.time[0] == path.evidence[0] == 0
    assert path.evidence[-1] == path.choice * 0.8
    assert (abs(path.evidence[:-1]) < 0.8).all()


def test_a_long_path_is_put_together_without_a_seam():
    path = ddm.sample_path(0.0, 3.0, rng=np.random.default_rng(2), time_step=1e-3)
    steps = np.diff(path.evidence)
    assert len(steps) > 2048
    assert abs(steps).max() < 6 * np.sqrt(1e-3)


def test_a_path_needs_a_positive_time_step(rng):
    for time_step in (0.0, -1e-3, np.nan):
        with pytest.raises(DataError, match="`time_step` must be a positive number"):
            ddm.sample_path(1.0, 1.0, rng=rng, time_step=time_step)
