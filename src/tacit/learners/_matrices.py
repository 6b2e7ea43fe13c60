"""Products and inverses of stacks of matrices."""

import numpy as np

from tacit.learners._base import Floats


def apply(matrices: Floats, vectors: Floats) -> Floats:
    """Return the product of each run's matrix with its vector."""
    return np.asarray(np.matmul(matrices, vectors[:, :, None])[:, :, 0])


def symmetric_inverse(matrices: Floats) -> Floats:
    """Return the inverse of each symmetric matrix, symmetric to the last bit."""
    inverses = np.linalg.inv(matrices)
    return np.asarray(0.5 * (inverses + inverses.mT))
