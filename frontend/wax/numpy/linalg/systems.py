"""Linear systems: solved by LU factors with partial pivoting, or by substitution; inverses, and the factors."""

from __future__ import annotations

from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import ArrayLike, basis, cast, expanded, lift_all, placed, scalars, shapes_text, squeezed
from wax.numpy._contraction import refuse_bool
from wax.numpy._pieces import counter
from wax.numpy.joining import broadcast_shapes
from wax.numpy.linalg._elimination import eliminated
from wax.numpy.linalg._lu_solutions import solved
from wax.numpy.linalg._stacks import adjoint, check_square, fitted, grown, identity, stack_of
from wax.numpy.linalg._triangular import substituted, triangle
from wax.numpy.manipulation import broadcast_to
from wax.scalars import Scalar

__all__ = ["LUResult", "inv", "lu", "solve", "solve_triangular"]


class LUResult(NamedTuple):
    """What `lu` returns: `P @ L @ U` is the matrix."""

    P: Any
    L: Any
    U: Any


@api
def solve(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`y` of `x1 @ y == x2` for square matrices: vectors if `x2` has one dim, otherwise matrices of them.

    The stacks broadcast. By elimination with partial pivoting and two substitutions, with a residual of a few
    `n * eps` of `|L| |U| |y|`. A singular matrix gives infinities or NaN.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.solve(wnp.asarray([[2.0, 0.0], [1.0, 4.0]]), wnp.asarray([2.0, 9.0]))
    Array([1., 2.], dtype=float32)
    """
    system = _System("solve", x1, x2)
    return system.restored(solved(system.left.values, system.right))


@api
def solve_triangular(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
) -> Array:
    """`y` of `x1 @ y == x2` for triangular matrices, of which only one triangle is read.

    `trans` is SciPy's: 1 or "T" solves with the transposes, 2 or "C" with the adjoints. Right sides are as for
    `solve`. By substitution. Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.solve_triangular(wnp.asarray([[2.0, 0.0], [1.0, 4.0]]), wnp.asarray([2.0, 9.0]), lower=True)
    Array([1., 2.], dtype=float32)
    """
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise InvalidArgumentError(f'solve_triangular: trans is 0, 1, 2, "N", "T" or "C", not {trans!r}')
    system = _System("solve_triangular", x1, x2)
    t = triangle(system.left.values, lower=lower, unit=unit_diagonal)
    if trans in (1, 2, "T", "C"):
        t, lower = adjoint(t), not lower
        if trans in (1, "T"):
            t = placed(scalars.conj, [(t, (0, 1, 2))])
    return system.restored(substituted(t, system.right, lower=lower))


class _System:
    """Square matrices and right sides, as stacks of one length."""

    def __init__(self, name: str, x1: Any, x2: Any) -> None:
        a, b = lift_all(name, x1, x2)
        refuse_bool(name, a.dtype)
        if a.ndim < 2:
            raise ShapeError(f"{name} takes matrices, or stacks of them; the shape is {format_shape(a.shape)}")
        check_square(name, a)
        if not b.ndim:
            raise ShapeError(f"{name} of {shapes_text([a, b])}: the right side is a vector or a matrix")
        self.is_vector = b.ndim == 1
        if self.is_vector:
            b = expanded(b, [1])
        if not same(a.shape[-1], b.shape[-2]):
            hint = "" if self.is_vector else "; a stack of vectors is x2[..., None]"
            raise ShapeError(f"{name} of {shapes_text([a, b])}: {a.shape[-1]} columns against {b.shape[-2]} rows{hint}")
        batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = (broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
        self.left = stack_of(name, a, square=True)
        self.right = stack_of(name, b).values

    def restored(self, y: Any) -> Any:
        result = self.left.restored(y)
        return squeezed(result, [result.ndim - 1]) if self.is_vector else result


@api
def inv(x: ArrayLike, /) -> Array:
    """The inverse of every square matrix: what `solve` gives for the identity. Infinities or NaN for singular ones.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.inv(wnp.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    stack = stack_of("inv", x, square=True)
    return stack.restored(solved(stack.values, identity(stack.values, stack.rows, stack.rows)))


@api
def lu(x: ArrayLike, /) -> LUResult:
    """A permutation `P`, a unit triangle `L` and a triangle `U` of which `P @ L @ U` is the matrix.

    Of `m` by `n` matrices `L` has `min(m, n)` columns, and `U` as many rows. By elimination with partial pivoting: no
    element of `L` is greater than 1 (complex ones than the root of 2). Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.lu(wnp.asarray([[1.0, 2.0], [2.0, 2.0]])).U
    Array([[2., 2.],
           [0., 1.]], dtype=float32)
    """
    stack = stack_of("lu", x, ordered=True)
    rows, columns, few = stack.rows, stack.columns, stack.fewer
    size = rows + columns - few
    # Rows of zeros are pivots after all others, and columns of zeros come last.
    factors = eliminated(grown(stack.values, size, size))
    order = basis.slice(factors.order, [0, 0], [factors.order.shape[0], rows], [1, 1])
    permutation = placed(
        _is_there, [(order, (0, 2)), (counter(rows), (1,))], dtype=dtypes.real_part(stack.values.dtype)
    )
    parts = cast(permutation, stack.values.dtype), fitted(factors.lower, rows, few), fitted(factors.upper, few, columns)
    return LUResult(*map(stack.restored, parts))


def _is_there(order: Scalar, row: Scalar, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(order == row, dtype)
