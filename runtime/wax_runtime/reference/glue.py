"""Glue: scalar `arith` on index values and sizes, and the few `tensor` operations that go with it.

Index values are Python ints, which NumPy takes for sizes. Any other scalar is a NumPy scalar. The same
tables serve here and in kernels, so glue is as total as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.elements import scalar
from wax_runtime.reference.kernels import scalar_function
from wax_runtime.reference.plan import Scope, Step, bind
from wax_runtime.reference.plan import constant as known
from wax_runtime.reference.sizes import Frame, violation
from wax_runtime.snapshot import Apply, Argument, Operation

__all__ = ["cast", "constant", "dim", "extract", "from_elements", "scalar_operation"]


def constant(operation: Operation, scope: Scope) -> Step:
    """`arith.constant`: a scalar, or a tensor."""
    (result,) = operation.results
    of, value = scope.element(result), operation.attributes["value"]
    if isinstance(value, np.ndarray) and value.ndim:
        return known(operation, scope, value)
    plain = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
    assert isinstance(plain, (bool, int, float, complex))
    return known(operation, scope, int(plain.real) if of.name == "index" else scalar(plain, of))


def scalar_operation(operation: Operation, scope: Scope) -> Step:
    """Any operation of the kernels' tables, on scalars outside of kernels."""
    elements = [scope.function.types[v].element for v in operation.operands]
    (result,) = operation.results
    arguments = tuple(Argument(i, name) for i, name in enumerate(elements))
    function = scalar_function(
        Apply(operation.name, arguments, scope.function.types[result].element, operation.attributes)
    )
    to_index = scope.element(result).name == "index"

    def run(*values: Any) -> Any:
        made = function(*[np.int64(v) if isinstance(v, int) else v for v in values])
        return int(made) if to_index else made

    return bind(run, operation.operands, operation.results)


def dim(operation: Operation, scope: Scope) -> Step:
    """`tensor.dim`."""
    return bind(lambda x, axis: x.shape[axis], operation.operands, operation.results)


def extract(operation: Operation, scope: Scope) -> Step:
    """`tensor.extract`: one element."""
    source, *indices = operation.operands
    (result,) = operation.results
    to_index = scope.element(result).name == "index"

    def step(frame: Frame) -> None:
        x, at = frame[source], tuple(frame[v] for v in indices)
        if any(not 0 <= i < size for i, size in zip(at, x.shape, strict=True)):
            raise violation(operation, "in bounds", f"there is no element {list(at)} in sizes {list(x.shape)}")
        frame[result] = int(x[at]) if to_index else x[at]

    return step


def from_elements(operation: Operation, scope: Scope) -> Step:
    """`tensor.from_elements`: a static tensor of scalars."""
    (result,) = operation.results
    shape = tuple(size for size in scope.shape(result) if size is not None)
    dtype = scope.element(result).dtype
    return bind(lambda *values: np.array(values, dtype).reshape(shape), operation.operands, operation.results)


def cast(operation: Operation, scope: Scope) -> Step:
    """`tensor.cast`: the same array, once its sizes are what the type says."""
    (result,) = operation.results
    expected = scope.shape(result)

    def checked(x: Any) -> Any:
        if any(size is not None and size != actual for size, actual in zip(expected, x.shape, strict=True)):
            shown = ["?" if size is None else size for size in expected]
            raise violation(operation, "sizes", f"an array of sizes {list(x.shape)} is not one of sizes {shown}")
        return x

    return bind(checked, operation.operands, operation.results)
