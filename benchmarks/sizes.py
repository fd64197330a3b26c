"""Functions of arrays whose sizes are no powers of two, of few columns, and of narrow types, beside JAX and PyTorch.

What a library's vectors and tiles do not divide is where it may be slow unnoticed; these are the sizes of images, of
points, of tables. Each framework has arrays of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness

#: Shapes in f32: images and tables, long rows and short ones, pixels or points.
SHAPES = [(1000, 1000), (1023, 1025), (10000, 100), (200000, 3), (3, 224, 224), (64, 197, 768)]
#: Other types, of the first shape.
DTYPES = ["float64", "bfloat16", "float16", "int8", "int32"]


def main() -> None:
    """Prints the table, and saves it when all rows were measured."""
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    import torch
    from cases import Case, timed

    import wax.nn
    import wax.numpy as wnp

    jax.config.update("jax_enable_x64", True)
    torch.set_num_threads(options.threads)
    random = np.random.default_rng(0)

    def array(shape: tuple[int, ...], dtype: str) -> Any:
        made = random.integers(-99, 99, shape) if dtype.startswith("int") else random.standard_normal(shape)
        return made.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)

    def joined(xp: Any) -> Callable[..., Any]:
        return {wnp: wnp.concat, jnp: jnp.concatenate, torch: torch.cat}[xp]

    def padded(xp: Any) -> Callable[..., Any]:
        if xp is torch:
            return lambda x: torch.nn.functional.pad(x, (1, 1), value=1.0)
        return lambda x: xp.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 1)], constant_values=1)

    def largest(xp: Any) -> Callable[..., Any]:
        return torch.amax if xp is torch else xp.max

    soft = {wnp: wax.nn.softmax, jnp: jax.nn.softmax, torch: torch.softmax}
    in_order = {wnp: wnp.sort, jnp: jnp.sort, torch: lambda x: torch.sort(x)[0]}
    axis = {wnp: "axis", jnp: "axis", torch: "dim"}
    # A function of each namespace's, and what it takes besides the array: as much, a row or a column.
    functions: dict[str, tuple[Callable[[Any], Callable[..., Any]], str]] = {
        "x + y": (lambda xp: lambda x, y: x + y, "array"),
        "x > y": (lambda xp: lambda x, y: x > y, "array"),
        "greatest of rows": (lambda xp: lambda x: largest(xp)(x, **{axis[xp]: -1}), ""),
        "where": (lambda xp: lambda x, y: xp.where(x > 0, x, y), "array"),
        "exp": (lambda xp: xp.exp, ""),
        "x + row": (lambda xp: lambda x, y: x + y, "row"),
        "x * column": (lambda xp: lambda x, y: x * y, "column"),
        "every other, times 2": (lambda xp: lambda x: x[..., ::2] * 2, ""),
        "neighbours' difference": (lambda xp: lambda x: x[..., 1:] - x[..., :-1], ""),
        "joined along rows": (lambda xp: lambda x, y: joined(xp)([x, y], **{axis[xp]: -1}), "array"),
        "sums of rows": (lambda xp: lambda x: xp.sum(x, **{axis[xp]: -1}), ""),
        "sums of columns": (lambda xp: lambda x: xp.sum(x, **{axis[xp]: 0}), ""),
        "where rows are greatest": (lambda xp: lambda x: xp.argmax(x, **{axis[xp]: -1}), ""),
        "first less last of rows": (lambda xp: lambda x: x[..., 0] - x[..., -1], ""),
        "padded by one": (padded, ""),
        "sorted rows": (lambda xp: in_order[xp], ""),
        "softmax": (lambda xp: lambda x: soft[xp](x, **{axis[xp]: -1}), ""),
    }
    others = {"array": lambda s: s, "row": lambda s: s[-1:], "column": lambda s: (*s[:-1], 1)}

    def case(name: str, shape: tuple[int, ...], dtype: str) -> Case:
        function, other = functions[name]
        arrays = (array(shape, dtype), *([array(others[other](shape), dtype)] if other else []))
        title = f"{name}, {' × '.join(map(str, shape))}{'' if dtype == 'float32' else ', ' + dtype}"
        return Case(title, function(wnp), arrays, {"jax": function(jnp), "torch": function(torch)}, tolerance=1e-3)

    cases = [case(name, shape, "float32") for shape in SHAPES for name in functions]
    cases += [case(name, SHAPES[0], dtype) for dtype in DTYPES for name in ("x + y", "x > y", "greatest of rows")]
    rows = [timed(one, options.rounds or 11, budget=2.0) for one in cases if options.only in one.name]
    harness.report("sizes", "Sizes that are no powers of two", rows, options)


if __name__ == "__main__":
    main()
