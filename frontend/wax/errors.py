"""Every error of wax, in one place; each class's docstring is its documentation page.

All derive from `WaxError`. The runtime's own (devices, files, calls of loaded programs) come from
`wax_runtime.errors`; this module adds those of tracing. An error found while tracing carries the user's
file, line and column, and its text begins with them.
"""

from __future__ import annotations

from wax import _source
from wax_runtime.errors import (
    ArgumentError,
    BackendError,
    CheckError,
    CompileError,
    DeletedBufferError,
    DeviceError,
    DTypeError,
    LoadError,
    Location,
    SettingError,
    WaxError,
)

__all__ = [
    "ArgumentError",
    "ArgumentStructureError",
    "ArgumentTypeError",
    "AxisError",
    "AxisNameError",
    "BackendError",
    "BatchingError",
    "CheckError",
    "CompileError",
    "ControlFlowError",
    "ConversionError",
    "CustomRuleError",
    "DTypeError",
    "DataDependentShapeError",
    "DeletedBufferError",
    "DeviceError",
    "DifferentiationError",
    "DimensionFactError",
    "DiscreteResultError",
    "EinsumError",
    "InconclusiveDimensionError",
    "InvalidArgumentError",
    "KernelError",
    "LeakedTracerError",
    "LoadError",
    "Location",
    "PromotionError",
    "RuleError",
    "SettingError",
    "ShapeError",
    "StaticAssertionError",
    "TraceError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnhashableStaticArgumentError",
    "WaxError",
    "WaxIndexError",
]


class TraceError(WaxError):
    """The base of the errors found while a function is traced; it finds the user's line by itself."""

    def __init__(self, message: str, *, location: Location | None = None) -> None:
        super().__init__(message, location=location or _source.current())


class ShapeError(TraceError, ValueError):
    """The shapes of the operands do not fit the operation.

    The message names the operation and every shape. Reshape, transpose or index an operand so that they do::

        x @ w        # ShapeError: matmul of (8, 384) and (768, 384): 384 against 768
        x @ w.T      # corrected
    """


class AxisError(ShapeError, IndexError):
    """An axis does not exist, or is named twice.

    Axes run from `-x.ndim` to `x.ndim - 1`::

        wnp.sum(x, axis=2)     # AxisError: x has 2 dims
        wnp.sum(x, axis=-1)    # corrected
    """


class WaxIndexError(TraceError, IndexError):
    """An index is out of range, of the wrong type, or there are too many of them.

    Static indices are checked while tracing. Computed ones are clamped by the compiled program::

        x[8]                   # WaxIndexError: index 8 along axis 0 of size 8
        x[-1]                  # corrected
    """


class PromotionError(TraceError, DTypeError):
    """The dtypes of the operands do not promote to one, or the operation does not take the dtype.

    Convert one of them::

        a_uint64 + b_int64                         # PromotionError: no dtype holds both
        a_uint64.astype(wnp.int64) + b_int64       # corrected
    """


class InvalidArgumentError(TraceError, ValueError):
    """An argument of a wax function has a value that the function does not take; the message says which it does.

    For example::

        wnp.linspace(0.0, 1.0, num=-3)             # InvalidArgumentError: num must not be negative
    """


class EinsumError(InvalidArgumentError):
    """An einsum string that is malformed, or does not fit its operands.

    For example::

        wnp.einsum("ij,jk->iz", a, b)              # EinsumError: z stands in no operand
        wnp.einsum("ij,jk->ik", a, b)              # corrected
    """


class ControlFlowError(TraceError, TypeError):
    """The parts of a branch or a loop do not fit together: branches differ, or a turn changes what is carried.

    A program has one shape and dtype for each value, whichever way it takes and however often. The message names the
    value and both of its kinds; make them the same::

        wax.cond(p, lambda x: x, lambda x: x[:2], x)              # ControlFlowError: (4,) and (2,)
        wax.cond(p, lambda x: x[:2], lambda x: x[2:], x)          # corrected

        wax.fori_loop(0, n, lambda i, s: s + 0.5, wnp.asarray(0))     # ControlFlowError: int32 and float32
        wax.fori_loop(0, n, lambda i, s: s + 0.5, wnp.asarray(0.0))   # corrected
    """


class ConversionError(TraceError, TypeError):
    """The base of the errors raised when a traced value is asked for its concrete value.

    While a function is traced, its arrays have a shape and a dtype but no value yet.
    """


class TracerBoolConversionError(ConversionError):
    """A traced value stood where Python needs `True` or `False`: `if`, `while`, `and`, `or`, `not`, `assert`.

    Branch with `wax.cond`, loop with `wax.while_loop`, choose by value with `wnp.where`, combine with `&`, `|`, `~`, or
    make the argument static::

        if x > 0: y = f(x)                         # TracerBoolConversionError
        y = wax.cond(x > 0, f, lambda x: x, x)     # corrected
        while x < 9: x = f(x)                      # TracerBoolConversionError
        x = wax.while_loop(lambda x: x < 9, f, x)  # corrected

        @wax.jit(static_argnames="training")       # or: a Python bool that selects a program
        def f(x, training): ...
    """


class TracerIntegerConversionError(ConversionError):
    """A traced value stood where Python needs a number now: `range(n)`, `int(x)`, `float(x)`, a list index, a shape.

    Make it a static argument, take sizes from shapes, which are known, or let the program loop::

        for i in range(n): x = f(i, x)             # n traced: TracerIntegerConversionError
        x = wax.fori_loop(0, n, f, x)              # corrected
        wnp.zeros(n)                               # n traced: TracerIntegerConversionError
        wnp.zeros(x.shape[0])                      # corrected
    """


class TracerArrayConversionError(ConversionError):
    """A traced value was given to NumPy, or to another library, which needs its elements now.

    Use the function of the same name from `wax.numpy`, or take the call out of the traced function::

        np.exp(x)                                  # TracerArrayConversionError
        wnp.exp(x)                                 # corrected
    """


class DataDependentShapeError(ConversionError, IndexError):
    """How large a result is depends on elements, which a traced value does not have.

    Keep the shape with `wnp.where`, or say how large the result is at most: what is beyond takes `fill_value`::

        x[x > 0]                                              # x traced: DataDependentShapeError
        wnp.where(x > 0, x, 0)                                # corrected: zeros instead of nothing
        x[wnp.nonzero(x > 0, size=8, fill_value=0)]           # or: the first eight
        wnp.unique_values(x, size=8, fill_value=-1)
    """


class LeakedTracerError(TraceError):
    """A traced value was used after the function it belongs to had been traced.

    It was stored in a global, an attribute or a closure. Return it from the function instead::

        @wax.jit
        def f(x):
            self.hidden = x * 2                    # leaks
            return x

        @wax.jit
        def f(x):
            return x, x * 2                        # corrected
    """


class UnhashableStaticArgumentError(TraceError, TypeError):
    """A static argument cannot be hashed, so that calls cannot be told apart by it.

    Pass a tuple for a list, a frozen dataclass for a dict, or let the argument be traced::

        f(x, axes=[0, 1])                          # UnhashableStaticArgumentError
        f(x, axes=(0, 1))                          # corrected
    """


class ArgumentStructureError(TraceError, TypeError):
    """The arguments do not have the structure that the function takes, or was compiled for.

    For example::

        compiled = wax.jit(f).trace({"w": w}).lower().compile()
        compiled({"w": w, "b": b})                 # ArgumentStructureError: "b" is new
    """


class ArgumentTypeError(TraceError, TypeError):
    """An argument of a traced function is neither an array, a number, nor a pytree of them.

    Make it static, or register its class as a pytree::

        @wax.jit(static_argnames="mode")
        def f(x, mode): ...
        f(x, mode="fast")
    """


class DimensionFactError(TraceError, ArgumentError):
    """The shapes of a call break what was declared of the dims: two sizes of one `Dim`, or one out of its bounds.

    For example::

        batch = wax.Dim("batch", max=64)
        f = wax.jit(f, dynamic_shapes=({0: batch}, {0: batch}))
        f(x[:8], y[:7])                            # DimensionFactError: batch is 8 in x, 7 in y
    """


class InconclusiveDimensionError(TraceError):
    """A comparison of symbolic dims whose answer depends on their values.

    Tell wax what it must know, by a bound or by using the same `Dim`, or compare what follows from facts::

        if x.shape[0] > 128: ...                   # x.shape[0] is batch: InconclusiveDimensionError
        batch = wax.Dim("batch", min=129)          # corrected
    """


class StaticAssertionError(TraceError, AssertionError):
    """What a function asserts of shapes, dtypes or static arguments does not hold for this call.

    For example::

        wax.static_assert(x.shape[-1] % 8 == 0, "heads of 8")      # StaticAssertionError for a last dim of 12
    """


class KernelError(TraceError):
    """A kernel function (`wax.kernel`) does what a kernel cannot: capture an array, branch, or return no scalar.

    Kernels are Python functions on scalars, traced once; what they need comes in as an operand::

        wax.kernel.map(lambda a: a * scale, x)                        # captures the array `scale`
        wax.kernel.broadcast(lambda a, s: a * s, x, scale)            # corrected
    """


class DiscreteResultError(TraceError, ValueError):
    """What a function of `wax.jit(tiered=True)` decides depends on how floats are rounded; the message names the line.

    Its first calls are answered by another backend than the later ones, which rounds sums and products of floats
    elsewhere. An integer or a boolean that is made of them may then be another one. Leave tiers, return the floats, or
    say that it does not matter::

        wax.jit(lambda x, w: wnp.argmax(x @ w), tiered=True)         # DiscreteResultError
        wax.jit(lambda x, w: x @ w, tiered=True)                     # corrected: argmax afterwards
        wax.jit(lambda x, w: wnp.argmax(x @ w), tiered="always")     # or this
    """


class DifferentiationError(TraceError, TypeError):
    """What is asked for has no derivative; the message says what, and names the line of the operation.

    `wax.grad` takes functions that return a real scalar, and differentiates by arguments of floating dtypes::

        wax.grad(lambda x: x * x)(wnp.ones(3))                    # DifferentiationError: float32(3,), no scalar
        wax.grad(lambda x: (x * x).sum())(wnp.ones(3))            # corrected

    Some operations have no derivative by some operand; keep it from mattering, or give a rule::

        wax.grad(special.gammainc)(2.0, 3.0)                      # DifferentiationError
        wax.grad(special.gammainc, argnums=1)(2.0, 3.0)           # corrected
        special.gammainc(wax.stop_gradient(a), x)                 # or this, inside of a function
    """


class BatchingError(TraceError, ValueError):
    """`wax.vmap` cannot make a batch of it: sizes differ, an axis does not exist, or an operation has none.

    All batch axes have one size; what is the same for all rows has `None`::

        wax.vmap(f)(wnp.ones((8, 3)), wnp.ones(3))                         # BatchingError: 8 against 3
        wax.vmap(f, in_axes=(0, None))(wnp.ones((8, 3)), wnp.ones(3))      # corrected
    """


class AxisNameError(TraceError, NameError):
    """A collective names an axis that no `wax.vmap` around it has; the message lists those that there are.

    For example::

        wax.vmap(lambda x: wax.psum(x, "rows"))(x)                         # AxisNameError: the named axes are: none
        wax.vmap(lambda x: wax.psum(x, "rows"), axis_name="rows")(x)       # corrected
    """


class CustomRuleError(TraceError, TypeError):
    """The rule of a `custom_vjp` or `custom_jvp` function does not fit it: a structure, a shape or a dtype differs.

    Cotangents are as the arguments are, tangents as the results::

        f.defvjp(forward, lambda x, ct: wnp.sum(ct) * x)          # CustomRuleError: no tuple
        f.defvjp(forward, lambda x, ct: (ct * x,))                # corrected
    """


class RuleError(TraceError, ValueError):
    """A rewrite rule (`wax.rules`) is no rule: pattern and replacement differ, in type or in what they compute.

    The message prints the arguments, what the pattern gives of them, and what the replacement gives. Make the
    replacement do what the pattern does, or say for which arrays it does so::

        wax.rules.rule(lambda x: x * 0, lambda x: wnp.zeros_like(x)).check()       # RuleError: NaN times 0 is NaN
        wax.rules.rule(lambda x: x * 0, lambda x: wnp.zeros_like(x), dtype="integral").check()        # corrected
        wax.rules.rule(lambda x: x * 0, lambda x: wnp.zeros_like(x), finite=True).check()     # or: never with those
    """
