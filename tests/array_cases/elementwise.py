"""Elementwise functions over dtypes, and NumPy's broadcasting."""

from __future__ import annotations

import math

import numpy as np

import wax.nn
import wax.numpy as wnp
from array_cases.case import BF16, C64, C128, F16, F32, F64, FLOATS, INTEGERS, Case, floats, integers, rng, wide

SHAPE = (3, 7)


def _rounded(dtype, value):
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)


# Name, judge, the interval of operands, roundings allowed, what half of the least normal may be off.
UNARY_FLOAT = [
    ("abs", np.abs, (-4, 4), 0),
    ("acos", np.arccos, (-0.99, 0.99), 8),
    ("acosh", np.arccosh, (1.1, 9), 8),
    ("asin", np.arcsin, (-0.99, 0.99), 8),
    ("asinh", np.arcsinh, (-4, 4), 8),
    ("atan", np.arctan, (-4, 4), 8),
    ("atanh", np.arctanh, (-0.9, 0.9), 8),
    ("cbrt", np.cbrt, (-9, 9), 8),
    ("ceil", np.ceil, (-4, 4), 0),
    ("cos", np.cos, (-1.5, 1.5), 16),
    ("cosh", np.cosh, (-4, 4), 8),
    ("erf", np.vectorize(math.erf, otypes=[float]), (-3, 3), 16),
    ("erfc", np.vectorize(math.erfc, otypes=[float]), (-3, 2), 32),
    ("exp", np.exp, (-8, 8), 8),
    ("exp2", np.exp2, (-8, 8), 8),
    ("expm1", np.expm1, (-2, 2), 8),
    ("floor", np.floor, (-4, 4), 0),
    ("log", np.log, (0.01, 0.9), 8),
    ("log10", np.log10, (0.01, 0.9), 8),
    ("log1p", np.log1p, (-0.9, 4), 8),
    ("log2", np.log2, (0.01, 0.9), 8),
    ("negative", np.negative, (-4, 4), 0),
    ("positive", np.positive, (-4, 4), 0),
    ("reciprocal", lambda x: 1 / x, (0.1, 4), 1),
    ("round", np.rint, (-4, 4), 0),
    ("rsqrt", lambda x: 1 / np.sqrt(x), (0.1, 4), 4),
    ("sign", np.sign, (-4, 4), 0),
    ("sin", np.sin, (0.1, 3), 16),
    ("sinh", np.sinh, (-4, 4), 8),
    ("sqrt", np.sqrt, (0, 4), 1),
    ("square", np.square, (-4, 4), 1),
    ("tan", np.tan, (-1.2, 1.2), 16),
    ("tanh", np.tanh, (-4, 4), 8),
    ("trunc", np.trunc, (-4, 4), 0),
]


def _unary_float(dtype):
    cases = []
    for name, judge, (low, high), tolerance in UNARY_FLOAT:
        x = floats(dtype, SHAPE, name, low=low, high=high)
        expected = _rounded(dtype, judge(wide(x) if tolerance else x.astype(F64)))
        cases.append(Case(f"{name}-{dtype.name}", getattr(wnp, name), (x,), expected, max(tolerance, 0)))
    return cases


def _binary_float(dtype):
    a, b = floats(dtype, SHAPE, "a"), floats(dtype, SHAPE, "b")
    table = [
        ("add", np.add, 1),
        ("subtract", np.subtract, 1),
        ("multiply", np.multiply, 1),
        ("divide", np.divide, 1),
        ("floor_divide", np.floor_divide, 0),
        ("remainder", np.remainder, 1),
        ("copysign", np.copysign, 0),
        ("maximum", np.maximum, 0),
        ("minimum", np.minimum, 0),
        ("atan2", np.arctan2, 8),
        ("hypot", np.hypot, 8),
        ("logaddexp", np.logaddexp, 16),
    ]
    cases = [
        Case(f"{name}-{dtype.name}", getattr(wnp, name), (a, b), _rounded(dtype, judge(wide(a), wide(b))), tolerance)
        for name, judge, tolerance in table
    ]
    base = np.abs(a) + dtype.type(0.5)
    cases.append(Case(f"pow-{dtype.name}", wnp.pow, (base, b), _rounded(dtype, np.power(wide(base), wide(b))), 16))
    for exponent in (0, 1, 2, 3, 5, -1, -2, 0.5):
        expected = _rounded(dtype, np.power(wide(base), exponent))
        cases.append(Case(f"pow-{exponent}-{dtype.name}", lambda x, n=exponent: x**n, (base,), expected, 8))
    return cases


def _special(dtype):
    """Signed zeros, infinities, NaN, the large and the small, in every pair."""
    limits = wnp.finfo(dtype)
    # Far enough from the ends that no result is subnormal: compiled code may flush those to zero.
    large, small = limits.max / 16, limits.smallest_normal * 16
    values = [0.0, -0.0, 1.0, -1.5, 2.0, np.inf, -np.inf, np.nan, large, small]
    x = np.array([[value] * len(values) for value in values]).astype(dtype)
    y = np.ascontiguousarray(x.T)
    a, b = x.astype(F64), y.astype(F64)
    cases = []
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "copysign"):
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(a, b).astype(dtype)
        if name in ("maximum", "minimum"):  # NumPy does not order the zeros
            zeros = dtype.type(0.0 if name == "maximum" else -0.0)
            expected = np.where((a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b)), zeros, expected)
        cases.append(Case(f"{name}-special-{dtype.name}", getattr(wnp, name), (x, y), expected))
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        cases.append(Case(f"{name}-special-{dtype.name}", getattr(wnp, name), (x, y), getattr(np, name)(a, b)))
    for name in ("isnan", "isinf", "isfinite", "signbit"):
        cases.append(Case(f"{name}-special-{dtype.name}", getattr(wnp, name), (x,), getattr(np, name)(x)))
    with np.errstate(all="ignore"):
        signs = np.where(x == 0, 0, np.sign(x.astype(F64))).astype(dtype)
    cases.append(Case(f"sign-special-{dtype.name}", wnp.sign, (x,), signs))
    return cases


def _integers(dtype):
    a, b = integers(dtype, SHAPE, "a"), integers(dtype, SHAPE, "b")
    nonzero = np.where(b == 0, dtype.type(1), b)
    least = np.iinfo(dtype).min
    if least < 0:  # NumPy warns for the least integer divided by -1; wax wraps
        nonzero = np.where(nonzero == -1, dtype.type(3), nonzero)
    count = rng("count").integers(0, np.iinfo(dtype).bits, SHAPE).astype(dtype)
    with np.errstate(all="ignore"):
        cases = [
            Case(f"{name}-{dtype.name}", getattr(wnp, name), (a, b), getattr(np, name)(a, b))
            for name in (
                "add",
                "subtract",
                "multiply",
                "maximum",
                "minimum",
                "bitwise_and",
                "bitwise_or",
                "bitwise_xor",
                "equal",
                "not_equal",
                "less",
                "less_equal",
                "greater",
                "greater_equal",
                "logical_and",
                "logical_or",
                "logical_xor",
            )
        ]
        for name in ("floor_divide", "remainder"):
            expected = getattr(np, name)(a, nonzero)
            cases.append(Case(f"{name}-{dtype.name}", getattr(wnp, name), (a, nonzero), expected))
        for name in ("abs", "negative", "positive", "square", "sign", "floor", "ceil", "trunc", "round"):
            cases.append(Case(f"{name}-{dtype.name}", getattr(wnp, name), (a,), getattr(np, name)(a)))
        cases += [
            Case(f"bitwise_invert-{dtype.name}", wnp.bitwise_invert, (a,), ~a),
            Case(f"logical_not-{dtype.name}", wnp.logical_not, (a,), np.logical_not(a)),
            Case(f"bitwise_left_shift-{dtype.name}", wnp.bitwise_left_shift, (a, count), np.left_shift(a, count)),
            Case(f"bitwise_right_shift-{dtype.name}", wnp.bitwise_right_shift, (a, count), np.right_shift(a, count)),
            Case(f"pow-{dtype.name}", wnp.pow, (a, np.abs(count)), np.power(a, np.abs(count))),
            Case(f"pow-3-{dtype.name}", lambda x: x**3, (a,), a * a * a),
            Case(f"divide-zero-{dtype.name}", wnp.floor_divide, (a, a * 0), a * 0),
            Case(f"remainder-zero-{dtype.name}", wnp.remainder, (a, a * 0), a * 0),
            Case(
                f"divide-{dtype.name}",
                wnp.divide,
                (a, nonzero),
                (a.astype(F32).astype(F64) / nonzero.astype(F32).astype(F64)).astype(F32),
                1,
            ),
        ]
    return cases


def _casts(dtypes, name):
    source = rng("casts")
    base = np.concatenate([source.uniform(-200, 200, 20), [0, 1, -1, 0.5, -0.5]])
    cases = []
    for a in dtypes:
        x = (
            base.astype(np.int64).astype(a)
            if a.kind in "iu"
            else np.abs(base).astype(a)
            if a.kind == "b"
            else base.astype(a)
        )
        for b in dtypes:
            values = x.astype(F64) if a in (F16, BF16) else x
            if a.kind in "fV" and b.kind in "iu":
                limits = np.iinfo(b)
                expected = np.clip(np.trunc(x.astype(F64)), float(limits.min), float(limits.max)).astype(b)
            elif b in (F16, BF16) and a != b:
                with np.errstate(over="ignore"):
                    expected = values.astype(F32).astype(b) if a.kind in "iub" else values.astype(b)
            else:
                expected = values.astype(b) if b.kind != "b" else x != 0
            cases.append(Case(f"astype-{a.name}-{b.name}", lambda x, b=b: wnp.astype(x, b), (x,), expected))
    return {name: cases}


def _broadcasting():
    shapes = [
        ((3, 1), (1, 4)),
        ((4,), (3, 4)),
        ((1,), (1, 1)),
        ((), (2, 3)),
        ((2, 1, 3), (5, 1)),
        ((0, 3), (1, 3)),
        ((1,), (0,)),
        ((1, 4), (4,)),
    ]
    cases = []
    for a_shape, b_shape in shapes:
        a, b = floats(F32, a_shape, "a"), floats(F32, b_shape, "b")
        cases.append(Case(f"add-{a_shape}-{b_shape}", wnp.add, (a, b), np.add(a, b)))
        cases.append(Case(f"where-{a_shape}-{b_shape}", wnp.where, (a > 0, a, b), np.where(a > 0, a, b)))
    x = floats(F32, SHAPE)
    i = integers(np.dtype("i4"), SHAPE)
    u = integers(np.dtype("u1"), SHAPE)
    cases += [
        Case("add-number", lambda x: x + 1.5, (x,), x + np.float32(1.5)),
        Case("subtract-from-number", lambda x: 2 - x, (x,), np.float32(2) - x),
        Case("int-and-float-number", lambda x: x * 0.5, (i,), i.astype(F32) * np.float32(0.5), 1),
        Case("int-and-float-array", wnp.add, (i, x), i.astype(F32) + x, 1),
        Case("int32-and-uint8", wnp.add, (i, u), i + u),
        Case("int32-and-half", wnp.multiply, (i % 7, x.astype(F16)), (i % 7).astype(F16) * x.astype(F16)),
        Case(
            "half-and-bfloat",
            wnp.add,
            (x.astype(F16), x.astype(BF16)),
            x.astype(F16).astype(F32) + x.astype(BF16).astype(F32),
            1,
        ),
        Case("clip", lambda x: wnp.clip(x, -1.0, 1.0), (x,), np.clip(x, -1, 1)),
        Case("clip-low", lambda x: wnp.clip(x, min=0), (i,), np.clip(i, 0, None)),
        Case("clip-arrays", wnp.clip, (x, x - 1, np.float32(2)), np.clip(x, x - 1, np.float32(2))),
        Case("where-numbers", lambda x: wnp.where(x > 0, 1.0, 0.0), (x,), np.where(x > 0, 1.0, 0.0).astype(F32)),
        Case("where-int-numbers", lambda x: wnp.where(x > 0, 1, 0), (x,), np.where(x > 0, 1, 0).astype("i4")),
        Case("bool-and-int", wnp.add, (x > 0, i), (x > 0) + i),
        Case("nextafter", wnp.nextafter, (x, -x), np.nextafter(x, -x)),
        Case("nextafter-zero", lambda x: wnp.nextafter(x * 0, x), (x,), np.nextafter(x * 0, x)),
    ]
    return {"broadcasting": cases}


def _complex(dtype):
    source = rng(dtype.name)
    z, w = ((source.normal(size=SHAPE) + 1j * source.normal(size=SHAPE)).astype(dtype) for _ in range(2))
    judge = wide
    part = np.dtype({C64: "f4", C128: "f8"}[dtype])
    cases = [
        Case(
            f"{name}-{dtype.name}",
            getattr(wnp, name),
            (z, w),
            getattr(np, name)(judge(z), judge(w)).astype(dtype),
            8,
            1e-6,
        )
        for name in ("add", "subtract", "multiply", "divide")
    ]
    cases += [
        Case(
            f"{name}-{dtype.name}", getattr(wnp, name), (z,), getattr(np, numpy_name)(judge(z)).astype(dtype), 64, 1e-6
        )
        for name, numpy_name in [
            ("exp", "exp"),
            ("log", "log"),
            ("sqrt", "sqrt"),
            ("sin", "sin"),
            ("cos", "cos"),
            ("tanh", "tanh"),
            ("sinh", "sinh"),
            ("cosh", "cosh"),
            ("negative", "negative"),
            ("square", "square"),
            ("conj", "conj"),
            ("asin", "arcsin"),
            ("acos", "arccos"),
            ("atan", "arctan"),
            ("asinh", "arcsinh"),
            ("acosh", "arccosh"),
            ("atanh", "arctanh"),
            ("log2", "log2"),
            ("log10", "log10"),
        ]
    ]
    cases += [
        Case(f"abs-{dtype.name}", wnp.abs, (z,), np.abs(judge(z)).astype(part), 8),
        Case(f"real-{dtype.name}", wnp.real, (z,), z.real),
        Case(f"imag-{dtype.name}", wnp.imag, (z,), z.imag),
        Case(f"equal-{dtype.name}", wnp.equal, (z, z), z == z),
        Case(f"square-3-{dtype.name}", lambda z: z**3, (z,), (judge(z) ** 3).astype(dtype), 32, 1e-6),
    ]
    return cases


def _activations(dtype):
    x = floats(dtype, SHAPE, "activations", low=-6, high=6)
    v = wide(x)
    sigmoid = 1 / (1 + np.exp(-v))
    erf = np.vectorize(math.erf, otypes=[float])
    table = [
        ("relu", wax.nn.relu, np.maximum(v, 0)),
        ("sigmoid", wax.nn.sigmoid, sigmoid),
        ("silu", wax.nn.silu, v * sigmoid),
        ("softplus", wax.nn.softplus, np.log1p(np.exp(v))),
        ("gelu", wax.nn.gelu, 0.5 * v * (1 + erf(v / math.sqrt(2)))),
        (
            "gelu-tanh",
            lambda x: wax.nn.gelu(x, approximate=True),
            0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))),
        ),
    ]
    return [Case(f"{name}-{dtype.name}", f, (x,), _rounded(dtype, expected), 16, 1e-6) for name, f, expected in table]


ALL_REAL = [np.dtype("bool"), *INTEGERS, *FLOATS]

FAMILIES = {
    **{f"functions-{dtype.name}": _unary_float(dtype) for dtype in FLOATS},
    **{f"arithmetic-{dtype.name}": _binary_float(dtype) for dtype in FLOATS},
    **{f"special-{dtype.name}": _special(dtype) for dtype in FLOATS},
    **{f"integers-{dtype.name}": _integers(dtype) for dtype in INTEGERS},
    **{f"complex-{dtype.name}": _complex(dtype) for dtype in (C64, C128)},
    **{f"activations-{dtype.name}": _activations(dtype) for dtype in FLOATS},
    **_casts(ALL_REAL, "casts"),
    **_broadcasting(),
}
