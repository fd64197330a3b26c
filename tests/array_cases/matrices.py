"""Diagonals, norms, powers and NumPy's products; arrays joined, turned and compared."""

from __future__ import annotations

import math

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, C128, F16, F32, F64, Case, floats, integers, rng

I4 = np.dtype("i4")


def _whole(dtype: np.dtype, shape: tuple[int, ...], *key: object) -> np.ndarray:
    """Whole numbers other than zero, whose products and sums are exact, and have one zero."""
    x = rng(dtype.name, shape, *key).choice([-4, -3, -2, -1, 1, 2, 3, 4], shape)
    return (x + 1j * np.flip(x)).astype(dtype) if dtype.kind == "c" else x.astype(dtype)


def _diagonals() -> list[Case]:
    cases = []
    for dtype in (np.dtype("?"), I4, BF16, F32, C64):
        x = _whole(dtype, (2, 4, 5), "diagonal")
        for k in (-9, -3, -1, 0, 2, 4, 6):
            sums = np.trace(x.astype(C128 if dtype == C64 else F64), k, -2, -1)
            cases += [
                Case(
                    f"diagonal-{dtype.name}-{k}",
                    lambda x, k=k: wnp.linalg.diagonal(x, offset=k),
                    (x,),
                    np.diagonal(x, k, -2, -1),
                ),
                Case(
                    f"trace-{dtype.name}-{k}",
                    lambda x, k=k: wnp.linalg.trace(x, offset=k),
                    (x,),
                    sums.astype(I4 if dtype.kind == "b" else dtype),
                ),
                Case(f"diag-{dtype.name}-{k}", lambda x, k=k: wnp.diag(x[0, 0], k), (x,), np.diag(x[0, 0], k)),
                Case(
                    f"diagonal-first-{dtype.name}-{k}",
                    lambda x, k=k: wnp.diagonal(x, k, 2, 0),
                    (x,),
                    np.diagonal(x, k, 2, 0),
                ),
            ]
    cases += [
        Case(f"tri-{k}", lambda k=k: wnp.tri(3, 5, k, dtype=wnp.int8), (), np.tri(3, 5, k, "i1"))
        for k in (-4, -1, 0, 3)
    ]
    return cases


def _norms() -> list[Case]:
    cases = []
    for dtype in (I4, F16, BF16, F32, F64, C64, C128):
        x = _whole(dtype, (3, 4, 5), "norm")
        wide = x.astype(C128 if dtype.kind == "c" else F64)
        target = {I4: F32, C64: F32, C128: F64}.get(dtype, dtype)
        for order in (2, 1, 0, 3, 0.5, -1, -2, math.inf, -math.inf):
            for axis in (None, 1, (0, 2)):
                with np.errstate(divide="ignore"):
                    expected = np.linalg.vector_norm(wide, axis=axis, ord=order)
                cases.append(
                    Case(
                        f"vector_norm-{dtype.name}-{order}-{axis}",
                        lambda x, o=order, a=axis: wnp.linalg.vector_norm(x, axis=a, ord=o),
                        (x,),
                        np.asarray(expected).astype(target),
                        24,
                    )
                )
        for order in ("fro", 1, -1, math.inf, -math.inf):
            expected = np.linalg.matrix_norm(wide, ord=order, keepdims=True)
            cases.append(
                Case(
                    f"matrix_norm-{dtype.name}-{order}",
                    lambda x, o=order: wnp.linalg.matrix_norm(x, ord=o, keepdims=True),
                    (x,),
                    expected.astype(target),
                    8,
                )
            )
    return cases


def _products() -> list[Case]:
    cases = []
    for dtype in (np.dtype("i1"), I4, F16, BF16, F32, F64, C64):
        wide = C128 if dtype == C64 else F64 if dtype in (F16, BF16, F32) else dtype
        m, v, t = (_whole(dtype, shape, "product") for shape in ((3, 3), (3,), (2, 3, 3)))
        for name, a, b in (
            ("dot", t, t),
            ("dot", m, v),
            ("dot", v, v),
            ("dot", v[0], m),
            ("inner", t, m),
            ("inner", v, v),
            ("kron", m, t),
            ("kron", v, m),
            ("vdot", m, m),
        ):
            expected = getattr(np, name)(a.astype(wide), b.astype(wide)).astype(dtype)
            cases.append(
                Case(
                    f"{name}-{dtype.name}-{a.ndim}-{b.ndim}",
                    lambda a, b, n=name: getattr(wnp, n)(a, b),
                    (a, b),
                    expected + dtype.type(0),
                )
            )
        for n in (0, 1, 2, 3):
            expected = np.linalg.matrix_power(t.astype(wide), n).astype(dtype)
            cases.append(
                Case(
                    f"matrix_power-{dtype.name}-{n}",
                    lambda t, n=n: wnp.linalg.matrix_power(t, n),
                    (t,),
                    expected + dtype.type(0),
                )
            )
        a, b = _whole(dtype, (2, 3, 4), "cross"), _whole(dtype, (3, 1), "cross")
        moved = [np.moveaxis(np.broadcast_to(x, (2, 3, 4)), 1, -1).astype(wide) for x in (a, b)]
        cases.append(
            Case(
                f"cross-{dtype.name}",
                lambda a, b: wnp.linalg.cross(a, b, axis=-2),
                (a, b),
                np.moveaxis(np.cross(*moved), -1, 1).astype(dtype) + dtype.type(0),
            )
        )
    return cases


def _joined() -> list[Case]:
    x, y, v = integers(I4, (2, 3), "x"), integers(I4, (2, 3), "y"), integers(I4, (3,), "v")
    cases = [
        Case("hstack", lambda a, b: wnp.hstack([a, b]), (x, y), np.hstack([x, y])),
        Case("hstack-vectors", lambda a, b: wnp.hstack([a, b]), (v, v), np.hstack([v, v])),
        Case("vstack", lambda a, b: wnp.vstack([a, b]), (x, v), np.vstack([x, v])),
        Case("dstack", lambda a, b: wnp.dstack([a, b]), (x, y), np.dstack([x, y])),
        Case("column_stack", lambda a, b: wnp.column_stack([a, b]), (v, x.T.copy()), np.column_stack([v, x.T])),
        Case("append", lambda a, b: wnp.append(a, b), (x, v), np.append(x, v)),
        Case("array_split", lambda a: wnp.array_split(a, 2, axis=1), (x,), tuple(np.array_split(x, 2, axis=1))),
        Case(
            "atleast",
            lambda a: (wnp.atleast_1d(a), wnp.atleast_2d(a), wnp.atleast_3d(a)),
            (np.int32(3),),
            (np.atleast_1d(np.int32(3)), np.atleast_2d(np.int32(3)), np.atleast_3d(np.int32(3))),
        ),
        Case(
            "atleast_3d",
            lambda a, b: (wnp.atleast_3d(a), wnp.atleast_3d(b)),
            (v, x),
            (np.atleast_3d(v), np.atleast_3d(x)),
        ),
        Case(
            "fliplr",
            lambda a: (wnp.fliplr(a), wnp.flipud(a), wnp.ravel(a)),
            (x,),
            (np.fliplr(x), np.flipud(x), np.ravel(x)),
        ),
        Case(
            "select", lambda a, b: wnp.select([a > 1, b > 1], [a, b], -7), (x, y), np.select([x > 1, y > 1], [x, y], -7)
        ),
        Case(
            "average",
            lambda a: wnp.average(a, axis=1, weights=wnp.asarray([1, 2, 5])),
            ((x % 7).astype(F32),),
            np.average((x % 7).astype(F64), axis=1, weights=[1, 2, 5]).astype(F32),
            8,
            1e-6,
        ),
        Case("ptp", lambda a: wnp.ptp(a, axis=0), (x // 4,), np.ptp(x // 4, axis=0)),
        Case("logspace", lambda: wnp.logspace(-2, 2, 9), (), np.logspace(-2, 2, 9).astype(F32), 8),
        Case(
            "sinc",
            lambda a: wnp.sinc(a),
            (floats(F32, (40,), "sinc"),),
            np.sinc(floats(F32, (40,), "sinc").astype(F64)).astype(F32),
            4,
            1e-6,
        ),
        Case(
            "degrees",
            lambda a: (wnp.deg2rad(a), wnp.rad2deg(a)),
            (v.astype(F64) % 360,),
            (np.deg2rad(v % 360.0), np.rad2deg(v % 360.0)),
            2,
        ),
    ]
    for k in range(-2, 4):
        cases.append(Case(f"rot90-{k}", lambda a, k=k: wnp.rot90(a, k, (1, 0)), (x,), np.rot90(x, k, (1, 0))))
    for counts in ([0, 3, 1], [0, 0, 0], [2, 2, 2]):
        each = np.asarray(counts, I4)
        made = np.repeat(x, each, axis=1)
        cases.append(Case(f"repeat-each-{counts}", lambda a, c=each: wnp.repeat(a, c, axis=1), (x,), made))
        longer = np.concatenate([made, np.repeat(x[:, -1:], 2, axis=1)], axis=1)
        cases.append(
            Case(
                f"repeat-traced-{counts}",
                lambda a, c, n=longer.shape[1]: wnp.repeat(a, c, axis=1, total_repeat_length=n),
                (x, each),
                longer,
            )
        )
    return [*cases, *_compared()]


def _compared() -> list[Case]:
    a = np.array([1, 1, np.inf, np.inf, np.nan, np.nan, 0, 1e-9], F32)
    b = np.array([1, 1.00001, np.inf, -np.inf, np.nan, 1, 1e-8, 0], F32)
    cases = []
    for equal_nan in (False, True):
        cases += [
            Case(
                f"isclose-{equal_nan}",
                lambda a, b, e=equal_nan: wnp.isclose(a, b, equal_nan=e),
                (a, b),
                np.isclose(a, b, equal_nan=equal_nan),
            ),
            Case(
                f"allclose-{equal_nan}",
                lambda a, e=equal_nan: wnp.allclose(a, a, equal_nan=e),
                (a,),
                np.bool_(equal_nan),
            ),
            Case(
                f"array_equal-{equal_nan}",
                lambda a, e=equal_nan: wnp.array_equal(a, a, equal_nan=e),
                (a,),
                np.bool_(equal_nan),
            ),
        ]
    cases.append(Case("array_equal-shapes", lambda a: wnp.array_equal(a, a[:2]), (a,), np.False_))
    return cases


FAMILIES = {"diagonals": _diagonals(), "norms": _norms(), "named-products": _products(), "joined": _joined()}
