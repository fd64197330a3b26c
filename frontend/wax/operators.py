"""`ArrayOperators`: the operators and methods that arrays and traced values have in common.

Each is the function of `wax.numpy` with the array as first operand. What needs elements (`__bool__`,
`__array__`, …) differs between the two and is in `array.py` and `tracer.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from wax.dims import Size
    from wax.numpy.updating import At

__all__ = ["ArrayOperators"]


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        return getattr(_namespace(), name)(self, other)

    return operate


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        return getattr(_namespace(), name)(other, self)

    return operate


def _unary(name: str) -> Callable[[Any], Any]:
    def operate(self: Any) -> Any:
        return getattr(_namespace(), name)(self)

    return operate


def _namespace() -> Any:
    from wax import numpy

    return numpy


def _is_operand(x: Any) -> bool:
    if isinstance(x, bool | int | float | complex | np.ndarray | np.generic | ArrayOperators):
        return True
    if isinstance(x, str | bytes | list | tuple | dict | set) or x is None:
        return False
    from wax.dims import DimExpr
    from wax.scalars import Scalar

    return isinstance(x, Scalar | DimExpr) or hasattr(x, "__dlpack__")


class ArrayOperators:
    """Operators and methods of the array API standard, and the ones that NumPy's users expect beside them."""

    __slots__ = ()
    __array_priority__ = 1000  # NumPy's arrays leave the operators to this class

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[Any, ...]: ...
        @property
        def dtype(self) -> np.dtype[Any]: ...

    __add__ = _binary("add")
    __radd__ = _reflected("add")
    __sub__ = _binary("subtract")
    __rsub__ = _reflected("subtract")
    __mul__ = _binary("multiply")
    __rmul__ = _reflected("multiply")
    __truediv__ = _binary("divide")
    __rtruediv__ = _reflected("divide")
    __floordiv__ = _binary("floor_divide")
    __rfloordiv__ = _reflected("floor_divide")
    __mod__ = _binary("remainder")
    __rmod__ = _reflected("remainder")
    __pow__ = _binary("pow")
    __rpow__ = _reflected("pow")
    __matmul__ = _binary("matmul")
    __rmatmul__ = _reflected("matmul")
    __and__ = _binary("bitwise_and")
    __rand__ = _reflected("bitwise_and")
    __or__ = _binary("bitwise_or")
    __ror__ = _reflected("bitwise_or")
    __xor__ = _binary("bitwise_xor")
    __rxor__ = _reflected("bitwise_xor")
    __lshift__ = _binary("bitwise_left_shift")
    __rlshift__ = _reflected("bitwise_left_shift")
    __rshift__ = _binary("bitwise_right_shift")
    __rrshift__ = _reflected("bitwise_right_shift")
    __lt__ = _binary("less")
    __le__ = _binary("less_equal")
    __gt__ = _binary("greater")
    __ge__ = _binary("greater_equal")
    __neg__ = _unary("negative")
    __pos__ = _unary("positive")
    __abs__ = _unary("abs")
    __invert__ = _unary("bitwise_invert")

    def __eq__(self, other: object) -> Any:
        return _namespace().equal(self, other) if _is_operand(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return _namespace().not_equal(self, other) if _is_operand(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # == compares elements

    def __getitem__(self, key: Any) -> Any:
        return _namespace().getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "arrays of wax do not change; x = x.at[key].set(value) makes a new one, in the memory of the old where "
            "that is donated or not needed any more"
        )

    @property
    def at(self) -> At:
        """`x.at[key]` with `.set`, `.add`, `.multiply`, `.min`, `.max`: a new array with elements updated."""
        from wax.numpy.updating import At

        return At(self)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """`wax.numpy`. Raises `InvalidArgumentError` for a version of the standard it does not follow."""
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            from wax.errors import InvalidArgumentError

            raise InvalidArgumentError(f"wax.numpy follows the array API standard 2024.12, not {api_version}")
        return _namespace()

    # Attributes.

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return len(self.shape)

    @property
    def size(self) -> Size:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def T(self) -> Any:
        """The matrix transposed. Raises `ShapeError` for any rank but 2: there `mT` or `permute_dims` is meant."""
        if self.ndim != 2:
            from wax.errors import ShapeError

            raise ShapeError(f".T of an array of {self.ndim} dims; use .mT for stacks of matrices, or wnp.permute_dims")
        return _namespace().matrix_transpose(self)

    @property
    def mT(self) -> Any:
        """Every matrix of a stack transposed."""
        return _namespace().matrix_transpose(self)

    @property
    def real(self) -> Any:
        """The real parts."""
        return _namespace().real(self)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return _namespace().imag(self)

    # Methods; each is the function of that name.

    def astype(self, dtype: Any) -> Any:
        """The array converted to a dtype; see `wax.numpy.astype`."""
        return _namespace().astype(self, dtype)

    def conj(self) -> Any:
        """The complex conjugates."""
        return _namespace().conj(self)

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """The elements held between bounds; see `wax.numpy.clip`."""
        return _namespace().clip(self, min, max)

    def round(self) -> Any:
        """The elements rounded to whole numbers, halves to even."""
        return _namespace().round(self)

    def reshape(self, *shape: Any) -> Any:
        """The elements in another shape: `x.reshape(2, -1)` or `x.reshape((2, -1))`."""
        return _namespace().reshape(self, shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape)

    def flatten(self) -> Any:
        """The elements in one dim, row by row."""
        return _namespace().reshape(self, (-1,))

    ravel = flatten

    def transpose(self, *axes: Any) -> Any:
        """The dims in another order; reversed if none is given."""
        order = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
        return _namespace().permute_dims(self, tuple(order) or tuple(reversed(range(self.ndim))))

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """Two dims exchanged."""
        return _namespace().swapaxes(self, axis1, axis2)

    def squeeze(self, axis: int | Sequence[int] | None = None) -> Any:
        """Dims of size 1 dropped; see `wax.numpy.squeeze`."""
        return _namespace().squeeze(self, axis)

    def take(self, indices: Any, axis: int | None = None) -> Any:
        """The elements at indices along an axis; see `wax.numpy.take`."""
        return _namespace().take(self, indices, axis=axis)

    def dot(self, other: Any) -> Any:
        """NumPy's product of vectors, matrices, and all pairs of them in stacks; see `wax.numpy.dot`."""
        return _namespace().dot(self, other)

    def sum(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Any:
        """The sum of elements; see `wax.numpy.sum`."""
        return _namespace().sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(self, axis: Any = None, *, dtype: Any = None, keepdims: bool = False) -> Any:
        """The product of elements; see `wax.numpy.prod`."""
        return _namespace().prod(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The mean of elements; see `wax.numpy.mean`."""
        return _namespace().mean(self, axis=axis, keepdims=keepdims)

    def var(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Any:
        """The variance of elements; see `wax.numpy.var`."""
        return _namespace().var(self, axis=axis, correction=correction, keepdims=keepdims)

    def std(self, axis: Any = None, *, correction: float = 0.0, keepdims: bool = False) -> Any:
        """The standard deviation of elements; see `wax.numpy.std`."""
        return _namespace().std(self, axis=axis, correction=correction, keepdims=keepdims)

    def max(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The greatest element; see `wax.numpy.max`."""
        return _namespace().max(self, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The least element; see `wax.numpy.min`."""
        return _namespace().min(self, axis=axis, keepdims=keepdims)

    def any(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Whether some element is not zero."""
        return _namespace().any(self, axis=axis, keepdims=keepdims)

    def all(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Whether no element is zero."""
        return _namespace().all(self, axis=axis, keepdims=keepdims)

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """The index of the greatest element; see `wax.numpy.argmax`."""
        return _namespace().argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """The index of the least element; see `wax.numpy.argmin`."""
        return _namespace().argmin(self, axis=axis, keepdims=keepdims)
