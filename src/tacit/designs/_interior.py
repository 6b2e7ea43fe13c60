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
from scipy.linalg.lapack import dposv, dpotrf, dtrtri

from tacit.designs._directions import Bools, Directions, Floats, Ints

_AIM = 0.2
"""Complementarity that a step aims at, as a share of the global gap per variable."""
_FALL = 0.05
"""Largest fall of the complementarity that a step aims at."""
_TO_BOUNDARY = 0.95
_NEGLIGIBLE = 0.02
"""What has less than this share of an even one may leave the working set."""
_WARM_UP = 10
_EVEN_PART = 0.1
_JITTER = 1e-11
_DUST = 0.1
_REGULAR = 1e-10


class Solution(NamedTuple):
    """What the solver found: a design, both sides of its gap, and how it went."""

    indices: Ints
    shares: Floats
    objective: float
    bound: float
    n_iterations: int
    stalled: bool


class _Point(NamedTuple):
    """Working set of queries and differences, with all variables of the path."""

    queries: Ints
    differences: Ints
    shares: Floats
    reduced_cost: Floats
    weights: Floats
    slack: Floats
    level: float
    price: float

    @property
    def size(self) -> int:
        return len(self.queries) + len(self.differences)

    @property
    def complementarity(self) -> float:
        return float(self.shares @ self.reduced_cost + self.weights @ self.slack) / self.size


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
        others = self.seen.copy()
        others[places] = -np.inf
        fresh = _largest(others, self.most)
        fresh = fresh[others[fresh] > self.limit]
        # On the path, value times slack is a share _AIM of the gap per variable.
        return (
            np.concatenate([places, fresh]),
            np.concatenate([values, np.full(len(fresh), _AIM / self.size)]),
            np.concatenate([slacks, np.full(len(fresh), self.gap)]),
        )


class MinimaxProblem(NamedTuple):
    """A design problem in coordinates in which the even design is the identity.

    Attributes
    ----------
    queries, differences : Directions
        Vectors x and y. The longest y has length one.
    information : ndarray of shape (n_dimensions, n_dimensions)
        The constant term R of A.
    """

    queries: Directions
    differences: Directions
    information: Floats

    def solve(self, start: Floats, *, tolerance: float, max_iterations: int) -> Solution:
        """Lower the largest y'A^-1 y until the certified relative gap is at most `tolerance`.

        Parameters
        ----------
        start : ndarray of shape (n_queries,)
            Shares to start from.
        tolerance : float
            Relative gap to stop at, positive.
        max_iterations : int
            Newton steps at most.

        Returns
        -------
        Solution
            The best shares seen and the best bound seen.
        """
        spanning = self._spanning()
        point = best = self._warm_up(start, spanning)
        pinned = spanning, np.zeros(self.differences.size, dtype=bool)
        objective, bound, gap = np.inf, 0.0, np.inf
        iteration, stalled = 0, False
        while True:
            scan = self._scan(point)
            if scan.objective < objective:
                best, objective = point, scan.objective
            bound = max(bound, scan.bound)
            if objective <= bound * (1 + tolerance) or iteration == max_iterations or stalled:
                break
            gap = min(gap, scan.objective - scan.bound)
            point = self._revised(point, scan, gap, pinned)
            try:
                point = self._stepped(point, gap)
            except np.linalg.LinAlgError:
                stalled = True
            iteration += 1
        return Solution(best.queries, best.shares, objective, bound, iteration, stalled)

    def without_dust(self, solution: Solution, tolerance: float) -> Solution:
        """Leave out tiny shares if the certificate still holds without them."""
        large = solution.shares > _DUST * tolerance / len(solution.shares)
        indices, shares = solution.indices[large], solution.shares[large]
        shares = shares / shares.sum()
        rows = self.queries.vectors(indices)
        gram = rows.T @ (rows * shares[:, None]) + self.information
        sizes = np.linalg.eigvalsh(gram)
        if large.all() or sizes[0] < _REGULAR * sizes[-1]:
            return solution
        objective = float(self.differences.quadratic(_inverse(gram)).max())
        if objective > max(solution.objective, solution.bound * (1 + tolerance)):
            return solution
        return solution._replace(indices=indices, shares=shares, objective=objective)

    def _spanning(self) -> Bools:
        """Mark as many queries as dimensions that span them, greedily the longest remainders."""
        remainder = np.eye(len(self.information))
        spanning = np.zeros(self.queries.size, dtype=bool)
        for _ in range(len(remainder)):
            longest = np.argmax(self.queries.quadratic(remainder), keepdims=True)
            spanning[longest] = True
            along = remainder @ self.queries.vectors(longest)[0]
            length = along @ along
            if length > 0:
                remainder -= np.outer(along, along) / length
        return spanning

    def _warm_up(self, start: Floats, spanning: Bools) -> _Point:
        """Multiply shares and weights by what they are worth, then keep those that count."""
        n_dimensions = len(self.information)
        even = _EVEN_PART / len(start)
        shares = (1 - _EVEN_PART) * start + even
        weights = np.ones(self.differences.size)
        worth = value = np.empty(0)
        for _ in range(_WARM_UP):
            inverse = _inverse(self.queries.gram(shares) + self.information)
            value = self.differences.quadratic(inverse)
            weights *= value / value.max()
            weights /= weights.sum()
            spread = inverse @ self.differences.gram(weights) @ inverse
            worth = np.maximum(self.queries.quadratic(spread), 0.0)
            shares *= np.sqrt(worth)
            shares *= (1 - _EVEN_PART) / shares.sum()
            shares += even
        counts = spanning.copy()
        counts[_largest(shares, 4 * n_dimensions)] = True
        counts[_largest(worth, n_dimensions)] = True
        queries = np.flatnonzero(counts)
        counts = np.zeros(self.differences.size, dtype=bool)
        counts[_largest(weights, 4 * n_dimensions)] = True
        counts[_largest(value, n_dimensions)] = True
        differences = np.flatnonzero(counts)
        return self._centred(queries, differences, shares[queries], weights[differences])

    def _centred(self, queries: Ints, differences: Ints, shares: Floats, weights: Floats) -> _Point:
        """Return a point near the path, on these working sets."""
        shares = _away_from_zero(shares)
        weights = _away_from_zero(weights)
        point = _Point(queries, differences, shares, shares, weights, weights, 1.0, 1.0)
        scan = self._scan(point)
        mu = _AIM * (scan.objective - scan.bound) / point.size + np.finfo(float).tiny
        return point._replace(
            reduced_cost=mu / shares,
            slack=mu / weights,
            level=scan.objective,
            price=float(scan.worth.max()),
        )

    def _scan(self, point: _Point) -> _Scan:
        """Evaluate everything at a point.

        For any weights w, W = sum w_y y y' and P: the optimum is at least 2 tr(PW) - tr(PWPA) of
        the best A, and scaling P by its best factor makes this tr(PW)^2 over the largest tr(PWPA).
        """
        rows = self.queries.vectors(point.queries)
        inverse = _inverse(rows.T @ (rows * point.shares[:, None]) + self.information)
        value = self.differences.quadratic(inverse)
        chosen = self.differences.vectors(point.differences)
        weights = (point.weights / point.weights.sum())[:, None]
        # P y first: inverse @ moment @ inverse would blow up what rounds in the middle.
        pulled = chosen @ inverse
        spread = pulled.T @ (weights * pulled)
        worth = self.queries.quadratic(spread)
        total = worth.max() + np.vdot(spread, self.information)
        bound = np.vdot(weights * pulled, chosen) ** 2 / total
        return _Scan(value, worth, float(value.max()), float(bound))

    def _revised(
        self, point: _Point, scan: _Scan, gap: float, pinned: tuple[Bools, Bools]
    ) -> _Point:
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

    def _stepped(self, point: _Point, gap: float) -> _Point:
        """Take one Newton step towards the path.

        Eliminating all but shares, level and price leaves (H + G'DG + diag(s / lambda)) with two
        borders; H is the curvature of sum w_y f_y, -G the slopes of f, D = w / z.
        """
        shares, slack, weights = point.shares, point.slack, point.weights
        mu = max(_FALL * point.complementarity, _AIM * gap / point.size)
        x = self.queries.vectors(point.queries)
        y = self.differences.vectors(point.differences)
        inverse = _inverse(x.T @ (x * shares[:, None]) + self.information)
        product = y @ inverse @ x.T
        value = np.einsum("ij,ij->i", y @ inverse, y)
        curvature = 2 * (x @ inverse @ x.T) * (product.T @ (weights[:, None] * product))
        slope = product * product
        stiffness = weights / slack
        stiff_slope = stiffness[:, None] * slope
        infeasible = value - point.level + slack
        pull = mu / slack + stiffness * infeasible
        matrix = shares[:, None] * (curvature + slope.T @ stiff_slope) * shares
        diagonal = np.einsum("ii->i", matrix)
        diagonal += shares * point.reduced_cost
        diagonal *= 1 + _JITTER
        border = shares * stiff_slope.sum(axis=0)
        sides = np.stack([border, shares, shares * (slope.T @ pull) + mu], axis=1)
        solved = _solved(matrix, sides)
        corner = np.array([[stiffness.sum(), 0.0], [0.0, 0.0]]) - sides[:, :2].T @ solved[:, :2]
        target = np.array([pull.sum() - 1.0, 1.0 - shares.sum()]) - sides[:, :2].T @ solved[:, 2]
        d_level, price = np.linalg.solve(corner, target)
        solved = solved[:, 2] - solved[:, 0] * d_level - solved[:, 1] * price
        d_shares = shares * solved
        d_reduced = mu / shares - point.reduced_cost * (1 + solved)
        d_slack = slope @ d_shares + d_level - infeasible
        d_weights = mu / slack - weights - stiffness * d_slack
        primal = min(_room(shares, d_shares), _room(slack, d_slack))
        dual = min(_room(weights, d_weights), _room(point.reduced_cost, d_reduced))
        new_shares = shares + primal * d_shares
        return point._replace(
            shares=new_shares / new_shares.sum(),
            reduced_cost=point.reduced_cost + dual * d_reduced,
            weights=weights + dual * d_weights,
            slack=slack + primal * d_slack,
            level=point.level + primal * d_level,
            price=point.price + dual * (price - point.price),
        )


def _room(values: Floats, step: Floats) -> float:
    """Return how much of a step keeps positive values positive, at most all of it."""
    fastest = float(np.max(-step / values, initial=0.0))
    return min(1.0, _TO_BOUNDARY / fastest) if fastest > 0 else 1.0


def _largest(values: Floats, count: int) -> Ints:
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, -count)[-count:]


def _away_from_zero(values: Floats) -> Floats:
    lifted = np.maximum(values / values.sum(), _EVEN_PART / len(values))
    return np.asarray(lifted / lifted.sum())


def _solved(matrix: Floats, sides: Floats) -> Floats:
    """Solve a positive definite system, which is overwritten."""
    _, solution, info = dposv(matrix, sides, overwrite_a=True)
    if info:
        raise np.linalg.LinAlgError("the Newton system is not positive definite")
    return np.asarray(solution)


def _inverse(matrix: Floats) -> Floats:
    """Return the inverse of a positive definite matrix, symmetric to the last bit.

    Directions that no difference needs may carry next to no information. The square root of the
    inverse loses only the root of their condition along the others, on which the bound rests.
    """
    factor, info = dpotrf(matrix, lower=True, clean=True)
    if not info:
        root, info = dtrtri(factor, lower=True)
        if not info:
            return np.asarray(root.T @ root)
    raise np.linalg.LinAlgError("the information is singular")
