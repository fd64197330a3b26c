"""Activation functions: elementwise, and so usable in kernels. Integers are computed in float32."""

from __future__ import annotations

from typing import Any

from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._operands import floating
from wax.numpy._basis import ArrayLike, basis, check_axis, placed, scalars, shapes_text
from wax.numpy._elementwise import elementwise

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_sigmoid",
    "hard_silu",
    "hard_swish",
    "hard_tanh",
    "identity",
    "leaky_relu",
    "log_sigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "soft_sign",
    "softplus",
    "sparse_plus",
    "sparse_sigmoid",
    "squareplus",
    "swish",
]


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
    # (1 + tanh u) / 2 is expit(2u), which is as exact where it is small, and takes fewer steps.
    return x * scalars.expit(x * (1.5957691216057308 + 0.07135481627260025 * (x * x)))


@elementwise()
def gelu(x: ArrayLike, /, *, approximate: bool = False) -> Array:
    """`x * Φ(x)`, Φ the normal distribution function; with `approximate`, what the usual formula with `tanh` says.

    >>> wax.nn.gelu(wnp.asarray([0.0, 100.0]))
    Array([  0., 100.], dtype=float32)
    """
    return _floating("gelu", x, _gelu_tanh if approximate else _gelu_exact)


# Straight lines, joined.


@elementwise()
def identity(x: ArrayLike, /) -> Array:
    """`x` itself.

    >>> wax.nn.identity(wnp.asarray([-1.0, 2.0]))
    Array([-1.,  2.], dtype=float32)
    """
    return scalars.positive(x)


@elementwise()
def relu6(x: ArrayLike, /) -> Array:
    """`min(max(x, 0), 6)`; NaN stays NaN.

    >>> wax.nn.relu6(wnp.asarray([-1.0, 2.0, 7.0]))
    Array([0., 2., 6.], dtype=float32)
    """
    return scalars.clip(x, 0, 6)


@elementwise()
def leaky_relu(x: ArrayLike, /, *, negative_slope: float = 0.01) -> Array:
    """`x` from 0 on, and `negative_slope * x` below.

    >>> wax.nn.leaky_relu(wnp.asarray([-1.0, 2.0]), negative_slope=0.5)
    Array([-0.5,  2. ], dtype=float32)
    """
    return _floating("leaky_relu", x, lambda value: scalars.select(value >= 0, value, value * negative_slope))


@elementwise()
def prelu(x: ArrayLike, slope: ArrayLike, /) -> Array:
    """`x` from 0 on, and `slope * x` below: `leaky_relu` with a slope that is an array, and broadcasts.

    >>> wax.nn.prelu(wnp.asarray([-1.0, -1.0]), wnp.asarray([0.5, 0.25]))
    Array([-0.5 , -0.25], dtype=float32)
    """
    value, factor = scalars.inexact("prelu", x, slope)
    return scalars.select(value >= 0, value, value * factor)


@elementwise()
def hard_tanh(x: ArrayLike, /) -> Array:
    """`min(max(x, -1), 1)`; NaN stays NaN.

    >>> wax.nn.hard_tanh(wnp.asarray([-2.0, 0.5, 2.0]))
    Array([-1. ,  0.5,  1. ], dtype=float32)
    """
    return _floating("hard_tanh", x, lambda value: scalars.clip(value, -1.0, 1.0))


def _hard_sigmoid(x: Any) -> Any:
    return scalars.clip(x + 3.0, 0.0, 6.0) / 6.0


@elementwise()
def hard_sigmoid(x: ArrayLike, /) -> Array:
    """`relu6(x + 3) / 6`.

    >>> wax.nn.hard_sigmoid(wnp.asarray([-3.0, 0.0, 3.0]))
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    return _floating("hard_sigmoid", x, _hard_sigmoid)


@elementwise()
def hard_silu(x: ArrayLike, /) -> Array:
    """`x * relu6(x + 3) / 6`, also called hard swish (A. Howard and others, "Searching for MobileNetV3", 2019).

    >>> wax.nn.hard_silu(wnp.asarray([-3.0, 0.0, 3.0]))
    Array([-0.,  0.,  3.], dtype=float32)
    """
    return _floating("hard_silu", x, lambda value: value * _hard_sigmoid(value))


@elementwise()
def sparse_sigmoid(x: ArrayLike, /) -> Array:
    """`min(max((x + 1) / 2, 0), 1)`, the derivative of `sparse_plus`.

    >>> wax.nn.sparse_sigmoid(wnp.asarray([-2.0, 0.0, 2.0]))
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    return _floating("sparse_sigmoid", x, lambda value: scalars.clip((value + 1.0) * 0.5, 0.0, 1.0))


# Curves.


def _sparse_plus(x: Any) -> Any:
    curved = scalars.square(x + 1.0) * 0.25
    return scalars.select(x <= -1.0, 0.0, scalars.select(x >= 1.0, x, curved))


@elementwise()
def sparse_plus(x: ArrayLike, /) -> Array:
    """0 up to -1, `x` from 1 on, and `(x + 1)**2 / 4` between.

    >>> wax.nn.sparse_plus(wnp.asarray([-2.0, 0.0, 2.0]))
    Array([0.  , 0.25, 2.  ], dtype=float32)
    """
    return _floating("sparse_plus", x, _sparse_plus)


def _soft_sign(x: Any) -> Any:
    # Of an infinity the quotient would be none.
    return scalars.select(scalars.isinf(x), scalars.sign(x), x / (abs(x) + 1.0))


@elementwise()
def soft_sign(x: ArrayLike, /) -> Array:
    """`x / (abs(x) + 1)`.

    >>> wax.nn.soft_sign(wnp.asarray([-1.0, 3.0]))
    Array([-0.5 ,  0.75], dtype=float32)
    """
    return _floating("soft_sign", x, _soft_sign)


@elementwise()
def squareplus(x: ArrayLike, /, *, b: float = 4.0) -> Array:
    """`(x + sqrt(x**2 + b)) / 2` (J. T. Barron, "Squareplus", 2021).

    >>> wax.nn.squareplus(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return _floating("squareplus", x, lambda value: (value + scalars.sqrt(scalars.square(value) + b)) * 0.5)


@elementwise()
def log_sigmoid(x: ArrayLike, /) -> Array:
    """`log(sigmoid(x))`, with its digits kept: `-softplus(-x)`.

    >>> wax.nn.log_sigmoid(wnp.asarray([0.0, -1000.0]))
    Array([-6.931472e-01, -1.000000e+03], dtype=float32)
    """
    return _floating("log_sigmoid", x, lambda value: -_softplus(-value))


def _elu(x: Any, alpha: float) -> Any:
    return scalars.select(x > 0, x, scalars.expm1(scalars.minimum(x, 0.0)) * alpha)


@elementwise()
def elu(x: ArrayLike, /, *, alpha: float = 1.0) -> Array:
    """`x` above 0, and `alpha * (exp(x) - 1)` below (D.-A. Clevert and others, 2015).

    >>> wax.nn.elu(wnp.asarray([-wnp.inf, 2.0]))
    Array([-1.,  2.], dtype=float32)
    """
    return _floating("elu", x, lambda value: _elu(value, alpha))


@elementwise()
def celu(x: ArrayLike, /, *, alpha: float = 1.0) -> Array:
    """`max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)` (J. T. Barron, 2017). `alpha` is not 0.

    >>> wax.nn.celu(wnp.asarray([-wnp.inf, 2.0]), alpha=0.5)
    Array([-0.5,  2. ], dtype=float32)
    """
    if not alpha:
        raise InvalidArgumentError("celu: alpha must not be 0")

    def formula(value: Any) -> Any:
        return scalars.maximum(value, 0.0) + scalars.expm1(scalars.minimum(value, 0.0) / alpha) * alpha

    return _floating("celu", x, formula)


#: The fixed point of mean 0 and variance 1 (G. Klambauer and others, "Self-Normalizing Neural Networks", 2017).
_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


@elementwise()
def selu(x: ArrayLike, /) -> Array:
    """`scale * elu(x, alpha=alpha)`, with the two constants that keep mean 0 and variance 1 from layer to layer.

    >>> wax.nn.selu(wnp.asarray([0.0, 1.0]))
    Array([0.      , 1.050701], dtype=float32)
    """
    return _floating("selu", x, lambda value: _elu(value, _SELU_ALPHA) * _SELU_SCALE)


@elementwise()
def mish(x: ArrayLike, /) -> Array:
    """`x * tanh(softplus(x))` (D. Misra, "Mish", 2019).

    >>> wax.nn.mish(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return _floating("mish", x, lambda value: value * scalars.tanh(_softplus(value)))


#: The other names that two functions go by.
swish, hard_swish = silu, hard_silu


def _gated(x: Any, gate: Any) -> Any:
    return scalars.in_wide(lambda value, opening: value * scalars.expit(opening))(x, gate)


@api
def glu(x: ArrayLike, /, *, axis: int = -1) -> Array:
    """The first half along an axis times `sigmoid` of the second (Y. Dauphin and others, 2016).

    Raises `AxisError`, `ShapeError` for an odd size.

    >>> wax.nn.glu(wnp.asarray([3.0, 0.0]))
    Array([1.5], dtype=float32)
    """
    value = floating("glu", x)
    place = check_axis("glu", axis, value.ndim)
    size = value.shape[place]
    if not same(size % 2, 0):
        raise ShapeError(f"glu of {shapes_text([value])}: axis {axis} has {size} elements, which have no two halves")
    extents = [size // 2 if dim == place else extent for dim, extent in enumerate(value.shape)]
    halves = [
        basis.slice(value, [start if dim == place else 0 for dim in range(value.ndim)], extents, [1] * value.ndim)
        for start in (0, size // 2)
    ]
    return placed(_gated, [(half, range(value.ndim)) for half in halves])
