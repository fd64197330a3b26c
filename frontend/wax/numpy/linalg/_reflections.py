"""QR factors by Householder's reflections, block by block.

The reflections of a block are kept as `I - V T V^H` (Schreiber and Van Loan, A storage-efficient WY representation,
1989), so that they are applied to the other columns by matrix products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wax import primitives
from wax.dims import Size, known_at_most, lesser
from wax.numpy._basis import basis, lift, placed, scalars
from wax.numpy._pieces import counter, piece
from wax.numpy._reduction import summed
from wax.numpy.linalg._blocks import Blocks, counted_loop, in_kernels, number, piece_at, put_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import adjoint, fitted, greatest_magnitude, grown, identity, power_of_two, scaled, zeros
from wax.numpy.linalg._triangular import triangle
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar

__all__ = ["Reflected", "Reflection", "inner_of", "reflected", "reflection_at"]


@dataclass(frozen=True, slots=True)
class Reflected:
    """A triangle, and the reflections whose product with it is the matrix: their vectors, and a `T` for each block."""

    triangle: Any
    vectors: Any
    inner: Any
    blocks: Blocks

    def orthogonal(self, columns: Size) -> Any:
        """The first columns of the product of all reflections."""
        return self.applied(identity(self.vectors, self.vectors.shape[1], columns))

    def applied(self, x: Any) -> Any:
        """The product of all reflections, times matrices."""

        def block(turn: Any, q: Any) -> tuple[Any]:
            at = turn.times(-1).plus(self.blocks.count - 1)
            v = piece_at(self.vectors, 2, at.times(self.blocks.width), self.blocks.width)
            t = piece_at(self.inner, 2, at.times(self.blocks.width), self.blocks.width)
            return (q - multiplied(v, multiplied(t, multiplied(adjoint(v), q))),)

        return counted_loop("reflections", self.blocks.count, block, x)[0]


def reflected(x: Any) -> Reflected:
    """The factors of matrices; the triangle has as many rows as they have, and zeros under its diagonal.

    The signs are those of LAPACK's geqrf: a reflection gives the diagonal the sign that the column's element does not
    have, unless there are only zeros under it. Columns are scaled by powers of two, so no sum of squares overflows.
    """
    _, rows, columns = x.shape
    steps = lesser(rows, columns)
    assert steps is not None, "whoever factors matrices asks which of their sizes is the lesser"
    blocks = Blocks.of(steps)
    if blocks.are_none:
        return Reflected(x, x, x, blocks)
    scale = power_of_two(greatest_magnitude(x, (1,)))
    width = columns if known_at_most(blocks.size, columns) else columns + (blocks.size - steps)
    rest = grown(scaled(x, scale, (0, 2), divide=True), rows, width)

    def block(turn: Any, rest: Any, both: Any) -> tuple[Any, ...]:
        start = turn.times(blocks.width)
        columns, v, taus = _columns_reflected(piece_at(rest, 2, start, blocks.width), number(start), steps)
        t = inner_of(v, taus)
        others = multiplied(adjoint(t), multiplied(adjoint(v), rest))
        operands = [(others, (0, 1, 2)), (counter(rest.shape[2]), (2,)), (number(start), ())]
        rest = rest - multiplied(v, placed(_if_after, operands, width=blocks.width))
        return put_at(columns, rest, 2, start), put_at(basis.concat([v, t], 1), both, 2, start)

    # The reflections' vectors, and below them each block's `T`.
    both = zeros(x, rows + blocks.width, blocks.size)
    rest, both = counted_loop("reflections", blocks.count, block, rest, both)
    vectors, inner = piece(both, 1, 0, rows), piece(both, 1, rows, blocks.width)
    upper = triangle(fitted(rest, rows, columns), lower=False)
    return Reflected(scaled(upper, scale, (0, 2)), vectors, inner, blocks)


def _if_after(x: Scalar, column: Scalar, start: Scalar, *, width: int) -> Any:
    return scalars.select(column >= start + width, x, x.kernel.constant(0, x.dtype))


def _columns_reflected(columns: Any, first: Any, steps: Size) -> tuple[Any, Any, Any]:
    """A block's columns after their reflections, whose vectors and factors come with them."""
    count, rows, width = columns.shape

    def column(turn: Any, columns: Any, vectors: Any, taus: Any) -> tuple[Any, ...]:
        at = number(turn)
        # Computed as an index, for which no turn waits.
        step = number(turn + primitives.index_of(lift(first)))
        found = reflection_at(reshape(piece_at(columns, 2, turn, 1), (count, rows)), step, steps)
        products = summed(placed(_times_conjugate, [(found.vector, (0, 1)), (columns, (0, 1, 2))]), (1,))
        operands = [(columns, (0, 1, 2)), (found.vector, (0, 1)), (products, (0, 2)), (found.tau, (0,))]
        columns = placed(_reflected, [*operands, (counter(rows), (1,)), (counter(width), (2,)), (step, ()), (at, ())])
        vectors = put_at(reshape(found.vector, (count, rows, 1)), vectors, 2, turn)
        return columns, vectors, found.put(taus, at)

    begin = columns, zeros(columns, rows, width), zeros(columns, width)
    return counted_loop("reflections", width, column, *begin)


@dataclass(frozen=True, slots=True)
class Reflection:
    """`I - tau v v^H` for each matrix."""

    vector: Any
    tau: Any

    def put(self, taus: Any, at: Any) -> Any:
        """The factors of a block's reflections, with this one's."""
        return placed(_set, [(taus, (0, 1)), (self.tau, (0,)), (counter(taus.shape[1]), (1,)), (at, ())])


def reflection_at(column: Any, step: Any, steps: Size) -> Reflection:
    """What makes zeros of a column's elements after that numbered `step`; nothing from `steps` on."""
    where = [(counter(column.shape[1]), (1,)), (step, ())]
    top = summed(placed(_at_step, [(column, (0, 1)), *where]), (1,))
    tail = summed(placed(_under_step, [(column, (0, 1)), *where]), (1,))
    ends = [(top, (0,)), (tail, (0,)), (in_kernels(steps), ())]
    vector = placed(_vector, [(column, (0, 1)), *where, *ends])
    return Reflection(vector, placed(_tau, [*ends, (step, ())]))


def _at_step(x: Scalar, row: Scalar, step: Scalar) -> Any:
    return scalars.select(row == step, x, x.kernel.constant(0, x.dtype))


def _magnitude_squared(x: Scalar) -> Any:
    if x.kind != "complex":
        return x * x
    real, imaginary = scalars.real(x), scalars.imag(x)
    return real * real + imaginary * imaginary


def _under_step(x: Scalar, row: Scalar, step: Scalar) -> Any:
    square = _magnitude_squared(x)
    return scalars.select(row > step, square, square.kernel.constant(0, square.dtype))


def _beta(top: Scalar, tail: Scalar) -> tuple[Scalar, Scalar]:
    """What a reflection makes of the top, and whether there is something to reflect."""
    real = scalars.real(top) if top.kind == "complex" else top
    size = scalars.sqrt(_magnitude_squared(top) + tail)
    needed = tail != 0
    if top.kind == "complex":
        needed = scalars.logical_or(needed, scalars.imag(top) != 0)
    return scalars.select(scalars.signbit(real), size, -size), needed


def _tau(top: Scalar, tail: Scalar, steps: Scalar | int, step: Scalar) -> Any:
    beta, needed = _beta(top, tail)
    tau = (scalars.cast(beta, top.dtype) - top) / scalars.cast(beta, top.dtype)
    zero = top.kernel.constant(0, top.dtype)
    return scalars.select(scalars.logical_and(needed, step < steps), tau, zero)


def _vector(x: Scalar, row: Scalar, step: Scalar, top: Scalar, tail: Scalar, steps: Scalar | int) -> Any:
    beta, needed = _beta(top, tail)
    zero, one = x.kernel.constant(0, x.dtype), x.kernel.constant(1, x.dtype)
    under = scalars.select(needed, x / (top - scalars.cast(beta, x.dtype)), zero)
    found = scalars.select(row == step, one, scalars.select(row > step, under, zero))
    return scalars.select(step < steps, found, zero)


def _times_conjugate(vector: Scalar, x: Scalar) -> Any:
    return scalars.conj(vector) * x


def _reflected(
    x: Scalar,
    vector: Scalar,
    product: Scalar,
    tau: Scalar,
    row: Scalar,
    column: Scalar,
    step: Scalar,
    at: Scalar,
) -> Any:
    changed = scalars.select(column >= at, x - scalars.conj(tau) * vector * product, x)
    is_under = scalars.logical_and(column == at, row > step)
    return scalars.select(is_under, x.kernel.constant(0, x.dtype), changed)


def _set(taus: Scalar, tau: Scalar, column: Scalar, at: Scalar) -> Any:
    return scalars.select(column == at, tau, taus)


def inner_of(v: Any, taus: Any) -> Any:
    """`T` of the product of a block's reflections, column by column: `T[:j, j] = -tau[j] T[:j, :j] (V^H V)[:j, j]`."""
    count, width = taus.shape
    products = multiplied(adjoint(v), v)

    def column(turn: Any, t: Any) -> tuple[Any]:
        product = reshape(piece_at(products, 2, turn, 1), (count, width))
        tau = reshape(piece_at(taus, 1, turn, 1), (count,))
        above = summed(placed(_times, [(t, (0, 1, 2)), (product, (0, 2))]), (2,))
        numbers = counter(width)
        operands = [(t, (0, 1, 2)), (above, (0, 1)), (tau, (0,)), (numbers, (1,)), (numbers, (2,)), (number(turn), ())]
        return (placed(_grown, operands),)

    return counted_loop("reflections", width, column, zeros(v, width, width))[0]


def _times(a: Scalar, b: Scalar) -> Any:
    return a * b


def _grown(t: Scalar, above: Scalar, tau: Scalar, row: Scalar, column: Scalar, at: Scalar) -> Any:
    new = scalars.select(row == at, tau, -tau * above)
    return scalars.select(scalars.logical_and(column == at, row <= at), new, t)
