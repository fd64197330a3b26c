"""Hermitian matrices made tridiagonal by Householder's reflections, block by block.

The reflections of a block are applied to what is left by one product of twice as many columns: `A - V W^H - W V^H`
(Dongarra, Hammarling and Sorensen, Block reduction of matrices to condensed forms, 1989). A column within a block is
one product of the matrix and a vector, which is half of all the work.
"""

from __future__ import annotations

from typing import Any

from wax import primitives
from wax.numpy._basis import basis, lift, placed, scalars
from wax.numpy._reduction import summed
from wax.numpy.linalg._blocks import Blocks, counted_loop, number, piece_at, put_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._reflections import Reflected, inner_of, reflection_at
from wax.numpy.linalg._stacks import adjoint, zeros
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar

__all__ = ["tridiagonal"]


def tridiagonal(x: Any) -> Reflected:
    """Reflections `Q` and, in the place of a triangle, `Q^H x Q`: real on and next to its diagonal, and nothing else.

    What stands elsewhere is rounded, and means nothing.
    """
    size = x.shape[1]
    blocks = Blocks.of(size)
    if blocks.are_none:
        return Reflected(x, x, x, blocks)

    def block(turn: Any, rest: Any, both: Any) -> tuple[Any, ...]:
        start = turn.times(blocks.width)
        pairs, taus = _block_reflected(rest, number(start), blocks.width)
        v, w = (reshape(piece_at(pairs, 1, half, 1), (rest.shape[0], size, blocks.width)) for half in (0, 1))
        crossed = multiplied(basis.concat([v, w], 2), adjoint(basis.concat([w, v], 2)))
        return rest - crossed, put_at(basis.concat([v, inner_of(v, taus)], 1), both, 2, start)

    # The reflections' vectors, and below them each block's `T`.
    both = zeros(x, size + blocks.width, blocks.size)
    rest, both = counted_loop("reflections", blocks.count, block, x, both)
    return Reflected(rest, _rows(both, 0, size), _rows(both, size, blocks.width), blocks)


def _rows(x: Any, first: int, count: int) -> Any:
    return basis.slice(x, [0, first, 0], [x.shape[0], count, x.shape[2]], [1, 1, 1])


def _block_reflected(x: Any, first: Any, width: int) -> tuple[Any, Any]:
    """Of a block's columns the vectors `V` and `W`, in dim 1, and the factors of the reflections."""
    count, size, _ = x.shape

    def column(turn: Any, pairs: Any, taus: Any) -> tuple[Any, ...]:
        at = number(turn)
        place = turn + primitives.index_of(lift(first))
        # The row that is the column's conjugate, with what this block's reflections have made of it.
        row = reshape(piece_at(x, 1, place, 1), (count, size))
        across = basis.reverse(piece_at(pairs, 2, place, 1), (1,))
        mine = _without(row, pairs, reshape(across, (count, 2, width)), conjugate=True)
        found = reflection_at(mine, number(place.plus(1)), size)
        # A times the vector, likewise.
        every, along = (0, 1, 2), (0, 2)
        image = summed(placed(_times, [(lift(x), every), (found.vector, along)]), (2,))
        inner = summed(placed(_times_conjugate, [(pairs, (0, 1, 2, 3)), (found.vector, (0, 2))]), (2,))
        image = _without(image, pairs, basis.reverse(inner, (1,)), conjugate=False)
        product = summed(placed(_times_conjugate, [(found.vector, (0, 1)), (image, (0, 1))]), (1,))
        operands = [(image, (0, 1)), (found.vector, (0, 1)), (product, (0,)), (found.tau, (0,))]
        new = basis.concat(
            [reshape(part, (count, 1, size, 1)) for part in (found.vector, placed(_partner, operands))], 1
        )
        return put_at(new, pairs, 3, turn), found.put(taus, at)

    return counted_loop("reflections", width, column, zeros(x, 2, size, width), zeros(x, width))


def _without(x: Any, pairs: Any, factors: Any, *, conjugate: bool) -> Any:
    """`x`, or its conjugate, less the pairs' columns times factors, which stand along the dims 1 and 3 of the pairs."""
    product = _times_second_conjugate if conjugate else _times
    less = summed(placed(product, [(pairs, (0, 1, 2, 3)), (factors, (0, 1, 3))]), (1, 3))
    return placed(_conjugate_less if conjugate else _less, [(x, (0, 1)), (less, (0, 1))])


def _times(a: Scalar, b: Scalar) -> Any:
    return a * b


def _times_conjugate(a: Scalar, b: Scalar) -> Any:
    return scalars.conj(a) * b


def _times_second_conjugate(a: Scalar, b: Scalar) -> Any:
    return a * scalars.conj(b)


def _less(x: Scalar, less: Scalar) -> Any:
    return x - less


def _conjugate_less(x: Scalar, less: Scalar) -> Any:
    return scalars.conj(x) - less


def _partner(image: Scalar, vector: Scalar, product: Scalar, tau: Scalar) -> Any:
    """`w` of `A - v w^H - w v^H`, of `A v` and `v^H A v`."""
    half = tau * scalars.conj(tau) * product * 0.5
    return tau * image - half * vector
