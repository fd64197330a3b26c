"""The end-to-end programs that every device and every backend is tried with.

Each is a function of arrays with its arguments, compared to what the reference backend gives. They are small, and
chosen so that what drivers and compilers get wrong shows: sizes that are odd, of one, of none, longer than a
workgroup; every float; carries of loops; indices out of range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import wax
import wax.nn
import wax.numpy as wnp
import wax.random
from wax import dtypes

__all__ = ["TestProgram", "programs"]


@dataclass(frozen=True, slots=True)
class TestProgram:
    """A function, its arguments, how far its results may be off, in roundings, and the dims that may be symbolic."""

    __test__ = False  # for pytest

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tolerance: float = 0.0
    dynamic_shapes: tuple[Any, ...] | None = None

    def __str__(self) -> str:
        return self.name


_B = wax.Dim("b")


def _normal(*shape: int, dtype: str = "float32", seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtypes.canonical(dtype))


def programs() -> Iterator[TestProgram]:
    """All of them."""
    yield from _elementwise()
    yield from _reductions()
    yield from _products()
    yield from _structural()
    yield from _networks()
    yield from _control_flow()
    yield from _random()
    yield from _gradients()


def _elementwise() -> Iterator[TestProgram]:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = _normal(17, 33, dtype=dtype)
        yield TestProgram(f"gelu-{dtype}", lambda x: wax.nn.gelu(x) * 2 - wnp.exp(-x * x), (x,), 16, ({0: _B},))
        yield TestProgram(f"atan2-{dtype}", lambda x: wnp.atan2(x, x[::-1] + 1), (x,), 8)
    for dtype in ("int8", "int32", "int64", "uint8", "uint32"):
        x = np.arange(-60, 60).astype(dtype).reshape(8, 15)
        yield TestProgram(f"integers-{dtype}", lambda x: (x * x + x // 7) % 5 ^ x, (x,), 0, ({0: _B},))
    dividends = np.asarray([0, 7, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 2, 10**19], np.uint64)
    divisors = np.asarray([3, 10, 2**63, 2**63 + 5, 1, 2**64 - 1, 7], np.uint64)
    yield TestProgram("unsigned-division", lambda x, y: (x // y, x % y), (dividends, divisors))
    x = _normal(5, 7)
    yield TestProgram("where", lambda x: wnp.where(x > 0, x, wnp.nan_to_num(wnp.sqrt(x), nan=-1.0)), (x,), 2)
    yield TestProgram("complex", lambda x: wnp.exp(x * 1j) * wnp.conj(x + 2j), (x,), 16)
    yield TestProgram("no-elements", lambda x: wnp.tanh(x) + 1, (_normal(0, 3),))
    yield TestProgram("a-scalar", lambda x: wnp.tanh(x) + 1, (np.float32(0.5),), 4)


def _reductions() -> Iterator[TestProgram]:
    for size in (1, 3, 127, 1000, 4097):
        x = _normal(size)
        yield TestProgram(f"sum-{size}", lambda x: x.sum(), (x,), 64, ({0: _B},) if size > 1 else None)
        yield TestProgram(f"argmax-{size}", lambda x: (wnp.argmax(x), wnp.max(x)), (x,))
    x = _normal(37, 65, seed=1)
    yield TestProgram("rows", lambda x: (x.sum(axis=1), x.mean(axis=0), wnp.var(x, axis=1)), (x,), 64, ({0: _B},))
    yield TestProgram("no-rows", lambda x: x.sum(axis=0), (_normal(0, 3),))
    yield TestProgram("cumulative", lambda x: wnp.cumulative_sum(x, axis=1), (x,), 256)
    yield TestProgram("every", lambda x: (wnp.all(x > -9), wnp.any(x > 9), wnp.prod(wnp.cos(x), axis=0)), (x,), 64)


def _products() -> Iterator[TestProgram]:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x, y = _normal(33, 65, dtype=dtype), _normal(65, 17, dtype=dtype, seed=1)
        yield TestProgram(f"matmul-{dtype}", lambda x, y: x @ y, (x, y), 64, ({0: _B}, None))
    x, y = _normal(3, 5, 8), _normal(3, 8, 4, seed=1)
    yield TestProgram("batched", lambda x, y: x @ y, (x, y), 32, ({0: _B}, {0: _B}))
    yield TestProgram("einsum", lambda x, y: wnp.einsum("bij,bjk->ki", x, y), (x, y), 64)
    i = np.arange(-30, 30, dtype=np.int32)
    yield TestProgram("integer-product", lambda i: i.reshape(6, 10) @ i.reshape(10, 6), (i,))


def _structural() -> Iterator[TestProgram]:
    x = _normal(6, 10)
    yield TestProgram("pieces", lambda x: wnp.concat([x[1:4, ::2], x.T[::2, :5].T[:3]], axis=0)[::-1], (x,))
    yield TestProgram("sort", lambda x: (wnp.sort(x, axis=1), wnp.argsort(x, axis=0)), (x,))
    yield TestProgram("top-k", lambda x: wnp.top_k(x, 3), (x,))
    i = np.asarray([3, -1, 99, 0], np.int32)
    yield TestProgram("gather", lambda x, i: wnp.take(x, wnp.clip(i, 0, 5), axis=0), (x, i))
    yield TestProgram("scatter", lambda x, i: x.at[wnp.clip(i, 0, 5)].add(1.0), (x, i))
    yield TestProgram("pad", lambda x: wnp.pad(x, ((1, 2), (0, 3))), (x,))
    yield TestProgram("fft", lambda x: wnp.fft.fft(x, axis=1), (x,), 64)
    yield TestProgram("rfft", lambda x: wnp.fft.irfft(wnp.fft.rfft(x, axis=0), n=6, axis=0), (x,), 64)


def _networks() -> Iterator[TestProgram]:
    x = _normal(2, 9, 16)
    yield TestProgram("softmax", lambda x: wax.nn.softmax(x, axis=-1), (x,), 16, ({0: _B},))
    yield TestProgram("layer-norm", lambda x: wax.nn.layer_norm(x, axis=-1), (x,), 64, ({0: _B},))
    q = _normal(2, 4, 9, 8)
    yield TestProgram("attention", lambda q: wax.nn.attention(q, q[:, ::-1], q, is_causal=True), (q,), 64)
    image, kernel = _normal(1, 3, 8, 9), _normal(4, 3, 3, 3, seed=1)
    yield TestProgram("conv", lambda x, w: wax.nn.conv(x, w, padding="SAME"), (image, kernel), 64)
    yield TestProgram("pooling", lambda x: (wax.nn.max_pool(x, 2), wax.nn.avg_pool(x, 2)), (image,), 8)


def _control_flow() -> Iterator[TestProgram]:
    x = _normal(4, 3)
    yield TestProgram("cond", lambda x: wax.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x), (x,), 2)
    yield TestProgram("fori", lambda x: wax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x), (x,), 8)
    yield TestProgram("scan", lambda x: wax.scan(lambda c, r: (c + r, c * r), x[0], x), (x,), 16)
    yield TestProgram(
        "while", lambda x: wax.while_loop(lambda c: wnp.max(wnp.abs(c)) > 0.1, lambda c: c / 2, x), (x,), 16
    )


def _random() -> Iterator[TestProgram]:
    yield TestProgram("bits", lambda s: wax.random.bits(wax.random.key(s), (5, 7)), (np.int32(3),))
    yield TestProgram("uniform", lambda s: wax.random.uniform(wax.random.key(s), (1000,)), (np.int32(4),))
    yield TestProgram("normal", lambda s: wax.random.normal(wax.random.key(s), (129,)), (np.int32(5),), 64)


def _gradients() -> Iterator[TestProgram]:
    w, x = _normal(6, 4), _normal(5, 6, seed=1)

    def loss(w: Any, x: Any) -> Any:
        return wnp.mean(wax.nn.log_softmax(wnp.tanh(x @ w), axis=-1)[:, 0])

    yield TestProgram("gradient", wax.grad(loss, argnums=(0, 1)), (w, x), 128)
    yield TestProgram("of-a-scan", wax.grad(lambda w: wax.scan(lambda c, r: (c * r, c), w[0], w)[0].sum()), (w,), 64)
