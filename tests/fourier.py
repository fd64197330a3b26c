"""Transforms to be tested, and a judge in higher precision that knows NumPy's and SciPy's conventions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.fft

ELEMENTS = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128}
COMPLEX = {"f32": "complex<f32>", "f64": "complex<f64>"}
REAL = {other: real for real, other in COMPLEX.items()}

#: Products of small factors, powers, primes that are one small matrix, primes that are a convolution.
SHORT = [1, 2, 9, 37, 120]
LENGTHS = [*SHORT, 3, 4, 5, 8, 16, 30, 31, 49, 60, 64, 67, 97, 100, 127, 243, 256, 1000, 1009, 1024]


@dataclass(frozen=True)
class Transform:
    """One `wax.fft`, and the shape of its operand; the dims in `dynamic` are, in the type."""

    shape: tuple[int, ...]
    element: str
    dims: tuple[int, ...]
    length: int | None = None
    inverse: bool = False
    dynamic: tuple[int, ...] = ()

    def __str__(self) -> str:
        size = "" if self.length is None else f" length {self.length}"
        hidden = "".join(f" dynamic {dim}" for dim in self.dynamic)
        return f"{'inverse ' * self.inverse}{self.element}{list(self.shape)} over {list(self.dims)}{size}{hidden}"

    @property
    def result_shape(self) -> tuple[int, ...]:
        shape = list(self.shape)
        if self.length is not None:
            shape[self.dims[-1]] = self.length
        elif self.element in COMPLEX:
            shape[self.dims[-1]] = shape[self.dims[-1]] // 2 + 1
        return tuple(shape)

    @property
    def result_element(self) -> str:
        return self.element if self.length is None and self.element in REAL else {**COMPLEX, **REAL}[self.element]

    def _type(self, shape: tuple[int, ...], element: str) -> str:
        dims = "".join("?x" if dim in self.dynamic else f"{size}x" for dim, size in enumerate(shape))
        return f"tensor<{dims}{element}>"

    def text(self, name: str = "main") -> str:
        """A function of the one operation."""
        of, to = self._type(self.shape, self.element), self._type(self.result_shape, self.result_element)
        size = "" if self.length is None else f"length {self.length} "
        return f"""func.func @{name}(%x: {of}) -> {to} {{
          %y = wax.fft {"inverse " * self.inverse}%x over {list(self.dims)} {size}: ({of}) -> {to}
          return %y : {to}
        }}
        """

    def operand(self, seed: int = 0) -> np.ndarray[Any, Any]:
        random = np.random.default_rng(seed)
        x = random.standard_normal(self.shape)
        if self.element in REAL:
            x = x + 1j * random.standard_normal(self.shape)
        return x.astype(ELEMENTS[self.element])

    def expected(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """In extended precision."""
        lengths = [x.shape[dim] for dim in self.dims[:-1]] + [
            x.shape[self.dims[-1]] if self.length is None else self.length
        ]
        if 0 in (*lengths, *self.result_shape):
            return np.zeros(self.result_shape, np.clongdouble if self.length is None else np.longdouble)
        if self.element in COMPLEX:
            half = scipy.fft.rfftn(x.astype(np.longdouble), axes=self.dims)
            return half.conj() if self.inverse else half
        wide = x.astype(np.clongdouble)
        if self.length is None:
            whole = scipy.fft.ifftn if self.inverse else scipy.fft.fftn
            return whole(wide, axes=self.dims, norm="forward" if self.inverse else "backward")
        return scipy.fft.irfftn(wide if self.inverse else wide.conj(), s=lengths, axes=self.dims, norm="forward")

    def check(self, got: np.ndarray[Any, Any], x: np.ndarray[Any, Any]) -> None:
        """Assert dtype, shape, and a relative error of at most two roundings for each halving of the sum."""
        assert got.dtype == ELEMENTS[self.result_element], str(self)
        assert got.shape == self.result_shape, str(self)
        wanted = self.expected(x)
        terms = math.prod(self.result_shape[dim] if self.length is not None else x.shape[dim] for dim in self.dims)
        allowed = 2 * max(1.0, math.log2(max(terms, 2))) * np.finfo(got.dtype).eps
        off = float(np.linalg.norm((got - wanted).ravel()))
        assert off <= allowed * float(np.linalg.norm(wanted.ravel())), f"{self}: {off}"


def _of_length(n: int, element: str) -> list[Transform]:
    inverse = n % 2 == 0
    if element in COMPLEX:
        return [
            Transform((2, n), element, (1,), inverse=inverse),
            Transform((2, n // 2 + 1), COMPLEX[element], (1,), n, not inverse),
        ]
    return [Transform((3, n), element, (1,), inverse=inverse), Transform((n, 2), element, (0,), inverse=not inverse)]


#: Every length, in every kind.
ALONG_ONE = {element: [one for n in LENGTHS for one in _of_length(n, element)] for element in ELEMENTS}

#: Some of them, of every element.
ALONG_SHORT = [one for n in SHORT for element in ELEMENTS for one in _of_length(n, element)]

#: Rows that vectors take as matrices: whole vectors along both sides, along one, along none; in place and not.
BY_ROWS = [
    *(
        Transform((3, n), element, (1,), inverse=n % 2 == 0)
        for n in (72, 81, 143, 2048)
        for element in COMPLEX.values()
    ),
    *(Transform((2, n), element, (1,), inverse=n % 3 == 0) for n in (144, 162, 286, 2046) for element in COMPLEX),
    *(
        Transform((2, n // 2 + 1), element, (1,), n, n % 3 == 0)
        for n in (144, 162, 286)
        for element in COMPLEX.values()
    ),
    Transform((2, 3003), "complex<f32>", (1,)),
    Transform((2, 4096), "complex<f64>", (1,)),
    Transform((2, 8192), "f32", (1,)),
    Transform((2, 4097), "complex<f32>", (1,), 8192),
    Transform((3, 16384), "complex<f32>", (1,)),
    Transform((4096,), "complex<f32>", (0,)),
    Transform((130, 64), "complex<f32>", (1,)),
    Transform((3, 64), "complex<f32>", (1,), dynamic=(0,)),
    Transform((2, 3, 100), "complex<f64>", (2,), dynamic=(0,)),
    Transform((2, 3, 256), "f32", (2,), dynamic=(0, 1)),
    Transform((2, 3, 129), "complex<f32>", (2,), 256, dynamic=(1,)),
    Transform((0, 64), "complex<f32>", (1,), dynamic=(0,)),
    Transform((0, 256), "f32", (1,), dynamic=(0,)),
    Transform((9, 199), "complex<f32>", (1,)),
    Transform((30, 16), "complex<f32>", (0,)),
    Transform((2, 600, 11), "complex<f32>", (1,), inverse=True),
    Transform((2, 12, 5), "complex<f64>", (1,), dynamic=(0,)),
    Transform((12, 128), "f32", (0, 1)),
    Transform((12, 65), "complex<f32>", (0, 1), 128, inverse=True),
    Transform((64, 64, 3), "complex<f32>", (0, 1)),
    Transform((72, 66), "f64", (0, 1)),
]

#: Rows that a lane each has: fewer than lanes, whole vectors and not, several workgroups; real ones of odd counts too.
BY_LANES = [
    *(
        Transform((rows, n), element, (1,), inverse=n % 2 == 0)
        for rows, n in ((3, 6), (8, 4), (9, 12), (13, 15), (16, 60), (5, 105), (11, 234))
        for element in COMPLEX.values()
    ),
    *(
        Transform((11, n), element, (1,), inverse=n % 3 == 0)
        for n in (8, 9, 10, 15, 30, 225, 450)
        for element in COMPLEX
    ),
    *(
        Transform((11, n // 2 + 1), element, (1,), n, n % 3 == 0)
        for n in (8, 9, 10, 15, 30, 225, 450)
        for element in COMPLEX.values()
    ),
    Transform((300, 60), "complex<f32>", (1,)),
    Transform((2, 5, 60), "complex<f32>", (2,), dynamic=(0, 1)),
    Transform((3, 4, 15), "f32", (2,), dynamic=(0,)),
    Transform((0, 60), "complex<f32>", (1,), dynamic=(0,)),
    Transform((12, 30), "f32", (0, 1)),
    Transform((12, 16), "complex<f64>", (0, 1), 30, inverse=True),
]

#: Rows whose matrix has a place of its own: a row for each workgroup, several, and sides beyond the usual.
BY_WORKSPACE = [
    Transform((3, 10000), "complex<f32>", (1,)),
    Transform((3, 10000), "complex<f32>", (1,), inverse=True, dynamic=(0,)),
    Transform((2, 11025), "complex<f32>", (1,)),
    Transform((2, 5500), "complex<f64>", (1,)),
    Transform((2, 3430), "complex<f64>", (1,)),
    Transform((2, 10000), "f32", (1,)),
    Transform((2, 11025), "f32", (1,)),
    Transform((2, 5001), "complex<f32>", (1,), 10000),
    Transform((67, 4410), "complex<f32>", (1,)),
    Transform((0, 10000), "complex<f32>", (1,), dynamic=(0,)),
    Transform((100000,), "complex<f32>", (0,)),
    Transform((3, 3331), "complex<f32>", (1,)),
]

ALONG_SEVERAL = [
    Transform((3, 5, 7), "complex<f32>", (0, 2)),
    Transform((3, 5, 7), "complex<f32>", (2, 0), inverse=True),
    Transform((4, 6, 10), "complex<f64>", (0, 1, 2)),
    Transform((4, 6, 10), "complex<f64>", (2, 0, 1)),
    Transform((37, 2, 40), "complex<f32>", (2, 0)),
    Transform((3, 8, 1), "complex<f32>", (2, 1, 0)),
    Transform((4, 6, 9), "f64", (0, 2)),
    Transform((4, 9, 6), "f32", (2, 1)),
    Transform((4, 6, 9), "f64", (0, 1, 2), inverse=True),
    Transform((4, 3, 1), "f64", (1, 2)),
    Transform((6, 1, 8), "f32", (0, 1)),
    Transform((1, 6, 8), "f32", (2, 0)),
    Transform((3, 1, 4, 10), "f64", (3, 1)),
    Transform((37, 41), "f32", (1, 0)),
    Transform((4, 6, 5), "complex<f64>", (0, 2), 9, True),
    Transform((4, 5, 6), "complex<f32>", (2, 1), 8, True),
    Transform((4, 6, 5), "complex<f64>", (0, 1, 2), 9),
    Transform((4, 3, 1), "complex<f64>", (1, 2), 1),
    Transform((21, 37), "complex<f32>", (1, 0), 41, True),
]

DYNAMIC = [
    Transform((3, 40), "complex<f32>", (1,), dynamic=(0,)),
    Transform((40, 3), "complex<f32>", (0,), dynamic=(1,)),
    Transform((3, 37, 2), "complex<f64>", (1,), dynamic=(0, 2)),
    Transform((3, 12, 2, 5), "complex<f32>", (1, 3), dynamic=(0, 2)),
    Transform((3, 12, 2, 5), "complex<f64>", (3, 1), inverse=True, dynamic=(0, 2)),
    Transform((2, 3, 12, 5, 2), "f32", (2,), dynamic=(0, 1, 3, 4)),
    Transform((2, 3, 7, 5, 2), "complex<f32>", (2,), 12, dynamic=(0, 1, 3, 4)),
    Transform((2, 7, 5, 4), "complex<f64>", (3, 1), 13, dynamic=(0, 2)),
    Transform((0, 8), "complex<f32>", (1,), dynamic=(0,)),
    Transform((1, 8, 0), "f64", (1,), dynamic=(0, 2)),
]

#: Where there is nothing to sum, or nowhere to put it.
EMPTY = [
    Transform((3, 0), "f32", (1,)),
    Transform((2, 0, 4), "f64", (2, 1)),
    Transform((0, 4), "f32", (0, 1)),
    Transform((3, 0), "complex<f32>", (1,)),
    Transform((3, 1), "complex<f32>", (1,), 0),
    Transform((0, 8), "complex<f64>", (1,)),
    Transform((8, 0), "complex<f64>", (0,)),
    Transform((0, 5), "complex<f32>", (1,), 8),
]
