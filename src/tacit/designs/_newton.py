"""The variables of the central path, and a Newton step towards it."""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf, dtrtri

from tacit.designs._directions import Directions, Floats, Ints

FALL = 0.05
"""Largest fall of the complementarity that a step aims at."""
TO_BOUNDARY = 0.99
"""Share of the way to the boundary that a step may go."""
_JITTER = 1e-11
"""Relative addition to the diagonal of Newton's system."""


class Point(NamedTuple):
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


def stepped(
    point: Point, queries: Directions, differences: Directions, information: Floats, aim: float
) -> Point:
    """Take one Newton step towards the path.

    Eliminating all but shares, level and price leaves (H + G'DG + diag(s / lambda)) with two
    borders; H is the curvature of sum w_y f_y, -G the slopes of f, D = w / z.
    """
    shares, slack, weights = point.shares, point.slack, point.weights
    mu = max(FALL * point.complementarity, aim)
    x = queries.vectors(point.queries)
    y = differences.vectors(point.differences)
    scaled = x * shares[:, None]
    P = inverse(x.T @ scaled + information)
    pulled = y @ P
    value = np.einsum("ij,ij->i", pulled, y)
    spread = pulled.T @ (weights[:, None] * pulled)
    slope = (pulled @ x.T) ** 2
    stiffness = weights / slack
    root = np.sqrt(stiffness)[:, None] * slope * shares
    infeasible = value - point.level + slack
    pull = mu / slack + stiffness * infeasible
    matrix = 2 * (scaled @ P @ scaled.T) * (x @ spread @ x.T) + root.T @ root
    diagonal = matrix.ravel()[:: len(shares) + 1]
    diagonal += shares * point.reduced_cost
    diagonal *= 1 + _JITTER
    border = shares * (stiffness @ slope)
    sides = np.stack([border, shares, shares * (pull @ slope) + mu], axis=1)
    solved = _solved(matrix, sides)
    # sum w = 1 and sum lambda = 1 leave two equations for the change of the level and the price
    (a, b, e), (c, d, f) = (sides[:, :2].T @ solved).tolist()
    a, e, f = float(stiffness.sum()) - a, float(pull.sum()) - 1 - e, 1 - float(shares.sum()) - f
    determinant = a * d + b * c
    if not determinant > 0:
        raise np.linalg.LinAlgError("the Newton system is singular")
    d_level = (d * e - b * f) / determinant
    price = -(a * f + c * e) / determinant
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
    fastest = -float((step / values).min())
    return min(1.0, TO_BOUNDARY / fastest) if fastest > 0 else 1.0


def _solved(matrix: Floats, sides: Floats) -> Floats:
    """Solve a positive definite system, which is overwritten."""
    _, solution, info = dposv(matrix, sides, overwrite_a=True)
    if info:
        raise np.linalg.LinAlgError("the Newton system is not positive definite")
    return np.asarray(solution)


def inverse(matrix: Floats) -> Floats:
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
