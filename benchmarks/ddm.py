"""Accuracy and speed of the diffusion model's sampler and density, against other packages.

    python -m benchmarks.ddm [--quick] [--seed N]

prints its tables and appends the run to benchmarks/results/ddm.json. Everything runs on one core,
and in turns: a figure of speed is a ratio measured in one run.
"""

import argparse
import secrets

import numpy as np
import polyagamma
import wfpt
from scipy.stats import kstest, uniform
from ssms.basic_simulators.simulator import simulator

from benchmarks._timing import (
    append,
    provenance,
    rate,
    ratio,
    show,
    shown,
    take_turns,
    use_one_core,
)
from tacit import ddm
from tests.oracle.ddm_series import log_density

STRENGTHS = [0.0, 0.3, 0.79, 0.81, 2.0, 10.0, 90.0, 1000.0]
"""|barrier x drift| on either side of every switch of the sampler, and past polyagamma's range."""

MIXTURE = "mixture"
"""Drifts from N(0, 1.5^2), as in an experiment with easy and hard queries."""

EULER_STEP = 1e-3


def sampler_accuracy(rng, n_draws):
    """Compare draws with the exact law: deviations in standard errors, and Kolmogorov's p."""
    rows = []
    for strength in STRENGTHS:
        choice, time = ddm.sample(strength, 1.0, rng=rng, size=n_draws)
        mean, variance = ddm.mean_time(strength, 1.0), ddm.var_time(strength, 1.0)
        squares = (time - mean) ** 2
        row = {
            "strength": strength,
            "mean": (time.mean() - mean) / np.sqrt(variance / n_draws),
            "variance": (squares.mean() - variance) / (squares.std() / np.sqrt(n_draws)),
            "choice": choice_deviation(choice, strength),
            "ks_p": kstest(ddm.cdf(time, strength, 1.0), uniform.cdf, method="asymp").pvalue,
        }
        rows.append({name: float(value) for name, value in row.items()})
    return rows


def choice_deviation(choice, strength):
    """Return the deviation of the choices' mean in standard errors, 0 if all are as certain."""
    off = choice.mean(dtype=np.float64) - ddm.mean_choice(strength, 1.0)
    # Where the rarer choice is not expected once in all draws, its absence is no deviation.
    spread = np.sqrt(max(float(ddm.var_choice(strength, 1.0)), 1 / len(choice)) / len(choice))
    return off / spread


def drifts(case, rng, n_draws):
    """Return an array of drifts for barrier 1."""
    return 1.5 * rng.standard_normal(n_draws) if case == MIXTURE else np.full(n_draws, case)


def sampler_speed(rng, n_draws, n_euler, n_repeats):
    """Time draws of choice and time, and compare mean times; polyagamma draws times alone."""
    rows = []
    for case in [*STRENGTHS, MIXTURE]:
        drift = drifts(case, rng, n_draws)
        tilt = 2 * drift
        some = drift[:n_euler]
        functions = {
            "tacit": lambda u=drift: ddm.sample(u, 1.0, rng=rng),
            "polyagamma": lambda c=tilt: 4 * polyagamma.random_polyagamma(1, c, random_state=rng),
            "ssm-simulators": lambda u=some: euler(u, int(rng.integers(2**31))),
        }
        seconds = take_turns(functions, n_repeats)
        per_draw = {
            name: np.divide(times, n_euler if name == "ssm-simulators" else n_draws)
            for name, times in seconds.items()
        }
        rows.append(
            {"strength": case}
            | {f"{name} M/s": rate(1, times) for name, times in per_draw.items()}
            | {
                f"tacit / {name}": ratio(per_draw[name], per_draw["tacit"])
                for name in ("polyagamma", "ssm-simulators")
            }
            | {
                "mean time of polyagamma / exact": mean_ratio(functions["polyagamma"](), drift),
                "mean time of ssm-simulators / exact": mean_ratio(
                    functions["ssm-simulators"]()["rts"], some
                ),
            }
        )
    return rows


def mean_ratio(times, drift):
    """Return the mean of the times over what it should be."""
    return float(np.mean(times, dtype=np.float64) / ddm.mean_time(drift, 1.0).mean())


def euler(drift, seed):
    """Simulate by ssm-simulators: one condition at a time where there is only one."""
    one = drift.min() == drift.max()
    theta = {"v": drift[:1] if one else drift}
    theta |= {name: np.full(theta["v"].shape, x) for name, x in (("a", 1), ("z", 0.5), ("t", 0))}
    return simulator(
        theta={name: column.astype(np.float32) for name, column in theta.items()},
        model="ddm",
        n_samples=len(drift) if one else 1,
        delta_t=EULER_STEP,
        smooth_unif=False,
        random_state=seed,
    )


def density_accuracy(n_times):
    """Return the largest error of the log-density against 50-digit series."""
    worst = 0.0
    for time in np.geomspace(0.002, 20, n_times):
        for strength in (0.0, 0.3, 1.0, -3.0):
            for barrier in (0.6, 1.0, 2.5):
                for choice in (1, -1):
                    case = choice, time * barrier**2, strength / barrier, barrier
                    worst = max(worst, abs(float(log_density(*case) - float(ddm.logpdf(*case)))))
    return worst


def density_speed(rng, n_trials, n_repeats):
    """Time log-densities of trials that all have a drift and a barrier of their own."""
    drift, barrier = drifts(MIXTURE, rng, n_trials), rng.uniform(0.7, 2.0, n_trials)
    choice, time = ddm.sample(drift, barrier, rng=rng)
    signed, separation = choice * time, 2 * barrier
    zero, half = np.zeros(n_trials), np.full(n_trials, 0.5)

    def hddm(error):
        return wfpt.wiener_logp_array(
            signed, drift, zero, separation, half, zero, zero, zero, error
        )

    seconds = take_turns(
        {
            "tacit": lambda: ddm.logpdf(choice, time, drift, barrier),
            "hddm-wfpt": lambda: hddm(1e-4),
            "hddm-wfpt, exact": lambda: hddm(1e-14),
        },
        n_repeats,
    )
    exact = ddm.logpdf(choice, time, drift, barrier)
    names = [name for name in seconds if name != "tacit"]
    return (
        {f"{name} M/s": rate(n_trials, times) for name, times in seconds.items()}
        | {f"tacit / {name}": ratio(seconds[name], seconds["tacit"]) for name in names}
        | {"largest error of hddm-wfpt": float(abs(hddm(1e-4) - exact).max())}
        | {"largest difference from hddm-wfpt, exact": float(abs(hddm(1e-14) - exact).max())}
    )


def distribution_speed(rng, n_times, n_repeats):
    """Time the distribution function and its inverse."""
    drift, p = drifts(MIXTURE, rng, n_times), rng.random(n_times)
    time = ddm.quantile(p, drift, 1.0)
    seconds = take_turns(
        {
            "cdf": lambda: ddm.cdf(time, drift, 1.0),
            "quantile": lambda: ddm.quantile(p, drift, 1.0),
        },
        n_repeats,
    )
    return {f"{name} M/s": rate(n_times, times) for name, times in seconds.items()}


def main():
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, nothing stored")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    arguments = parser.parse_args()
    use_one_core()
    share = 10 if arguments.quick else 1
    rng = np.random.default_rng(arguments.seed)
    config = {"seed": arguments.seed, "n_draws": 10**7 // share, "n_repeats": 9 // share + 2}
    n_timed = 10**6 // share
    run = {
        "sampler accuracy": sampler_accuracy(rng, config["n_draws"]),
        "sampler speed": sampler_speed(rng, n_timed, 10**4, config["n_repeats"]),
        "largest error of logpdf": density_accuracy(200 // share),
        "density speed": density_speed(rng, n_timed, config["n_repeats"]),
        "distribution speed": distribution_speed(rng, n_timed // 4, config["n_repeats"]),
    }
    show("Draws, deviations in standard errors", run["sampler accuracy"])
    show("Draws, ratios of speed: median (range over rounds)", run["sampler speed"])
    print(f"logpdf against 50-digit series: largest error {run['largest error of logpdf']:.2g}")
    for title in ("density speed", "distribution speed"):
        for name, value in run[title].items():
            print(f"{name}: {shown(value)}")
    if not arguments.quick:
        packages = ("hddm-wfpt", "numba", "numpy", "polyagamma", "scipy", "ssm-simulators", "tacit")
        append("ddm", {"provenance": provenance(packages, **config)} | run)


if __name__ == "__main__":
    main()
