"""What a call of a tiny jitted function costs, against jax.jit with the same kinds of arguments.

Four floats are added or scaled: the time is that of finding the program, passing arguments and wrapping results.
Each framework gets its own arrays, NumPy arrays, Python numbers, and small pytrees.
"""

import harness


def main() -> None:
    options = harness.parser(__doc__).parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import numpy as np

    import wax
    import wax.numpy as wnp

    def add(x, y):
        return x + y

    def scale(x, factor):
        return x * factor

    def tree(p, x):
        return {"y": x * p["scale"] + p["shift"]}

    def leaves(arrays):
        return [x + x for x in arrays]

    data = np.asarray([1.0, 2.0, 3.0, 4.0], np.float32)
    ours, theirs = wnp.asarray(data), jnp.asarray(data)
    cases = [
        ("own arrays: x + y", add, (ours, ours), (theirs, theirs)),
        ("NumPy arrays: x + y", add, (data, data), (data, data)),
        ("own array × Python float", scale, (ours, 2.5), (theirs, 2.5)),
        (
            "a dict of two, and an array",
            tree,
            ({"scale": ours, "shift": ours}, ours),
            ({"scale": theirs, "shift": theirs}, theirs),
        ),
        ("a list of 8 arrays, 8 results", leaves, ([ours] * 8,), ([theirs] * 8,)),
    ]

    def contender(name, function, arguments, first):
        def run():
            return first(function(*arguments))

        return harness.Contender(name, run)

    # Both are asynchronous by design; the result of neither is awaited by more than the framework's own call.
    def leaf(result):
        while isinstance(result, dict | list):
            result = next(iter(result.values())) if isinstance(result, dict) else result[0]
        return result.block_until_ready()

    rows = []
    for name, function, mine, peer in cases:
        contenders = [
            contender("wax", wax.jit(function), mine, leaf),
            contender("jax", jax.jit(function), peer, leaf),
        ]
        rows.append(harness.compare(name, contenders, rounds=options.rounds or 41, tolerance=0.0))
    harness.report("call_overhead", "Call of a tiny jitted function", rows, options)


if __name__ == "__main__":
    main()
