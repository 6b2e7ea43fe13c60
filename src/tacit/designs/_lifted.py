r"""The compiled solver for few dimensions; importing it imports numba.

In d dimensions x'Mx is linear in the d (d + 1) / 2 entries of M: it is the product of the lift of x
and the flat M. The path and the steps along it are those of `tacit.designs._newton`; what differs
is the elimination. All but the change da of the flat information is eliminated from Newton's
system, which leaves these few unknowns and two borders, however many queries there are:

    (I + H E) da = a_0 + H b_0 - price a_1 - level H b_1,
    H = sum (lambda_x / s_x) phi_x phi_x',  E = K (sum (w_y / z_y) psi_y psi_y') K + C,

where phi and psi are lifts of queries and differences, K maps M to PMP, and C maps it to
PMS + SMP with S = sum w_y P y y' P.
"""

import math
from typing import NamedTuple

import numba
import numpy as np

from tacit.designs._directions import Floats, Ints
from tacit.designs._newton import FALL, TO_BOUNDARY, Point

_AIM = 0.3
"""Complementarity that a step aims at, as a share of the gap per variable."""
_WARM_UP = 6
"""Multiplicative steps before the working sets are chosen."""
_EVEN_PART = 0.05
"""Share of an even one that the members of the first working sets have at least."""
_PER_UNKNOWN = 6
"""Members of a first working set for each unknown, at least."""
_LOWER = 0.8
"""Factor by which the threshold falls until there are as many."""
_LOWEST = 1e-9
"""Share of the largest value that the threshold does not fall below."""


class Problem(NamedTuple):
    """Lifts of all queries and differences, and the information that is there already."""

    queries: Floats
    differences: Floats
    known: Floats


class Found(NamedTuple):
    """The best shares seen, both sides of the gap, and the number of Newton's steps."""

    queries: Ints
    shares: Floats
    objective: float
    bound: float
    n_iterations: int


class View(NamedTuple):
    """Everything, seen from shares and weights."""

    value: Floats
    worth: Floats
    objective: float
    bound: float


@numba.njit(cache=True, error_model="numpy")
def lifted(vectors: Floats) -> Floats:
    """Return the lift of every vector, shape (n_vectors, d (d + 1) / 2)."""
    n, d = vectors.shape
    lifts = np.empty((n, d * (d + 1) // 2))
    for row in range(n):
        place = 0
        for i in range(d):
            for j in range(i, d):
                twice = 1.0 if i == j else math.sqrt(2.0)
                lifts[row, place] = twice * vectors[row, i] * vectors[row, j]
                place += 1
    return lifts


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _flat(matrix: Floats) -> Floats:
    """Return a symmetric matrix as a vector whose product with a lift is x'Mx."""
    d = len(matrix)
    entries = np.empty(d * (d + 1) // 2)
    place = 0
    for i in range(d):
        for j in range(i, d):
            twice = 0.5 if i == j else math.sqrt(0.5)
            entries[place] = twice * (matrix[i, j] + matrix[j, i])
            place += 1
    return entries


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _full(entries: Floats, d: int) -> Floats:
    """Return the matrix that is flat in `entries`."""
    matrix = np.empty((d, d))
    place = 0
    for i in range(d):
        for j in range(i, d):
            half = 1.0 if i == j else math.sqrt(0.5)
            matrix[i, j] = matrix[j, i] = half * entries[place]
            place += 1
    return matrix


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _between(one: Floats, other: Floats) -> Floats:
    """Return the linear map of flat matrices from M to (one M other + other M one) / 2."""
    d = len(one)
    image = np.empty((d * (d + 1) // 2, d * (d + 1) // 2))
    column = 0
    for i in range(d):
        for j in range(i, d):
            row = 0
            for k in range(d):
                for m in range(k, d):
                    entry = one[k, i] * other[j, m] + other[k, i] * one[j, m]
                    entry += one[k, j] * other[i, m] + other[k, j] * one[i, m]
                    half = 0.25 if i == j else math.sqrt(0.125)
                    image[row, column] = half * entry * (1.0 if k == m else math.sqrt(2.0))
                    row += 1
            column += 1
    return image


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _inverse(matrix: Floats) -> Floats:
    """Return the inverse of a positive definite matrix; not numbers if it is none."""
    d = len(matrix)
    root = np.zeros((d, d))  # the inverse of the lower Cholesky factor
    factor = np.zeros((d, d))
    for i in range(d):
        for j in range(i + 1):
            rest = matrix[i, j]
            for k in range(j):
                rest -= factor[i, k] * factor[j, k]
            factor[i, j] = math.sqrt(rest) if i == j else rest / factor[j, j]
        root[i, i] = 1.0 / factor[i, i]
        for j in range(i):
            for k in range(j, i):
                root[i, j] -= factor[i, k] * root[k, j] / factor[i, i]
    return root.T @ root


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _inverse_and_spread(problem: Problem, told: Floats, asked: Floats) -> tuple[Floats, Floats]:
    """Return P = A^-1 and PWP, from what queries tell and what is asked of them, both flat."""
    d = len(problem.known)
    inverse = _inverse(_full(told, d) + problem.known)
    return inverse, inverse @ _full(asked, d) @ inverse


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _seen(problem: Problem, told: Floats, asked: Floats) -> View:
    """Look at everything; the bound is that of `MinimaxProblem._scan`."""
    inverse, spread = _inverse_and_spread(problem, told, asked)
    value = problem.differences @ _flat(inverse)
    worth = problem.queries @ _flat(spread)
    total = worth.max() + (spread * problem.known).sum()
    return View(value, worth, value.max(), (_flat(inverse) @ asked) ** 2 / total)


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _leading(values: Floats, count: int) -> Ints:
    """Return the places of the largest values: so many at least, but for those next to nothing."""
    largest = values.max()
    threshold = largest
    while (values >= threshold).sum() < count and threshold > _LOWEST * largest:
        threshold *= _LOWER
    return np.flatnonzero(values >= threshold)


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _scaled(values: Floats, factors: Floats) -> Floats:
    """Return products that sum to one."""
    products: Floats = values * factors / (values @ factors)
    return products


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _away_from_zero(values: Floats) -> Floats:
    raised = values.copy()
    least = _EVEN_PART * values.sum() / len(values)
    for i in range(len(values)):
        raised[i] = max(values[i], least)
    raised /= raised.sum()
    return raised


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _joining(inside: Ints, seen: Floats, limit: float, most: int) -> Ints:
    """Return what is beyond the limit but not inside, the furthest beyond if there is much."""
    beyond = seen - limit
    beyond[inside] = 0.0
    if (beyond > 0).sum() > most:
        return _leading(beyond, most)
    return np.flatnonzero(beyond > 0)


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _extended(values: Floats, value: float, count: int) -> Floats:
    longer = np.full(len(values) + count, value)
    longer[: len(values)] = values
    return longer


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _revised(point: Point, view: View, gap: float, most: int) -> Point:
    """Add what is violated, near the path; see `tacit.designs._interior._Side`."""
    size = len(point.queries) + len(point.differences)
    fresh = _joining(point.queries, view.worth, point.price, most)
    cost = math.sqrt(gap * view.worth.max())
    rivals = _joining(point.differences, view.value, point.level, most)
    slack = math.sqrt(gap * view.objective)
    shares = _extended(point.shares, _AIM * gap / size / cost, len(fresh))
    return Point(
        np.concatenate((point.queries, fresh)),
        np.concatenate((point.differences, rivals)),
        shares / shares.sum(),
        _extended(point.reduced_cost, cost, len(fresh)),
        _extended(point.weights, _AIM * gap / size / slack, len(rivals)),
        _extended(point.slack, slack, len(rivals)),
        point.level,
        point.price,
    )


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _solved(matrix: Floats, sides: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """Solve for each of the sides by elimination with pivots, in place."""
    n = len(matrix)
    for column in range(n):
        pivot = column + np.argmax(np.abs(matrix[column:, column]))
        for k in range(column, n):
            matrix[column, k], matrix[pivot, k] = matrix[pivot, k], matrix[column, k]
        for side in sides:
            side[column], side[pivot] = side[pivot], side[column]
        for row in range(column + 1, n):
            factor = matrix[row, column] / matrix[column, column]
            for k in range(column + 1, n):
                matrix[row, k] -= factor * matrix[column, k]
            for side in sides:
                side[row] -= factor * side[column]
    for row in range(n - 1, -1, -1):
        for side in sides:
            for k in range(row + 1, n):
                side[row] -= matrix[row, k] * side[k]
            side[row] /= matrix[row, row]
    return sides


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _room(values: Floats, step: Floats) -> float:
    fastest = 0.0
    for i in range(len(values)):
        fastest = max(fastest, -step[i] / values[i])
    return min(1.0, TO_BOUNDARY / fastest) if fastest > 0 else 1.0


@numba.njit(cache=True, error_model="numpy")
def stepped(point: Point, problem: Problem, aim: float) -> Point:
    """Take the step of `tacit.designs._newton.stepped`, found in few unknowns."""
    shares, cost, weights, slack = point.shares, point.reduced_cost, point.weights, point.slack
    size = len(shares) + len(weights)
    mu = max(float(FALL * (shares @ cost + weights @ slack) / size), aim)
    x, y = problem.queries[point.queries], problem.differences[point.differences]
    inverse, spread = _inverse_and_spread(problem, shares @ x, weights @ y)
    value, worth = y @ _flat(inverse), x @ _flat(spread)
    slope = y @ _between(inverse, inverse)
    ease, stiffness = shares / cost, weights / slack
    free, fixed = (mu + shares * worth) / cost, (mu + weights * value) / slack
    H = x.T @ (x * ease.reshape(-1, 1))
    E = slope.T @ (slope * stiffness.reshape(-1, 1)) + 2 * _between(inverse, spread)
    a, b = ease @ x, stiffness @ slope
    pull = fixed @ slope
    system = np.eye(len(a)) + H @ E
    change, by_price, by_level = _solved(system, (free @ x + H @ pull, a.copy(), H @ b))
    # sum lambda = 1 and sum w = 1 leave two equations for the new price and the new level
    Ea = E @ a
    p, q = Ea @ by_price - ease.sum(), Ea @ by_level - a @ b
    r, s = b @ by_price, b @ by_level - stiffness.sum()
    e = 1 - shares.sum() - free.sum() - a @ pull + Ea @ change
    f = 1 - weights.sum() - fixed.sum() + b @ change
    price = (e * s - q * f) / (p * s - q * r)
    level = (p * f - r * e) / (p * s - q * r)
    change = change - price * by_price - level * by_level
    d_cost = price - worth - cost - x @ (pull - level * b - E @ change)
    d_slack = level - value - slack + slope @ change
    d_shares = mu / cost - shares - ease * d_cost
    d_weights = mu / slack - weights - stiffness * d_slack
    primal = min(_room(shares, d_shares), _room(slack, d_slack))
    dual = min(_room(weights, d_weights), _room(cost, d_cost))
    shares = shares + primal * d_shares
    return Point(
        point.queries,
        point.differences,
        shares / shares.sum(),
        cost + dual * d_cost,
        weights + dual * d_weights,
        slack + primal * d_slack,
        point.level + primal * (level - point.level),
        point.price + dual * (price - point.price),
    )


@numba.njit(cache=True, error_model="numpy")
def descend(problem: Problem, tolerance: float, max_iterations: int) -> Found:
    """Lower the largest y'A^-1 y until the certified relative gap is at most `tolerance`.

    Parameters
    ----------
    problem : Problem
        In coordinates in which the even design is the identity.
    tolerance : float
        Relative gap to stop at, positive.
    max_iterations : int
        Newton steps at most.

    Returns
    -------
    Found
        With a larger gap if rounding errors stop the solver.
    """
    shares = np.full(len(problem.queries), 1.0 / len(problem.queries))
    weights = np.full(len(problem.differences), 1.0 / len(problem.differences))
    best = Found(np.arange(len(shares)), shares, math.inf, 0.0, 0)
    for _ in range(_WARM_UP):
        told, asked = shares @ problem.queries, weights @ problem.differences
        view = _seen(problem, told, asked)
        best = _better(best, best.queries, shares, view, 0)
        shares, weights = _scaled(shares, view.worth), _scaled(weights, view.value)
    count = _PER_UNKNOWN * problem.queries.shape[1]
    queries, differences = _leading(shares, count), _leading(weights, count)
    shares, weights = _away_from_zero(shares[queries]), _away_from_zero(weights[differences])
    point = Point(queries, differences, shares, shares, weights, weights, 1.0, 1.0)
    for n_iterations in range(max_iterations + 1):
        told = point.shares @ problem.queries[point.queries]
        asked = point.weights @ problem.differences[point.differences]
        view = _seen(problem, told, asked)
        best = _better(best, point.queries, point.shares, view, n_iterations)
        gap = best.objective - best.bound
        closed = best.objective <= best.bound * (1 + tolerance)
        if closed or n_iterations == max_iterations or not np.isfinite(view.objective):
            break
        aim = _AIM * gap / (len(point.queries) + len(point.differences))
        if n_iterations == 0:
            point = Point(
                queries,
                differences,
                shares,
                aim / shares,
                weights,
                aim / weights,
                view.objective,
                view.worth.max(),
            )
        else:
            point = _revised(point, view, gap, problem.queries.shape[1])
        point = stepped(point, problem, aim)
    return best


@numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True)
def _better(best: Found, queries: Ints, shares: Floats, view: View, n_iterations: int) -> Found:
    """Return the better shares and the better bound."""
    bound = max(best.bound, view.bound)
    if view.objective < best.objective:
        return Found(queries, shares, view.objective, bound, n_iterations)
    return Found(best.queries, best.shares, best.objective, bound, n_iterations)
