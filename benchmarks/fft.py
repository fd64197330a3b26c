"""Fourier transforms of complex and of real numbers, against NumPy and jax.jit.

As many elements along several lengths, powers of two and a prime, and an image: 2¹⁸ elements a call. Each framework
transforms its own arrays in memory; nobody normalises.
"""

import harness

#: A shape, and the axes that are transformed.
SHAPES = [((256, 1024), 1), ((64, 4096), 1), ((16, 16384), 1), ((4, 65536), 1), ((256, 1009), 1), ((512, 512), 2)]


def main() -> None:
    parser = harness.parser(__doc__)
    parser.add_argument("--only", default="", help="the rows whose name has this in it")
    options = parser.parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import numpy as np

    import wax
    import wax.numpy as wnp

    jax.config.update("jax_enable_x64", True)

    def contenders(function, axes, x):
        """One each; a result is there when it can be read."""
        name = {1: function, 2: f"{function}n"}[axes]

        def transform(namespace):
            return lambda x: getattr(namespace.fft, name)(x)

        ours, theirs = wax.jit(transform(wnp)), jax.jit(transform(jnp))
        mine, its = wnp.asarray(x), jnp.asarray(x)
        return [
            harness.Contender("wax", lambda: ours(mine).block_until_ready()),
            harness.Contender("numpy", lambda: transform(np)(x)),
            harness.Contender("jax", lambda: theirs(its).block_until_ready()),
        ]

    def parts(result):
        found = np.asarray(result)
        return found.view(found.real.dtype)

    rows = []
    random = np.random.default_rng(0)
    for shape, axes in SHAPES:
        for function, dtypes in (("fft", ("complex64", "complex128")), ("rfft", ("float32", "float64"))):
            for dtype in dtypes:
                name = f"{function} {dtype} {' × '.join(map(str, shape))}"
                if options.only not in name:
                    continue
                x = random.standard_normal(shape)
                if function == "fft":
                    x = x + 1j * random.standard_normal(shape)
                x = x.astype(dtype)
                frameworks = contenders(function, axes, x)
                # Elements of a result are about as large as the root of the number of terms.
                terms = np.prod(shape[-axes:])
                tolerance = 64 * np.finfo(dtype).eps * float(np.sqrt(terms))
                harness.agree({one.name: parts(one.run()) for one in frameworks}, tolerance)
                rows.append(harness.compare(name, frameworks, rounds=options.rounds or 15))
    harness.report("fft", "Fourier transforms", rows, options)


if __name__ == "__main__":
    main()
