"""Comparison, choice, and logic on scalars.

Complex scalars are equal or not, and have no order. `minimum` and `maximum` give NaN if an operand is NaN,
and order -0 below +0.
"""

from __future__ import annotations

from collections.abc import Callable

from wax import dtypes
from wax.scalars.conversion import as_carried, carried, cast, lift, promoted
from wax.scalars.scalar import Operand, Scalar, refuse, trace_of

__all__ = [
    "clip",
    "equal",
    "goes_before",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "not_equal",
    "select",
    "where",
]

_NO_ORDER = "complex numbers have no order; compare wnp.real, wnp.imag or wnp.abs"


def _compare(
    name: str, signed: str, unsigned: str, floating: str, on_complex: str | None = None
) -> Callable[[Operand, Operand], Scalar]:
    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = promoted(name, x, y)
        weak = x.weak
        match x.kind:
            case "float":
                return x.kernel.op("arith.cmpf", (x, y), dtypes.bool_, weak, predicate=floating)
            case "complex":
                if on_complex is None:
                    refuse(name, x.dtype, _NO_ORDER)
                return x.kernel.op(on_complex, (x, y), dtypes.bool_, weak)
            case "int":
                return x.kernel.op("arith.cmpi", (x, y), dtypes.bool_, weak, predicate=signed)
            case _:
                return x.kernel.op("arith.cmpi", (x, y), dtypes.bool_, weak, predicate=unsigned)

    apply.__name__ = apply.__qualname__ = name
    return apply


equal = _compare("equal", "eq", "eq", "oeq", "complex.eq")
not_equal = _compare("not_equal", "ne", "ne", "une", "complex.neq")
less = _compare("less", "slt", "ult", "olt")
less_equal = _compare("less_equal", "sle", "ule", "ole")
greater = _compare("greater", "sgt", "ugt", "ogt")
greater_equal = _compare("greater_equal", "sge", "uge", "oge")


def _real_goes_before(x: Scalar, y: Scalar) -> Scalar:
    if x.kind != "float":
        return less(x, y)
    less_or_nan = x.kernel.op("arith.cmpf", (x, y), dtypes.bool_, predicate="ult")
    return less_or_nan & x.kernel.op("arith.cmpf", (x, x), dtypes.bool_, predicate="ord")


def goes_before(x: Operand, y: Operand) -> Scalar:
    """Whether `x` stands before `y` where scalars are sorted: NaN is the greatest, and complex numbers have an order.

    Those with a NaN come after all others, the ones whose real part is a number first; then the real parts
    count, and then the imaginary ones.
    """
    x, y = promoted("sort", x, y)
    if x.kind != "complex":
        return _real_goes_before(x, y)
    (re_x, im_x), (re_y, im_y) = _parts(x), _parts(y)
    before = _real_goes_before(im_x, im_y)
    for a, b in ((re_x, re_y), (isnan(im_x), isnan(im_y)), (isnan(re_x), isnan(re_y))):
        before = _real_goes_before(a, b) | (~_real_goes_before(b, a) & before)
    return before


def _extremum(
    name: str, signed: str, unsigned: str, floating: str, boolean: str
) -> Callable[[Operand, Operand], Scalar]:
    ops = {"int": signed, "uint": unsigned, "float": floating, "bool": boolean}

    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = promoted(name, x, y)
        if x.kind == "complex":
            refuse(name, x.dtype, _NO_ORDER)
        return x.kernel.op(ops[x.kind], (x, y), x.dtype, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


minimum = _extremum("minimum", "arith.minsi", "arith.minui", "arith.minimumf", "arith.andi")
maximum = _extremum("maximum", "arith.maxsi", "arith.maxui", "arith.maximumf", "arith.ori")


def clip(x: Operand, low: Operand | None, high: Operand | None) -> Scalar:
    """`x` held between bounds, either of which may be absent; the upper one wins where they cross."""
    bounds = [bound for bound in (low, high) if bound is not None]
    x, *_ = promoted("clip", x, *bounds)
    if x.kind == "complex":
        refuse("clip", x.dtype, _NO_ORDER)
    if low is not None:
        x = maximum(x, low)
    return minimum(x, high) if high is not None else x


def select(condition: Scalar, x: Operand, y: Operand) -> Scalar:
    """`x` where the boolean `condition` holds, else `y`, in their common dtype."""
    kernel = trace_of("where", condition, x, y)
    dtype, weak = target = dtypes.promote("where", (carried(x), carried(y)))
    chosen, other = as_carried(kernel, x, target), as_carried(kernel, y, target)
    return kernel.op("arith.select", (condition, chosen, other), dtype, weak)


def where(condition: Operand, x: Operand, y: Operand) -> Scalar:
    """`select` on a condition that must be boolean; the result is weak only if the condition is too."""
    kernel = trace_of("where", condition, x, y)
    test = lift(kernel, condition)
    if test.kind != "bool":
        refuse("where", test.dtype, "a condition is bool: compare first, for example condition != 0")
    return select(test, x, y)


def _as_bool(name: str, *operands: Operand) -> list[Scalar]:
    kernel = trace_of(name, *operands)
    lifted = [lift(kernel, operand) for operand in operands]
    weak = all(operand.weak for operand in lifted)
    return [Scalar(kernel, cast(operand, dtypes.bool_).number, dtypes.bool_, weak) for operand in lifted]


def _logical(name: str, op: str) -> Callable[[Operand, Operand], Scalar]:
    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = _as_bool(name, x, y)
        return x.kernel.op(op, (x, y), dtypes.bool_, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


logical_and = _logical("logical_and", "arith.andi")
logical_or = _logical("logical_or", "arith.ori")
logical_xor = _logical("logical_xor", "arith.xori")


def logical_not(x: Operand) -> Scalar:
    """Whether the scalar is zero."""
    (x,) = _as_bool("logical_not", x)
    return x.kernel.op("arith.xori", (x, x.kernel.constant(True, dtypes.bool_)), dtypes.bool_, x.weak)


def _parts(x: Scalar) -> tuple[Scalar, Scalar]:
    part = dtypes.real_part(x.dtype)
    return x.kernel.op("complex.re", (x,), part), x.kernel.op("complex.im", (x,), part)


def isnan(x: Operand) -> Scalar:
    """Whether it, or a part of it, is NaN."""
    (x,) = promoted("isnan", x)
    match x.kind:
        case "float":
            return x.kernel.op("arith.cmpf", (x, x), dtypes.bool_, predicate="uno")
        case "complex":
            real, imaginary = _parts(x)
            return isnan(real) | isnan(imaginary)
        case _:
            return x.kernel.constant(False, dtypes.bool_)


def isinf(x: Operand) -> Scalar:
    """Whether it, or a part of it, is infinite."""
    (x,) = promoted("isinf", x)
    match x.kind:
        case "float":
            return _magnitude_against_infinity(x, "oeq")
        case "complex":
            real, imaginary = _parts(x)
            return isinf(real) | isinf(imaginary)
        case _:
            return x.kernel.constant(False, dtypes.bool_)


def isfinite(x: Operand) -> Scalar:
    """Whether it is neither infinite nor NaN."""
    (x,) = promoted("isfinite", x)
    match x.kind:
        case "float":
            return _magnitude_against_infinity(x, "one")
        case "complex":
            real, imaginary = _parts(x)
            return isfinite(real) & isfinite(imaginary)
        case _:
            return x.kernel.constant(True, dtypes.bool_)


def _magnitude_against_infinity(x: Scalar, predicate: str) -> Scalar:
    infinity = x.kernel.constant(float("inf"), x.dtype)
    return x.kernel.op("arith.cmpf", (abs(x), infinity), dtypes.bool_, predicate=predicate)
