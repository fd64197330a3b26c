"""Products of matrices and tensors, and einsum, over dtypes and shapes with dims of size 0, 1, odd and large."""

from __future__ import annotations

import math

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, INTEGERS, Case, floats, integers, wide

MATMULS = [
    ((3, 4), (4, 5)),
    ((4,), (4,)),
    ((3, 4), (4,)),
    ((4,), (4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (5, 4, 6)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)),
    ((1, 3, 4), (2, 4, 5)),
    ((1, 1), (1, 1)),
    ((0, 4), (4, 5)),
    ((3, 0), (0, 5)),
    ((3, 4), (4, 0)),
    ((2, 1, 4), (1, 4, 1)),
    ((17, 33), (33, 9)),
]


def _values(dtype, shape, key):
    if dtype.kind in "iu":
        return integers(dtype, shape, key)
    if dtype == C64:
        return (floats(F32, shape, key) + 1j * floats(F32, shape, key, "imaginary")).astype(C64)
    return floats(dtype, shape, key)


def _case(name, dtype, function, operands, judged, depth):
    """A product of floats is a sum of `depth` terms, each no larger than 16."""
    if dtype.kind in "iu":
        return Case(f"{name}-{dtype.name}", function, operands, np.asarray(judged).astype(dtype))
    part = F32 if dtype == C64 else dtype
    # Half floats are summed in float32 and rounded once.
    epsilon = {F16: 2.0**-23, BF16: 2.0**-23, F32: 2.0**-23, F64: 2.0**-52}[part]
    return Case(
        f"{name}-{dtype.name}", function, operands, np.asarray(judged).astype(dtype), 2, 64 * max(depth, 1) * epsilon
    )


def _judge_of(x):
    return x if x.dtype.kind in "iu" else wide(x)


def _products(dtype):
    cases = []
    for a_shape, b_shape in MATMULS:
        a, b = _values(dtype, a_shape, "a"), _values(dtype, b_shape, "b")
        with np.errstate(over="ignore"):
            expected = np.matmul(_judge_of(a), _judge_of(b))
        cases.append(_case(f"matmul-{a_shape}-{b_shape}", dtype, wnp.matmul, (a, b), expected, a_shape[-1]))
    return cases


EINSUMS = [
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,jk", (3, 4), (4, 5)),
    ("ij->ji", (3, 4)),
    ("ij", (3, 4)),
    ("ji", (3, 4)),
    ("ij->", (3, 4)),
    ("ij->i", (3, 4)),
    ("ii->i", (4, 4)),
    ("ii", (4, 4)),
    ("iij->ij", (3, 3, 2)),
    ("iii->i", (3, 3, 3)),
    ("i,j->ij", (3,), (4,)),
    ("i,i", (4,), (4,)),
    ("i,i->i", (4,), (4,)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
    ("...ij,...jk->...ik", (2, 3, 4), (4, 5)),
    ("...ij,jk->...ik", (2, 6, 3, 4), (4, 5)),
    ("i...->...i", (2, 3, 4)),
    ("...", (2, 3)),
    ("...i,...i", (2, 3), (2, 3)),
    ("ij,kl->", (2, 3), (4, 5)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("ij,jk,kl,lm->mi", (2, 3), (3, 4), (4, 5), (5, 2)),
    ("a,b,c->abc", (2,), (3,), (4,)),
    ("a,a,a->a", (3,), (3,), (3,)),
    ("ij,j->i", (3, 4), (4,)),
    ("ii,ij->j", (3, 3), (3, 2)),
    ("ij,ij->ij", (3, 4), (1, 4)),
    ("...ij,...ij->...", (2, 1, 3, 4), (5, 3, 4)),
    ("ijk,k->", (2, 3, 4), (4,)),
    ("ab,bc,cd->", (2, 3), (3, 4), (4, 2)),
    ("ij,jk->ik", (0, 4), (4, 5)),
    ("ij,jk->ik", (3, 0), (0, 5)),
    (" i j , j k -> k i ", (3, 4), (4, 5)),
    ("bd,bd,bd->b", (2, 3), (2, 3), (2, 3)),
    ("...a,...b,...->...ab", (2, 3), (2, 4), (2,)),
]


def _einsums(dtype):
    cases = []
    for spec, *shapes in EINSUMS:
        operands = tuple(_values(dtype, shape, number) for number, shape in enumerate(shapes))
        with np.errstate(over="ignore"):
            expected = np.einsum(spec, *map(_judge_of, operands))
        depth = math.prod(size for shape in shapes for size in shape) * 4 ** len(shapes)
        function = lambda *xs, spec=spec: wnp.einsum(spec, *xs)  # noqa: E731
        cases.append(_case(f"einsum-{spec}-{shapes}", dtype, function, operands, expected, depth))
    return cases


def _others(dtype):
    a, b = _values(dtype, (2, 3, 4), "a"), _values(dtype, (4, 3, 5), "b")
    v, w = _values(dtype, (3,), "v"), _values(dtype, (4,), "w")
    ja, jb, jv, jw = map(_judge_of, (a, b, v, w))
    conj = np.conj
    with np.errstate(over="ignore"):
        return [
            _case(
                "tensordot",
                dtype,
                lambda a, b: wnp.tensordot(a, b, axes=((1, 2), (1, 0))),
                (a, b),
                np.tensordot(ja, jb, axes=((1, 2), (1, 0))),
                12,
            ),
            _case(
                "tensordot-1", dtype, lambda a, b: wnp.tensordot(a, b, axes=1), (a, b), np.tensordot(ja, jb, axes=1), 4
            ),
            _case(
                "tensordot-0", dtype, lambda a, b: wnp.tensordot(a, b, axes=0), (v, w), np.tensordot(jv, jw, axes=0), 1
            ),
            _case("outer", dtype, wnp.outer, (v, w), np.outer(jv, jw), 1),
            _case("vecdot", dtype, wnp.vecdot, (a, w), (conj(ja) * jw).sum(-1), 4),
            _case(
                "vecdot-axis",
                dtype,
                lambda a, v: wnp.vecdot(a, v[:, None], axis=-2),
                (a, v),
                (conj(ja) * jv[:, None]).sum(-2),
                3,
            ),
            _case("vecdot-stacks", dtype, wnp.vecdot, (a, a[:1]), (conj(ja) * ja[:1]).sum(-1), 4),
            _case("matmul-operator", dtype, lambda a, b: a @ b.mT, (a, a), ja @ np.swapaxes(ja, -1, -2), 4),
        ]


def _large():
    """Long sums of half floats keep float32's accuracy; a large product is one contraction."""
    a, b = floats(F32, (65, 300), "large-a"), floats(F32, (300, 70), "large-b")
    ones = np.ones((2, 5000), F16)
    mixed = (a[:3].astype(BF16), b[:, :3])
    return [
        _case("matmul-large", F32, wnp.matmul, (a, b), wide(a) @ wide(b), 300),
        Case("matmul-long-half", lambda x: wnp.matmul(x, x.mT), (ones,), np.full((2, 2), 5000, F16)),
        _case("matmul-mixed", F32, wnp.matmul, mixed, wide(mixed[0]) @ wide(mixed[1]), 300),
    ]


REPRESENTATIVE = [F16, BF16, F32, F64, C64]

FAMILIES = {
    **{f"products-{dtype.name}": _products(dtype) + _others(dtype) for dtype in REPRESENTATIVE},
    **{
        f"products-{dtype.name}": _products(dtype) + _others(dtype)
        for dtype in INTEGERS
        if dtype.name in ("int8", "int32", "uint64")
    },
    **{f"einsum-{dtype.name}": _einsums(dtype) for dtype in (F32, BF16, np.dtype("i4"))},
    "products-large": _large(),
}
