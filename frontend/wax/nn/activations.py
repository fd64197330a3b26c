"""Activation functions: elementwise, and so usable in kernels. Integers are computed in float32."""

from __future__ import annotations

from typing import Any

from wax.array import Array
from wax.numpy._basis import ArrayLike, scalars
from wax.numpy._elementwise import elementwise

__all__ = ["gelu", "relu", "sigmoid", "silu", "softplus"]


def _floating(name: str, x: Any, formula: Any) -> Any:
    """A formula over a float, in float32 for half floats."""
    (value,) = scalars.inexact(name, x)
    return scalars.with_weakness(scalars.in_wide(formula)(value), value.weak)


@elementwise()
def relu(x: ArrayLike, /) -> Array:
    """`max(x, 0)`; NaN stays NaN.

    >>> wax.nn.relu(wnp.asarray([-1.0, 2.0]))
    Array([0., 2.], dtype=float32)
    """
    # Not a maximum: of that the derivative at 0 would be a half.
    return scalars.select(scalars.less_equal(x, 0), 0, x)


@elementwise()
def sigmoid(x: ArrayLike, /) -> Array:
    """`1 / (1 + exp(-x))`.

    >>> wax.nn.sigmoid(wnp.asarray([0.0]))
    Array([0.5], dtype=float32)
    """
    return _floating("sigmoid", x, scalars.expit)


@elementwise()
def silu(x: ArrayLike, /) -> Array:
    """`x * sigmoid(x)`, also called swish.

    >>> wax.nn.silu(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return _floating("silu", x, lambda value: value * scalars.expit(value))


def _softplus(x: Any) -> Any:
    # By choices, which are differentiated on the side chosen: at 0 too, twice.
    below = x < 0
    return scalars.select(below, 0.0, x) + scalars.log1p(scalars.exp(scalars.select(below, x, -x)))


@elementwise()
def softplus(x: ArrayLike, /) -> Array:
    """`log(1 + exp(x))` without overflow.

    >>> wax.nn.softplus(wnp.asarray([0.0]))
    Array([0.6931472], dtype=float32)
    """
    return _floating("softplus", x, _softplus)


def _gelu_exact(x: Any) -> Any:
    return 0.5 * x * (1.0 + scalars.erf(x * 0.7071067811865476))


def _gelu_tanh(x: Any) -> Any:
    inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1.0 + scalars.tanh(inner))


@elementwise()
def gelu(x: ArrayLike, /, *, approximate: bool = False) -> Array:
    """`x * Φ(x)`, Φ the normal distribution function; with `approximate`, by the usual formula with `tanh`.

    >>> wax.nn.gelu(wnp.asarray([0.0, 100.0]))
    Array([  0., 100.], dtype=float32)
    """
    return _floating("gelu", x, _gelu_tanh if approximate else _gelu_exact)
