"""The compiled kernel of tacit.estimators._logistic; importing it imports numba."""

import math

import numba
import numpy as np
from numpy.typing import NDArray

from tacit.estimators._logistic import LogisticData

Floats = NDArray[np.float64]

_MAX_ITERATIONS = 200
_MAX_HALVINGS = 30
_ENOUGH = 0.25
"""Share of the promised gain that a step must bring. The information understates the curvature of
Firth's penalty: less would let steps overshoot to and fro across a maximum of few trials."""


@numba.njit(cache=True, error_model="numpy")
def evaluate(data: LogisticData, coef: Floats, gradient: Floats, factor: Floats) -> float:
    """Fill gradient and Cholesky factor of the information; return the value, NaN if singular."""
    n_features = len(coef)
    value = 0.0
    gradient[:] = 0.0
    factor[:] = 0.0
    for i in range(n_features):
        value -= 0.5 * data.ridge * coef[i] ** 2
        gradient[i] = -data.ridge * coef[i]
        factor[i, i] = data.ridge
    for q in range(len(data.first)):
        first, second = data.first[q], data.second[q]
        if first + second > 0.0:
            x = data.vectors[q]
            log_odds = inner(x, coef)
            decay = math.exp(-abs(log_odds))
            unlikely = decay / (1.0 + decay)
            side = 1.0 if log_odds > 0.0 else -1.0
            lost, other = (second, first) if log_odds > 0.0 else (first, second)
            value -= (first + second) * math.log1p(decay) + lost * abs(log_odds)
            score = side * (other * unlikely - lost / (1.0 + decay))
            curvature = (first + second) * unlikely / (1.0 + decay)
            for i in range(n_features):
                gradient[i] += score * x[i]
                for j in range(i + 1):
                    factor[i, j] += curvature * x[i] * x[j]
    if not decomposed(factor):
        return math.nan
    return value + penalise(data, coef, gradient, factor) if data.firth else value


@numba.njit(cache=True, error_model="numpy")
def inner(one: Floats, other: Floats) -> float:
    total = 0.0
    for i in range(len(one)):
        total += one[i] * other[i]
    return total


@numba.njit(cache=True, error_model="numpy")
def decomposed(matrix: Floats) -> bool:
    """Replace a matrix by its lower Cholesky factor; tell whether it is positive definite."""
    n = len(matrix)
    for j in range(n):
        for k in range(j):
            matrix[j, j] -= matrix[j, k] ** 2
        if not 0.0 < matrix[j, j] < math.inf:
            return False
        matrix[j, j] = math.sqrt(matrix[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                matrix[i, j] -= matrix[i, k] * matrix[j, k]
            matrix[i, j] /= matrix[j, j]
    return True


@numba.njit(cache=True, error_model="numpy")
def solve_lower(factor: Floats, right: Floats) -> None:
    """Replace the right side by L^-1 times it."""
    for i in range(len(right)):
        for k in range(i):
            right[i] -= factor[i, k] * right[k]
        right[i] /= factor[i, i]


@numba.njit(cache=True, error_model="numpy")
def penalise(data: LogisticData, coef: Floats, gradient: Floats, factor: Floats) -> float:
    """Add the gradient of Firth's (1993) penalty, sum x h (1/2 - p); return the penalty."""
    penalty = 0.0
    for i in range(len(coef)):
        penalty += math.log(factor[i, i])
    root = np.empty(len(coef))
    for q in range(len(data.first)):
        x = data.vectors[q]
        log_odds = inner(x, coef)
        decay = math.exp(-abs(log_odds))
        root[:] = x
        solve_lower(factor, root)
        curvature = (data.first[q] + data.second[q]) * decay / (1.0 + decay) ** 2
        pull = curvature * inner(root, root) * 0.5 * math.tanh(0.5 * log_odds)
        for i in range(len(coef)):
            gradient[i] -= pull * x[i]
    return penalty


@numba.njit(cache=True, error_model="numpy")
def newton_step(gradient: Floats, factor: Floats, step: Floats) -> float:
    """Fill the step to where the quadratic model is largest; return the gain that it promises."""
    step[:] = gradient
    solve_lower(factor, step)
    for i in range(len(step) - 1, -1, -1):
        for k in range(i + 1, len(step)):
            step[i] -= factor[k, i] * step[k]
        step[i] /= factor[i, i]
    return 0.5 * inner(gradient, step)


@numba.njit(cache=True, error_model="numpy")
def largest_change(data: LogisticData, step: Floats) -> float:
    """Return by how much a step changes log-odds in favour of what was chosen, at most."""
    largest = -math.inf
    for q in range(len(data.first)):
        change = inner(data.vectors[q], step)
        if data.first[q] > 0.0:
            largest = max(largest, change)
        if data.second[q] > 0.0:
            largest = max(largest, -change)
    return largest


@numba.njit(cache=True, error_model="numpy")
def climb(
    data: LogisticData, tolerance: float, coef: Floats, factor: Floats
) -> tuple[int, float, float]:
    """Climb to the maximum from `coef`, in place, by Newton steps with halving.

    Returns the number of steps, the gain that the last one promised (NaN if there is no way to
    start), and the largest change of log-odds that it brought in favour of what was chosen.
    """
    gradient, step = np.empty(len(coef)), np.zeros(len(coef))
    there, gradient_there, factor_there = np.empty(len(coef)), np.empty(len(coef)), factor.copy()
    value = evaluate(data, coef, gradient, factor)
    if math.isnan(value):
        return 0, math.nan, 0.0
    gain = math.inf
    n_iterations = 0
    while gain >= tolerance and n_iterations < _MAX_ITERATIONS:
        gain = newton_step(gradient, factor, step)
        n_iterations += 1
        share = 1.0
        for _ in range(_MAX_HALVINGS):
            there[:] = coef + share * step
            reached = evaluate(data, there, gradient_there, factor_there)
            # So far out that the information vanishes, the value is NaN.
            enough = value + _ENOUGH * share * gain if gain >= tolerance else -math.inf
            if reached > enough:
                break
            share *= 0.5
        else:
            break
        value = reached
        coef[:], gradient[:], factor[:] = there, gradient_there, factor_there
    return n_iterations, gain, largest_change(data, step)


@numba.njit(cache=True, error_model="numpy")
def climb_all(data: LogisticData, tolerance: Floats, coef: Floats) -> None:
    """Climb to the maximum of every row of choices of the same queries, without penalty."""
    factor = np.empty((coef.shape[1], coef.shape[1]))
    for row in range(len(coef)):
        own = LogisticData(data.vectors, data.first[row], data.second[row], data.ridge, False)
        climb(own, tolerance[row], coef[row], factor)
