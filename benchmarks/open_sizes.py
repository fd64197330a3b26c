"""Functions of open sizes (`dynamic_shapes`), against the same ones compiled for the sizes they are called with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import harness


class Case(NamedTuple):
    """A function of arrays of these shapes, of which some dims are open."""

    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    dims: tuple[dict[int, str] | None, ...]


def cases() -> dict[str, Case]:
    """The rows, by name."""
    from suite import block

    import wax
    import wax.nn
    import wax.numpy as wnp

    def block_case(length: int, function: Callable[..., Any]) -> Case:
        return Case(function, ((1, length, block.WIDTH), *block.SHAPES), ({1: "n"}, *(None,) * len(block.SHAPES)))

    def attention_case(length: int, causal: bool) -> Case:
        def attend(q: Any, k: Any, v: Any) -> Any:
            return wax.nn.attention(q, k, v, is_causal=causal)

        return Case(attend, ((8, length, 64),) * 3, ({1: "n"},) * 3)

    def outer(x: Any, y: Any) -> Any:
        return wnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)

    def gelu_mlp(x: Any, up: Any, down: Any) -> Any:
        return wax.nn.gelu(x @ up) @ down

    def conv(x: Any, w: Any) -> Any:
        return wax.nn.conv(x, w, padding="same", channels_last=True)

    grad = wax.grad(block.loss_of(block.wax_block), argnums=tuple(range(13)))
    square, rows = ((1024, 1024), (1024, 1024)), ({0: "n"}, None)
    attention = {
        f"attention{', causal' * causal}, 8 × {length} × 64": attention_case(length, causal)
        for length in (16, 128, 512, 2048)
        for causal in (False, True)
    }
    return {
        "x * 2 + y, relu, 4 M": Case(
            lambda x, y: wnp.maximum(x * 2 + y, 0), ((2048, 2048),) * 2, ({0: "n", 1: "m"},) * 2
        ),
        "softmax, 1024 × 1024": Case(lambda x: wax.nn.softmax(x, axis=-1), ((1024, 1024),), ({0: "n", 1: "m"},)),
        "layer norm, 1024 × 1024": Case(wax.nn.layer_norm, ((1024, 1024), (1024,), (1024,)), ({0: "n"}, None, None)),
        "sum of rows, 2048 × 2048": Case(lambda x: wnp.sum(x, axis=1), ((2048, 2048),), ({0: "n", 1: "m"},)),
        "matmul, 1024³, open rows": Case(wnp.matmul, square, rows),
        "matmul, 1024³, open columns": Case(wnp.matmul, square, (None, {1: "n"})),
        "matmul, 1024³, open terms": Case(wnp.matmul, square, ({1: "n"}, {0: "n"})),
        "matmul, 8 × 4096 × 4096, open rows": Case(wnp.matmul, ((8, 4096), (4096, 4096)), rows),
        "two layers, gelu, 512 × 768 × 3072": Case(
            gelu_mlp, ((512, 768), (768, 3072), (3072, 768)), ({0: "n"}, None, None)
        ),
        "conv 3×3, open batch": Case(conv, ((8, 56, 56, 64), (3, 3, 64, 64)), rows),
        "squared distances, 500 × 400 × 32": Case(outer, ((500, 32), (400, 32)), ({0: "n"}, {0: "m"})),
        **attention,
        **{
            f"GPT-2-small block, {length} tokens: forward": block_case(length, block.wax_block) for length in (128, 512)
        },
        **{f"GPT-2-small block, {length} tokens: gradient": block_case(length, grad) for length in (128, 512)},
    }


def main() -> None:
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)

    import numpy as np
    import optree

    import wax
    import wax.numpy as wnp

    random, rows = np.random.default_rng(0), []
    for name, case in cases().items():
        if options.only not in name:
            continue
        drawn = [random.standard_normal(shape).astype(np.float32) / max(shape[0], 1) ** 0.5 for shape in case.shapes]
        arrays = [wnp.asarray(x) for x in drawn]
        dims = {symbol: wax.Dim(symbol) for each in case.dims for symbol in (each or {}).values()}
        opened = tuple(each and {axis: dims[symbol] for axis, symbol in each.items()} for each in case.dims)

        def contender(called: str, function: Any, arrays: Any = arrays) -> harness.Contender:
            def run() -> Any:
                results = optree.tree_leaves(function(*arrays))
                for one in results:
                    one.block_until_ready()
                return results[0]

            return harness.Contender(called, run)

        open_sizes, known = wax.jit(case.function, dynamic_shapes=opened), wax.jit(case.function)
        pair = [contender("open sizes", open_sizes), contender("known sizes", known)]
        rows.append(harness.compare(name, pair, rounds=options.rounds or 11, tolerance=1e-2))
    harness.report(
        "open_sizes", "Functions of open sizes, and of the same sizes known when they are compiled", rows, options
    )


if __name__ == "__main__":
    main()
