"""Kernels and functions that the tests of the native layer build with."""

from wax import _native

AT = _native.Location("model.py", 3, 5)


def identity(element: str = "f32") -> _native.Kernel:
    return _native.KernelBuilder([element]).finish([0])


def binary(op: str = "arith.addf", element: str = "f32") -> _native.Kernel:
    builder = _native.KernelBuilder([element, element])
    return builder.finish([builder.op(op, [0, 1], element)])


def unary(op: str = "math.exp", element: str = "f32") -> _native.Kernel:
    builder = _native.KernelBuilder([element])
    return builder.finish([builder.op(op, [0], element)])


def zero(builder: _native.FunctionBuilder) -> int:
    return builder.constant(bytes(4), [], "f32", AT)[0]


def doubling(name: str = "double") -> _native.Function:
    """A function of one tensor<?xf32> that adds it to itself."""
    builder = _native.FunctionBuilder(name, AT)
    x = builder.argument([None], "f32", AT)
    ((y, _, _), _) = builder.broadcast([x, x], [[0], [0]], [], binary(), AT)
    return builder.finish([y])
