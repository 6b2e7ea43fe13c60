r"""A primal-dual interior-point method for minimax designs, on working sets.

The problem in whitened coordinates: minimise tau over shares lambda on the simplex of queries,
subject to f_y(lambda) = y'A^-1 y <= tau for every difference y, A = sum lambda_x x x' + R. With
multipliers w_y of the differences, slacks z_y = tau - f_y, and reduced costs s_x of the queries,

    nu - s_x = (sum_y w_y (y'A^-1 x)^2),   sum w = 1,   lambda_x s_x = mu,   w_y z_y = mu

describe the central path. Few queries and differences matter, so Newton's method runs on those that
do; every iteration scans all of them, which certifies the gap and tells which ones to add or drop.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgeqp3

from tacit.designs._directions import Bools, Directions, Floats, Ints, Listed
from tacit.designs._newton import Point, inverse, stepped

_AIM = 0.3
"""Complementarity that a step aims at, as a share of the global gap per variable."""
_NEGLIGIBLE = 0.005
"""What has less than this share of an even one may leave the working set."""
_WARM_UP = 8
"""Multiplicative steps before the first working set, and again on it."""
_GENTLE = 0.5
"""Power of a step away from a design that is worth keeping, while weights are still unknown."""
_EVEN_PART = 0.05
"""Share of an even design that keeps everything away from zero until then."""
_NEAR = 0.1
"""What has this share of the largest value belongs to the first working set."""
_FIRST = 100
"""Size that the first working set may have, however few dimensions there are."""
_DUST = (0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)
"""Parts of an even share below which shares are left out in the end, if possible."""
_REGULAR = 1e-10
"""Smallest ratio of eigenvalues of the information of a design without them."""


class Solution(NamedTuple):
    """What the solver found: a design, both sides of its gap, and how it went."""

    queries: Ints
    shares: Floats
    objective: float
    bound: float
    n_iterations: int
    stalled: bool


class _WarmUp(NamedTuple):
    """Shares and weights of everything, and what it was worth one step before."""

    shares: Floats
    weights: Floats
    worth: Floats
    value: Floats


class _Scan(NamedTuple):
    """All queries and differences, seen from a point."""

    value: Floats
    worth: Floats
    objective: float
    bound: float


class _Side(NamedTuple):
    """All queries, or all differences: what is seen of them, and when one enters or leaves."""

    seen: Floats
    limit: float
    pinned: Bools
    gap: float
    size: int
    most: int

    def exchanged(
        self, places: Ints, values: Floats, slacks: Floats
    ) -> tuple[Ints, Floats, Floats]:
        """Return the working set without what is negligible and with what is violated.

        What leaves once and must return is pinned, so that the exchange comes to an end.
        """
        stay = (
            (values > _NEGLIGIBLE / len(values))
            | (self.seen[places] > self.limit - 2 * self.gap)
            | self.pinned[places]
        )
        self.pinned[places[~stay]] = True
        places, values, slacks = places[stay], values[stay], slacks[stay]
        violated = self.seen > self.limit
        violated[places] = False
        fresh = np.flatnonzero(violated)
        fresh = fresh[_largest(self.seen[fresh], self.most)]
        # On the path, value times slack is a share _AIM of the gap per variable. With slacks as
        # small as the gap, entering shares would disturb more than the gap that is left to close.
        slack = np.sqrt(self.gap * self.seen.max())
        value = _AIM * self.gap / self.size / slack
        return (
            np.concatenate([places, fresh]),
            np.concatenate([values, np.full(len(fresh), value)]),
            np.concatenate([slacks, np.full(len(fresh), slack)]),
        )


class _Record:
    """The best shares and the best bound so far."""

    def __init__(self) -> None:
        self.queries: Ints = np.empty(0, dtype=np.int64)
        self.shares: Floats = np.empty(0)
        self.objective = np.inf
        self.bound = 0.0

    def take(self, queries: Ints, shares: Floats, objective: float, bound: float) -> None:
        if objective < self.objective:
            self.queries, self.shares, self.objective = queries, shares, objective
        self.bound = max(self.bound, bound)

    def is_within(self, tolerance: float) -> bool:
        return self.objective <= self.bound * (1 + tolerance)

    def solution(self, n_iterations: int, *, stalled: bool) -> Solution:
        return Solution(
            self.queries, self.shares, self.objective, self.bound, n_iterations, stalled
        )


class MinimaxProblem(NamedTuple):
    """A design problem in coordinates in which the even design is the identity.

    Attributes
    ----------
    queries, differences : Directions
        Vectors x and y. The longest y has length one.
    information : ndarray of shape (n_dimensions, n_dimensions)
        The constant term R of A.
    lifts : ndarray of shape (n_queries, n_dimensions (n_dimensions + 1) / 2) or None
        Of the queries, if there are few dimensions; see `tacit.designs._lifted`.
    """

    queries: Directions
    differences: Directions
    information: Floats
    lifts: Floats | None = None

    def solve(self, start: Floats | None, *, tolerance: float, max_iterations: int) -> Solution:
        """Lower the largest y'A^-1 y until the certified relative gap is at most `tolerance`.

        Parameters
        ----------
        start : ndarray of shape (n_queries,) or None
            Shares to start from, even ones by default.
        tolerance : float
            Relative gap to stop at, positive.
        max_iterations : int
            Newton steps at most.

        Returns
        -------
        Solution
            The best shares seen and the best bound seen.
        """
        if self.lifts is not None and start is None:
            solution = self._in_few_dimensions(self.lifts, tolerance, max_iterations)
            if not solution.stalled:
                return solution
        record = _Record()
        n_queries, weights = self.queries.size, np.ones(self.differences.size)
        if start is None:
            even = np.full(n_queries, 1 / n_queries)
            seen = self._warm_up(even, weights, 1.0, record, tolerance)
        else:
            seen = self._warm_up(start, weights, _GENTLE, record, tolerance)
        if record.is_within(tolerance):
            return record.solution(0, stalled=False)
        spanning = self._spanning()
        point, scan = self._centred(seen, spanning)
        pinned = spanning, np.zeros(self.differences.size, dtype=bool)
        gap = np.inf
        iteration, stalled = 0, False
        try:
            while True:
                record.take(point.queries, point.shares, scan.objective, scan.bound)
                if record.is_within(tolerance) or iteration == max_iterations:
                    break
                gap = min(gap, scan.objective - scan.bound)
                point = self._revised(point, scan, gap, pinned)
                aim = _AIM * gap / point.size
                point = stepped(point, self.queries, self.differences, self.information, aim)
                iteration += 1
                scan = self._scan(point)
        except np.linalg.LinAlgError:
            stalled = True
        return record.solution(iteration, stalled=stalled)

    def _in_few_dimensions(self, lifts: Floats, tolerance: float, max_iterations: int) -> Solution:
        """Solve by the compiled solver; what stalls there may be solved without it."""
        from tacit.designs._lifted import Problem, descend, lifted

        rows = self.differences.vectors(np.arange(self.differences.size))
        problem = Problem(lifts, lifted(rows), self.information)
        found = descend(problem, tolerance, max_iterations)
        stalled = not found.objective <= found.bound * (1 + tolerance)
        return Solution(*found, stalled=stalled)

    def without_dust(self, solution: Solution, tolerance: float) -> Solution:
        """Leave out as many small shares as the certificate allows."""
        if solution.objective > solution.bound * (1 + tolerance):
            return solution
        for part in _DUST:
            large = solution.shares > part / len(solution.shares)
            indices, shares = solution.queries[large], solution.shares[large]
            shares = shares / shares.sum()
            rows = self.queries.vectors(indices)
            gram = rows.T @ (rows * shares[:, None]) + self.information
            sizes = np.linalg.eigvalsh(gram)
            if sizes[0] > _REGULAR * sizes[-1]:
                objective = float(self.differences.quadratic(inverse(gram)).max())
                if objective <= solution.bound * (1 + tolerance):
                    return solution._replace(queries=indices, shares=shares, objective=objective)
        return solution

    def _spanning(self) -> Bools:
        """Mark as many queries as dimensions that span them, greedily the longest remainders."""
        rows = self.queries.vectors(np.arange(self.queries.size))
        _, order, *_ = dgeqp3(rows.T)
        spanning = np.zeros(self.queries.size, dtype=bool)
        spanning[order[: len(self.information)] - 1] = True
        return spanning

    def _warm_up(
        self, shares: Floats, weights: Floats, power: float, record: _Record, tolerance: float
    ) -> _WarmUp:
        """Multiply shares and weights by what they are worth, a few times."""
        even = _EVEN_PART / len(shares)
        shares = (1 - _EVEN_PART) * shares + even
        worth = value = np.empty(0)
        for _ in range(_WARM_UP):
            P = inverse(self.queries.gram(shares) + self.information)
            value = self.differences.quadratic(P)
            weights = weights * value
            weights /= weights.sum()
            moment = self.differences.gram(weights)
            # The even part keeps A away from zero, so the order of the products does not matter.
            spread = P @ moment @ P
            worth = np.maximum(self.queries.quadratic(spread), 0.0)
            total = worth.max() + np.vdot(spread, self.information)
            bound = float(np.vdot(P, moment) ** 2 / total)
            record.take(np.arange(len(shares)), shares, float(value.max()), bound)
            if record.is_within(tolerance):
                break
            shares = shares * worth**power
            shares *= (1 - _EVEN_PART) / shares.sum()
            shares += even
        return _WarmUp(shares, weights, worth, value)

    def _centred(self, seen: _WarmUp, spanning: Bools) -> tuple[Point, _Scan]:
        """Return a point near the path on the first working sets, and what is seen from there."""
        n_dimensions = len(self.information)
        marked = spanning | _leading(seen.shares, n_dimensions)
        marked[_largest(seen.worth, n_dimensions)] = True
        queries = np.flatnonzero(marked)
        marked = _leading(seen.weights, n_dimensions)
        marked[_largest(seen.value, n_dimensions)] = True
        differences = np.flatnonzero(marked)
        # What was left out has moved the balance of what remains.
        working = MinimaxProblem(
            Listed(self.queries.vectors(queries)),
            Listed(self.differences.vectors(differences)),
            self.information,
        )
        shares = _away_from_zero(seen.shares[queries])
        weights = _away_from_zero(seen.weights[differences])
        seen = working._warm_up(shares, weights, 1.0, _Record(), 0.0)
        shares, weights = _away_from_zero(seen.shares), _away_from_zero(seen.weights)
        point = Point(queries, differences, shares, shares, weights, weights, 1.0, 1.0)
        scan = self._scan(point)
        mu = _AIM * (scan.objective - scan.bound) / point.size + np.finfo(float).tiny
        point = point._replace(
            reduced_cost=mu / shares,
            slack=mu / weights,
            level=scan.objective,
            price=float(scan.worth.max()),
        )
        return point, scan

    def _scan(self, point: Point) -> _Scan:
        """Evaluate everything at a point.

        For any weights w, W = sum w_y y y' and P: the optimum is at least 2 tr(PW) - tr(PWPA) of
        the best A, and scaling P by its best factor makes this tr(PW)^2 over the largest tr(PWPA).
        """
        rows = self.queries.vectors(point.queries)
        P = inverse(rows.T @ (rows * point.shares[:, None]) + self.information)
        value = self.differences.quadratic(P)
        chosen = self.differences.vectors(point.differences)
        weights = (point.weights / point.weights.sum())[:, None]
        # P y first: P @ moment @ P would blow up what rounds in the middle.
        pulled = chosen @ P
        spread = pulled.T @ (weights * pulled)
        worth = self.queries.quadratic(spread)
        total = worth.max() + np.vdot(spread, self.information)
        bound = np.vdot(weights * pulled, chosen) ** 2 / total
        return _Scan(value, worth, float(value.max()), float(bound))

    def _revised(self, point: Point, scan: _Scan, gap: float, pinned: tuple[Bools, Bools]) -> Point:
        """Drop what no longer counts and add what is violated."""
        most = max(len(self.information), 8)
        side = _Side(scan.worth, point.price, pinned[0], gap, point.size, most)
        queries, shares, reduced_cost = side.exchanged(
            point.queries, point.shares, point.reduced_cost
        )
        side = _Side(scan.value, point.level, pinned[1], gap, point.size, most)
        differences, weights, slack = side.exchanged(point.differences, point.weights, point.slack)
        return point._replace(
            queries=queries,
            differences=differences,
            shares=shares / shares.sum(),
            reduced_cost=reduced_cost,
            weights=weights,
            slack=slack,
        )


def _largest(values: Floats, count: int) -> Ints:
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, -count)[-count:]


def _leading(values: Floats, n_dimensions: int) -> Bools:
    """Mark the values that may matter: those near the largest, within limits of their number."""
    near = int(np.count_nonzero(values > _NEAR * values.max()))
    count = min(max(near, 4 * n_dimensions), max(_FIRST, 10 * n_dimensions))
    leading = np.zeros(len(values), dtype=bool)
    leading[_largest(values, count)] = True
    return leading


def _away_from_zero(values: Floats) -> Floats:
    lifted = np.maximum(values / values.sum(), _EVEN_PART / len(values))
    return np.asarray(lifted / lifted.sum())
