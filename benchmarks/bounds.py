"""How fast a row could be here: the least time for its arithmetic and for its memory, from what this machine reaches.

Arithmetic is bounded by the fastest product of large matrices that any framework makes with as many threads, memory by
the fastest copy of as many bytes: what fits into a cache may be moved as fast as the cache does. Both are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import harness

#: Bytes that a measured copy reads and writes.
COPIES = tuple(2**n for n in range(16, 30, 2))
#: Rows of the matrices whose product says what arithmetic can reach.
MATRIX = 1024


@dataclass(frozen=True)
class Work:
    """What any program for a row has to do: operations on elements of a dtype, a product and a sum each one; bytes
    read once and written once.
    """

    flops: float = 0
    bytes: float = 0
    dtype: str = "float32"


@dataclass(frozen=True)
class Bounds:
    """What this machine reaches with as many threads as are measured."""

    #: By dtype: operations a second.
    products: dict[str, float]
    #: Bytes read and written by a copy, and bytes a second.
    copies: tuple[tuple[int, float], ...]

    def copy_rate(self, size: float) -> float:
        """Bytes a second of a copy of so many bytes; between what was measured, of the nearest."""
        return min(self.copies, key=lambda one: max(one[0], size) / max(1, min(one[0], size)))[1]

    def of(self, work: Work) -> tuple[float, str]:
        """The least seconds, and what takes them."""
        arithmetic = work.flops / self.products[work.dtype] if work.flops else 0.0
        memory = work.bytes / self.copy_rate(work.bytes)
        return (memory, "copy") if memory >= arithmetic else (arithmetic, "GEMM")


def measure(dtypes: Sequence[str]) -> Bounds:
    """The bounds with the threads that frameworks have now."""
    return Bounds({dtype: _product(dtype) for dtype in dtypes}, tuple((size, size / _copy(size)) for size in COPIES))


def _fastest(runs: Sequence[Callable[[], Any]]) -> float:
    contenders = [harness.Contender(str(place), run) for place, run in enumerate(runs)]
    return min(harness.compare("", contenders, rounds=9, budget=2.0).seconds.values())


def _copy(size: int) -> float:
    import numpy as np
    import torch

    x = np.ones(size // 8, np.float32)  # half of the bytes are written
    y, tensor = np.empty_like(x), torch.from_numpy(x.copy())
    to = torch.empty_like(tensor)
    return _fastest([lambda: np.copyto(y, x), lambda: to.copy_(tensor)])


def _product(dtype: str) -> float:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    from cases import to_torch

    x = np.random.default_rng(0).integers(-8, 8, (MATRIX, MATRIX)).astype(getattr(ml_dtypes, dtype, dtype))
    result = "int32" if dtype == "int8" else dtype
    theirs, tensor = jnp.asarray(x), to_torch(x)
    product = jax.jit(lambda x: jax.lax.dot(x, x, preferred_element_type=result))
    of_torch = _int_product if dtype == "int8" else lambda x: x @ x
    return 2 * MATRIX**3 / _fastest([lambda: product(theirs).block_until_ready(), lambda: of_torch(tensor)])


def _int_product(x: Any) -> Any:
    import torch

    return torch._int_mm(x, x)
