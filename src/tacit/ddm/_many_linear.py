"""Many small symmetric systems at once, with the rank decided as for a single one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.ddm._checks import Floats
from tacit.ddm._linear import decompose

_EASY = 1e6
"""Condition up to which a plain inverse loses nothing that matters; others are decomposed."""


class Inverses(NamedTuple):
    """Pseudo-inverses of symmetric positive semi-definite matrices.

    Attributes
    ----------
    inverse : ndarray of shape (n_matrices, n_features, n_features)
        The pseudo-inverses, each as `decompose` would give it.
    rank : ndarray of int64, shape (n_matrices,)
        Dimension of each row space.
    condition : ndarray of shape (n_matrices,)
        Bound on the condition of each matrix once its features have about one size; infinite
        where the rank is not full.
    """

    inverse: Floats
    rank: NDArray[np.int64]
    condition: Floats


def pseudo_inverses(matrices: Floats) -> Inverses:
    """Return the pseudo-inverse, rank and condition of each matrix."""
    n, d = matrices.shape[:2]
    inverse, condition = _plain_inverses(matrices)
    rank = np.full(n, d, dtype=np.int64)
    for i in np.flatnonzero(~(condition <= _EASY)):
        one = decompose(matrices[i])
        inverse[i], rank[i] = one.inverse(), len(one.size)
        condition[i] = condition[i] if rank[i] == d else np.inf
    return Inverses(inverse, rank, condition)


def _plain_inverses(matrices: Floats) -> tuple[Floats, Floats]:
    """Return inverses and conditions; the condition is not finite where there is no inverse."""
    root = np.sqrt(np.clip(np.einsum("nii->ni", matrices), 0, None))
    able = (root > 0).all(axis=1) & np.isfinite(matrices).all(axis=(1, 2))
    scale = np.ldexp(1.0, np.frexp(np.where(able[:, None], root, 1.0))[1])
    scaled = matrices / (scale[:, :, None] * scale[:, None, :])
    scaled[~able] = np.eye(matrices.shape[1])
    try:
        inverse = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:  # one of them has no inverse, and which one is not said
        return np.zeros_like(matrices), np.full(len(matrices), np.inf)
    norm = np.abs(scaled).sum(axis=1).max(axis=1) * np.abs(inverse).sum(axis=1).max(axis=1)
    inverse /= scale[:, :, None] * scale[:, None, :]
    symmetric = 0.5 * (inverse + inverse.transpose(0, 2, 1))
    return symmetric, np.where(able, norm, np.inf)
