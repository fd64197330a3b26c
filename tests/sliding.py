"""Windows, folds and convolutions to be tested, and judges that follow their formulas, an element at a time or exactly.

Elements are small integers, so that every sum is exact in every type, in any order; they are compared bit for bit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from reference_run import spell
from scalar_judges import DTYPES

ONES = {"i8": "1", "i32": "1", "f32": "1.0", "f64": "1.0"}


def count(size: int, extent: int, stride: int, dilation: int) -> int:
    """How many windows a dim has."""
    return max(0, (size - ((extent - 1) * dilation + 1)) // stride + 1)


def draw(seed: int, shape: Sequence[int], element: str) -> np.ndarray[Any, Any]:
    """Small integers; few of them are not 0 or ±1, so that 8 bits hold their sums."""
    random = np.random.default_rng(seed)
    x = random.integers(-1, 2, tuple(shape)).astype(np.float64)
    if element.startswith("complex"):
        return (x + 1j * random.integers(-1, 2, tuple(shape))).astype(DTYPES[element])
    if element in ("i32", "f32", "f64"):
        x = random.integers(-9, 10, tuple(shape)).astype(np.float64)
    return x.astype(DTYPES[element])


def _type(shape: Sequence[int], element: str, dynamic: Sequence[int]) -> str:
    return spell(tuple(None if dim in dynamic else size for dim, size in enumerate(shape)), element)


@dataclass(frozen=True)
class Window:
    """One `wax.window`, and the `wax.fold` that is its transpose; the operand's dims in `dynamic` are, in the type."""

    shape: tuple[int, ...]
    dims: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    element: str = "f32"
    dynamic: tuple[int, ...] = ()

    def __str__(self) -> str:
        hidden = "".join(f" dynamic {dim}" for dim in self.dynamic)
        return f"{self.element}{list(self.shape)}{self._steps()}{hidden}"

    def _steps(self, sizes: Sequence[Any] | None = None) -> str:
        stated = ", ".join(map(str, self.sizes if sizes is None else sizes))
        return f" dims {list(self.dims)} sizes [{stated}] strides {list(self.strides)} dilations {list(self.dilations)}"

    @property
    def windows_shape(self) -> tuple[int, ...]:
        shape = list(self.shape)
        for dim, *steps in zip(self.dims, self.sizes, self.strides, self.dilations, strict=True):
            shape[dim] = count(shape[dim], *steps)
        return (*shape, *self.sizes)

    def text(self, name: str = "main") -> str:
        of = _type(self.shape, self.element, self.dynamic)
        to = _type(self.windows_shape, self.element, self.dynamic)
        return f"""func.func @{name}(%x: {of}) -> {to} {{
          %y = wax.window %x{self._steps()} : ({of}) -> {to}
          return %y : {to}
        }}
        """

    def fold_text(self, fold: str, name: str = "main", kernel: str = "") -> str:
        """A function of the windows, `init` and an array of the result's shape that says what it is."""
        rank = len(self.shape)
        # Sizes of windows are static in the one and dynamic in the other.
        hidden = (*self.dynamic, *(range(rank, rank + len(self.dims)) if self.dynamic else ()))
        of, to = _type(self.windows_shape, self.element, hidden), _type(self.shape, self.element, self.dynamic)
        sizes = [f"%n{dim}" if dim in self.dynamic else self.shape[dim] for dim in self.dims]
        asked = "".join(
            f"%c{dim} = arith.constant {dim} : index\n%n{dim} = tensor.dim %like, %c{dim} : {to}\n"
            for dim in self.dims
            if dim in self.dynamic
        )
        if kernel:
            head, init = f"{fold}(%e = %x)", "init(%s = %init)"
            kernel = f" {{ {kernel} wax.yield %r : {self.element} }}"
        else:
            head, init = f"{fold}(%x)", "init(%init)"
        return f"""func.func @{name}(%x: {of}, %init: tensor<{self.element}>, %like: {to}) -> {to} {{
          {asked}
          %y = wax.fold {head}{self._steps(sizes)} {init} : ({of}, tensor<{self.element}>) -> {to}{kernel}
          return %y : {to}
        }}
        """

    def place(self, index: Sequence[int]) -> tuple[int, ...]:
        """The element of the operand that an element of the windows is."""
        at = list(index[: len(self.shape)])
        for m, (dim, stride, dilation) in enumerate(zip(self.dims, self.strides, self.dilations, strict=True)):
            at[dim] = at[dim] * stride + index[len(self.shape) + m] * dilation
        return tuple(at)

    def expected(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        made = np.empty(self.windows_shape, x.dtype)
        for index in np.ndindex(made.shape):
            made[index] = x[self.place(index)]
        return made

    def folded(self, windows: np.ndarray[Any, Any], init: Any, fold: Any) -> np.ndarray[Any, Any]:
        made = np.full(self.shape, init, windows.dtype)
        with np.errstate(all="ignore"):
            for index in np.ndindex(windows.shape):
                at = self.place(index)
                made[at] = fold(windows[index], made[at])
        return made


WINDOWS = [
    Window((9,), (0,), (3,), (1,), (1,)),
    Window((9,), (0,), (3,), (2,), (2,), "f64"),
    Window((2, 7, 6, 3), (1, 2), (3, 2), (2, 3), (1, 2)),
    Window((2, 7, 6, 3), (1, 2), (3, 2), (2, 3), (1, 2), dynamic=(0, 1, 2, 3)),
    Window((2, 7, 6, 3), (1, 2), (3, 2), (1, 1), (1, 1), "i32", dynamic=(1,)),
    Window((5, 4), (0, 1), (2, 2), (3, 2), (1, 1), "i8"),
    Window((4, 9, 5), (1,), (4,), (1,), (2,), "bf16", dynamic=(1,)),
    Window((4, 9), (1,), (2,), (4,), (1,), "f16"),
    Window((3, 5), (0,), (1,), (1,), (1,), "i64"),
    Window((3, 5), (), (), (), (), "f32"),
    Window((6,), (0,), (2,), (1,), (3,), "complex<f32>"),
    Window((4, 4, 4), (0, 1, 2), (2, 2, 2), (1, 2, 1), (1, 1, 2), "complex<f64>"),
    Window((130, 5), (0,), (3,), (1,), (1,), "f32"),
    # A dim that is too small, one that just has no room for a window, windows of nothing, dims of nothing.
    Window((2, 3), (1,), (5,), (1,), (1,)),
    Window((3, 5), (0,), (5,), (2,), (1,), dynamic=(0,)),
    Window((3, 5), (1,), (0,), (2,), (2,)),
    Window((0, 5), (1,), (2,), (1,), (1,), dynamic=(0,)),
    Window((0, 5), (0,), (1,), (1,), (1,), dynamic=(0,)),
]


def _order(names: str) -> list[str]:
    return list(names)


@dataclass(frozen=True)
class Convolution:
    """One `wax.convolve`. Sizes go by the names of the dims; those of `lhs` and `rhs` in `dynamic` are, in the type."""

    lhs: str
    lhs_shape: tuple[int, ...]
    rhs: str
    rhs_shape: tuple[int, ...]
    result: str
    strides: tuple[int, ...] = ()
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()
    lhs_dilations: tuple[int, ...] = ()
    rhs_dilations: tuple[int, ...] = ()
    features: int = 1
    batches: int = 1
    element: str = "f32"
    to: str = ""
    dynamic: tuple[str, str] = field(default=("", ""))

    def __str__(self) -> str:
        words = [f"{self.lhs}{list(self.lhs_shape)}", f"{self.rhs}{list(self.rhs_shape)}", self.result, self.element]
        words += [self.to, self._steps(), *(f"dynamic {names}" for names in self.dynamic if names)]
        return " ".join(filter(None, words))

    @property
    def spatial(self) -> int:
        return len(self.lhs) - 2

    def _list(self, given: tuple[int, ...], default: int) -> list[int]:
        return list(given or (default,) * self.spatial)

    def _steps(self) -> str:
        words = [f"strides {self._list(self.strides, 1)}"]
        words += [f"low {self._list(self.low, 0)}", f"high {self._list(self.high, 0)}"]
        words += [f"lhs_dilations {list(self.lhs_dilations)}"] if self.lhs_dilations else []
        words += [f"rhs_dilations {list(self.rhs_dilations)}"] if self.rhs_dilations else []
        words += [f"feature_groups {self.features}"] if self.features > 1 else []
        words += [f"batch_groups {self.batches}"] if self.batches > 1 else []
        return " ".join(words)

    @property
    def sizes(self) -> tuple[dict[str, int], dict[str, int]]:
        return dict(zip(self.lhs, self.lhs_shape, strict=True)), dict(zip(self.rhs, self.rhs_shape, strict=True))

    def _padded(self, i: int) -> int:
        size = self.sizes[0][str(i)]
        dilated = (size - 1) * self._list(self.lhs_dilations, 1)[i] + 1 if size else 0
        return dilated + self._list(self.low, 0)[i] + self._list(self.high, 0)[i]

    @property
    def result_shape(self) -> tuple[int, ...]:
        x, w = self.sizes
        made = {"b": x["b"] // self.batches, "f": w["o"]}
        for i in range(self.spatial):
            stride, dilation = self._list(self.strides, 1)[i], self._list(self.rhs_dilations, 1)[i]
            made[str(i)] = count(self._padded(i), w[str(i)], stride, dilation)
        return tuple(made[name] for name in self.result)

    def text(self, name: str = "main") -> str:
        of, by = self.dynamic
        x = _type(self.lhs_shape, self.element, [self.lhs.index(one) for one in of])
        w = _type(self.rhs_shape, self.element, [self.rhs.index(one) for one in by])
        hidden = ["f"] * ("o" in by) + ["b"] * ("b" in of) + [one for one in "012" if one in of or one in by]
        y = _type(self.result_shape, self.to or self.element, [self.result.index(one) for one in hidden])
        lhs, rhs, result = (", ".join(names) for names in (self.lhs, self.rhs, self.result))
        return f"""func.func @{name}(%x: {x}, %w: {w}) -> {y} {{
          %y = wax.convolve %x[{lhs}], %w[{rhs}] to [{result}] {self._steps()} : ({x}, {w}) -> {y}
          return %y : {y}
        }}
        """

    def operands(self, seed: int = 0) -> list[np.ndarray[Any, Any]]:
        return [draw(seed, self.lhs_shape, self.element), draw(seed + 1, self.rhs_shape, self.element)]

    def _meetings(self, i: int) -> np.ndarray[Any, Any]:
        """1 where a position and an element of the kernel meet an element of `lhs`, along a spatial dim."""
        x, w = self.sizes
        of, by = self._list(self.lhs_dilations, 1)[i], self._list(self.rhs_dilations, 1)[i]
        stride, low = self._list(self.strides, 1)[i], self._list(self.low, 0)[i]
        p, k, n = np.ogrid[: count(self._padded(i), w[str(i)], stride, by), : w[str(i)], : x[str(i)]]
        return (p * stride + k * by - low == n * of).astype(np.int64)

    def expected(self, x: np.ndarray[Any, Any], w: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """By the formula; the result's type is stated, sums are made in the widest."""
        dtype = DTYPES[self.to or self.element]
        kind = np.dtype(dtype).kind
        wide = np.int64 if kind == "i" else np.clongdouble if kind == "c" else np.longdouble
        x = x.astype(wide).transpose([self.lhs.index(name) for name in ("b", "f", *"012"[: self.spatial])])
        w = w.astype(wide).transpose([self.rhs.index(name) for name in ("i", "o", *"012"[: self.spatial])])
        x = x.reshape((self.batches, x.shape[0] // self.batches, self.features, w.shape[0], *x.shape[2:]))
        groups = self.batches * self.features
        w = w.reshape((w.shape[0], groups, w.shape[1] // groups, *w.shape[2:]))
        # x[g, b, h, i, n…] · w[i, g or h, o, k…] · meetings[p, k, n]…
        group = 7 if self.features == 1 else 8
        terms: list[Any] = [x, [7, 0, 8, 1, *range(10, 10 + self.spatial)]]
        terms += [w, [1, group, 2, *range(20, 20 + self.spatial)]]
        for i in range(self.spatial):
            terms += [self._meetings(i).astype(wide), [30 + i, 20 + i, 10 + i]]
        sums = np.einsum(*terms, [0, group, 2, *range(30, 30 + self.spatial)], optimize="greedy")
        sums = sums.reshape((sums.shape[0], w.shape[1] * w.shape[2], *sums.shape[3:]))
        roles = ["b", "f", *"012"[: self.spatial]]
        return sums.transpose([roles.index(name) for name in self.result]).astype(dtype)


LAYOUTS = {1: [("b0f", "0io"), ("bf0", "oi0"), ("0bf", "i0o")], 3: [("b012f", "012io"), ("bf012", "oi012")]}
LAYOUTS[2] = [("b01f", "01io"), ("bf01", "oi01"), ("f1b0", "0o1i")]


def _various() -> list[Convolution]:
    """Every combination of few values of the attributes, with layouts and element types in turn."""
    random = np.random.default_rng(11)
    found = []
    kinds = itertools.cycle([("f32", ""), ("i32", ""), ("f64", ""), ("f16", "f32"), ("i8", "i32"), ("bf16", "f32")])
    for spatial, strides, around, of, by, groups in itertools.product(
        (1, 2), (1, 2), ((0, 0), (1, 2), (-1, 1)), (1, 2), (1, 3), ((1, 1), (2, 1), (1, 2), (4, 1))
    ):
        lhs, rhs = LAYOUTS[spatial][int(random.integers(3))]
        result = "".join(random.permutation(list(lhs)))
        features, batches = groups
        ins = 1 if features == 4 else 2
        x = {"b": 2, "f": ins * features, "0": 9, "1": 8}
        w = {"i": ins, "o": 4, "0": 3, "1": 2}
        element, to = next(kinds)
        found.append(
            Convolution(
                *(lhs, tuple(x[one] for one in lhs), rhs, tuple(w[one] for one in rhs), result, (strides,) * spatial),
                *((around[0],) * spatial, (around[1],) * spatial, (of,) * spatial, (by,) * spatial, features, batches),
                *(element, to, (("b0", "") if random.random() < 0.3 else ("f", "i0") if features == 1 else ("", "o"))),
            )
        )
    return found


CONVOLUTIONS = [
    *_various(),
    Convolution("b012f", (1, 4, 5, 6, 3), "012io", (2, 3, 2, 3, 4), "b012f", (1, 2, 1), (1, 1, 0), (0, 1, 1)),
    Convolution("bf012", (2, 4, 4, 5, 3), "oi012", (4, 2, 2, 3, 2), "b012f", features=2, element="f64"),
    # Windows that share nothing; kernels of one element along a dim; three dims, in any order, and more groups.
    Convolution("bf01", (2, 3, 9, 8), "oi01", (5, 3, 3, 2), "bf01", strides=(3, 2)),
    Convolution("bf01", (2, 3, 9, 8), "i0o1", (3, 3, 5, 2), "b01f", strides=(3, 3), dynamic=("b01", "")),
    Convolution("b01f", (2, 4, 9, 3), "01io", (1, 5, 3, 5), "b01f", low=(0, 2), high=(0, 2), element="i32"),
    Convolution("b01f", (2, 9, 4, 3), "01io", (5, 1, 3, 5), "b01f", (1, 2), element="f64", dynamic=("b1", "")),
    Convolution("bf012", (2, 3, 6, 5, 4), "oi012", (5, 3, 2, 2, 3), "bf012", (1, 1, 1), (1, 0, 1), (0, 1, 1)),
    Convolution(
        "b012f", (2, 6, 5, 4, 3), "012io", (3, 2, 2, 3, 5), "f210b", (2, 1, 1), dynamic=("b012", ""), element="i8"
    ),
    Convolution("b012f", (2, 6, 5, 4, 3), "012io", (1, 2, 2, 3, 5), "b012f", dynamic=("0f", "io")),
    Convolution("b012f", (2, 4, 5, 4, 6), "012io", (2, 2, 2, 1, 6), "b012f", element="i32", features=6),
    Convolution("b0f", (2, 200, 4), "0io", (70, 2, 6), "b0f", features=2),
    Convolution("bf", (3, 5), "io", (5, 4), "fb"),
    Convolution("bf", (4, 5), "io", (5, 6), "bf", batches=2, element="i8"),
    Convolution("b01f", (1, 6, 7, 5), "01io", (1, 1, 5, 3), "b01f"),
    Convolution("b01f", (1, 12, 12, 16), "01io", (3, 3, 1, 16), "b01f", low=(1, 1), high=(1, 1), features=16),
    Convolution("bf01", (1, 16, 12, 12), "oi01", (16, 1, 3, 3), "bf01", low=(1, 1), high=(1, 1), features=16),
    Convolution("bf0", (2, 3, 33), "oi0", (5, 3, 7), "bf0", element="complex<f32>"),
    Convolution("bf0", (2, 3, 20), "oi0", (5, 3, 4), "0fb", (3,), element="complex<f64>", dynamic=("b0", "o")),
    Convolution("bf0", (2, 3, 20), "oi0", (5, 3, 4), "bf0", element="complex<f32>", to="complex<f64>"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 4), "bf0", element="f16"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 4), "bf0", element="bf16"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 4), "bf0", element="i16", to="i64"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 4), "bf0", element="f32", to="f64"),
    # Nothing: batches, ins, outs, elements of the kernel, positions, and elements to put padding between.
    Convolution("bf0", (0, 3, 9), "oi0", (5, 3, 4), "bf0", dynamic=("b", "")),
    Convolution("bf0", (2, 0, 9), "oi0", (5, 0, 4), "bf0"),
    Convolution("bf0", (2, 0, 9), "oi0", (5, 0, 4), "bf0", dynamic=("f", "i")),
    Convolution("bf0", (2, 3, 9), "oi0", (0, 3, 4), "bf0"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 0), "bf0"),
    Convolution("bf0", (2, 3, 9), "oi0", (5, 3, 0), "bf0", (2,), (1,), rhs_dilations=(2,), dynamic=("", "0")),
    Convolution("bf0", (2, 3, 2), "oi0", (5, 3, 4), "bf0"),
    Convolution("bf0", (2, 3, 3), "oi0", (5, 3, 4), "bf0", dynamic=("0", "")),
    Convolution("bf0", (2, 3, 0), "oi0", (5, 3, 4), "bf0", low=(3,), high=(3,), lhs_dilations=(2,)),
    Convolution("bf0", (2, 3, 0), "oi0", (5, 3, 4), "bf0", low=(3,), high=(3,), dynamic=("0", "")),
    Convolution("bf0", (2, 3, 1), "oi0", (5, 3, 1), "bf0", lhs_dilations=(1 << 30,)),
]


def amount(one: Convolution) -> int:
    """How many products there are."""
    return math.prod(one.result_shape) * math.prod(one.rhs_shape) // max(1, one.sizes[1]["o"])
