"""Derivatives of the array functions, first and second order, against JAX."""

import functools
from dataclasses import replace

import jax
import jax.numpy as jnp
import jax.scipy.special as jsp
import numpy as np
import pytest
from derivatives import Judged, judge, sampled
from tiers import every_other

import wax
import wax.nn
import wax.numpy as wnp
import wax.special as special

X = sampled((3, 5), "x")
Y = sampled((3, 5), "y")
ROW = sampled((5,), "row")
POSITIVE = sampled((3, 5), "positive", low=0.1, high=3.0)
UNIT = sampled((3, 5), "unit", low=-0.95, high=0.95)
PROBABILITY = sampled((3, 5), "probability", low=0.05, high=0.95)
ABOVE = sampled((3, 5), "above", low=1.05, high=4.0)
CUBE = sampled((2, 3, 4), "cube")
Z = sampled((3, 4), "z", dtype=np.complex128)
W = sampled((3, 4), "w", dtype=np.complex128)
INDEX = np.asarray([2, 0, 2, -1])


def unary(names, x, module=wnp, judges=jnp, **options):
    return [Judged(name, getattr(module, name), getattr(judges, name), (x,), **options) for name in names.split()]


def binary(names, x, y, module=wnp, judges=jnp, **options):
    return [Judged(name, getattr(module, name), getattr(judges, name), (x, y), **options) for name in names.split()]


def both(name, function, *arguments, **options):
    """A function that is written once for both libraries."""
    return Judged(name, lambda *args: function(wnp, *args), lambda *args: function(jnp, *args), arguments, **options)


ELEMENTWISE = [
    *unary("negative positive abs square exp exp2 expm1 sin cos tanh sinh cosh atan asinh cbrt reciprocal", X),
    *unary("tan sign floor ceil trunc round", X),
    *unary("sqrt log log2 log10 log1p", POSITIVE),
    *unary("asin acos atanh", UNIT),
    *unary("acosh", ABOVE, tolerance=1e-11),
    *binary("add subtract multiply divide maximum minimum atan2 hypot logaddexp copysign remainder", X, Y),
    *binary("add multiply divide maximum atan2", X, ROW),
    *binary("pow", POSITIVE, Y),
    Judged("rsqrt", wnp.rsqrt, jax.lax.rsqrt, (POSITIVE,)),
    Judged("erf", wnp.erf, jax.lax.erf, (X,)),
    Judged("erfc", wnp.erfc, jax.lax.erfc, (X,)),
    Judged("clip", lambda x: wnp.clip(x, -1.0, 0.5), lambda x: jnp.clip(x, -1.0, 0.5), (X,)),
    both("where", lambda np_, x, y: np_.where(x > y, x * x, y), X, Y),
    both("cube", lambda np_, x: x**3, X),
    both("inverse square", lambda np_, x: x**-2, POSITIVE),
    both("power of a constant", lambda np_, x: 2.0**x, X),
]

SPECIAL = [
    *unary("digamma gammaln entr", POSITIVE, special, jsp, tolerance=1e-9),
    *unary("logit ndtri", PROBABILITY, special, jsp, tolerance=1e-9),
    *unary("expit ndtr i0 i0e i1 i1e", X, special, jsp, tolerance=1e-9),
    *unary("erfinv", UNIT, special, jsp, tolerance=1e-9),
    *binary("xlogy xlog1py betaln", POSITIVE, POSITIVE + 0.5, special, jsp, tolerance=1e-9),
    Judged("gammainc", lambda x: special.gammainc(1.5, x), lambda x: jsp.gammainc(1.5, x), (POSITIVE,), 1e-9),
    Judged("gammaincc", lambda x: special.gammaincc(1.5, x), lambda x: jsp.gammaincc(1.5, x), (POSITIVE,), 1e-9),
    Judged("trigamma", lambda x: special.polygamma(1, x), lambda x: jsp.polygamma(1, x), (POSITIVE,), 1e-7),
]

NETWORKS = [
    *unary("relu sigmoid silu softplus softmax log_softmax", X, wax.nn, jax.nn, tolerance=1e-11),
    Judged("gelu", wax.nn.gelu, lambda x: jax.nn.gelu(x, approximate=False), (X,), 1e-11),
    Judged("gelu tanh", lambda x: wax.nn.gelu(x, approximate=True), jax.nn.gelu, (X,), 1e-11),
    Judged("logsumexp", wax.nn.logsumexp, jax.nn.logsumexp, (X,), 1e-11),
    Judged(
        "layer norm",
        lambda x, w, b: wax.nn.layer_norm(x, w, b),
        lambda x, w, b: (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w + b,
        (X, ROW, sampled((5,), "b")),
        1e-10,
    ),
    Judged(
        "attention",
        lambda q, k, v: wax.nn.attention(q, k, v),
        lambda q, k, v: jnp.einsum(
            "bhqk,bhkd->bhqd", jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(3.0)), v
        ),
        tuple(sampled((2, 2, 4, 3), name) for name in "qkv"),
        1e-10,
    ),
    Judged(
        "embedding", lambda t: wax.nn.embedding(t, np.asarray([0, 2, 2])), lambda t: t[jnp.asarray([0, 2, 2])], (X,)
    ),
]

ALONG_AXES = [
    Judged(
        f"{name} {axis}",
        functools.partial(getattr(wnp, name), axis=axis),
        functools.partial(getattr(jnp, name), axis=axis),
        (CUBE,),
    )
    for name in ("sum", "mean", "max", "min", "prod", "var", "std")
    for axis in (None, 0, (0, 2))
]

REDUCTIONS = [
    Judged("cumsum", lambda x: wnp.cumsum(x, axis=1), lambda x: jnp.cumsum(x, axis=1), (CUBE,)),
    Judged("cumprod", lambda x: wnp.cumprod(x, axis=1), lambda x: jnp.cumprod(x, axis=1), (CUBE,)),
    Judged("cummax", lambda x: wnp.cummax(x, axis=1), lambda x: jax.lax.cummax(x, axis=1), (CUBE,)),
    Judged("sort", lambda x: wnp.sort(x, axis=1), lambda x: jnp.sort(x, axis=1), (CUBE,)),
    Judged(
        "sort descending",
        lambda x: wnp.sort(x, axis=0, descending=True),
        lambda x: jnp.sort(x, axis=0, descending=True),
        (CUBE,),
    ),
    Judged("prod with a zero", wnp.prod, jnp.prod, (np.asarray([2.0, 0.0, 3.0]),)),
    Judged("prod with two zeros", wnp.prod, jnp.prod, (np.asarray([2.0, 0.0, 0.0]),)),
    Judged("prod of nothing", lambda x: wnp.prod(x, axis=0), lambda x: jnp.prod(x, axis=0), (np.zeros((0, 2)),)),
]

STRUCTURE = [
    both("transpose", lambda np_, x: np_.permute_dims(x, (2, 0, 1)) * 2, CUBE),
    both("reshape", lambda np_, x: np_.reshape(x, (4, 6)) ** 2, CUBE),
    both("flip", lambda np_, x: np_.flip(x, axis=1) ** 2, CUBE),
    both("roll", lambda np_, x: np_.roll(x, 2, axis=2) ** 2, CUBE),
    both("slice", lambda np_, x: x[:, 1:, ::2] ** 2, CUBE),
    both("negative step", lambda np_, x: x[::-1, 2:0:-1] ** 2, CUBE),
    both("concat", lambda np_, x, y: np_.concat([x, y * y, x], axis=0), X, Y),
    both("stack", lambda np_, x, y: np_.stack([x, y], axis=1) ** 2, X, Y),
    both("pad", lambda np_, x: np_.pad(x, ((1, 2), (0, 3)), constant_values=1.5) ** 2, X),
    both("broadcast", lambda np_, x: np_.broadcast_to(x, (4, 3, 5)) ** 2, X),
    both("repeat", lambda np_, x: np_.repeat(x, 3, axis=1) ** 2, X),
    both("tile", lambda np_, x: np_.tile(x, (2, 3)) ** 2, X),
    both("take", lambda np_, x: np_.take(x, INDEX % 3, axis=0) ** 2, X),
    both("take along axis", lambda np_, x: np_.take_along_axis(x, np.asarray([[1], [0], [4]]), axis=1) ** 2, X),
    both("tril", lambda np_, x: np_.tril(x) ** 2, X),
    both("set", lambda np_, x, y: x.at[np.asarray([0, 2, 0])].set(y) ** 2, X, Y),
    both("set a box", lambda np_, x, y: x.at[1:, 1:3].set(y[1:, 2:4]) ** 2, X, Y),
    both("add at", lambda np_, x, y: x.at[np.asarray([0, 2, 0])].add(y) ** 2, X, Y),
    both("squeeze", lambda np_, x: np_.squeeze(np_.expand_dims(x, axis=1), axis=1) ** 2, X),
    both("meshgrid", lambda np_, x: np_.meshgrid(x, x)[0] ** 2, ROW),
    both("empty", lambda np_, x: np_.concat([x, x], axis=0) ** 2, np.zeros((0, 3))),
    both("no dims", lambda np_, x: np_.sin(x) * x, np.asarray(0.7)),
]

PRODUCTS = [
    Judged(
        f"einsum {spec}",
        functools.partial(wnp.einsum, spec),
        functools.partial(jnp.einsum, spec),
        tuple(
            sampled(tuple({"i": 2, "j": 3, "k": 4, "b": 5, "l": 2}[c] for c in part), spec, n)
            for n, part in enumerate(spec.split("->")[0].split(","))
        ),
    )
    for spec in (
        "ij,jk->ik",
        "ji,jk->ik",
        "ij,kj->ik",
        "bij,bjk->bik",
        "bij,jk->bik",
        "ij,ij->",
        "i,j->ij",
        "ij,j->i",
        "ijk,kl->ijl",
        "bij,bkj->bki",
        "ij->ji",
        "ij,jk,kl->il",
    )
] + [*binary("matmul", sampled((2, 3, 4), "a"), sampled((4, 2), "b")), *binary("vecdot", X, Y)]

COMPLEX = [
    *unary("exp sin cos tanh sqrt log log1p expm1 conj square negative reciprocal", Z),
    *unary("real imag abs", Z),
    *binary("add subtract multiply divide pow", Z, W, tolerance=1e-10),
    both("parts", lambda np_, z: np_.real(z) ** 2 + np_.imag(z) * np_.abs(z), Z),
    both("conjugate product", lambda np_, z, w: np_.conj(z) * w, Z, W),
    Judged("einsum", functools.partial(wnp.einsum, "ij,kj->ik"), functools.partial(jnp.einsum, "ij,kj->ik"), (Z, W)),
    *[
        Judged(
            f"{name} {n}",
            functools.partial(getattr(wnp.fft, name), n=n),
            functools.partial(getattr(jnp.fft, name), n=n),
            (x,),
        )
        for name, x in (("fft", Z), ("ifft", Z), ("rfft", X), ("irfft", Z))
        for n in (None, 4, 5)
    ],
    Judged("fftn", wnp.fft.fftn, jnp.fft.fftn, (Z,)),
    Judged("rfftn", wnp.fft.rfftn, jnp.fft.rfftn, (X,)),
    Judged("irfftn", wnp.fft.irfftn, jnp.fft.irfftn, (Z,)),
    *unary("prod sum", Z / 2),
]


def convolution(strides=(1, 1), padding="SAME", dilations=(1, 1), input_dilations=(1, 1), groups=1):
    """The same convolution in both libraries."""
    options = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    return functools.partial(
        wax.nn.conv, input_dilations=input_dilations, **options
    ), lambda x, w: jax.lax.conv_general_dilated(
        x, w, strides, padding, lhs_dilation=input_dilations, rhs_dilation=dilations, feature_group_count=groups
    )


CONVOLUTIONS = [
    Judged(
        f"conv {options}",
        *convolution(**options),
        (sampled((2, 4, 7, 6), "image"), sampled((6, 4 // options.get("groups", 1), 3, 2), "filter", str(options))),
        1e-11,
    )
    for options in (
        {},
        {"padding": "VALID"},
        {"strides": (2, 3), "padding": "VALID"},
        {"strides": (2, 1), "dilations": (1, 2)},
        {"groups": 2, "strides": (2, 2)},
        {"padding": ((2, 0), (0, 3)), "input_dilations": (1, 2)},
    )
] + [
    Judged(
        "max pool",
        lambda x: wax.nn.max_pool(x, (2, 2)),
        lambda x: jnp.max(jnp.reshape(x, (2, 2, 2, 2, 3, 2)), axis=(3, 5)),
        (sampled((2, 2, 4, 6), "pool"),),
    ),
    Judged(
        "avg pool",
        lambda x: wax.nn.avg_pool(x, (2, 2)),
        lambda x: jnp.mean(jnp.reshape(x, (2, 2, 2, 2, 3, 2)), axis=(3, 5)),
        (sampled((2, 2, 4, 6), "pool"),),
    ),
]

ALL = [*ELEMENTWISE, *SPECIAL, *NETWORKS, *every_other(ALONG_AXES), *REDUCTIONS, *STRUCTURE, *PRODUCTS, *COMPLEX]
ALL += CONVOLUTIONS


@pytest.mark.parametrize("case", ALL, ids=str)
def test_derivatives_are_those_of_jax(case):
    judge(case)


def single(x):
    """An array in single precision."""
    return np.asarray(x).astype({np.dtype("f8"): "f4", np.dtype("c16"): "c8"}.get(np.asarray(x).dtype, x.dtype))


@pytest.mark.parametrize(
    "case",
    every_other([*ELEMENTWISE[::3], *ALONG_AXES, *REDUCTIONS, *STRUCTURE[::3], *PRODUCTS[::2], *COMPLEX[::2]]),
    ids=str,
)
def test_derivatives_in_single_precision_have_its_dtypes(case):
    arguments = tuple(single(x) for x in case.arguments)
    judge(replace(case, arguments=arguments, tolerance=2e-4, second=False))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7, 0, 3), (1, 1), (17, 3)], ids=str)
def test_derivatives_of_every_shape(shape):
    def f(np_, x, y):
        total = np_.sum(np_.tanh(x * y) + np_.maximum(x, y), axis=None)
        return np_.reshape(x, (-1,)) * total if 0 not in shape else np_.exp(x) * y

    judge(both(f"shape {shape}", f, sampled(shape, "x"), sampled(shape, "y")))
