"""What pages show of the stored runs, as rows of text."""

from collections.abc import Callable
from typing import Any

Run = dict[str, Any]
Row = dict[str, str]

N_LARGEST = 6
SHARES_SHOWN = (0.0, 0.1, 0.3)
PARTS = {"arriving": "as people arrive", "together": "all there", "leaving": "as they leave"}
"""Parts of a run with many people, as stored and as shown."""


def number(value: float, digits: int = 3) -> str:
    """Write a number with some significant digits, large ones in full."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def ranged(value: dict[str, float]) -> str:
    """Write a median with its range."""
    low, high = number(value["smallest"]), number(value["largest"])
    return f"{number(value['median'])} ({low} to {high})"


def sizes(run: Run) -> list[Row]:
    """Return the largest packages of an install."""
    packages = run["MB by package"]
    largest = dict(list(packages.items())[:N_LARGEST]) | {"tacit": packages["tacit"]}
    rest = run["MB"] - sum(largest.values())
    shown = {**largest, f"{len(packages) - len(largest)} others": rest, "all": run["MB"]}
    return [
        *({"package": name, "MB": number(size)} for name, size in shown.items()),
        {"package": "all without bytecode", "MB": number(run["MB"] - run["MB of bytecode"])},
    ]


def starts(run: Run) -> list[Row]:
    """Return times of imports and of a first use."""
    rows = [
        {
            "what": what,
            "s by the clock": ranged(s["clock"]),
            "s of processor": ranged(s["processor"]),
        }
        for what, s in run["import, s"].items()
    ]
    example = run["example of the README, s on the clock"]
    return [
        *rows,
        {
            "what": "the README's example, whole process",
            "s by the clock": ranged(example["again"]),
            "s of processor": "",
        },
        {
            "what": "the same, the very first time",
            "s by the clock": number(example["the first time"]),
            "s of processor": "",
        },
    ]


def draws(run: Run) -> list[Row]:
    """Return how draws deviate from the exact law."""
    return [
        {
            "strength": number(row["strength"], 4),
            "mean": f"{row['mean']:+.1f}",
            "variance": f"{row['variance']:+.1f}",
            "choice": f"{row['choice']:+.1f}",
            "Kolmogorov's p": f"{row['ks_p']:.3f}",
        }
        for row in run["sampler accuracy"]
    ]


def draw_speed(run: Run) -> list[Row]:
    """Return ratios of the speed of samplers."""
    return [
        {
            "strength": s if isinstance(s := row["strength"], str) else number(s, 4),
            "tacit, M/s": number(row["tacit M/s"]),
            "polyagamma, M/s": number(row["polyagamma M/s"]),
            "tacit / polyagamma": ranged(row["tacit / polyagamma"]),
            "polyagamma, mean / exact": number(row["mean time of polyagamma / exact"]),
            "tacit / ssm-simulators": ranged(row["tacit / ssm-simulators"]),
            "ssm-simulators, mean / exact": number(row["mean time of ssm-simulators / exact"]),
        }
        for row in run["sampler speed"]
    ]


def density_speed(run: Run) -> list[Row]:
    """Return rates of log-densities, and the errors of one package."""
    speed = run["density speed"]
    exact = {"log-density": "tacit", "M/s": number(speed["tacit M/s"]), "tacit / it": "1"}
    exact["largest error"] = f"{run['largest error of logpdf']:.0e}"
    other = "hddm-wfpt"
    return [
        exact,
        {
            "log-density": f"{other}, error 1e-4",
            "M/s": number(speed[f"{other} M/s"]),
            "tacit / it": ranged(speed[f"tacit / {other}"]),
            "largest error": f"{speed[f'largest error of {other}']:.0e}",
        },
        {
            "log-density": f"{other}, error 1e-14",
            "M/s": number(speed[f"{other}, exact M/s"]),
            "tacit / it": ranged(speed[f"tacit / {other}, exact"]),
            "largest error": f"{speed[f'largest difference from {other}, exact']:.0e}",
        },
    ]


def people(run: Run) -> list[Row]:
    """Return how exact and published posterior means differ."""
    odd = "largest difference of all but the odd people, in posterior sds"
    return [
        {
            "data set": row["data set"],
            "people": str(row["people"]),
            "2a": off(row, "boundary separation"),
            "t0, s": off(row, "nondecision time"),
            "weights": off(row, "weights"),
            "the others, sds": f"{row[odd]:.3f}",
        }
        for row in run["published"]
    ]


def off(row: Run, what: str) -> str:
    """Write median and largest difference."""
    both = (row[f"{which} difference of {what}"] for which in ("median", "largest"))
    return " / ".join(f"{value:.1e}" for value in both)


def ranges(run: Run) -> list[Row]:
    """Return the ranges of the parameters over people."""
    return [
        {
            "data set": row["data set"],
            "barrier": " to ".join(f"{value:.3f}" for value in row["barriers"]),
            "nondecision time, s": " to ".join(f"{v:.3f}" for v in row["nondecision times"]),
        }
        for row in run["published"]
        if "barriers" in row
    ]


def judged(run: Run) -> list[Row]:
    """Return whom independent chains support where published and exact means differ."""
    return [
        {
            "person": row["person"],
            "mean of": row["of"],
            "published": f"{row['published']:.4f}",
            "exact": f"{row['exact']:.4f}",
            "exact, in the box": measured(row, "exact, inside the box", "error inside the box"),
            "long chains": measured(row, "long chains", "their error"),
            "posterior sd": f"{row['posterior sd']:.3f}",
            "outside the box": f"{row['outside the box']:.2%}",
        }
        for row in run["judged"]
    ]


def measured(row: Run, value: str, error: str) -> str:
    """Write a value with its Monte Carlo error."""
    return f"{row[value]:.4f} ± {row[error]:.4f}"


def fit_speed(run: Run) -> list[Row]:
    """Return times of fits."""
    seconds = {
        what.rpartition(", ")[0]: f"{ranged(value)} {what.rpartition(', ')[2]}"
        for what, value in run["speed"].items()
        if isinstance(value, dict)
    }
    nuts = run["nuts"]
    return [
        *({"fit": what, "processor time": value} for what, value in seconds.items()),
        {
            "fit": "Clithero's first person by NUTS, 4 x 2,000 draws, compiled",
            "processor time": f"{number(nuts['NUTS, s'])} s",
        },
        {"fit": "NUTS / tacit, in turns", "processor time": ranged(nuts["NUTS / tacit"])},
    ]


def held_out(index: int, measure: str) -> Callable[[Run], list[Row]]:
    """Return a table of one data set: accuracy, or log-loss."""

    def rows(run: Run) -> list[Row]:
        outcome = run["data_sets"][index]
        plain, tuned = measure, f"{measure}, slope of others"
        table = []
        for row in outcome["results"]:
            scores, differences = row["scores"], row["differences"]
            cells = {
                outcome["study"]["unit"]: str(row["size"]),
                "choices only": interval(scores[f"{measure}, choices only"]),
                "with times": interval(scores[f"{measure}, with times"]),
                "difference": interval(differences[plain], "+.3f"),
            }
            if tuned in differences:
                cells["difference, slope of others"] = interval(differences[tuned], "+.3f")
            table.append(cells)
        return table

    return rows


def interval(estimate: Run, form: str = ".3f") -> str:
    """Write a mean with its interval."""
    mean, low, high = (f"{estimate[key]:{form}}" for key in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def robustness(name: str) -> Callable[[Run], list[Row]]:
    """Return the errors of people like those of one data set, all columns."""

    def rows(run: Run) -> list[Row]:
        return [
            {"answers spoilt": spoilt(row)}
            | {
                column: f"{error['mean']:.3f} ± {error['standard_error']:.3f}"
                for column, error in row["squared error"]["errors"].items()
                if "given" not in column
            }
            | {"robust / ChoiceDecisionTime": shown_ratio(row["squared error"]["robust / average"])}
            for row in run["people_like"][name]
        ]

    return rows


def robustness_in_short(run: Run) -> list[Row]:
    """Return the errors of all people at a few shares, both data sets in one cell."""
    snacks, foods = run["people_like"].values()
    return [
        {"answers spoilt": spoilt(one)}
        | {
            column: " / ".join(
                f"{row['squared error']['errors'][column]['mean']:.2f}" for row in (one, other)
            )
            for column in one["squared error"]["errors"]
            if "given" not in column
        }
        for one, other in zip(snacks, foods, strict=True)
        if one["share"] in SHARES_SHOWN
    ]


def spoilt(row: Run) -> str:
    """Say how many answers are spoilt, and in which way."""
    return f"{row['contamination']}, {row['share']:.0%}" if row["share"] else "none"


def shown_ratio(ratio: dict[str, float]) -> str:
    """Write a ratio with its interval."""
    return f"{ratio['ratio']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f})"


def designs(run: Run) -> list[Row]:
    """Return gaps and times of both solvers."""
    return [
        {
            "problem": row["problem"],
            "Frank-Wolfe, ms": number(row["Frank-Wolfe, ms"]),
            "its gap": f"{row['its gap']:.1e}",
            "tacit at this gap, ms": number(row["tacit at this gap, ms"]),
            "Frank-Wolfe / tacit": ranged(row["Frank-Wolfe / tacit"]),
            "tacit at 1e-3, ms": number(row["tacit at 1e-3, ms"]),
            "certified gap": f"{row['certified gap']:.1e}",
        }
        for row in run["designs"]
    ]


def load(run: Run) -> list[Row]:
    """Return how long people waited for the next question, on each store."""
    return [
        {"store": store, "answers": f"{told['answers_acknowledged']:,}"}
        | {f"p{p}, ms": number(told[f"latency_p{p}_ms"]) for p in (50, 95, 99)}
        | {
            f"p99 {name}": number(told["latency_p99_ms_while"][part])
            for part, name in PARTS.items()
        }
        | {"processors used by others": f"{told['share_of_processors_used_by_others']:.0%}"}
        for store, told in run["results"].items()
    ]


TABLES: dict[str, dict[str, Callable[[Run], list[Row]]]] = {
    "install": {"sizes": sizes, "starts": starts},
    "ddm": {"draws": draws, "draw-speed": draw_speed, "density": density_speed},
    "bayes": {"people": people, "ranges": ranges, "judged": judged, "speed": fit_speed},
    "held_out": {
        "snacks": held_out(0, "accuracy"),
        "snacks-loss": held_out(0, "log-loss"),
        "foods": held_out(1, "accuracy"),
        "foods-loss": held_out(1, "log-loss"),
    },
    "robustness": {
        "snacks": robustness("clithero"),
        "foods": robustness("food-risk"),
        "short": robustness_in_short,
    },
    "designs": {"table": designs},
    "load": {"table": load},
}
"""The tables of each benchmark."""
