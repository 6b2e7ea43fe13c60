"""What the answers of others are worth: learners and predictions with and without a population.

    python -m benchmarks.population [--data DIR] [--quick] [--only PART] [--runs N] [--seed N]

prints tables and appends each part to benchmarks/results/population.json.

Human data: each person in turn is left out, and a population is learned from the trials of all
others, at the rank that predicts held-out people among these best. The belief after 5, 10 and 20 of
the person's own answers, drawn at random, predicts other choices of the person: those between two
snacks (Clithero), or the rest. And TopTwo questions a simulation of the left-out person (the
published fit) at the three smallest time budgets of the paper: with a population of the others'
answers, and with one of answers that were simulated for the others in the same way, to the same
questions. For simulated people are not quite the people: flat priors leave the noise of each
person's answers in the published weights, and nobody else's answers tell of it. Differences are
paired by person, with 95% intervals over people.

Made-up people: 1,000 with shared structure teach the population, 300 others are questioned.
"""

import argparse
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import log_expit

from benchmarks._timing import append, need_data, provenance, show
from tacit import bayes, datasets, ddm
from tacit.bayes import Population
from tacit.ddm import PeopleStatistics
from tacit.errors import ConvergenceWarning
from tacit.learners import Belief, BeliefPrior, TopTwo
from tacit.records import Items, Problem, QuerySpace
from tacit.simulate import Diffusion, run

Row = dict[str, Any]

BUDGETS = {"clithero": (50, 75, 100), "krajbich": (150, 200, 250), "food-risk": (250, 500, 1000)}
ANSWERS = (5, 10, 20)
FASTEST_SHARE = 0.85
RANKS = (None, 1, 2)
N_TEACHERS, N_PUPILS, N_TRIALS = 1000, 300, 60
N_ITEMS, N_FEATURES = 40, 16
BARRIER, NONDECISION_TIME = 1.2, 0.4
MOST_ANSWERS = 80
LEVEL = 1.96


Arrays = list[np.ndarray]


class Crowd(NamedTuple):
    """People who share items: their trials as vectors, and the sums of these."""

    vectors: Arrays
    choices: Arrays
    times: Arrays
    sums: PeopleStatistics

    @classmethod
    def of(cls, people: Sequence[datasets.Person]) -> "Crowd":
        """Express trials in the items of the problem that a learner would be given."""
        vectors = []
        for person in people:
            trials = person.trials
            rated = trials.items.n_items == person.problem.items.n_items
            items = person.problem.items if rated else trials.items
            vectors.append(items.differences(trials.first, trials.second))
        choices = [person.trials.choice.astype(float) for person in people]
        times = [person.trials.response_time for person in people]
        return cls(vectors, choices, times, cls.summed(vectors, choices, times))

    def simulated(self, respondents: Sequence[Diffusion], rng: np.random.Generator) -> "Crowd":
        """Let simulations of the people answer the same questions."""
        drawn = [
            ddm.sample(x @ who.weights, who.barrier, nondecision_time=who.nondecision_time, rng=rng)
            for x, who in zip(self.vectors, respondents, strict=True)
        ]
        choices = [choice.astype(float) for choice, _ in drawn]
        times = [time for _, time in drawn]
        return Crowd(self.vectors, choices, times, self.summed(self.vectors, choices, times))

    @staticmethod
    def summed(vectors: Arrays, choices: Arrays, times: Arrays) -> PeopleStatistics:
        """Return everybody's sums."""
        number = np.repeat(np.arange(len(choices)), [len(choice) for choice in choices])
        columns = (np.concatenate(values) for values in (vectors, choices, times))
        return PeopleStatistics.from_trials(*columns, number)


def population_of(sums: PeopleStatistics, ranks: tuple[int | None, ...]) -> tuple[Population, Any]:
    """Learn a population at the rank that predicts best among the same people."""
    times = FASTEST_SHARE * sums.fastest
    ranks = tuple(rank for rank in ranks if rank is None or rank < sums.n_features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        evidence = bayes.held_out_evidence(sums, nondecision_time=times, ranks=ranks)
        rank = max(ranks, key=lambda known: evidence[known])
        learned = bayes.learn_population(sums, nondecision_time=times, rank=rank, tolerance=1e-4)
    return learned, rank


def belief_after(prior: BeliefPrior, X: np.ndarray, choice: np.ndarray, time: np.ndarray) -> Belief:
    """Return beliefs after answers of shape (n_draws, n_answers, ...), one draw in each run."""
    n_draws, n_answers, d = X.shape
    size = float((X**2).sum(axis=2).mean())
    belief = Belief.start(n_draws, d, size, prior)
    for i in range(n_answers):
        belief = belief.observe(X[:, i], choice[:, i], time[:, i], prior)
    return belief


def scores(belief: Belief, vectors: np.ndarray, choice: np.ndarray) -> np.ndarray:
    """Return log-loss and accuracy of predicted choices, over draws; a tie counts half.

    Uncertain weights make log-odds smaller, by MacKay's approximation.
    """
    odds = 2 * belief.barrier[:, None]
    mean = odds * (belief.mean @ vectors.T)
    variance = odds**2 * np.einsum(
        "ki,nij,kj->nk", vectors, belief.covariance, vectors, optimize=True
    )
    margin = choice * mean / np.sqrt(1 + np.pi / 8 * variance)
    right = np.where(margin == 0, 0.5, margin > 0)
    return np.array([-log_expit(margin).mean(), right.mean()])


def predict(
    person: datasets.Person,
    answers: tuple[np.ndarray, np.ndarray, np.ndarray],
    priors: dict[str, BeliefPrior],
    rng: np.random.Generator,
    n_draws: int,
) -> dict[int, dict[str, np.ndarray]]:
    """Return the scores after few answers by their number and by prior, means over draws."""
    X, choice, time = answers
    order = np.array([rng.permutation(len(choice)) for _ in range(n_draws)])
    found: dict[int, dict[str, np.ndarray]] = {}
    for n_answers in ANSWERS:
        some = order[:, :n_answers]
        found[n_answers] = {}
        for name, prior in priors.items():
            belief = belief_after(prior, X[some], choice[some], time[some])
            if person.held_out is not None:
                own = person.held_out
                vectors = person.problem.items.differences(own.first, own.second)
                found[n_answers][name] = scores(belief, vectors, own.choice.astype(float))
                continue
            each = []
            for draw in range(n_draws):
                rest = order[draw, n_answers:]
                rest = rest[X[rest].any(axis=1)]
                each.append(scores(belief.take([draw]), X[rest], choice[rest]))
            found[n_answers][name] = np.mean(each, axis=0)
    return found


def paired(with_it: list[float], without: list[float]) -> Row:
    """Return both means and their difference with its 95% interval over people."""
    change = np.subtract(with_it, without)
    half = LEVEL * change.std(ddof=1) / np.sqrt(len(change))
    return {
        "without": float(np.mean(without)),
        "with population": float(np.mean(with_it)),
        "change": float(change.mean()),
        "from": float(change.mean() - half),
        "to": float(change.mean() + half),
    }


def human(name: str, data: str | None, n_runs: int, seed: int, most: int | None) -> Row:
    """Return what populations are worth for the people of one data set, each left out in turn."""
    people = datasets.load(name, data).people[:most]
    fits = datasets.published_fits(name, data)[:most]
    respondents = [
        Diffusion(person.problem_weights(fit.weights), fit.barrier, fit.nondecision_time)
        for person, fit in zip(people, fits, strict=True)
    ]
    real = Crowd.of(people)
    simulated = real.simulated(respondents, np.random.default_rng([seed, len(people)]))
    found: dict[str, dict[str, list[float]]] = {}
    away: list[float] = []
    for j, (person, respondent) in enumerate(zip(people, respondents, strict=True)):
        others = np.arange(len(people)) != j
        population, rank = population_of(real.sums.take(others), RANKS)
        alike, _ = population_of(simulated.sums.take(others), (rank,))
        away.append(distance(respondent.weights, population))
        priors = {"without": BeliefPrior(), "real": BeliefPrior.of(population)}
        for kind, prior in (priors | {"simulated": BeliefPrior.of(alike)}).items():
            rng = np.random.default_rng([seed, j])
            outcomes = run(
                person.problem,
                TopTwo(prior=prior),
                respondent,
                BUDGETS[name],
                n_runs=n_runs,
                rng=rng,
            )
            for budget, wrong in zip(BUDGETS[name], outcomes.by_budget("error"), strict=True):
                into = found.setdefault(f"error at {budget} s", {})
                into.setdefault(kind, []).append(float(wrong.mean()))
        own = real.vectors[j], real.choices[j], real.times[j]
        drawn = np.random.default_rng([seed, j, 1])
        for n_answers, by_prior in predict(person, own, priors, drawn, n_runs // 2).items():
            for kind, score in by_prior.items():
                for what, value in zip(("log-loss", "accuracy"), score, strict=True):
                    into = found.setdefault(f"{what}, {n_answers} answers", {})
                    into.setdefault(kind, []).append(float(value))
        print(f"{name}: {j + 1} of {len(people)} people, rank {rank}", flush=True)
    rows = [
        {"what": what, "others": others, **paired(by_kind[others], by_kind["without"])}
        for what, by_kind in found.items()
        for others in ("real", "simulated")
        if others in by_kind
    ]
    return {"rows": rows, "distance": float(np.median(away))}


def distance(weights: np.ndarray, population: Population) -> float:
    """Return the squared distance from a population's mean in its own units, by weight.

    Over people who come from the population it is 1 on average.
    """
    prior = population.prior()
    deviation = weights - np.asarray(prior.mean)
    white = np.linalg.solve(np.asarray(prior.covariance), deviation)
    return float(deviation @ white / len(weights))


def made_up(kind: str, rng: np.random.Generator, n_teachers: int, n_pupils: int) -> list[Row]:
    """Return how many answers a population saves on made-up people with shared structure."""
    items = Items(rng.standard_normal((N_ITEMS, N_FEATURES)))
    n = n_teachers + n_pupils
    if kind == "three shared directions":
        directions = rng.standard_normal((3, N_FEATURES)) / np.sqrt(3)
        weights = rng.standard_normal((n, 3)) @ directions
        weights += 0.05 * rng.standard_normal(weights.shape)
    else:
        centres = 0.8 * rng.standard_normal((4, N_FEATURES))
        weights = centres[rng.integers(4, size=n)] + 0.1 * rng.standard_normal((n, N_FEATURES))
    weights *= 0.6
    pupils = weights[n_teachers:]
    number = np.repeat(np.arange(n_teachers), N_TRIALS)
    first = rng.integers(N_ITEMS, size=len(number))
    second = (first + rng.integers(1, N_ITEMS, size=len(number))) % N_ITEMS
    X = items.differences(first, second)
    drift = np.einsum("ij,ij->i", X, weights[number])
    choice, time = ddm.sample(drift, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
    sums = PeopleStatistics.from_trials(X, choice, time, number)
    population, rank = population_of(sums, (None, 2, 3, 4))
    problem = Problem(items, QuerySpace.all_pairs(items))
    error = {
        name: _errors(problem, TopTwo(prior=prior), pupils, rng)
        for name, prior in (("without", BeliefPrior()), ("with", BeliefPrior.of(population)))
    }
    rows: list[Row] = []
    for n_answers in (5, 10, 20, 40):
        without = float(error["without"][n_answers])
        reached = np.flatnonzero(error["with"] <= without)
        rows.append(
            {
                "people": kind,
                "rank": str(rank),
                "answers": n_answers,
                "without": without,
                "with population": float(error["with"][n_answers]),
                "as good after": float(reached[0]) if len(reached) else float("nan"),
            }
        )
    return rows


def _errors(
    problem: Problem, learner: TopTwo, weights: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the share of people whose favourite is not recommended, by number of answers."""
    utility = weights @ problem.items.features.T
    best = utility.argmax(axis=1)
    state = learner.start(problem, rng, n_runs=len(weights))
    errors = [float((learner.recommend(state).item != best).mean())]
    for _ in range(MOST_ANSWERS):
        query = learner.ask(state)
        drift = np.einsum("ij,ij->i", problem.queries.vectors(query), weights)
        choice, time = ddm.sample(drift, BARRIER, nondecision_time=NONDECISION_TIME, rng=rng)
        state = learner.tell(state, query, choice, time)
        errors.append(float((learner.recommend(state).item != best).mean()))
    return np.array(errors)


def main() -> None:
    """Run, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="folder with the three data sets")
    parser.add_argument("--quick", action="store_true", help="few people, nothing stored")
    parser.add_argument("--only", choices=(*BUDGETS, "made-up"), help="one part, not all")
    parser.add_argument("--runs", type=int, default=60, help="simulated runs of each person")
    parser.add_argument("--seed", type=int, default=1, help="of everything random")
    arguments = parser.parse_args()
    parts = (*BUDGETS, "made-up") if arguments.only is None else (arguments.only,)
    need_data([name for name in parts if name in BUDGETS], arguments.data)
    n_runs, most = (10, 14) if arguments.quick else (arguments.runs, None)
    for name in parts:
        if name == "made-up":
            n_people = (100, 50) if arguments.quick else (N_TEACHERS, N_PUPILS)
            rng = np.random.default_rng(arguments.seed)
            kinds = ("three shared directions", "four clusters")
            part: Row = {"rows": [row for kind in kinds for row in made_up(kind, rng, *n_people)]}
            show(
                "Made-up people: share of favourites not found, by number of answers", part["rows"]
            )
        else:
            part = human(name, arguments.data, n_runs, arguments.seed, most)
            show(f"{name}, leaving one person out (95% intervals of the change)", part["rows"])
            print(f"squared distance of simulated people from the others: {part['distance']:.2g}")
        if not arguments.quick:
            ran = provenance(("numpy", "scipy", "tacit"), seed=arguments.seed, n_runs=n_runs)
            append("population", {"provenance": ran, "part": name, **part})


if __name__ == "__main__":
    main()
