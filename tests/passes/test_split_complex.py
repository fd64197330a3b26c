"""Programs whose complex numbers are split, against the same programs with complex numbers, in every bit.

Both are run by MLIR's own tools. The programs are those of a user, over both complex types and over static,
dynamic and zero sizes; beside them, random programs of the basis.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import program_checks
import pytest
import upstream_run

import wax
from wax import _native
from wax import numpy as wnp

DTYPES = ("complex64", "complex128")


def functions(z: Any, w: Any) -> Any:
    """Each is expanded by parts before numbers are split."""
    return wnp.exp(z) * wnp.log(w), wnp.sqrt(z / w), wnp.abs(z), wnp.tanh(w), z**w


def arithmetic(z: Any, w: Any) -> Any:
    return -z + wnp.conj(w), z - w, z == w, z != w, wnp.where(wnp.real(z) > 0, z, w), wnp.imag(z)


def transforms(z: Any, w: Any) -> Any:
    return wnp.fft.fft(z), wnp.fft.ifft(w), wnp.fft.irfft(z), wnp.fft.fft(wnp.real(w))


def products(z: Any, w: Any) -> Any:
    return z @ wnp.matrix_transpose(w), wnp.sum(z * w, axis=0), wnp.prod(w, axis=1), wnp.mean(z)


def scans(z: Any, w: Any) -> Any:
    return wnp.cumulative_sum(z, axis=0), wnp.cumulative_prod(w, axis=1)


def moves(z: Any, w: Any) -> Any:
    padded = wnp.pad(z, ((1, 2), (0, 1)), constant_values=2 - 3j)
    return padded, wnp.concat([z, w], axis=1), z.T, wnp.flip(w, axis=0), wnp.reshape(z, (-1,)), z[::2, 1:]


def updates(z: Any, w: Any) -> Any:
    rows = wnp.asarray(np.array([1, 0, 1]))
    order = wnp.argsort(wnp.real(z), axis=1)
    return z.at[rows].add(wnp.sum(w, axis=0)), z.at[:, 0].set(w[:, 1]), wnp.take_along_axis(w, order, axis=1)


def constants(z: Any, w: Any) -> Any:
    table = wnp.asarray(np.array([1 + 2j, -0.0 - 1j, 3.5 + 0j], z.dtype))
    return table[wnp.asarray(np.array([2, 0, 0, 1]))], z + 1j, wnp.zeros_like(w)


PROGRAMS: tuple[Callable[..., Any], ...] = (
    functions,
    arithmetic,
    transforms,
    products,
    scans,
    moves,
    updates,
    constants,
)
#: What a user has no function for; FLOAT is the type of a part.
BASIS = """
func.func @sort(%z: tensor<4x6xcomplex<FLOAT>>, %w: tensor<4x6xcomplex<FLOAT>>)
    -> (tensor<4x6xcomplex<FLOAT>>, tensor<4x6xcomplex<FLOAT>>) {
  %0, %1 = wax.sort (%a, %b = %z, %c, %d = %w) along 1
      : (tensor<4x6xcomplex<FLOAT>>, tensor<4x6xcomplex<FLOAT>>)
      -> (tensor<4x6xcomplex<FLOAT>>, tensor<4x6xcomplex<FLOAT>>) {
    %x = complex.re %a : complex<FLOAT>
    %y = complex.re %b : complex<FLOAT>
    %less = arith.cmpf olt, %x, %y : FLOAT
    wax.yield %less : i1
  }
  return %0, %1 : tensor<4x6xcomplex<FLOAT>>, tensor<4x6xcomplex<FLOAT>>
}
func.func @convolve(%z: tensor<2x5x3xcomplex<FLOAT>>, %w: tensor<2x3x4xcomplex<FLOAT>>)
    -> tensor<2x6x4xcomplex<FLOAT>> {
  %0 = wax.convolve %z[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [1] high [1]
      : (tensor<2x5x3xcomplex<FLOAT>>, tensor<2x3x4xcomplex<FLOAT>>) -> tensor<2x6x4xcomplex<FLOAT>>
  return %0 : tensor<2x6x4xcomplex<FLOAT>>
}
func.func @call(%z: tensor<?xcomplex<FLOAT>>, %w: tensor<2x5x3xcomplex<FLOAT>>, %v: tensor<2x3x4xcomplex<FLOAT>>)
    -> (tensor<2x6x4xcomplex<FLOAT>>, tensor<?xcomplex<FLOAT>>) attributes {no_inline} {
  %0 = call @convolve(%w, %v) {no_inline} : (tensor<2x5x3xcomplex<FLOAT>>, tensor<2x3x4xcomplex<FLOAT>>)
      -> tensor<2x6x4xcomplex<FLOAT>>
  return %0, %z : tensor<2x6x4xcomplex<FLOAT>>, tensor<?xcomplex<FLOAT>>
}
"""
#: Of both arguments; where they are dynamic, of what is traced.
SIZES = {"static": (4, 6), "odd": (3, 5), "dynamic": (4, 6), "empty": (0, 6)}


def traced(program: Callable[..., Any], shape: tuple[int, ...], dtype: str, dynamic: bool) -> str:
    aval = wax.ShapeDtypeStruct(shape, dtype)
    dims = {0: wax.Dim("rows", min=2)} if dynamic else {}
    function = wax.jit(program, dynamic_shapes=(dims, dims)) if dynamic else wax.jit(program)
    return function.trace(aval, aval).as_text()


def lowered(text: str, *, split: bool) -> str:
    module = _native.parse_module(text)
    module.run(f"wax-to-linalg{{target=upstream split-complex={str(split).lower()}}}")
    return module.text()


@functools.cache
def pair(dtype: str) -> dict[str, list[Callable[..., list[np.ndarray]]]]:
    """Each program with complex numbers, and split."""
    texts = {}
    for program in PROGRAMS:
        for sizes, shape in SIZES.items():
            name = f"{program.__name__}_{sizes}"
            texts[name] = traced(program, shape, dtype, sizes == "dynamic").replace("@main(", f"@{name}(")
    signatures = {name: _native.parse_module(text).snapshot().functions[name] for name, text in texts.items()}
    loaded = []
    for split in (False, True):
        text = upstream_run.join({name: lowered(text, split=split) for name, text in texts.items()})
        assert ("complex" in text) != split
        loaded.append(upstream_run.load(text, signatures, split=split))
    return {name: [one[name] for one in loaded] for name in texts}


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    """Zeros, infinities and NaNs among them."""
    source = np.random.default_rng(seed)
    parts = source.normal(size=(2, *shape))
    special = source.choice([0.0, -0.0, np.inf, -np.inf, np.nan], (2, *shape))
    parts = np.where(source.random((2, *shape)) < 0.05, special, parts)
    whole = np.empty(shape, dtype)
    whole.real, whole.imag = parts
    return whole


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("sizes", SIZES)
def test_split_programs_compute_the_same_bits(program, dtype, sizes):
    whole, split = pair(dtype)[f"{program.__name__}_{sizes}"]
    rows, columns = SIZES[sizes]
    for seed in range(4):
        shape = (rows + 3 * seed, columns) if sizes == "dynamic" else (rows, columns)
        z, w = numbers(shape, dtype, seed), numbers(shape, dtype, seed + 100)
        assert program_checks.difference(split([z, w]), whole([z, w])) == ""


@functools.cache
def basis_pair(dtype: str) -> list[dict[str, Callable[..., list[np.ndarray]]]]:
    text = BASIS.replace("FLOAT", {"complex64": "f32", "complex128": "f64"}[dtype])
    signatures = _native.parse_module(text).snapshot().functions
    return [upstream_run.load(lowered(text, split=split), signatures, split=split) for split in (False, True)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("sort", [(4, 6), (4, 6)]),
        ("convolve", [(2, 5, 3), (2, 3, 4)]),
        ("call", [(0,), (2, 5, 3), (2, 3, 4)]),
        ("call", [(7,), (2, 5, 3), (2, 3, 4)]),
    ],
)
def test_split_operations_compute_the_same_bits(name, shapes, dtype):
    whole, split = (one[name] for one in basis_pair(dtype))
    for seed in range(4):
        arguments = [numbers(shape, dtype, seed + 100 * number) for number, shape in enumerate(shapes)]
        assert program_checks.difference(split(arguments), whole(arguments)) == ""
