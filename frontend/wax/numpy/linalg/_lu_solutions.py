"""Solutions of square systems whose LU factors are there, with derivatives that read the factors again.

A solution's derivatives are solutions too: forward of the same matrices, in reverse of their transposes. So no loop is
differentiated, and nothing is kept but the factors and the solutions.
"""

from __future__ import annotations

from typing import Any

from wax.dims import same
from wax.numpy.linalg._elimination import Factors, eliminated, rows_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import transposed
from wax.numpy.linalg._triangular import substitution
from wax.numpy.sorting import argsort
from wax.transform.custom import custom_vjp, stop_gradient

__all__ = ["solved"]


def solved(x: Any, right: Any) -> Any:
    """`y` of `x @ y == right`, for stacks of square matrices and of right sides."""
    if same(x.shape[1], 0) or same(right.shape[2], 0):
        return right
    factors = eliminated(stop_gradient(x))
    return _solved(x, factors.packed, factors.order, right, False)


def _solution(x: Any, packed: Any, order: Any, right: Any, is_transposed: bool) -> Any:
    """`x` itself is read by derivatives only."""
    factors = Factors(packed, order)
    if not is_transposed:
        right = substitution(factors.lower, rows_at(right, order), lower=True)
        return substitution(factors.upper, right, lower=False)
    right = substitution(transposed(factors.upper), right, lower=True)
    right = substitution(transposed(factors.lower), right, lower=False)
    return rows_at(right, argsort(order, axis=-1))


_solved = custom_vjp(_solution, nondiff_argnums=(4,))


@_solved.defjvp
def _(is_transposed: bool, primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    x, packed, order, _ = primals
    dx, _, _, moved = tangents
    y = _solved(*primals, is_transposed)
    product = multiplied(transposed(dx) if is_transposed else dx, y)
    return y, _solved(x, packed, order, moved - product, is_transposed)


def _forward(x: Any, packed: Any, order: Any, right: Any, is_transposed: bool) -> tuple[Any, Any]:
    y = _solved(x, packed, order, right, is_transposed)
    return y, (x, packed, order, y)


def _backward(is_transposed: bool, kept: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    x, packed, order, y = kept
    right = _solved(x, packed, order, cotangent, not is_transposed)
    left, other = (y, right) if is_transposed else (right, y)
    return -multiplied(left, transposed(other)), None, None, right


_solved.defvjp(_forward, _backward)
