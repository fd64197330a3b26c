"""Scalar functions: the elements that kernels are written in.

Each function here takes `Scalar`s and numbers while a kernel is traced, and gives a `Scalar`. This is the one
place that knows which operation of `arith`, `math` or `complex` an elementwise function is for a dtype, and
that promotes. The array functions of `wax.numpy` are these, applied to every element.
"""

from __future__ import annotations

from wax.scalars.arithmetic import (
    absolute,
    add,
    divide,
    floor_divide,
    fma,
    multiply,
    negative,
    positive,
    power,
    reciprocal,
    remainder,
    sign,
    square,
    subtract,
)
from wax.scalars.bitwise import (
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
)
from wax.scalars.comparison import (
    clip,
    equal,
    greater,
    greater_equal,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    not_equal,
    select,
    where,
)
from wax.scalars.conversion import cast, in_wide, inexact, promoted, with_weakness
from wax.scalars.rounding import ceil, copysign, floor, nextafter, round, signbit, trunc
from wax.scalars.scalar import KernelTrace, Number, Operand, Scalar, current_kernel
from wax.scalars.trace import KernelSpec, Spec, cast_kernel, clear_kernels, trace_kernel
from wax.scalars.transcendental import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    conj,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    exp2,
    expm1,
    hypot,
    imag,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    real,
    rsqrt,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
