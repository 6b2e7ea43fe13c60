"""Record what other packages compute, in their own units, for the tests of unit conversion.

``python -m benchmarks.conventions hddm pyddm ssms`` rewrites these tools' entries of
tests/golden/ddm_conventions.json; each tool must be installed (hddm-wfpt, hssm, pyddm,
ssm-simulators), together or in environments of their own. tacit itself is not used.
"""

import importlib
import importlib.metadata
import json
import sys
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "ddm_conventions.json"
CHOICES = [1, 1, 1, -1, -1, -1]
RESPONSE_TIMES = [0.45, 0.9, 2.5, 0.5, 1.1, 2.0]


def hddm():
    """Evaluate HDDM's density, where the sign of a time is its response."""
    wfpt = importlib.import_module("wfpt")
    cases = [
        {"v": 0.8, "a": 2.0, "t": 0.3, "z": 0.5},
        {"v": -1.5, "a": 2.6, "t": 0.2, "z": 0.7},
        {"v": 0.0, "a": 1.4, "t": 0.4, "z": 0.25},
    ]
    signed = np.multiply(CHOICES, RESPONSE_TIMES)

    def column(value):
        return np.full(len(signed), value)

    return "hddm-wfpt", [
        {
            "arguments": case,
            "log_density": wfpt.wiener_logp_array(
                signed,
                column(case["v"]),
                column(0.0),
                column(case["a"]),
                column(case["z"]),
                column(0.0),
                column(case["t"]),
                column(0.0),
                1e-14,
            ).tolist(),
        }
        for case in cases
    ]


def hssm():
    """Evaluate HSSM's analytical density, on rows of time and response."""
    logp_ddm = importlib.import_module("hssm.likelihoods.analytical").logp_ddm
    cases = [
        {"v": 0.8, "a": 1.0, "t": 0.3, "z": 0.5},
        {"v": -1.5, "a": 1.3, "t": 0.2, "z": 0.7},
        {"v": 0.0, "a": 0.7, "t": 0.4, "z": 0.25},
    ]
    data = np.column_stack([RESPONSE_TIMES, CHOICES])
    return "hssm", [
        {"arguments": case, "log_density": logp_ddm(data, **case).eval().tolist()} for case in cases
    ]


def pyddm():
    """Evaluate PyDDM's analytical solution, on its own time grid."""
    pyddm = importlib.import_module("pyddm")
    cases = [
        {"drift": 0.8, "B": 1.0, "nondectime": 0.3, "x0": 0.0, "noise": 1.0},
        {"drift": 1.6, "B": 2.0, "nondectime": 0.2, "x0": 0.5, "noise": 2.0},
        {"drift": -0.1, "B": 0.15, "nondectime": 0.4, "x0": -0.06, "noise": 0.1},
    ]
    entries = []
    for case in cases:
        model = pyddm.Model(
            drift=pyddm.DriftConstant(drift=case["drift"]),
            noise=pyddm.NoiseConstant(noise=case["noise"]),
            bound=pyddm.BoundConstant(B=case["B"]),
            IC=pyddm.ICPoint(x0=case["x0"]),
            overlay=pyddm.OverlayNonDecision(nondectime=case["nondectime"]),
            dx=0.01,
            dt=0.01,
            T_dur=4.0,
        )
        solution = model.solve_analytical()
        at = np.searchsorted(model.t_domain(), np.array(RESPONSE_TIMES) - 1e-9)
        upper, lower = solution.pdf("_top")[at], solution.pdf("_bottom")[at]
        density = np.where(np.array(CHOICES) > 0, upper, lower)
        entries.append({"arguments": case, "log_density": np.log(density).tolist()})
    return "pyddm", entries


def ssms():
    """Simulate by ssm-simulators, whose Euler steps let the evidence overshoot the boundary."""
    simulator = importlib.import_module("ssms.basic_simulators.simulator").simulator
    cases = [
        {"v": 0.8, "a": 1.0, "t": 0.3, "z": 0.5},
        {"v": -0.5, "a": 1.3, "t": 0.2, "z": 0.7},
    ]
    n_samples, time_step = 40_000, 1e-3
    entries = []
    for seed, case in enumerate(cases):
        run = simulator(
            theta=[case[name] for name in ("v", "a", "z", "t")],
            model="ddm",
            n_samples=n_samples,
            delta_t=time_step,
            max_t=40.0,
            smooth_unif=False,
            random_state=seed,
        )
        first = run["choices"].ravel() == 1
        entries.append(
            {
                "arguments": case,
                "n_samples": n_samples,
                "time_step": time_step,
                "n_first": int(first.sum()),
                "mean_response_time": float(run["rts"].mean(dtype=np.float64)),
                "sd_response_time": float(run["rts"].std(dtype=np.float64)),
            }
        )
    return "ssm-simulators", entries


def main(tools):
    """Rewrite the entries of `tools`."""
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    golden["provenance"] = "python -m benchmarks.conventions"
    golden["choice"], golden["response_time"] = CHOICES, RESPONSE_TIMES
    for tool in tools:
        package, entries = globals()[tool]()
        golden[tool] = {
            "package": package,
            "version": importlib.metadata.version(package),
            "cases": entries,
        }
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
