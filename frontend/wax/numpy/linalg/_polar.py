"""The unitary factor of a square matrix's polar decomposition, by QR factors: Halley's iteration with dynamic weights
(Nakatsukasa, Bai and Gygi, Optimizing Halley's iteration for computing the matrix polar decomposition, 2010).

Each turn brings all singular values closer to 1. Its weights hang on the least of them only, for which rounding itself
is taken, so they are known beforehand, and so is the number of turns: six at most. Singular values below that are still
less than 1 in the end, and zeros stay zeros.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wax import dtypes
from wax.numpy._basis import basis, lift, placed, scalars
from wax.numpy._pieces import piece
from wax.numpy._reduction import summed
from wax.numpy.linalg._blocks import counted_loop, piece_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._reflections import reflected
from wax.numpy.linalg._stacks import adjoint, epsilon, identity, magnitude_squared, scaled
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar

__all__ = ["polar_factor"]

#: What a symbolic size without a greatest value is taken for: the least singular value then is a little less.
UNBOUNDED = 1 << 16


def polar_factor(x: Any) -> Any:
    """`U` of `x == U H`, for square matrices whose magnitudes are about 1."""
    size, part = x.shape[1], dtypes.real_part(x.dtype)
    most = size if isinstance(size, int) else size.bounds()[1] or UNBOUNDED
    weights = _weights(epsilon(x) / math.sqrt(most), 1 - epsilon(x))
    table = basis.constant(np.asarray(weights, part))
    norm = placed(_root_or_one, [(summed(magnitude_squared(x), (1, 2)), (0,))])

    def turn(index: Any, u: Any) -> tuple[Any]:
        root, kept, added = (_weight(table, index, column) for column in range(3))
        below = identity(u, size, size)
        stacked = basis.concat([placed(_real_times, [(u, (0, 1, 2)), (root, ())]), below], 1)
        q = reflected(stacked).orthogonal(size)
        product = multiplied(piece(q, 1, 0, size), adjoint(piece(q, 1, size, size)))
        return (placed(_sum_of, [(u, (0, 1, 2)), (product, (0, 1, 2)), (kept, ()), (added, ())]),)

    return counted_loop("polar", len(weights), turn, scaled(x, norm, (0,), divide=True))[0]


def _weight(table: Any, index: Any, column: int) -> Any:
    row = piece_at(lift(table), 0, index, 1)
    return reshape(piece(row, 1, column, 1), ())


def _weights(least: float, enough: float) -> list[tuple[float, float, float]]:
    """For each turn the root of `c`, what `u` is multiplied with, and what the product of QR factors is."""
    found = []
    while least < enough:
        square = least * least
        d = (4 * (1 - square) / (square * square)) ** (1 / 3)
        root = math.sqrt(1 + d)
        a = root + math.sqrt(max(8 - 4 * d + 8 * (2 - square) / (square * root), 0)) / 2
        b = (a - 1) ** 2 / 4
        c = a + b - 1
        found.append((math.sqrt(c), b / c, (a - b / c) / math.sqrt(c)))
        least = min(least * (a + b * square) / (1 + c * square), 1.0)
    return found


def _root_or_one(square: Scalar) -> Any:
    return scalars.select(square == 0, square.kernel.constant(1, square.dtype), scalars.sqrt(square))


def _real_times(x: Scalar, factor: Scalar) -> Any:
    return x * scalars.cast(factor, x.dtype)


def _sum_of(x: Scalar, product: Scalar, kept: Scalar, added: Scalar) -> Any:
    return x * scalars.cast(kept, x.dtype) + product * scalars.cast(added, x.dtype)
