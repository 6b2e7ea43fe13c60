import json
from pathlib import Path

import numpy as np
import pytest

from tacit import ddm
from tacit.ddm import parameters
from tacit.errors import DataError

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "ddm_conventions.json").read_text("utf-8")
)
# HSSM sums a fixed number of terms.
DENSITIES = {"hddm": 1e-13, "hssm": 1e-8, "pyddm": 1e-12}


def densities():
    return [
        pytest.param(tool, case, id=f"{tool}-{number}")
        for tool in DENSITIES
        for number, case in enumerate(GOLDEN[tool]["cases"])
    ]


@pytest.mark.parametrize(("tool", "case"), densities())
def test_density_equals_the_other_tools_own(tool, case):
    converted = getattr(parameters, f"from_{tool}")(**case["arguments"])
    found = ddm.logpdf(GOLDEN["choice"], GOLDEN["response_time"], **converted._asdict())
    np.testing.assert_allclose(found, case["log_density"], rtol=0, atol=DENSITIES[tool])


@pytest.mark.parametrize(("tool", "case"), densities())
def test_converting_there_and_back_changes_nothing(tool, case):
    noise = {"noise": case["arguments"]["noise"]} if tool == "pyddm" else {}
    there = getattr(parameters, f"from_{tool}")(**case["arguments"])
    back = getattr(parameters, f"to_{tool}")(there, **noise)
    assert back.keys() == case["arguments"].keys()
    for name, value in case["arguments"].items():
        assert back[name] == pytest.approx(value, rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("case", GOLDEN["ssms"]["cases"])
def test_simulations_of_ssm_simulators_use_the_units_of_hssm(case):
    # Observed once per step, evidence passes the barrier by 0.5826 sqrt(step) on average
    # (Chernoff 1965), as if the barrier stood that much farther away.
    drift, barrier, nondecision_time, start = parameters.from_hssm(**case["arguments"])
    barrier = barrier + 0.5826 * np.sqrt(case["time_step"])
    n = case["n_samples"]
    # P(first) = (1 - e^{-2 u (a + b)}) / (1 - e^{-4 u a}), and E[t] = (E[end] - b) / u
    first = np.expm1(-2 * drift * (barrier + start)) / np.expm1(-4 * drift * barrier)
    assert case["n_first"] / n == pytest.approx(first, abs=4 * np.sqrt(first * (1 - first) / n))
    mean_time = (barrier * (2 * first - 1) - start) / drift + nondecision_time
    standard_error = case["sd_response_time"] / np.sqrt(n)
    assert case["mean_response_time"] == pytest.approx(mean_time, abs=4 * standard_error)


@pytest.mark.parametrize("s", [0.1, 1.0])
def test_rtdists_is_hddm_with_an_absolute_start_and_a_scale(s):
    # rtdists checks itself that ddiffusion(z = z a) is dwiener(beta = z) for s = 1, and s
    # scales whatever is evidence (documentation of ddiffusion).
    for case in GOLDEN["hddm"]["cases"]:
        v, a, t, z = (case["arguments"][name] for name in "vatz")
        converted = parameters.from_rtdists(a=s * a, v=s * v, t0=t, z=s * z * a, s=s)
        found = ddm.logpdf(GOLDEN["choice"], GOLDEN["response_time"], **converted._asdict())
        np.testing.assert_allclose(found, case["log_density"], rtol=0, atol=DENSITIES["hddm"])
        back = parameters.to_rtdists(converted, s=s)
        assert back == pytest.approx({"a": s * a, "v": s * v, "t0": t, "z": s * z * a, "s": s})


def test_rtdists_starts_in_the_middle_by_default():
    assert parameters.from_rtdists(a=2.0, v=1.0).start == 0


def test_boundary_separation_is_twice_the_barrier():
    assert parameters.boundary_separation_from_barrier(1.2) == 2.4
    assert parameters.barrier_from_boundary_separation(2.4) == 1.2


def test_arrays_are_converted_elementwise():
    converted = parameters.from_hddm(v=[1.0, 2.0], a=2.0, z=[[0.5], [0.75]])
    assert converted.barrier == 1
    np.testing.assert_array_equal(converted.start, [[0.0], [0.5]])


@pytest.mark.parametrize(
    ("convert", "message"),
    [
        (lambda: parameters.from_hddm(v=1, a=0), r"`a` must be a positive number, got 0 at"),
        (lambda: parameters.from_hssm(v=np.nan, a=1), "`v` must be finite, got nan"),
        (lambda: parameters.from_hssm(v=1, a=1, t=-0.1), "`t` must be zero or a positive"),
        (lambda: parameters.from_hddm(v=1, a=2, z=[0.5, 1.0]), "got 1 at position 1; is it an abs"),
        (lambda: parameters.from_rtdists(v=1, a=0.4, z=0.5), "between 0 and `a`.*is it a fraction"),
        (lambda: parameters.from_rtdists(v=1, a=1, s=0), "`s` must be a positive number"),
        (lambda: parameters.from_pyddm(drift=1, B=1, x0=1), "`start` must lie strictly between"),
        (lambda: parameters.from_pyddm(drift=1, B=-1), "`B` must be a positive number, got -1"),
        (
            lambda: parameters.to_hddm(parameters.DiffusionParameters(1.0, 1.0, start=2.0)),
            "`start` must lie strictly between",
        ),
    ],
)
def test_impossible_parameters_are_named(convert, message):
    with pytest.raises(DataError, match=message):
        convert()
